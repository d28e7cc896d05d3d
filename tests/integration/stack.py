"""docker-compose.yml as tests run it: a project of its own with free ports, and everything that can happen to it."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SERVICES = ("rules", "lobby", "scoring", "smuggler")
RULES_PORTS = 4  # as many replicas could run
PORTS_FROM, PORTS_TO = 20_000, 32_000  # below what systems give to outgoing connections
PORT_TRIES_MAX = 50
COMMAND_S = 120.0
BUILD_S = 600.0  # also on an empty cache
HEALTHY_S = 90
READ_LOG = """
import asyncio, base64, os, sys
from starport_eventlog import open_log
async def main():
    log = open_log(os.environ["STARPORT_STORE_URL"], 4)
    for match in sys.argv[1:]:
        print(*[base64.b64encode(record).decode() for record in await log.read(match)])
    await log.close()
asyncio.run(main())
"""


def need_docker() -> None:
    docker = shutil.which("docker")
    if docker is None or run(docker, "info", check=False).returncode:
        pytest.skip("no Docker engine runs here")
    if run(docker, "compose", "version", check=False).returncode:
        pytest.skip("docker compose is not installed here")


def run(*command: str, wait_s: float = COMMAND_S, check: bool = True, **more: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=wait_s, check=False, **more)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(command)} failed:\n{done.stdout}\n{done.stderr}")
    return done


def free_ports(count: int) -> int:
    """The first of so many ports in a row that nobody has now."""
    for _ in range(PORT_TRIES_MAX):
        first = random.randrange(PORTS_FROM, PORTS_TO - count)  # noqa: S311  # any will do
        if all(_free(port) for port in range(first, first + count)):
            return first
    raise AssertionError("no free ports")


def _free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Stack:
    """A project, from `up` to its end. Methods wait; tests call them in threads."""

    def __init__(self) -> None:
        self.project = f"starport-test-{secrets.token_hex(4)}"
        self.group = 0  # of processes: the reaper ends whatever still works for this project
        first = free_ports(RULES_PORTS + 2)
        self.rules_ports = range(first, first + RULES_PORTS)
        self.lobby_port, self.scoring_port = first + RULES_PORTS, first + RULES_PORTS + 1
        self.service_key = secrets.token_urlsafe(32)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("STARPORT_", "COMPOSE_"))},
            "STARPORT_TAG": self.project,
            "STARPORT_SERVICE_KEY": self.service_key,
            "STARPORT_RULES_PORTS": f"{first}-{first + RULES_PORTS - 1}",
            "STARPORT_LOBBY_PORT": str(self.lobby_port),
            "STARPORT_SCORING_PORT": str(self.scoring_port),
            "STARPORT_APPENDFSYNC": "everysec",
        }

    @property
    def images(self) -> list[str]:
        return [f"starport-{service}:{self.project}" for service in SERVICES]

    def compose(self, *arguments: str, wait_s: float = COMMAND_S) -> str:
        # A .env of this work tree belongs to the operator, not to the tests.
        command = ("docker", "compose", "--env-file", os.devnull, "--project-name", self.project, *arguments)
        return run(*command, wait_s=wait_s, cwd=ROOT, env=self.environment, process_group=self.group).stdout

    def build(self) -> None:
        self.compose("build", "--quiet", wait_s=BUILD_S)

    def up(self, *arguments: str) -> None:
        """Starts or changes what is asked for, and waits until all of it is healthy."""
        self.compose("up", "--detach", "--wait", "--wait-timeout", str(HEALTHY_S), "--no-build", *arguments)

    # -- looking

    def containers(self, service: str) -> list[str]:
        """All of them, also stopped ones."""
        return self.compose("ps", "--all", "--quiet", service).split()

    def inspect(self, container: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(run("docker", "inspect", container).stdout)[0]
        return found

    def inside(self, container: str, *command: str) -> subprocess.CompletedProcess[str]:
        return run("docker", "exec", container, *command, check=False)

    def records(self, *matches: str) -> list[list[bytes]]:
        """The logs of matches, straight from Redis, by way of a container that can reach it."""
        printed = self.compose("exec", "-T", "scoring", "python", "-c", READ_LOG, *matches)
        return [[base64.b64decode(word) for word in line.split()] for line in printed.splitlines()]

    def calls(self, container: str, method: str) -> float:
        """How many calls of a method ended well there, as its metrics page says."""
        read = "import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:9100').read().decode())"
        for line in self.inside(container, "python", "-c", read).stdout.splitlines():
            if line.startswith("starport_grpc_calls_total") and f"/{method}" in line and 'status="OK"' in line:
                return float(line.rpartition(" ")[2])
        return 0.0

    # -- harm

    def kill(self, container: str) -> None:
        """SIGKILL from outside; it stays dead."""
        run("docker", "kill", container)

    def crash(self, container: str) -> None:
        """SIGKILL from inside, as a bug or the memory limit would: the engine starts it again by itself."""
        self.inside(container, "sh", "-c", "kill -9 -1")

    def restarts(self, container: str) -> int:
        return int(self.inspect(container)["RestartCount"])


@contextmanager
def running() -> Iterator[Stack]:
    """Built, healthy, and gone at the end, however the end comes."""
    need_docker()
    stack = Stack()
    # It waits for the end of this process, not for its good will: also Ctrl-C and SIGKILL leave nothing behind.
    command = (sys.executable, "-m", "tests.integration.reaper", stack.project, *stack.images)
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, process_group=0) as reaper:
        stack.group = reaper.pid
        stack.build()
        stack.up()
        yield stack
        assert reaper.poll() is None, "the reaper died before its time"


async def in_thread(method: Any, *arguments: Any) -> Any:
    return await asyncio.to_thread(method, *arguments)
