"""Hands that play matches through a rules service from what the wire tells them, and what a test then knows."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest

from starport.v1 import match_pb2, rules_pb2, space_race_pb2
from starport_chassis import code_of
from starport_games.kernel.deal import Deal, seed_key
from starport_rules.match import decision_name
from tests.harness.rules import WANT_ALL, House, Table

MOVES_MAX = 2_000
SOON_S = 5.0
POLL_S = 0.005


@dataclass
class Refusal:
    """How a call was refused; filled when the block of `refused` is left."""

    status: grpc.StatusCode = grpc.StatusCode.OK
    code: str = ""
    message: str = ""

    @property
    def both(self) -> tuple[str, str]:
        return self.status.name, self.code


@asynccontextmanager
async def refused(status: str | None = None, code: str | None = None) -> AsyncIterator[Refusal]:
    """The calls inside must be refused, and with this status and this code."""
    found = Refusal()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield found
    error = caught.value
    found.status, found.code, found.message = error.code(), code_of(error), error.details() or ""
    assert status is None or found.both == (status, code), found


@dataclass
class Played:
    """A match that was played, with its moves as they were sent."""

    moves: list[tuple[int, match_pb2.Move]] = field(default_factory=list)
    last: match_pb2.Update = field(default_factory=match_pb2.Update)


async def play_on(houses: House | Sequence[House], table: Table, seed: int = 0, most: int = MOVES_MAX) -> Played:
    """Random answers to what the wire asks and lists, until the end or so many; each through a random replica."""
    several = [houses] if isinstance(houses, House) else list(houses)
    chance = random.Random(seed)  # noqa: S311  # any moves will do
    played = Played()
    asked = list((await several[0].observe(table, None)).update.waiting_for)
    known: dict[int, match_pb2.Decision] = {}
    while asked and len(played.moves) < most:
        seat = chance.choice(asked)
        house = chance.choice(several)
        decision = known.get(seat) or await house.decision(table, seat)
        assert decision.legal, f"seat {seat} is waited for and has no answer"
        move = chance.choice(decision.legal)
        played.last = (await house.stub.Play(table.request(seat, decision.id, move))).update
        played.moves.append((seat, move))
        asked = list(played.last.waiting_for)
        known = {seat: played.last.decision} if played.last.HasField("decision") else {}
    return played


def bid(count: int) -> match_pb2.Move:
    """A move that any match of Space Race understands, and that a fresh one refuses."""
    return match_pb2.Move(space_race=space_race_pb2.SpaceRaceMove(bid=space_race_pb2.SpaceRaceMove.Bid(count=count)))


def default_request(table: Table, state: Any, seat: int, answered: int, **more: Any) -> rules_pb2.PlayRequest:
    """What a client that knows the match would send for the game's default move."""
    move = table.codec.encode_move(table.codec.game.default(state, seat))
    return table.request(seat, decision_name(table.id, seat, answered), move, **more)


def replayed(table: Table, secret: bytes, nonces: list[bytes], moves: Sequence[tuple[int, match_pb2.Move]]) -> Any:
    """The same moves on the library alone, from the deal that the secret gives."""
    codec = table.codec
    state = codec.first_state(Deal(seed_key(secret, table.id, nonces)))
    for seat, move in moves:
        effects = codec.game.play(state, seat, codec.decode_move(move))
        assert isinstance(effects, list), effects
    return state


async def records_of(house: House, table: Table) -> list[match_pb2.Record]:
    return [match_pb2.Record.FromString(data) for data in await house.service.matches.eventlog.read(table.id)]


async def stored(house: House, table: Table, holds: Callable[[list[match_pb2.Record]], bool]) -> None:
    """Wait for something that the log will soon say."""
    async with asyncio.timeout(SOON_S):
        while not holds(await records_of(house, table)):  # noqa: ASYNC110  # nobody would set an event
            await asyncio.sleep(POLL_S)


def watching(house: House, table: Table, seat: int | None, after: int = 0, **more: Any) -> Any:
    more.setdefault("want", WANT_ALL)
    more.setdefault("token", "" if seat is None else table.tokens[seat])
    return house.stub.Watch(rules_pb2.WatchRequest(match=table.id, seat=seat, after=after, **more))


async def watched(house: House, table: Table, seat: int | None, after: int = 0, **more: Any) -> list[match_pb2.Update]:
    """All updates of a match that ends."""
    async with asyncio.timeout(SOON_S * 4):
        return [response.update async for response in watching(house, table, seat, after, **more)]


async def until(holds: Callable[[], bool], within_s: float = SOON_S) -> None:
    """Wait for something that happens soon."""
    async with asyncio.timeout(within_s):
        while not holds():  # noqa: ASYNC110  # nobody would set an event
            await asyncio.sleep(POLL_S)
