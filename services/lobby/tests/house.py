"""A lobby on a loopback port with a rules service of the tests behind it, and the people who use it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest

from starport.v1 import lobby_pb2 as pb
from starport.v1 import lobby_pb2_grpc, match_pb2, rules_pb2, rules_pb2_grpc
from starport_chassis import Host, ServiceTokens, TokenSigner, code_of
from starport_chassis.keyfile import new_private_pem
from starport_eventlog import MemoryLog, RedisLog, new_match_id, open_log
from starport_lobby.memory_store import MemoryStore
from starport_lobby.opening import open_store
from starport_lobby.service import build
from starport_lobby.settings import LobbySettings
from starport_lobby.store import Limits, Store
from starport_wire.codec import make_options

SERVICE_KEY = "the key of the tests, long enough for services"
PARTITIONS = 4
SIGNER = TokenSigner(new_private_pem())

Status = grpc.StatusCode
Context = grpc.aio.ServicerContext[Any, Any]


@dataclass
class FakeRules(rules_pb2_grpc.RulesServiceServicer):
    """Prepare and Start as the real one answers them, and failures on demand."""

    prepared: dict[str, bytes] = field(default_factory=dict)
    asked: list[rules_pb2.StartRequest] = field(default_factory=list)  # every Start that arrived
    begun: dict[str, rules_pb2.StartRequest] = field(default_factory=dict)
    prepare_fails: list[tuple[Status, str]] = field(default_factory=list)  # the next ones, first first
    start_fails: list[tuple[Status, str]] = field(default_factory=list)
    loses_replies: int = 0  # so many starts happen, but their callers hear nothing of it
    prepare_takes_s: float = 0.0
    start_takes_s: float = 0.0

    async def Prepare(  # noqa: N802  # the schema's name
        self, request: rules_pb2.PrepareRequest, context: Context
    ) -> rules_pb2.PrepareResponse:
        assert ServiceTokens(SERVICE_KEY).verify(request.token) == "lobby"
        await asyncio.sleep(self.prepare_takes_s)
        if self.prepare_fails:
            await context.abort(*self.prepare_fails.pop(0))
        id = new_match_id(PARTITIONS)
        self.prepared[id] = hashlib.sha256(id.encode()).digest()
        return rules_pb2.PrepareResponse(match=id, commit=self.prepared[id])

    async def Start(  # noqa: N802  # the schema's name
        self, request: rules_pb2.StartRequest, context: Context
    ) -> rules_pb2.StartResponse:
        assert ServiceTokens(SERVICE_KEY).verify(request.token) == "lobby"
        request.ClearField("token")
        self.asked.append(request)
        await asyncio.sleep(self.start_takes_s)
        if self.start_fails:
            await context.abort(*self.start_fails.pop(0))
        if request.match not in self.prepared:
            await context.abort(Status.NOT_FOUND, "there is no such match")
        if self.begun.setdefault(request.match, request) != request:
            await context.abort(Status.FAILED_PRECONDITION, "started already, with other options or seats")
        if self.loses_replies:
            self.loses_replies -= 1
            await context.abort(Status.UNAVAILABLE, "connection reset")
        return rules_pb2.StartResponse()


class House:
    """Everything that one test runs."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url = url
        self.rules = FakeRules()  # type: ignore[abstract]  # the lobby asks for nothing else
        self._stack = stack
        self._rules_channel: grpc.aio.Channel | None = None
        self._memory: MemoryStore | None = None
        self._eventlog: RedisLog | MemoryLog | None = None
        self._hosts: list[Host] = []
        self.rules_server: grpc.aio.Server | None = None
        self.rules_port = 0

    async def open(self, **settings: Any) -> Lobby:
        """A lobby; opened again, it is another replica over the same store."""
        defaults = {"store_url": self.url, "service_key": SERVICE_KEY, "start_retry_s": 60.0, "drain_s": 1.0}
        made = LobbySettings.model_validate({**defaults, **settings})
        store = self.store(made)
        self._stack.push_async_callback(store.close)
        stub = rules_pb2_grpc.RulesServiceStub(await self._channel())
        service = await build(made, store, stub, self.eventlog(), SIGNER)
        host = Host(made, [service])
        port = await host.start()
        self._stack.push_async_callback(host.stop, hurry=True)
        self._hosts.append(host)
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)])
        await self._stack.enter_async_context(channel)
        return Lobby(lobby_pb2_grpc.LobbyServiceStub(channel), store)

    def store(self, settings: LobbySettings) -> Store:
        if self.url != "memory://":
            return open_store(settings)
        limits = Limits(settings.tables_max, settings.tables_per_player_max, settings.players_max)
        self._memory = self._memory or MemoryStore(limits)
        self._memory.limits = limits
        return self._memory

    async def close_lobbies(self) -> None:
        for host in self._hosts:
            await host.stop(hurry=True)

    def eventlog(self) -> RedisLog | MemoryLog:
        """One for all replicas, as the store is."""
        if self._eventlog is None:
            self._eventlog = open_log(self.url, PARTITIONS)
            self._stack.push_async_callback(self._eventlog.close)
        return self._eventlog

    async def start_rules(self) -> None:
        server = grpc.aio.server()
        rules_pb2_grpc.add_RulesServiceServicer_to_server(self.rules, server)
        self.rules_port = server.add_insecure_port(f"127.0.0.1:{self.rules_port}")
        await server.start()
        self.rules_server = server

    async def stop_rules(self) -> None:
        if self.rules_server is not None:
            await self.rules_server.stop(None)
            self.rules_server = None

    async def _channel(self) -> grpc.aio.Channel:
        if self._rules_channel is None:
            await self.start_rules()
            self._stack.push_async_callback(self.stop_rules)
            quick = [("grpc.max_reconnect_backoff_ms", 100), ("grpc.use_local_subchannel_pool", 1)]
            self._rules_channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.rules_port}", quick)
            await self._stack.enter_async_context(self._rules_channel)
        return self._rules_channel


@dataclass(frozen=True)
class Lobby:
    stub: lobby_pb2_grpc.LobbyServiceAsyncStub
    store: Store

    async def guest(self, name: str = "") -> Person:
        reply = await self.stub.CreateGuest(pb.CreateGuestRequest(name=name))
        return Person(self, reply.player, reply.token)

    async def guests(self, count: int) -> list[Person]:
        return list(await asyncio.gather(*(self.guest() for _ in range(count))))

    async def tables(self, **filters: Any) -> list[pb.Table]:
        return list((await self.stub.ListTables(pb.ListTablesRequest(**filters))).tables)

    async def ids(self, **filters: Any) -> list[str]:
        return [table.id for table in await self.tables(**filters)]


@dataclass(frozen=True)
class Person:
    lobby: Lobby
    player: pb.Player
    token: str

    @property
    def id(self) -> str:
        return self.player.id

    def at(self, lobby: Lobby) -> Person:
        """The same person at another replica."""
        return Person(lobby, self.player, self.token)

    async def create(self, options: match_pb2.Options | None = None, **more: Any) -> pb.Table:
        request = pb.CreateTableRequest(token=self.token, options=options or wild_space(2), **more)
        return (await self.lobby.stub.CreateTable(request)).table

    async def get(self, table: str, invitation: str = "") -> pb.Table:
        request = pb.GetTableRequest(token=self.token, table=table, invitation=invitation)
        return (await self.lobby.stub.GetTable(request)).table

    async def sit(
        self, table: str, seat: int | None = None, nonce: bytes = b"", invitation: str = ""
    ) -> pb.SitResponse:
        request = pb.SitRequest(token=self.token, table=table, seat=seat, nonce=nonce, invitation=invitation)
        return await self.lobby.stub.Sit(request)

    async def leave(self, table: str) -> None:
        await self.lobby.stub.Leave(pb.LeaveRequest(token=self.token, table=table))

    async def start(self, table: str, bot: str = "") -> pb.Table:
        request = pb.StartTableRequest(token=self.token, table=table, bot=bot)
        return (await self.lobby.stub.StartTable(request)).table

    async def quick(self, options: match_pb2.Options | None = None, nonce: bytes = b"") -> pb.QuickMatchResponse:
        request = pb.QuickMatchRequest(token=self.token, options=options or wild_space(2), nonce=nonce)
        return await self.lobby.stub.QuickMatch(request)

    async def invite(self, table: str) -> str:
        return (await self.lobby.stub.Invite(pb.InviteRequest(token=self.token, table=table))).invitation

    async def enter(self, table: str, invitation: str = "") -> pb.EnterMatchResponse:
        request = pb.EnterMatchRequest(token=self.token, table=table, invitation=invitation)
        return await self.lobby.stub.EnterMatch(request)

    async def mine(self, **filters: Any) -> list[str]:
        return await self.lobby.ids(mine=True, token=self.token, **filters)


def wild_space(seats: int, settings: dict[str, str] | None = None, **more: Any) -> match_pb2.Options:
    return make_options("wild-space", seats, settings, **more)


def space_race(seats: int, **more: Any) -> match_pb2.Options:
    return make_options("space-race", seats, **more)


@asynccontextmanager
async def refused(status: Status, code: str, says: str = "") -> AsyncIterator[None]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield
    assert (caught.value.code(), code_of(caught.value)) == (status, code), caught.value.details()
    assert says in (caught.value.details() or "")


async def outcome(call: Awaitable[Any]) -> Any:
    """What a call brought: its reply, or the code of its refusal."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        return code_of(error)


async def eventually(condition: Callable[[], Awaitable[bool]], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110  # a condition of anything, not only of events
            await asyncio.sleep(0.02)
