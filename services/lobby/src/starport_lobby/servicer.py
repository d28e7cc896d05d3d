"""The gRPC edge: one line per call, everything else is a use case."""

from __future__ import annotations

from typing import Any

import grpc

from starport.v1 import lobby_pb2, lobby_pb2_grpc
from starport_lobby.players import Players, message
from starport_lobby.quick import QuickMatch
from starport_lobby.seating import Seating
from starport_lobby.shelf import told

Context = grpc.aio.ServicerContext[Any, Any]


class LobbyServicer(lobby_pb2_grpc.LobbyServiceServicer):
    """starport.v1.LobbyService."""

    def __init__(self, players: Players, seating: Seating, quick: QuickMatch) -> None:
        self._players = players
        self._seating = seating
        self._quick = quick

    async def CreateGuest(
        self, request: lobby_pb2.CreateGuestRequest, context: Context
    ) -> lobby_pb2.CreateGuestResponse:
        player, token = await self._players.guest(request.name)
        return lobby_pb2.CreateGuestResponse(player=message(player), token=token)

    async def Register(self, request: lobby_pb2.RegisterRequest, context: Context) -> lobby_pb2.RegisterResponse:
        player, token, key = await self._players.register(request.name)
        return lobby_pb2.RegisterResponse(player=message(player), token=token, key=key)

    async def Login(self, request: lobby_pb2.LoginRequest, context: Context) -> lobby_pb2.LoginResponse:
        player, token = await self._players.login(request.name, request.key)
        return lobby_pb2.LoginResponse(player=message(player), token=token)

    async def Refresh(self, request: lobby_pb2.RefreshRequest, context: Context) -> lobby_pb2.RefreshResponse:
        return lobby_pb2.RefreshResponse(token=await self._players.refresh(request.token))

    async def CreateTable(
        self, request: lobby_pb2.CreateTableRequest, context: Context
    ) -> lobby_pb2.CreateTableResponse:
        return lobby_pb2.CreateTableResponse(table=told(await self._seating.create(request)))

    async def GetTable(self, request: lobby_pb2.GetTableRequest, context: Context) -> lobby_pb2.GetTableResponse:
        return lobby_pb2.GetTableResponse(table=told(await self._seating.get(request)))

    async def ListTables(self, request: lobby_pb2.ListTablesRequest, context: Context) -> lobby_pb2.ListTablesResponse:
        return lobby_pb2.ListTablesResponse(tables=await self._seating.list_tables(request))

    async def Sit(self, request: lobby_pb2.SitRequest, context: Context) -> lobby_pb2.SitResponse:
        found, seat = await self._seating.sit(request)
        return lobby_pb2.SitResponse(table=told(found), seat=seat)

    async def Leave(self, request: lobby_pb2.LeaveRequest, context: Context) -> lobby_pb2.LeaveResponse:
        await self._seating.leave(request)
        return lobby_pb2.LeaveResponse()

    async def StartTable(self, request: lobby_pb2.StartTableRequest, context: Context) -> lobby_pb2.StartTableResponse:
        return lobby_pb2.StartTableResponse(table=told(await self._seating.start(request)))

    async def QuickMatch(self, request: lobby_pb2.QuickMatchRequest, context: Context) -> lobby_pb2.QuickMatchResponse:
        found, seat = await self._quick.find(request)
        return lobby_pb2.QuickMatchResponse(table=told(found), seat=seat)

    async def Invite(self, request: lobby_pb2.InviteRequest, context: Context) -> lobby_pb2.InviteResponse:
        return lobby_pb2.InviteResponse(invitation=await self._seating.invite(request))

    async def EnterMatch(self, request: lobby_pb2.EnterMatchRequest, context: Context) -> lobby_pb2.EnterMatchResponse:
        entry = await self._seating.enter(request)
        return lobby_pb2.EnterMatchResponse(match=entry.match, seat_token=entry.token, seat=entry.seat)
