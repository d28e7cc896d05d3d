"""`python -m starport_scoring`: the scoring service in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starport_chassis import CannotStart, Service, serve
from starport_eventlog import open_log
from starport_scoring.service import build
from starport_scoring.settings import ScoringSettings


@asynccontextmanager
async def world(settings: ScoringSettings) -> AsyncIterator[Sequence[Service]]:
    try:
        eventlog = open_log(settings.store_url, settings.partitions)
    except ValueError as why:
        raise CannotStart(f"STARPORT_STORE_URL: {why}") from None
    try:
        yield [await build(settings, eventlog)]
    finally:
        await eventlog.close()


if __name__ == "__main__":
    sys.exit(serve(ScoringSettings, world))
