"""What a container engine asks: does the service on this machine serve?"""

from __future__ import annotations

import asyncio
import sys

import pytest

from libs.chassis.tests.conftest import Open
from libs.chassis.tests.parlour import Parlour
from starport_chassis.healthcheck import main


async def ask(*arguments: str) -> int:
    return await asyncio.to_thread(main, arguments)


async def test_serving_is_healthy_and_draining_is_not(
    opened: Open, parlour: Parlour, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    host, _ = await opened(parlour, drain_notice_s=5.0)
    monkeypatch.setenv("STARPORT_PORT", str(host.port))
    monkeypatch.setenv("STARPORT_HOST", "0.0.0.0")  # noqa: S104  # as in a container
    assert await ask() == 0
    assert capsys.readouterr().out == "healthcheck: SERVING\n"
    stopping = asyncio.create_task(host.stop())
    async with asyncio.timeout(4):
        while await ask() == 0:  # noqa: ASYNC110  # it asks anew
            await asyncio.sleep(0.01)
    assert "NOT_SERVING" in capsys.readouterr().out
    await host.stop(hurry=True)
    await stopping


async def test_nobody_there_is_not_healthy(opened: Open, parlour: Parlour, capsys: pytest.CaptureFixture[str]) -> None:
    host, _ = await opened(parlour)
    await host.stop(hurry=True)
    assert await ask("--port", str(host.port)) == 1
    assert "does not answer" in capsys.readouterr().out


@pytest.mark.parametrize("port", ["", "0", "many"])
async def test_without_a_port_it_says_so(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARPORT_PORT", port)
    assert await ask() == 2
    assert capsys.readouterr().out.startswith("healthcheck: STARPORT_PORT: ")


async def test_as_a_process(opened: Open, parlour: Parlour) -> None:
    host, _ = await opened(parlour)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "starport_chassis.healthcheck", env={"STARPORT_PORT": str(host.port)}
    )
    async with asyncio.timeout(20):
        assert await process.wait() == 0
