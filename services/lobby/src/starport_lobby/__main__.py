"""`python -m starport_lobby`: the lobby by itself."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starport.v1 import rules_pb2_grpc
from starport_chassis.dialing import dial
from starport_chassis.host import Service
from starport_chassis.refusals import Refused
from starport_chassis.serving import serve
from starport_chassis.settings import CannotStart
from starport_eventlog import open_log
from starport_lobby.opening import open_store
from starport_lobby.service import build
from starport_lobby.settings import LobbySettings


@asynccontextmanager
async def world(settings: LobbySettings) -> AsyncIterator[Sequence[Service]]:
    store = open_store(settings)
    eventlog = open_log(settings.store_url, settings.partitions)
    try:
        async with dial(settings.rules_address) as channel:
            try:
                service = await build(settings, store, rules_pb2_grpc.RulesServiceStub(channel), eventlog)
            except Refused as refused:
                raise CannotStart(f"STARPORT_STORE_URL: {refused.message}") from None
            yield [service]
    finally:
        await eventlog.close()
        await store.close()


if __name__ == "__main__":
    sys.exit(serve(LobbySettings, world))
