"""The stores that the suite runs over, and what a test may do to them."""

import os
import shutil
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from starport_eventlog import BusMessage, EmbeddedStore, MemoryLog, RedisLog, new_match_id, open_log

PARTITIONS = 4
IMAGE = "redis:7-bookworm"
CLUSTER_NODES = 3
CLUSTER_SLOTS = 16384
READY_WAIT_S = 20.0

Log = MemoryLog | RedisLog


class Store:
    """A store that stays for the whole run; every test gets it empty."""

    def __init__(self, url: str, nodes: list[str]) -> None:
        self.url = url
        self._nodes = nodes  # urls of the servers behind it
        self._memory: MemoryLog | None = None
        self._opened: list[Log] = []

    @property
    def in_memory(self) -> bool:
        return not self._nodes

    def open(self) -> Log:
        """One more way to the same data, as another process would have."""
        if self.in_memory:
            self._memory = self._memory or MemoryLog(PARTITIONS)
            return self._memory
        log = open_log(self.url, PARTITIONS)
        self._opened.append(log)
        return log

    def flush(self) -> None:
        self.on_all_nodes("FLUSHALL")

    def drop_connections(self) -> None:
        self.on_all_nodes("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")

    def on_all_nodes(self, *command: str) -> list[Any]:
        return [on_node(url, *command) for url in self._nodes]

    async def end_test(self) -> None:
        for log in self._opened:
            await log.close()
        if self._memory is not None:
            await self._memory.close()
        self._memory = None
        self._opened = []


def on_node(url: str, *command: str) -> Any:
    with redis.Redis.from_url(url) as client:
        return client.execute_command(*command)


@contextmanager
def embedded(folder: Path) -> Iterator[Store]:
    store = EmbeddedStore(folder)
    url = store._start()  # without an event loop: it outlives those of the tests
    try:
        yield Store(url, [url])
    finally:
        store._stop()


@contextmanager
def containers(count: int, *options: str) -> Iterator[list[str]]:
    """Redis servers in containers; gives their addresses."""
    os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"  # its image cannot be had everywhere
    if not _docker_runs():
        pytest.skip("no Docker engine runs here")
    from testcontainers.core.container import DockerContainer  # noqa: PLC0415  # reads the variable above

    command = " ".join(("redis-server", "--bind 0.0.0.0", "--protected-mode no", "--save ''", *options))
    started: list[DockerContainer] = []
    try:
        for _ in range(count):
            started.append(DockerContainer(IMAGE).with_command(command).start())
        yield [_address(container.get_wrapped_container()) for container in started]
    finally:
        for container in started:
            container.stop()


def _docker_runs() -> bool:
    docker = shutil.which("docker")
    return docker is not None and subprocess.run([docker, "info"], capture_output=True, check=False).returncode == 0


def _address(container: Any) -> str:
    container.reload()
    networks = container.attrs["NetworkSettings"]["Networks"].values()
    url = f"redis://{next(iter(networks))['IPAddress']}:6379"
    wait_for(lambda: on_node(url, "PING") is True)
    return url


@contextmanager
def cluster() -> Iterator[Store]:
    with containers(CLUSTER_NODES, "--cluster-enabled yes", "--cluster-node-timeout 2000") as urls:
        share = CLUSTER_SLOTS // CLUSTER_NODES + 1
        for index, url in enumerate(urls):
            first, last = index * share, min(CLUSTER_SLOTS, (index + 1) * share) - 1
            on_node(url, "CLUSTER", "ADDSLOTSRANGE", str(first), str(last))
            on_node(url, "CLUSTER", "SET-CONFIG-EPOCH", str(index + 1))
        for url in urls[1:]:
            on_node(urls[0], "CLUSTER", "MEET", url.split("//")[1].split(":")[0], "6379")
        wait_for(lambda: all(b"cluster_state:ok" in _cluster_info(url) for url in urls))
        yield Store(urls[0].replace("redis://", "redis+cluster://"), urls)


def _cluster_info(url: str) -> bytes:
    with redis.Redis.from_url(url) as client:
        client.set_response_callback("CLUSTER INFO", lambda response, **_: response)
        found: bytes = client.execute_command("CLUSTER INFO")
    return found


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + READY_WAIT_S
    while True:
        try:
            if condition():
                return
        except redis.RedisError:
            pass
        if time.monotonic() > deadline:
            raise TimeoutError("the servers are not ready")
        time.sleep(0.05)


def match_in(partition: int) -> str:
    return f"{partition:02d}{new_match_id(1)[2:]}"


async def publish(log: Log, match: str, first: int, last: int) -> list[BusMessage]:
    """Versions first to last, each with its number as the body."""
    for version in range(first, last + 1):
        assert await log.append(match, version, b"r%d" % version, bus=b"b%d" % version)
    return [BusMessage(match, version, b"b%d" % version) for version in range(first, last + 1)]


Eventually = Callable[[Callable[[], bool]], Awaitable[None]]
