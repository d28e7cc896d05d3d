"""`python -m starport_smuggler`: the house bots in a process of their own."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starport.v1 import rules_pb2_grpc
from starport_chassis import CannotStart, Service, dial, serve
from starport_eventlog import open_log
from starport_smuggler.service import build
from starport_smuggler.settings import SmugglerSettings


@asynccontextmanager
async def world(settings: SmugglerSettings) -> AsyncIterator[Sequence[Service]]:
    try:
        eventlog = open_log(settings.store_url, settings.partitions)
    except ValueError as why:
        raise CannotStart(f"STARPORT_STORE_URL: {why}") from None
    try:
        async with dial(settings.rules_address) as channel:
            yield [await build(settings, eventlog, rules_pb2_grpc.RulesServiceStub(channel))]
    finally:
        await eventlog.close()


if __name__ == "__main__":
    sys.exit(serve(SmugglerSettings, world))
