"""A scoring service on a loopback port, for the tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
from pydantic import SecretStr

from services.scoring.tests.entries import PARTITIONS
from starport.v1 import scoring_pb2, scoring_pb2_grpc
from starport_chassis import Host
from starport_eventlog import MemoryLog
from starport_scoring.service import ScoringService, build
from starport_scoring.settings import ScoringSettings

EVENTUALLY_S = 20.0
LOOK_AGAIN_S = 0.01


@dataclass
class Served:
    service: ScoringService
    stub: scoring_pb2_grpc.ScoringServiceAsyncStub

    async def results(self, **request: Any) -> scoring_pb2.ListResultsResponse:
        return await self.stub.ListResults(scoring_pb2.ListResultsRequest(**request))

    async def board(self, game: str = "space-race", limit: int = 0) -> list[scoring_pb2.LeaderboardLine]:
        response = await self.stub.Leaderboard(scoring_pb2.LeaderboardRequest(game=game, limit=limit))
        return list(response.lines)

    async def has(self, count: int) -> None:
        """Waits until so many results are stored."""
        async with asyncio.timeout(EVENTUALLY_S):
            while len(await self.service.store.numbers("", "", None, count + 1)) < count:  # noqa: ASYNC110 - the bus tells nobody
                await asyncio.sleep(LOOK_AGAIN_S)


@asynccontextmanager
async def served(url: str, log: MemoryLog, name: str = "one", **settings: Any) -> AsyncIterator[Served]:
    chosen = ScoringSettings(results_url=SecretStr(url), partitions=PARTITIONS, consumer_name=name, **settings)
    service = await build(chosen, log)
    host = Host(chosen, [service])
    await host.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{host.port}") as channel:
        try:
            yield Served(service, scoring_pb2_grpc.ScoringServiceStub(channel))
        finally:
            await host.stop()
