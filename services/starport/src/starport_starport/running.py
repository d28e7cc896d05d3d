"""Runs a command until it is done or somebody wants it to stop; what it opened is closed either way."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any

from starport_starport.problems import EXIT_INTERRUPTED

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(main: Coroutine[Any, Any, int], stopped: int = EXIT_INTERRUPTED) -> int:
    """The exit code of `main`, or `stopped` when a signal ended it. Further signals do not disturb the closing."""
    return asyncio.run(_until_signal(main, stopped))


async def _until_signal(main: Coroutine[Any, Any, int], stopped: int) -> int:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(main)
    asked = False

    def stop() -> None:
        nonlocal asked
        if not asked:
            asked = True
            task.cancel()

    for number in STOPPING:
        loop.add_signal_handler(number, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if not asked:
            raise
        return stopped
    finally:
        for number in STOPPING:
            loop.remove_signal_handler(number)
