"""The gRPC edge: one line per call; a database that is away is UNAVAILABLE."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

import grpc
import structlog

from starport.v1 import scoring_pb2, scoring_pb2_grpc
from starport_chassis.refusals import unavailable
from starport_scoring.reading import Reader
from starport_scoring.store import DatabaseDown

log = structlog.get_logger("scoring")
Context = grpc.aio.ServicerContext[Any, Any]
T = TypeVar("T")


class ScoringServicer(scoring_pb2_grpc.ScoringServiceServicer):
    """starport.v1.ScoringService."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def GetResult(self, request: scoring_pb2.GetResultRequest, context: Context) -> scoring_pb2.GetResultResponse:
        return scoring_pb2.GetResultResponse(result=await answered(self._reader.result(request.match)))

    async def ListResults(
        self, request: scoring_pb2.ListResultsRequest, context: Context
    ) -> scoring_pb2.ListResultsResponse:
        return await answered(self._reader.results(request))

    async def Leaderboard(
        self, request: scoring_pb2.LeaderboardRequest, context: Context
    ) -> scoring_pb2.LeaderboardResponse:
        return await answered(self._reader.leaderboard(request))


async def answered(answer: Awaitable[T]) -> T:
    try:
        return await answer
    except DatabaseDown as why:
        log.warning("database_down", why=str(why))
        raise unavailable("STORE", "the results database does not answer; try again a little later") from None
