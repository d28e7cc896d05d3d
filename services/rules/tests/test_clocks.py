"""Clocks: bank and free time, default moves exactly once, absent seats and their owners' return."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from starport.v1 import match_pb2, rules_pb2
from starport_eventlog import MemoryLog
from starport_games.kernel.effects import SPECTATOR
from starport_rules.match import NO_DEADLINE, Match
from tests.harness.hands import bid, play_on, records_of, refused, stored, until, watched, watching
from tests.harness.rules import House, Table

NOW_MS = 1_800_000_000_000
FREE_MS, BANK_MS = 1_000, 5_000
CLOCK = match_pb2.Clock(bank_ms=BANK_MS, free_ms=FREE_MS)


class Time:
    """A clock on the wall that stands still until a test moves it."""

    def __init__(self) -> None:
        self.ms = NOW_MS

    def time_ns(self) -> int:
        return self.ms * 1_000_000


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Time:
    wall = Time()
    monkeypatch.setattr("starport_rules.matches.time", wall)
    return wall


async def answer(house: House, table: Table, seat: int) -> match_pb2.Update:
    decision = await house.decision(table, seat)
    return (await house.stub.Play(table.request(seat, decision.id, decision.legal[0]))).update


async def moved(house: House, table: Table, count: int) -> None:
    """Wait until the log holds so many moves."""
    await stored(house, table, lambda records: sum(record.HasField("moved") for record in records) >= count)


async def settle() -> None:
    """Long enough for the clocks to be looked at several times."""
    await asyncio.sleep(0.1)


def movers(records: list[match_pb2.Record]) -> list[str]:
    return [match_pb2.Mover.Name(r.moved.mover).removeprefix("MOVER_") for r in records if r.HasField("moved")]


def changes(records: list[match_pb2.Record]) -> list[tuple[int, bool]]:
    return [(r.seat_changed.seat, r.seat_changed.absent) for r in records if r.HasField("seat_changed")]


def house_call(house: House, table: Table, seat: int) -> rules_pb2.LegalRequest:
    return rules_pb2.LegalRequest(token=house.services.mint("house"), match=table.id, seat=seat)


async def house_play(house: House, table: Table, seat: int) -> match_pb2.Update:
    """As the house bot does: ask what is legal, answer."""
    decision = (await house.stub.Legal(house_call(house, table, seat))).decision
    token = house.services.mint("house")
    return (await house.stub.Play(table.request(seat, decision.id, decision.legal[0], token=token))).update


async def test_bank_and_free_time(house: House, wall: Time) -> None:
    table = await house.start("space-race", 2, clock=CLOCK)
    decision = await house.decision(table, 0)
    assert (decision.deadline_ms, decision.bank_ms) == (NOW_MS + FREE_MS + BANK_MS, BANK_MS)
    bank = BANK_MS
    for used, left in ((0, 5_000), (999, 5_000), (1_000, 5_000), (1_001, 4_999), (5_499, 500)):
        wall.ms += used
        bank -= max(0, used - FREE_MS)
        assert bank == left
        mine = await answer(house, table, 0)
        assert not mine.HasField("decision")  # the other seat has not chosen yet
        await answer(house, table, 1)  # used as much
        decision = await house.decision(table, 0)
        assert decision.bank_ms == left
        assert decision.deadline_ms == wall.ms + FREE_MS + left
        legal = rules_pb2.LegalRequest(token=table.tokens[0], match=table.id, seat=0)
        assert (await house.stub.Legal(legal)).decision == decision
        first = [r.update async for r in _first(watching(house, table, 0, mine.number))]
        assert first[0].decision == decision


async def _first(stream: Any) -> Any:
    async for response in stream:
        yield response
        stream.cancel()
        return


async def test_one_seat_thinks_and_the_other_does_not_pay(house: House, wall: Time) -> None:
    table = await house.start("space-race", 2, clock=CLOCK)
    await answer(house, table, 1)
    wall.ms += 4_000
    await answer(house, table, 0)
    assert (await house.decision(table, 0)).bank_ms == 2_000
    assert (await house.decision(table, 1)).bank_ms == BANK_MS


async def test_who_runs_out_of_time_gets_the_default_move_once(world: Any, wall: Time) -> None:
    houses = [await world.house(clock_poll_s=0.005) for _ in range(2)]
    table = await houses[0].start("space-race", 2, clock=CLOCK)
    game = table.codec.game
    expected = game.clone(await houses[0].state(table))
    await answer(houses[0], table, 1)
    game.play(expected, 1, game.legal(expected, 1)[0])
    wall.ms += FREE_MS + BANK_MS - 1
    await settle()
    assert len(await records_of(houses[0], table)) == 3
    wall.ms += 1
    await moved(houses[0], table, 2)
    game.play(expected, 0, game.default(expected, 0))
    await settle()
    records = await records_of(houses[0], table)
    assert movers(records) == ["OWNER", "CLOCK"]
    for house in houses:
        seen = await house.decision(table, 0)
        assert (seen.bank_ms, seen.deadline_ms) == (0, wall.ms + FREE_MS)
        assert (await house.decision(table, 1)).bank_ms == BANK_MS
        assert game.same(await house.state(table), expected)
    stale = table.request(0, "x", bid(0))
    async with refused("ABORTED", "STALE"):
        await houses[0].stub.Play(stale)


@dataclass
class Story:
    """What a log says about clocks, checked record by record."""

    timeouts: int = 0
    visible: int = 0
    absences: int = 0


def check_story(table: Table, kept: list[bytes], absent_after: int, house_wait_ms: int) -> Story:
    story = Story()
    match = Match(table.id)
    in_a_row = [0] * len(table.tokens)
    for data in kept:
        record = match_pb2.Record.FromString(data)
        if record.HasField("moved") and record.moved.mover == match_pb2.MOVER_CLOCK:
            deadline = match.deadline(record.moved.seat, house_wait_ms)
            assert deadline != NO_DEADLINE
            assert deadline <= record.at_ms, "a default move before its time"
            assert match.codec.decode_move(record.moved.move) == match.codec.game.canonical(
                match.state, match.codec.game.default(match.state, record.moved.seat)
            )
        house = match.seats[record.moved.seat].house if record.HasField("moved") else False
        step = match.fold(data)
        if record.HasField("moved") and record.moved.mover == match_pb2.MOVER_CLOCK:
            story.timeouts += 1
            story.visible += step.visible_to(SPECTATOR)
            in_a_row[record.moved.seat] += step.visible_to(SPECTATOR) and not house
        if record.HasField("seat_changed"):
            assert record.seat_changed.absent
            assert in_a_row[record.seat_changed.seat] == absent_after
            story.absences += 1
    assert match.ended
    return story


@pytest.mark.rule("WS-INFO-15")
@pytest.mark.parametrize(("game", "seats"), [("wild-space", 2), ("space-race", 3)])
async def test_a_match_that_nobody_plays_plays_itself_to_the_end(world: Any, game: str, seats: int) -> None:
    """With two replicas that both enforce; unseen declined questions do not count towards absence."""
    houses = [await world.house(clock_poll_s=0.002, absent_after=3) for _ in range(2)]
    for house in houses:  # shorter than an operator may set it
        house.service.matches.settings = house.service.matches.settings.model_copy(update={"house_wait_ms": 2})
    table = await houses[0].start(game, seats, clock=match_pb2.Clock(free_ms=2))
    await watched(houses[1], table, None)
    kept = await houses[0].service.matches.eventlog.read(table.id)
    story = check_story(table, kept, 3, 2)
    assert story.timeouts == sum(match_pb2.Record.FromString(data).HasField("moved") for data in kept)
    assert story.absences == seats
    if game == "wild-space":
        assert story.visible < story.timeouts, "no unseen question was met: the test proved less"


async def absent_table(house: House, wall: Time, seats: int = 2, absent_after: int = 3, **more: Any) -> Table:
    """A match whose seat 0 has just become absent while the others answer."""
    table = await house.start("space-race", seats, clock=CLOCK, **more)
    for _ in range(absent_after):
        before = sum(r.HasField("moved") for r in await records_of(house, table))
        for seat in range(1, seats):
            await answer(house, table, seat)
        wall.ms += FREE_MS + BANK_MS
        await moved(house, table, before + seats)
    await stored(house, table, lambda records: bool(changes(records)))
    return table


async def test_after_so_many_timeouts_a_house_bot_plays_until_the_owner_is_back(house: House, wall: Time) -> None:
    table = await house.start("space-race", 2, clock=CLOCK)
    async with refused("PERMISSION_DENIED", "NOT_YOURS"):
        await house.stub.Legal(house_call(house, table, 0))
    table = await absent_table(house, wall)
    assert changes(await records_of(house, table)) == [(0, True)]
    told = (await house.observe(table, None)).update
    updates = [r.update async for r in _until(watching(house, table, None), told.number)]
    assert [list(u.seats) for u in updates if u.seats] == [[match_pb2.SeatChanged(seat=0, absent=True)]]
    # the house bot plays it, and only it
    for token in (house.services.mint("lobby"), table.tokens[1]):
        async with refused("PERMISSION_DENIED", "NOT_YOURS"):
            await house.stub.Legal(rules_pb2.LegalRequest(token=token, match=table.id, seat=0))
    async with refused("PERMISSION_DENIED", "NOT_YOURS"):
        await house.stub.Legal(house_call(house, table, 1))
    await house_play(house, table, 0)
    assert movers(await records_of(house, table))[-1] == "HOUSE"
    # the owner comes back by asking for it
    take_back = rules_pb2.TakeBackRequest(token=table.tokens[0], match=table.id, seat=0)
    await house.stub.TakeBack(take_back)
    await house.stub.TakeBack(take_back)
    assert changes(await records_of(house, table)) == [(0, True), (0, False)]
    async with refused("PERMISSION_DENIED", "NOT_YOURS"):
        await house_play(house, table, 0)
    await answer(house, table, 1)
    await answer(house, table, 0)
    assert movers(await records_of(house, table))[-1] == "OWNER"


async def _until(stream: Any, number: int) -> Any:
    async for response in stream:
        yield response
        if response.update.number == number:
            stream.cancel()
            return


async def test_the_owner_of_an_absent_seat_comes_back_by_playing(house: House, wall: Time) -> None:
    table = await absent_table(house, wall)
    wall.ms += 500
    update = await answer(house, table, 0)
    records = await records_of(house, table)
    assert changes(records) == [(0, True), (0, False)]
    assert movers(records)[-1] == "OWNER"
    assert not update.HasField("decision")
    assert (await house.observe(table, 0)).update.number == update.number
    numbers = [r.update.number async for r in _until(watching(house, table, 0), update.number)]
    assert numbers == list(range(1, update.number + 1))


async def test_time_that_the_house_bot_used_is_free_for_the_owner(house: House, wall: Time) -> None:
    table = await absent_table(house, wall)
    wall.ms += 10_000
    await house.stub.TakeBack(rules_pb2.TakeBackRequest(token=table.tokens[0], match=table.id, seat=0))
    decision = await house.decision(table, 0)
    assert decision.bank_ms == CLOCK.bank_ms // 4  # it was empty; who comes back can play
    assert decision.deadline_ms == wall.ms + FREE_MS + decision.bank_ms


async def test_a_seat_that_answers_in_time_is_not_absent(house: House, wall: Time) -> None:
    """Only timeouts in a row count."""
    table = await house.start("space-race", 2, clock=CLOCK)
    timeouts = 0
    while asked := await house.asked(table):
        if 1 in asked:
            await answer(house, table, 1)
        if 0 in asked and timeouts % 3 == 2:
            await answer(house, table, 0)
            timeouts += 1
        elif 0 in asked:
            before = sum(r.HasField("moved") for r in await records_of(house, table))
            wall.ms += FREE_MS + BANK_MS
            await moved(house, table, before + 1)
            timeouts += 1
    await settle()
    assert timeouts > 6
    assert changes(await records_of(house, table)) == []


async def test_an_owner_who_comes_after_the_end_changes_nothing(house: House, wall: Time) -> None:
    table = await absent_table(house, wall)
    over = False
    while not over:
        for seat in await house.asked(table):
            update = await (answer(house, table, 1) if seat else house_play(house, table, 0))
            over = over or update.HasField("ending")
    length = len(await records_of(house, table))
    async with refused("FAILED_PRECONDITION", "OVER"):
        await house.stub.Play(table.request(0, "x", bid(0)))
    async with refused("FAILED_PRECONDITION", "OVER"):
        await house.stub.TakeBack(rules_pb2.TakeBackRequest(token=table.tokens[0], match=table.id, seat=0))
    assert len(await records_of(house, table)) == length
    updates = await watched(house, table, 0)
    assert updates[-1].HasField("ending")


async def test_a_house_bot_that_was_waiting_does_not_play_for_an_owner_who_is_back(house: House, wall: Time) -> None:
    table = await absent_table(house, wall)
    decision = (await house.stub.Legal(house_call(house, table, 0))).decision
    late = table.request(0, decision.id, decision.legal[0], token=house.services.mint("house"))
    room = await house.service.matches.started(table.id)
    stub = house.stub
    async with room.lock:
        back = asyncio.ensure_future(
            stub.TakeBack(rules_pb2.TakeBackRequest(token=table.tokens[0], match=table.id, seat=0))
        )
        await until(lambda: len(room.lock._waiters or ()) >= 1)
        waiting = len(room.lock._waiters or ())
        played = asyncio.ensure_future(stub.Play(late))
        await until(lambda: len(room.lock._waiters or ()) > waiting)
    await back
    async with refused("PERMISSION_DENIED", "NOT_YOURS"):
        await played


async def test_a_house_bot_that_is_dead_gets_the_default_move(house: House, wall: Time) -> None:
    """Without a clock too; a house seat is never absent."""
    wait = house.service.matches.settings.house_wait_ms
    table = await house.start("space-race", 2, house={1: "greedy"})
    for number in range(5):
        assert (await house.decision(table, 0)).deadline_ms == 0
        await answer(house, table, 0)
        wall.ms += wait - 1
        await settle()
        assert len(movers(await records_of(house, table))) == 2 * number + 1
        wall.ms += 1
        await moved(house, table, 2 * number + 2)
    records = await records_of(house, table)
    assert movers(records) == ["OWNER", "CLOCK"] * 5
    assert changes(records) == []
    await house_play(house, table, 1)
    assert movers(await records_of(house, table))[-1] == "HOUSE"


async def test_without_a_clock_there_is_no_deadline(house: House, wall: Time) -> None:
    table = await house.start("wild-space", 2)
    seat = (await house.asked(table))[0]
    decision = await house.decision(table, seat)
    assert (decision.deadline_ms, decision.bank_ms) == (0, 0)
    wall.ms += 10**10
    await settle()
    assert len(await records_of(house, table)) == 2


async def test_a_restart_keeps_clocks(world: Any, wall: Time) -> None:
    house = await world.house()
    table = await house.start("space-race", 2, clock=CLOCK)
    wall.ms += 3_000
    await answer(house, table, 1)
    before = [await house.decision(table, seat) for seat in range(2)]
    await house.stop()
    wall.ms += 2_999
    house = await world.house()
    assert [await house.decision(table, seat) for seat in range(2)] == before
    await settle()
    assert len(await records_of(house, table)) == 3
    await house.stop()
    wall.ms += 1
    house = await world.house()
    await moved(house, table, 2)
    assert movers(await records_of(house, table)) == ["OWNER", "CLOCK"]
    assert (await house.decision(table, 1)).bank_ms == BANK_MS - 2_000


class Broken(MemoryLog):
    """A log in which one match can no longer be folded."""

    broken = ""

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        return [b""] if match == self.broken else await super().read(match, after)


async def test_a_broken_match_stops_no_other_clock(memory_world: Any, wall: Time) -> None:
    eventlog = Broken(1)
    house = await memory_world.house(eventlog, partitions=1)
    broken = await house.start("space-race", 2, clock=CLOCK)
    wall.ms += 1
    table = await house.start("space-race", 2, clock=CLOCK)
    await house.stop()
    eventlog.broken = broken.id
    house = await memory_world.house(eventlog, partitions=1)
    wall.ms += FREE_MS + BANK_MS
    await moved(house, table, 2)


async def test_a_match_whose_log_is_gone_has_no_clock(memory_world: Any, wall: Time) -> None:
    eventlog = MemoryLog(2)
    house = await memory_world.house(eventlog)
    table = await house.start("space-race", 2, clock=CLOCK)
    await house.stop()
    eventlog._logs.pop(table.id)
    await memory_world.house(eventlog)
    wall.ms += FREE_MS + BANK_MS
    await until(lambda: not any(eventlog._clocks.values()))


async def test_a_play_in_the_last_moment_counts(house: House, wall: Time) -> None:
    table = await house.start("space-race", 2, clock=CLOCK)
    wall.ms += FREE_MS + BANK_MS - 1
    await answer(house, table, 0)
    await answer(house, table, 1)
    assert movers(await records_of(house, table)) == ["OWNER", "OWNER"]
    assert (await house.decision(table, 0)).bank_ms == 1
    assert (await play_on(house, table, most=2)).last.number


async def test_the_solo_smuggler_is_a_house_seat_that_a_house_bot_plays(house: House, wall: Time) -> None:
    table = await house.start("wild-space", 1, {"smuggler": "seat"}, house={1: "greedy"})
    over = False
    while not over:
        seat = (await house.asked(table))[0]
        update = await (house_play(house, table, 1) if seat else answer(house, table, 0))
        over = update.HasField("ending")
    assert {"OWNER", "HOUSE"} == set(movers(await records_of(house, table)))
