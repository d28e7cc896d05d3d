"""Real servers on loopback ports, and the logs they write."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import grpc
import pytest
import structlog

from libs.chassis.tests.parlour import Parlour, translate
from starport_chassis import Host, Settings, configure_logging

Open = Callable[..., Awaitable[tuple[Host, grpc.aio.Channel]]]


class Lines(io.StringIO):
    """A log in memory, read as the objects of its lines."""

    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]

    def events(self) -> list[str]:
        return [entry["event"] for entry in self.objects()]


@pytest.fixture(autouse=True)
def logged(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    for name in ("STARPORT_PORT", "STARPORT_HOST", "STARPORT_LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    lines = Lines()
    configure_logging(Settings(log_format="json"), lines)
    yield lines
    print(lines.getvalue())  # shown when the test fails
    logging.captureWarnings(False)
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
async def parlour() -> Parlour:
    return Parlour()


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    """Opens a host with these services and settings, and a channel to it; both are closed at the end."""
    async with AsyncExitStack() as stack:

        async def open_host(*services: Parlour, **settings: Any) -> tuple[Host, grpc.aio.Channel]:
            quick = {"drain_s": 5.0, "stream_drain_s": 0.1, **settings}
            host = Host(Settings.model_validate(quick), services, translate)
            port = await host.start()
            stack.push_async_callback(host.stop, hurry=True)
            channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
            await stack.enter_async_context(channel)
            return host, channel

        yield open_host
