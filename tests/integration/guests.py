"""People at the tables of a hosted Starport: they sign in, sit down, follow the stream and answer, whatever breaks."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import grpc

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
from starport_wire.codec import Codec, make_options, open_codec
from tests.integration.stack import Stack

WANT_ALL = rules_pb2.Want(view=True, legal=True)
CALL_S = 5.0
AWAY_S = 60.0  # so long a guest waits for a house that does not answer
RETRY_S = 0.05
MATCH_S = 90.0
RESULT_S = 60.0
PASSING = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
EVERY_REPLICA = ("grpc.lb_policy_name", "round_robin")  # each gets its share


@dataclass(frozen=True)
class House:
    """The stubs to a stack."""

    lobby: lobby_pb2_grpc.LobbyServiceAsyncStub
    rules: rules_pb2_grpc.RulesServiceAsyncStub
    scoring: scoring_pb2_grpc.ScoringServiceAsyncStub


@asynccontextmanager
async def connected(stack: Stack) -> AsyncIterator[House]:
    every_replica = ",".join(f"127.0.0.1:{port}" for port in stack.rules_ports)
    async with (
        dial(f"127.0.0.1:{stack.lobby_port}") as lobby,
        dial(f"ipv4:{every_replica}", EVERY_REPLICA) as rules,
        dial(f"127.0.0.1:{stack.scoring_port}") as scoring,
    ):
        yield House(
            lobby_pb2_grpc.LobbyServiceStub(lobby),
            rules_pb2_grpc.RulesServiceStub(rules),
            scoring_pb2_grpc.ScoringServiceStub(scoring),
        )


async def call(method: Any, request: Any) -> Any:
    """The answer; a service that is away is asked the very same again."""
    give_up = monotonic() + AWAY_S
    while True:
        try:
            return await method(request, timeout=CALL_S)
        except grpc.aio.AioRpcError as error:
            if error.code() not in PASSING or monotonic() > give_up:
                raise
        await asyncio.sleep(RETRY_S)


@dataclass
class Answer:
    """A move that the house accepted."""

    request: rules_pb2.PlayRequest
    update: match_pb2.Update


@dataclass
class Table:
    """A match that has begun, and all that its guests saw and did."""

    id: str
    options: match_pb2.Options
    commit: bytes
    players: list[str]  # by seat, people only
    tokens: list[str]
    nonces: list[bytes]
    codec: Codec
    answers: list[Answer] = field(default_factory=list)
    seen: dict[int, list[match_pb2.Update]] = field(default_factory=dict)  # by seat
    breaks: int = 0  # of streams
    ended: bool = False


async def sit_down(
    house: House, game: str, people: int, bots: Sequence[str] = (), settings: Mapping[str, str] | None = None
) -> Table:
    """Guests come in, one lays a table, the others sit down, it begins."""
    guests = [await call(house.lobby.CreateGuest, lobby_pb2.CreateGuestRequest()) for _ in range(people)]
    nonces = [secrets.token_bytes(16) for _ in guests]
    options = make_options(game, people + len(bots), settings)
    laid = await call(
        house.lobby.CreateTable,
        lobby_pb2.CreateTableRequest(token=guests[0].token, options=options, bots=bots, nonce=nonces[0]),
    )
    id = laid.table.id
    for guest, nonce in zip(guests[1:], nonces[1:], strict=True):
        await call(house.lobby.Sit, lobby_pb2.SitRequest(token=guest.token, table=id, nonce=nonce))
    await call(house.lobby.StartTable, lobby_pb2.StartTableRequest(token=guests[0].token, table=id))
    entries = [
        await call(house.lobby.EnterMatch, lobby_pb2.EnterMatchRequest(token=guest.token, table=id)) for guest in guests
    ]
    assert [entry.seat for entry in entries] == list(range(people))
    tokens = [entry.seat_token for entry in entries]
    players = [guest.player.id for guest in guests]
    return Table(id, options, laid.table.commit, players, tokens, nonces, open_codec(options))


async def play_out(house: House, table: Table, *, seed: int = 0, pause_s: float = 0.0) -> None:
    """To the end, with random answers, each guest by themselves."""
    async with asyncio.timeout(MATCH_S), asyncio.TaskGroup() as group:
        for seat in range(len(table.players)):
            chance = random.Random(f"{seed} {seat}")  # noqa: S311  # any moves will do
            group.create_task(_attend(house, table, seat, chance, pause_s))
    table.ended = True


async def _attend(house: House, table: Table, seat: int, chance: random.Random, pause_s: float) -> None:
    answered: set[str] = set()
    seen = table.seen.setdefault(seat, [])
    async for update in _follow(house, table, seat):
        assert update.number == len(seen) + 1, "an update was missed or told twice"
        seen.append(update)
        decision = update.decision
        if update.HasField("decision") and decision.id not in answered:
            answered.add(decision.id)
            await asyncio.sleep(pause_s)
            await _answer(house, table, seat, decision, chance.choice(decision.legal))


async def _follow(house: House, table: Table, seat: int) -> AsyncIterator[match_pb2.Update]:
    last = 0
    give_up = monotonic() + AWAY_S
    while True:
        request = rules_pb2.WatchRequest(token=table.tokens[seat], match=table.id, seat=seat, after=last, want=WANT_ALL)
        stream = house.rules.Watch(request)
        try:
            async for message in stream:
                last = message.update.number
                give_up = monotonic() + AWAY_S
                yield message.update
                if message.update.HasField("ending"):
                    return
        except grpc.aio.AioRpcError as error:
            if error.code() not in PASSING or monotonic() > give_up:
                raise
            table.breaks += 1
        finally:
            stream.cancel()
        await asyncio.sleep(RETRY_S)


async def _answer(house: House, table: Table, seat: int, decision: match_pb2.Decision, move: match_pb2.Move) -> None:
    request = rules_pb2.PlayRequest(
        token=table.tokens[seat],
        match=table.id,
        seat=seat,
        command_id=secrets.token_hex(8),
        decision_id=decision.id,
        move=move,
        want=WANT_ALL,
    )
    try:
        answer = await call(house.rules.Play, request)
    except grpc.aio.AioRpcError as error:
        raise AssertionError(f"seat {seat}: {error.code().name} {code_of(error)} {error.details()}") from None
    table.answers.append(Answer(request, answer.update))


async def repeat(house: House, answer: Answer) -> match_pb2.Update:
    """The same command once more."""
    update: match_pb2.Update = (await call(house.rules.Play, answer.request)).update
    return update


async def moved(tables: Sequence[Table], answers: int) -> None:
    """Wait until each table has so many answers of people."""
    async with asyncio.timeout(MATCH_S):
        while any(len(table.answers) < answers for table in tables):  # noqa: ASYNC110  # a condition of many
            await asyncio.sleep(0.005)


async def result_of(house: House, table: Table) -> scoring_pb2.Result:
    """What scoring has written down; it hears of the end a moment later."""
    give_up = monotonic() + RESULT_S
    while True:
        try:
            answer = await call(house.scoring.GetResult, scoring_pb2.GetResultRequest(match=table.id))
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.NOT_FOUND or monotonic() > give_up:
                raise
        else:
            found: scoring_pb2.Result = answer.result
            return found
        await asyncio.sleep(RETRY_S)
