"""A person's side of the services: signing in, tables, seats and the stream of a match, all over gRPC."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # has no types

from starport.v1 import (
    lobby_pb2,
    lobby_pb2_grpc,
    match_pb2,
    rules_pb2,
    rules_pb2_grpc,
    scoring_pb2,
    scoring_pb2_grpc,
)
from starport_chassis import code_of, dial
from starport_starport.folder import Account, DataFolder
from starport_starport.problems import Problem
from starport_starport.scribe import plain

CALL_S = 5.0
CONNECT_S = 3.0  # for the first answer of a server
AWAY_S = 20.0  # a server that is away is waited for so long
RETRY_MIN_S = 0.1
RETRY_MAX_S = 2.0
NAME_CHARS_MAX = 24  # what the lobby takes
NAME_TRIES_MAX = 9  # "Ada", "Ada 2", … when nobody asked for a certain name
RESULT_POLL_S = 0.05
AWAY = "the server does not answer any more; nothing is lost, start again later"
LOBBY = "starport.v1.LobbyService"
WANT_ALL = rules_pb2.Want(view=True, legal=True)
PASSING = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


class Said(Problem):
    """A service said no."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        super().__init__(f"the server says: {plain(error.details() or error.code().name)}")
        self.code = code_of(error)
        self.status = error.code()


async def call(method: Any, request: Any, *, again: bool = True) -> Any:
    """One answer. A server that is away is asked again for a while, unless a second time could do something twice."""
    give_up = monotonic() + AWAY_S
    wait_s = RETRY_MIN_S
    while True:
        try:
            return await method(request, timeout=CALL_S)
        except grpc.aio.AioRpcError as error:
            if error.code() not in PASSING:
                raise Said(error) from None
            if not again or monotonic() > give_up:
                raise Problem(AWAY) from None
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, RETRY_MAX_S)


@dataclass(frozen=True, slots=True)
class House:
    """The stubs of one Starport."""

    address: str
    lobby: lobby_pb2_grpc.LobbyServiceAsyncStub
    rules: rules_pb2_grpc.RulesServiceAsyncStub
    scoring: scoring_pb2_grpc.ScoringServiceAsyncStub


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[House]:
    """Problem when no Starport answers there."""
    try:
        channel = dial(address)
    except (ValueError, RuntimeError):
        raise Problem(f"{plain(address)!r} is no address; write HOST:PORT") from None
    async with channel:
        if not await answers(channel):
            raise Problem(f"no Starport answers at {plain(address)}; start one there with `starport up`")
        yield House(
            address,
            lobby_pb2_grpc.LobbyServiceStub(channel),
            rules_pb2_grpc.RulesServiceStub(channel),
            scoring_pb2_grpc.ScoringServiceStub(channel),
        )


async def answers(channel: grpc.aio.Channel) -> bool:
    request = health_pb2.HealthCheckRequest(service=LOBBY)
    try:
        answer = await health_pb2_grpc.HealthStub(channel).Check(request, timeout=CONNECT_S)
    except grpc.aio.AioRpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


# ----------------------------------------------------------------------------------------------------------- signing in


@dataclass(frozen=True, slots=True)
class Me:
    """Who we are there, today."""

    id: str
    name: str
    token: str


async def sign_in(house: House, folder: DataFolder, where: str, name: str | None) -> Me:
    """As the player whom this folder remembers for that house, or as a new one whom it then remembers."""
    account = folder.account(where, name)
    if account is not None:
        try:
            reply = await call(house.lobby.Login, lobby_pb2.LoginRequest(name=account.name, key=account.key))
        except Said as why:
            if why.code != "LOGIN_BAD":  # otherwise that house has forgotten us
                raise
        else:
            folder.keep_account(where, account)
            return Me(reply.player.id, reply.player.name, reply.token)
    return await _register(house, folder, where, name)


async def _register(house: House, folder: DataFolder, where: str, name: str | None) -> Me:
    wanted = name or user_name()
    for attempt in range(1, NAME_TRIES_MAX + 1):
        asked = wanted if attempt == 1 else f"{wanted[: NAME_CHARS_MAX - 2]} {attempt}"
        try:
            reply = await call(house.lobby.Register, lobby_pb2.RegisterRequest(name=asked), again=False)
        except Said as why:
            if why.code == "NAME_TAKEN" and name is None:
                continue
            if why.code == "NAME_TAKEN":
                raise Problem(f"the name {plain(asked)} is taken there; choose another with --name") from None
            raise
        folder.keep_account(where, Account(reply.player.name, reply.key))
        return Me(reply.player.id, reply.player.name, reply.token)
    raise Problem("all names like yours are taken there; choose one with --name")


def user_name() -> str:
    """What the system calls this person, as far as it can be a name."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    name = " ".join(plain(name).split())[:NAME_CHARS_MAX]
    return name if len(name) > 1 and any(character.isalnum() for character in name) else "Captain"


# -------------------------------------------------------------------------------------------------------------- matches


@dataclass(frozen=True, slots=True)
class Seat:
    """Our place in a match that has begun."""

    match: str
    seat: int
    token: str
    table: lobby_pb2.Table
    commit: bytes  # the host's promise, published before anybody sat down
    nonce: bytes | None  # what we added to the seed; None where this process does not know it any more


async def new_match(house: House, me: Me, options: match_pb2.Options, bots: list[str], nonce: bytes) -> Seat:
    """A table of our own with house bots on all other seats, begun. Our nonce comes after the host's promise."""
    request = lobby_pb2.CreateTableRequest(token=me.token, options=options, bots=bots)
    table = (await call(house.lobby.CreateTable, request, again=False)).table
    await call(house.lobby.Sit, lobby_pb2.SitRequest(token=me.token, table=table.id, nonce=nonce))
    start = lobby_pb2.StartTableRequest(token=me.token, table=table.id, bot=bots[0] if bots else "greedy")
    await call(house.lobby.StartTable, start)
    return await enter(house, me, table.id, table.commit, nonce)


async def enter(house: House, me: Me, id: str, commit: bytes | None = None, nonce: bytes | None = None) -> Seat:
    """Our seat at a table that has begun, whoever began it."""
    entry = await call(house.lobby.EnterMatch, lobby_pb2.EnterMatchRequest(token=me.token, table=id))
    table = (await call(house.lobby.GetTable, lobby_pb2.GetTableRequest(token=me.token, table=id))).table
    if not entry.HasField("seat"):
        raise Problem("you do not sit at this table")
    return Seat(entry.match, entry.seat, entry.seat_token, table, commit or table.commit, nonce)


async def my_tables(house: House, me: Me, most: int) -> list[str]:
    """Tables of ours that have begun, the newest first."""
    request = lobby_pb2.ListTablesRequest(token=me.token, mine=True, status=lobby_pb2.TABLE_STATUS_STARTED, limit=most)
    return [table.id for table in (await call(house.lobby.ListTables, request)).tables]


async def observe(house: House, seat: Seat) -> rules_pb2.ObserveResponse:
    request = rules_pb2.ObserveRequest(token=seat.token, match=seat.match, seat=seat.seat, want=WANT_ALL)
    answer: rules_pb2.ObserveResponse = await call(house.rules.Observe, request)
    return answer


async def follow(house: House, match: str, seat: int | None, token: str) -> AsyncGenerator[match_pb2.Update, None]:
    """Every update from the first one on, without a hole, until the match ends; comes back when the stream breaks."""
    last = 0
    give_up = monotonic() + AWAY_S  # moved with every update
    wait_s = RETRY_MIN_S
    while True:
        request = rules_pb2.WatchRequest(token=token, match=match, seat=seat, after=last, want=WANT_ALL)
        stream = house.rules.Watch(request)
        try:
            async for message in stream:
                update = message.update
                last = max(last, update.number)
                wait_s = RETRY_MIN_S
                yield update
                if update.HasField("ending"):
                    return
                give_up = monotonic() + AWAY_S
        except grpc.aio.AioRpcError as error:
            if error.code() not in (*PASSING, grpc.StatusCode.RESOURCE_EXHAUSTED):
                raise Said(error) from None
            if monotonic() > give_up:
                raise Problem(AWAY) from None
        finally:
            stream.cancel()  # cancelling its reader alone does not always end a call
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, RETRY_MAX_S)


async def result_of(house: House, match: str, wait_s: float) -> scoring_pb2.Result | None:
    """What scoring has written down; it hears of the end over the bus, so it may take a moment."""
    until = monotonic() + wait_s
    while True:
        try:
            answer = await call(house.scoring.GetResult, scoring_pb2.GetResultRequest(match=match))
        except Said as why:
            if why.status is not grpc.StatusCode.NOT_FOUND:
                raise
            if monotonic() > until:
                return None
            await asyncio.sleep(RESULT_POLL_S)
        else:
            found: scoring_pb2.Result = answer.result
            return found
