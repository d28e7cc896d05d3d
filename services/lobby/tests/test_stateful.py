"""Random days in a lobby, beside a model that keeps tables in plain lists."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from services.lobby.tests.house import House, Lobby, Person, Status, outcome, wild_space
from starport.v1 import lobby_pb2 as pb

PEOPLE = 4
TABLES_PER_PLAYER = 2
HOUSE_SEAT = "house"
STARTED = pb.TABLE_STATUS_STARTED

people = st.integers(0, PEOPLE - 1)
places = st.integers(0, 7)


@dataclass
class Model:
    """A table as it should be."""

    host: int
    seats: list[int | str | None]
    by_itself: bool
    started: bool = False
    frozen: bool = False  # a start was tried, and nobody knows what came of it

    def players(self) -> list[int]:
        return [seat for seat in self.seats if isinstance(seat, int)]

    @property
    def closed(self) -> bool:
        return self.started or self.frozen


class LobbyDays(RuleBasedStateMachine):
    """Every step goes through gRPC; every answer is what the model says."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.tables: dict[str, Model] = {}

    @initialize()
    def open(self) -> None:
        async def begin() -> tuple[House, Lobby, list[Person]]:
            house = House("memory://", self.stack)
            lobby = await house.open(tables_per_player_max=TABLES_PER_PLAYER)
            return house, lobby, await lobby.guests(PEOPLE)

        self.house, self.lobby, self.people = self.loop.run(begin())

    def teardown(self) -> None:
        self.loop.run(self.stack.aclose())
        self.loop.close()

    def ask(self, call: Any) -> Any:
        return self.loop.run(outcome(call))

    def pick(self, place: int) -> tuple[str, Model] | None:
        return list(self.tables.items())[place % len(self.tables)] if self.tables else None

    def has_room(self, who: int) -> bool:
        at = [table for table in self.tables.values() if who in table.players() and not table.started]
        return len(at) < TABLES_PER_PLAYER

    def begin(self, table: Model, fails: bool) -> None:
        table.frozen, table.started = fails, not fails

    @rule(who=people, seats=st.integers(1, 4), bots=st.integers(0, 3), by_itself=st.booleans())
    def create(self, who: int, seats: int, bots: int, by_itself: bool) -> None:
        bots = min(bots, seats - 1)
        reply = self.ask(self.people[who].create(wild_space(seats), bots=["greedy"] * bots, start_when_full=by_itself))
        if not self.has_room(who):
            assert reply == "TOO_MANY_TABLES"
            return
        laid: list[int | str | None] = [who, *[None] * (seats - bots - 1), *[HOUSE_SEAT] * bots]
        table = self.tables[reply.id] = Model(who, laid, by_itself)
        if by_itself and None not in laid:
            self.begin(table, fails=False)

    @rule(who=people, place=places, seat=st.none() | st.integers(0, 4))
    def sit(self, who: int, place: int, seat: int | None) -> None:
        found = self.pick(place)
        if found is None:
            return
        id, table = found
        reply = self.ask(self.people[who].sit(id, seat=seat))
        if seat is not None and seat >= len(table.seats):
            assert reply == "MALFORMED"
        elif who in table.seats:
            mine = table.seats.index(who)
            assert reply == "SEATED" if seat not in (None, mine) else reply.seat == mine
        elif table.closed:
            assert reply == "STARTED"
        elif None not in table.seats:
            assert reply == "TABLE_FULL"
        elif seat is not None and table.seats[seat] is not None:
            assert reply == "SEAT_TAKEN"
        elif not self.has_room(who):
            assert reply == "TOO_MANY_TABLES"
        else:
            given = table.seats.index(None) if seat is None else seat
            assert reply.seat == given
            table.seats[given] = who
            if table.by_itself and None not in table.seats:
                self.begin(table, fails=False)

    @rule(who=people, place=places)
    def leave(self, who: int, place: int) -> None:
        found = self.pick(place)
        if found is None:
            return
        id, table = found
        reply = self.ask(self.people[who].leave(id))
        if who not in table.seats:
            assert reply == "NOT_SEATED"
        elif table.closed:
            assert reply == "STARTED"
        else:
            at = table.seats.index(who)
            table.seats[at] = None
            if not table.players():
                del self.tables[id]
            elif table.host == who:
                in_turn = table.seats[at:] + table.seats[:at]
                table.host = next(seat for seat in in_turn if isinstance(seat, int))

    @rule(who=people, place=places, bot=st.sampled_from(["", "greedy"]), fails=st.booleans(), lost=st.booleans())
    def start(self, who: int, place: int, bot: str, fails: bool, lost: bool) -> None:
        found = self.pick(place)
        if found is None:
            return
        id, table = found
        rules = self.house.rules
        rules.loses_replies = int(fails and lost)
        rules.start_fails = [(Status.UNAVAILABLE, "down")] if fails and not lost else []
        reply = self.ask(self.people[who].start(id, bot))
        rules.loses_replies, rules.start_fails = 0, []
        if who != table.host:
            assert reply == "NOT_HOST"
        elif table.started:
            assert reply.status == STARTED
        elif not table.frozen and None in table.seats and not bot:
            assert reply == "EMPTY_SEATS"
        else:
            table.seats = [HOUSE_SEAT if seat is None else seat for seat in table.seats]
            self.begin(table, fails)
            assert reply == "UPSTREAM" if fails else reply.status == STARTED

    @rule(who=people, place=places)
    def enter(self, who: int, place: int) -> None:
        found = self.pick(place)
        if found is None:
            return
        id, table = found
        reply = self.ask(self.people[who].enter(id))
        if table.frozen and who in table.seats:
            self.begin(table, fails=False)
        if not table.started:
            assert reply == "NOT_STARTED"
        else:
            assert (reply.seat if reply.HasField("seat") else None) == (
                table.seats.index(who) if who in table.seats else None
            )

    @invariant()
    def lists_are_right(self) -> None:
        if not hasattr(self, "lobby"):
            return
        for status, started in ((pb.TABLE_STATUS_OPEN, False), (STARTED, True)):
            listed = {table.id: table for table in self.ask(self.lobby.tables(status=status, limit=200))}
            assert set(listed) == {id for id, table in self.tables.items() if table.started == started}
            for id, shown in listed.items():
                self.is_as_modelled(shown, self.tables[id])
            for who, person in enumerate(self.people):
                mine = {id for id, table in self.tables.items() if table.started == started and who in table.seats}
                assert set(self.ask(person.mine(status=status, limit=200))) == mine

    def is_as_modelled(self, shown: pb.Table, table: Model) -> None:
        assert shown.host == self.people[table.host].id
        names = [HOUSE_SEAT if seat.bot else seat.player for seat in shown.seats]
        assert names == [self.people[seat].id if isinstance(seat, int) else seat or "" for seat in table.seats]

    @invariant()
    def what_began_is_what_is_shown(self) -> None:
        for id, table in self.tables.items():
            if table.started:
                plans = self.house.rules.begun[id].seats
                told = [self.people[seat].id if isinstance(seat, int) else "" for seat in table.seats]
                assert [plan.player for plan in plans] == told


LobbyDays.TestCase.settings = settings(
    max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestLobbyDays = LobbyDays.TestCase
