"""A service as a process: how it starts, what signals do, and its exit codes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from libs.chassis.tests.parlour import say

ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-m", "libs.chassis.tests.parlour")


class Started:
    """The process, the lines it logs, and a channel to it."""

    def __init__(self, process: Process) -> None:
        self.process = process

    async def line(self, event: str) -> dict[str, Any]:
        """Reads on until this event."""
        assert self.process.stderr is not None
        async with asyncio.timeout(20):
            while raw := await self.process.stderr.readline():
                if raw.startswith(b"{"):
                    entry: dict[str, Any] = json.loads(raw)
                    if entry["event"] == event:
                        return entry
        raise AssertionError(f"the process ended without {event!r}")

    async def exit_code(self) -> int:
        async with asyncio.timeout(20):
            return await self.process.wait()


@asynccontextmanager
async def started(**variables: str) -> AsyncIterator[Started]:
    environment = {**os.environ, "STARPORT_LOG_FORMAT": "json", "STARPORT_LOG_LEVEL": "debug", **variables}
    process = await asyncio.create_subprocess_exec(*COMMAND, cwd=ROOT, env=environment, stdout=PIPE, stderr=PIPE)
    try:
        yield Started(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_drains_and_exits_with_zero(number: signal.Signals) -> None:
    async with started(STARPORT_CALL_DEADLINE_S="1") as house:
        port = (await house.line("serving"))["port"]
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            running = asyncio.create_task(say(channel, "unary", "wait"))
            await house.line("entered")
            house.process.send_signal(number)
            assert (await house.line("signal"))["signal"] == number.name
            assert (await house.line("draining"))["running"] == 1
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await running
            # The drain let it run until its own deadline.
            assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        await house.line("stopped")
        assert await house.exit_code() == 0


async def test_a_second_ctrl_c_ends_at_once() -> None:
    async with started(STARPORT_DRAIN_S="60", STARPORT_CALL_DEADLINE_S="60") as house:
        port = (await house.line("serving"))["port"]
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            running = asyncio.create_task(say(channel, "unary", "wait"))
            await house.line("entered")
            house.process.send_signal(signal.SIGINT)
            await house.line("draining")
            house.process.send_signal(signal.SIGINT)
            async with asyncio.timeout(5):
                assert await house.process.wait() == 130
            with pytest.raises(grpc.aio.AioRpcError):
                await running


async def test_a_taken_port_gives_one_line_and_exit_code_1() -> None:
    async with started() as first:
        port = (await first.line("serving"))["port"]
        async with started(STARPORT_PORT=str(port)) as second:
            _, stderr = await second.process.communicate()
            [line] = [line for line in stderr.decode().splitlines() if line.startswith("parlour.py: ")]
            assert line == f"parlour.py: cannot listen on 127.0.0.1:{port}; is the port taken?"
            assert second.process.returncode == 1


async def test_bad_settings_give_one_line_and_exit_code_2() -> None:
    async with started(STARPORT_PORT="many") as house:
        stdout, stderr = await house.process.communicate()
        assert house.process.returncode == 2
        assert stdout == b""
        assert stderr.decode().count("\n") == 1
        assert stderr.startswith(b"parlour.py: STARPORT_PORT: input should be a valid integer")
