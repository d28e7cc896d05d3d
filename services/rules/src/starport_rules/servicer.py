"""The gRPC edge: one line per call, everything else is a use case."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc

from starport.v1 import rules_pb2, rules_pb2_grpc
from starport_rules.playing import Player
from starport_rules.session import Session
from starport_rules.starting import Starter
from starport_rules.watching import QueueOutlet, Watcher

Context = grpc.aio.ServicerContext[Any, Any]


class RulesServicer(rules_pb2_grpc.RulesServiceServicer):
    """starport.v1.RulesService."""

    def __init__(self, starter: Starter, player: Player, watcher: Watcher) -> None:
        self._starter = starter
        self._player = player
        self._watcher = watcher

    async def Prepare(self, request: rules_pb2.PrepareRequest, context: Context) -> rules_pb2.PrepareResponse:
        return await self._starter.prepare(request)

    async def Start(self, request: rules_pb2.StartRequest, context: Context) -> rules_pb2.StartResponse:
        await self._starter.start(request)
        return rules_pb2.StartResponse()

    async def Play(self, request: rules_pb2.PlayRequest, context: Context) -> rules_pb2.PlayResponse:
        return rules_pb2.PlayResponse(update=await self._player.play(request))

    async def Watch(self, request: rules_pb2.WatchRequest, context: Context) -> AsyncIterator[rules_pb2.WatchResponse]:
        async for update in self._watcher.watch(request, QueueOutlet()):
            yield rules_pb2.WatchResponse(update=update)

    async def Session(
        self, request_iterator: AsyncIterator[rules_pb2.SessionRequest], context: Context
    ) -> AsyncIterator[rules_pb2.SessionResponse]:
        session = Session(self._player, self._watcher)
        reader = asyncio.create_task(session.read(request_iterator))
        try:
            async for batch in session.batches():
                yield batch
        finally:
            reader.cancel()
            session.leave()

    async def Legal(self, request: rules_pb2.LegalRequest, context: Context) -> rules_pb2.LegalResponse:
        return await self._watcher.legal(request)

    async def Observe(self, request: rules_pb2.ObserveRequest, context: Context) -> rules_pb2.ObserveResponse:
        return await self._watcher.observe(request)

    async def TakeBack(self, request: rules_pb2.TakeBackRequest, context: Context) -> rules_pb2.TakeBackResponse:
        await self._player.take_back(request)
        return rules_pb2.TakeBackResponse()
