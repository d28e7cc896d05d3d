"""Noninterference through gRPC: what a viewer must not know changes no byte that reaches this viewer.

Two houses run the same match id from two positions that differ only in what the viewer must not know.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from starport.v1 import match_pb2, rules_pb2
from starport_eventlog import MemoryLog
from starport_games.checking import viewers
from starport_games.kernel.contract import Refusal
from starport_games.kernel.deal import Deal, key_of_words
from starport_games.kernel.effects import SPECTATOR
from starport_rules.match import decision_name
from tests.conformance.helpers import HELPERS
from tests.conformance.tables import TABLES, Table, samples
from tests.harness.hands import refused, until, watching
from tests.harness.rules import PARTITIONS, WANT_ALL, House
from tests.harness.rules import Table as Begun

POSITIONS = slice(None, None, 2)  # of the samples of a table
TRIES = 25  # wrong moves that a viewer tries
FOLLOWED = 2  # answers of other seats that are followed from a position
SECRET = b"the secret of every match, here!"
CLOCK = match_pb2.Clock(bank_ms=60_000, free_ms=60_000)


class Twins:
    """The same match in two houses."""

    def __init__(self, houses: list[House], table: Table, ids: Iterator[str], current: dict[str, str]) -> None:
        self.houses, self.table, self._ids, self._current = houses, table, ids, current
        self.tables: list[Begun] = []

    async def start(self, states: list[Any]) -> None:
        self._current["id"] = next(self._ids)
        table = self.table
        self.tables = [
            await house.start(
                table.name,
                table.seats,
                dict(table.settings),
                position=table.game.position_text(state),
                clock=CLOCK,
            )
            for house, state in zip(self.houses, states, strict=True)
        ]
        self.tables[1].tokens = self.tables[0].tokens

    async def same(self, what: str, ask: Any) -> bytes:
        """What both houses say, which must be the same."""
        here, there = [await ask(house, begun) for house, begun in zip(self.houses, self.tables, strict=True)]
        assert here == there, f"{self.table}: {what} tells a secret"
        return bytes(here)

    async def all_same(self, viewer: int) -> None:
        """Everything that this viewer, and a spectator, may ask for."""
        for seat in {None, None if viewer == SPECTATOR else viewer}:
            await self.same("Observe", lambda house, begun, seat=seat: observed(house, begun, seat))
            await self.same("Watch", lambda house, begun, seat=seat: first_watched(house, begun, seat))
            await self.same("Session", lambda house, begun, seat=seat: first_attached(house, begun, seat))
        if viewer != SPECTATOR:
            await self.same("Legal", lambda house, begun: legal(house, begun, viewer))


def seat_token(begun: Begun, seat: int | None) -> str:
    return "" if seat is None else begun.tokens[seat]


def data(message: Any) -> bytes:
    return bytes(message.SerializeToString(deterministic=True))


async def observed(house: House, begun: Begun, seat: int | None) -> bytes:
    return data(await house.observe(begun, seat))


async def legal(house: House, begun: Begun, seat: int) -> bytes:
    return data(await house.stub.Legal(rules_pb2.LegalRequest(token=begun.tokens[seat], match=begun.id, seat=seat)))


async def first_watched(house: House, begun: Begun, seat: int | None) -> bytes:
    newest = (await house.observe(begun, seat)).update.number
    stream = watching(house, begun, seat)
    got = b""
    async for response in stream:
        got += data(response)
        if response.update.number == newest:
            stream.cancel()
            return got
    raise AssertionError("the stream ended")


async def first_attached(house: House, begun: Begun, seat: int | None) -> bytes:
    attach = rules_pb2.Attach(match=begun.id, seat=seat, token=seat_token(begun, seat), want=WANT_ALL)

    async def commands() -> AsyncIterator[rules_pb2.SessionRequest]:
        yield rules_pb2.SessionRequest(commands=[rules_pb2.Command(attach=attach)])

    return b"".join([data(event) async for r in house.stub.Session(commands()) for event in r.events])


@pytest.fixture
async def houses(memory_world: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Two houses that mint the same ids and secrets at the same time."""
    current: dict[str, str] = {}
    monkeypatch.setattr("starport_rules.starting.new_match_id", lambda _: current["id"])
    monkeypatch.setattr("starport_rules.starting.secrets.token_bytes", lambda _: SECRET)
    monkeypatch.setattr("starport_rules.matches.time", type("Still", (), {"time_ns": lambda: 10**18}))
    pair = [await memory_world.house(MemoryLog(PARTITIONS), clock_poll_s=60) for _ in range(2)]
    ids = (f"00{a}{b}{c}{d}" + "a" * 12 for a, b, c, d in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=4))
    return lambda table: Twins(pair, table, ids, current)


def positions(table: Table) -> Iterator[tuple[Any, int]]:
    for state in samples(table)[POSITIONS]:
        for viewer in viewers(table.game, state):
            if viewer < seats_of(table):
                yield state, viewer


def seats_of(table: Table) -> int:
    """A Smuggler that the player moves has a line in the count and no seat."""
    return 2 if ("smuggler", "seat") in table.settings else table.seats


def disguised(table: Table, state: Any, viewer: int, open_too: bool) -> Any:
    deal = Deal(key_of_words(f"through the wire {viewer}"))
    other = HELPERS[table.name].disguise(table.game.clone(state), viewer, deal, open_too)
    assert table.game.position_text(other) != table.game.position_text(state)
    # As a match takes it in: a question that the other hand cannot answer is passed over, which nobody may notice.
    return table.game.read_position(table.game.position_text(other))


@pytest.mark.rule("WS-INFO-11", "WS-INFO-13", "WS-INFO-16", "SR-VIEW-3", "SR-VIEW-4", "SR-VIEW-6")
@pytest.mark.parametrize("table", TABLES, ids=str)
async def test_what_a_viewer_can_ask_for_tells_no_secret(houses: Any, table: Table) -> None:
    twins: Twins = houses(table)
    chance = random.Random(str(table))  # noqa: S311  # any moves will do
    tried = 0
    for state, viewer in positions(table):
        await twins.start([state, disguised(table, state, viewer, open_too=True)])
        await twins.all_same(viewer)
        if viewer == SPECTATOR:
            continue
        for request in wrong_requests(twins.tables[0], state, viewer, chance):
            await twins.same("a refusal", lambda house, _, request=request: refusal(house, request))
            tried += 1
    assert tried


def wrong_requests(begun: Begun, state: Any, seat: int, chance: random.Random) -> Iterator[rules_pb2.PlayRequest]:
    """Moves that this seat must not make, to the question that it is asked or would be asked first."""
    game, codec = begun.codec.game, begun.codec
    decision = decision_name(begun.id, seat, 0)
    moves = [move for move in game.move_space(state) if isinstance(game.play(game.clone(state), seat, move), Refusal)]
    for move in chance.sample(moves, min(TRIES, len(moves))):
        yield begun.request(seat, decision, codec.encode_move(move))
    yield begun.request(seat, "another", codec.encode_move(moves[0]))
    yield begun.request(seat, decision, match_pb2.Move())
    foreign = begun.request(seat, decision, codec.encode_move(moves[0]))
    foreign.seat += 1
    yield foreign


async def refusal(house: House, request: rules_pb2.PlayRequest) -> bytes:
    async with refused() as found:
        await house.stub.Play(request)
    return repr(found).encode()


@pytest.mark.rule("WS-INFO-1", "WS-INFO-8", "WS-INFO-15", "SR-VIEW-5", "SR-VIEW-7")
@pytest.mark.parametrize("table", TABLES, ids=str)
async def test_answers_of_others_tell_no_secret(houses: Any, table: Table) -> None:
    twins: Twins = houses(table)
    chance = random.Random(str(table))  # noqa: S311  # any moves will do
    followed = 0
    for state, viewer in positions(table):
        other = disguised(table, state, viewer, open_too=False)
        pairs = answers_that_look_alike(table, state, other, viewer)
        for seat, move, twin in chance.sample(pairs, min(FOLLOWED, len(pairs))):
            await twins.start([state, other])
            await follow(twins, viewer, seat, [move, twin])
            followed += 1
    assert followed or seats_of(table) == 1, "no secret answer was met: the test proved nothing"


def answers_that_look_alike(table: Table, state: Any, other: Any, viewer: int) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    for decider in table.game.deciders(state):
        if decider.seat == viewer:
            continue
        for move in table.game.legal(state, decider.seat):
            twin = HELPERS[table.name].counterpart(state, other, decider.seat, move)
            if twin is not None:
                found.append((decider.seat, move, twin))
    return found


async def follow(twins: Twins, viewer: int, seat: int, moves: list[int]) -> None:
    """The viewer and a spectator watch live while another seat answers."""
    chairs = [None] if viewer == SPECTATOR else [None, viewer]
    live = [
        [Live(house, begun, chair) for chair in chairs] for house, begun in zip(twins.houses, twins.tables, strict=True)
    ]
    for views in live:
        for view in views:
            await until(lambda view=view: bool(view.got))  # type: ignore[misc]
    for house, begun, move in zip(twins.houses, twins.tables, moves, strict=True):
        decision = decision_name(begun.id, seat, 0)
        await house.stub.Play(begun.request(seat, decision, begun.codec.encode_move(move)))
    await twins.all_same(viewer)
    for number, chair in enumerate(chairs):
        newest = (await twins.houses[0].observe(twins.tables[0], chair)).update.number
        for views in live:
            await until(lambda views=views, number=number, newest=newest: views[number].number == newest)  # type: ignore[misc]
        assert live[0][number].got == live[1][number].got
    for view in itertools.chain(*live):
        await view.close()


class Live:
    """A viewer who watches, and every byte that it got."""

    def __init__(self, house: House, begun: Begun, seat: int | None) -> None:
        self.stream = watching(house, begun, seat)
        self.got: list[bytes] = []
        self.updates: list[match_pb2.Update] = []
        self.reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for response in self.stream:
            self.got.append(data(response))
            self.updates.append(response.update)

    @property
    def number(self) -> int:
        return self.updates[-1].number if self.updates else 0

    async def close(self) -> None:
        self.stream.cancel()
        await asyncio.gather(self.reader, return_exceptions=True)
