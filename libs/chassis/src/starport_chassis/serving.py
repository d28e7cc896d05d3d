"""What a service's `__main__` calls: settings, logs, the world it builds, the host, and an exit code."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeVar

import structlog

from .guard import Translate
from .host import Host, Service
from .logs import configure_logging
from .settings import CannotStart, Settings, help_text, load

log = structlog.get_logger("starport.serving")

GARBAGE_MIN = 20_000  # new containers that outlived their use before the collector looks for cycles among them

S = TypeVar("S", bound=Settings)
World = Awaitable[Sequence[Service]] | AbstractAsyncContextManager[Sequence[Service]]


def serve(
    settings_class: type[S],
    build: Callable[[S], World],
    *,
    arguments: Sequence[str] | None = None,
    translate: Translate | None = None,
) -> int:
    """Runs services until a signal and returns the exit code.

    `build` is an async function that returns the services, or an async context manager that also closes what it opened.
    `translate` turns exceptions of libraries into refusals, such as a store that is down.
    """
    given = sys.argv[1:] if arguments is None else arguments
    command = Path(sys.argv[0]).parent.name if Path(sys.argv[0]).name == "__main__.py" else Path(sys.argv[0]).name
    if "--help" in given or "-h" in given:
        sys.stdout.write(help_text(settings_class, command) + "\n")
        return 0
    try:
        settings = load(settings_class, given)
        configure_logging(settings)
        return asyncio.run(_run(settings, build, translate))
    except CannotStart as problem:
        sys.stderr.write(f"{command}: {problem}\n")
        return problem.exit_code
    except KeyboardInterrupt:  # before the host took signals over
        return 130


async def _run(settings: S, build: Callable[[S], World], translate: Translate | None) -> int:
    async with _opened(build(settings)) as services:
        host = Host(settings, services, translate)
        await host.start()
        _collect_seldom()
        return await host.run_until_signal()


def _collect_seldom() -> None:
    """What was loaded stays, so the collector need not look at it again; calls leave few cycles behind."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_MIN)


@asynccontextmanager
async def _opened(world: World) -> AsyncIterator[Sequence[Service]]:
    if isinstance(world, AbstractAsyncContextManager):
        async with world as services:
            yield services
    else:
        yield await world
