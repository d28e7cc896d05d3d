"""The data folder: who holds it, the keys in it, where its server listens and who plays from it."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from starport_starport.problems import Problem

SERVICE_KEY_CHARS = 64
FILE_BYTES_MAX = 1024 * 1024  # of the small files here; nothing of ours comes near it
LOCAL = "local"  # the house of this folder, whatever its port is today


class FolderInUse(Problem):
    """Another Starport runs on this folder."""


@dataclass(frozen=True, slots=True)
class Running:
    """Where the server of a folder says that it listens."""

    pid: int
    host: str
    port: int

    @property
    def address(self) -> str:
        return joined(self.host, self.port)


def joined(host: str, port: int) -> str:
    """HOST:PORT, as gRPC reads it."""
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"


@dataclass(frozen=True, slots=True)
class Account:
    """A name of ours at some house, and the key that proves it."""

    name: str
    key: str


def default_folder() -> Path:
    given = os.environ.get("STARPORT_DATA")
    if given:
        return Path(given)
    share = os.environ.get("XDG_DATA_HOME")
    return (Path(share) if share else Path.home() / ".local" / "share") / "starport"


class DataFolder:
    """Everything that outlives a command. Files with secrets are readable by their owner only."""

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().absolute()
        self.store = self.path / "store"
        self.results = self.path / "results.db"
        self.token_key = self.path / "token-key.pem"
        self.log = self.path / "starport.log"
        self._service_key = self.path / "service-key"
        self._server = self.path / "server.json"
        self._accounts = self.path / "accounts.json"
        self._lock: IO[str] | None = None

    def make(self) -> None:
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as why:
            raise Problem(f"{self.path}: cannot be the data folder: {why.strerror}; name another with --data") from None

    # ------------------------------------------------------------------------------------------------- one at a time

    def take(self) -> None:
        """FolderInUse when another process has it. The system gives it back when this process ends, however it ends."""
        self.make()
        try:
            lock = (self.path / "lock").open("w", encoding="utf-8")
        except OSError as why:
            raise Problem(f"{self.path}: cannot write there: {why.strerror}; name another with --data") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise FolderInUse(
                f"{self.path} is in use by another Starport{self._who()}; stop it, or name another folder with --data"
            ) from None
        self._lock = lock

    def _who(self) -> str:
        running = self.running()
        return "" if running is None else f" (process {running.pid}, on {running.address})"

    def give_back(self) -> None:
        if self._lock is not None:
            self._server.unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    # --------------------------------------------------------------------------------------------------- the server

    def tell_running(self, host: str, port: int) -> None:
        write_privately(self._server, asdict(Running(os.getpid(), host, port)))

    def running(self) -> Running | None:
        """What the last server wrote, if its process is still there. Whether it answers is for the caller to ask."""
        found = read_json(self._server)
        try:
            running = Running(int(found["pid"]), str(found["host"]), int(found["port"]))
        except (KeyError, TypeError, ValueError):
            return None
        return running if is_alive(running.pid) else None

    # ------------------------------------------------------------------------------------------------------ secrets

    def service_key(self) -> str:
        """By which the services of this folder trust each other; made when missing."""
        try:
            if not self._service_key.exists():
                write_privately(self._service_key, secrets.token_hex(SERVICE_KEY_CHARS // 2))
            key = self._service_key.read_text(encoding="utf-8").strip().strip('"')
        except OSError as why:
            raise Problem(f"{self._service_key}: cannot be used: {why.strerror}") from None
        if len(key) < SERVICE_KEY_CHARS:
            raise Problem(f"{self._service_key}: is not a whole key; remove it, a new one is made")
        return key

    def account(self, house: str, name: str | None) -> Account | None:
        """Our account of this name there; without a name the one that was used last."""
        accounts = self._accounts_of(house)
        wanted = accounts.get("last") if name is None else name.casefold()
        found = accounts.get("names", {}).get(wanted)
        return None if found is None else Account(found["name"], found["key"])

    def keep_account(self, house: str, account: Account) -> None:
        accounts = self._accounts_of(house)
        same = account.name.casefold()
        accounts["last"] = same
        accounts.setdefault("names", {})[same] = asdict(account)
        self.make()
        write_privately(self._accounts, read_json(self._accounts) | {house: accounts})

    def _accounts_of(self, house: str) -> dict[str, Any]:
        found = read_json(self._accounts).get(house, {})
        if not isinstance(found, dict):
            raise Problem(f"{self._accounts}: cannot be read; move it away to begin anew")
        return found


def read_json(path: Path) -> dict[str, Any]:
    """{} when there is no such file; a server that stops may remove its file at any moment."""
    try:
        with path.open("rb") as file:
            data = file.read(FILE_BYTES_MAX)
        found = json.loads(data)
    except FileNotFoundError:
        return {}
    except OSError as why:
        raise Problem(f"{path}: cannot be read: {why.strerror}") from None
    except ValueError:
        raise Problem(f"{path}: cannot be read; move it away to begin anew") from None
    return found if isinstance(found, dict) else {}


def write_privately(path: Path, content: object) -> None:
    """The whole file or nothing of it, with mode 0600."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError as why:
        raise Problem(f"{path}: cannot be written: {why.strerror}") from None


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return pid > 0
