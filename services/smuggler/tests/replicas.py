"""Replicas of the house bots over a real rules service, for the tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starport.v1 import match_pb2, rules_pb2_grpc
from starport_eventlog import MemoryLog
from starport_games.kernel.deal import QuickDeal
from starport_smuggler.service import SmugglerService, build
from starport_smuggler.settings import SmugglerSettings
from tests.harness.rules import PARTITIONS, SERVICE_KEY, House

EVENTUALLY_S = 20.0
LOOK_AGAIN_S = 0.01


async def replica_of(
    house: House, log: MemoryLog, name: str = "one", *, stub: Any = None, **settings: Any
) -> SmugglerService:
    chosen = SmugglerSettings(service_key=SERVICE_KEY, partitions=PARTITIONS, consumer_name=name, **settings)
    asked: rules_pb2_grpc.RulesServiceAsyncStub = stub or house.stub
    return await build(chosen, log, asked, chance=QuickDeal(7))


@asynccontextmanager
async def replica(house: House, log: MemoryLog, name: str = "one", **settings: Any) -> AsyncIterator[SmugglerService]:
    service = await replica_of(house, log, name, **settings)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


async def kill(service: SmugglerService) -> None:
    """As a dying process would: nothing is finished, nothing is acknowledged, nobody is told."""
    consumer = service.consumer
    tasks = [*consumer._work, *consumer._handlers._work]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(EVENTUALLY_S):
        while not await holds():  # noqa: ASYNC110 - what is waited for happens in services, which tell nobody
            await asyncio.sleep(LOOK_AGAIN_S)


async def moves_of(log: MemoryLog, match: str) -> list[match_pb2.Moved]:
    records = [match_pb2.Record.FromString(data) for data in await log.read(match)]
    return [record.moved for record in records if record.HasField("moved")]


async def played_out(log: MemoryLog, match: str) -> list[match_pb2.Moved]:
    """Every move of the match, when it has ended."""

    async def ended() -> bool:
        moves = await moves_of(log, match)
        return bool(moves) and moves[-1].HasField("ending")

    await eventually(ended)
    return await moves_of(log, match)
