"""Bus entries of finished matches, for the tests."""

from __future__ import annotations

from collections.abc import Sequence

from starport.v1 import bus_pb2, match_pb2, wild_space_pb2
from starport_eventlog import BusMessage, MemoryLog, new_match_id
from starport_scoring.finished import Finished, read

PARTITIONS = 2


def player(id: str) -> match_pb2.SeatPlan:
    return match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER, player=id, name=f"name of {id}", bot="greedy")


def bot(name: str) -> match_pb2.SeatPlan:
    return match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_HOUSE, bot=name, name="a house bot")


def entry(
    places: Sequence[tuple[match_pb2.SeatPlan | str, int]],
    *,
    game: str = "space-race",
    match: str = "",
    rated: bool = True,
    absent: Sequence[int] = (),
    ended_ms: int = 2_000,
) -> bus_pb2.BusEntry:
    """A finished match of these (who, rank) in seat order."""
    match = match or new_match_id(PARTITIONS)
    told = bus_pb2.BusEntry(match=match, version=7, game=game)
    finished = told.finished
    finished.options.space_race.SetInParent()
    finished.options.seats = len(places)
    finished.started_ms, finished.ended_ms, finished.rated = 1_000, ended_ms, rated
    finished.absent.extend(absent)
    for seat, (who, rank) in enumerate(places):
        finished.seats.append(player(who) if isinstance(who, str) else who)
        add_score(finished, seat, rank)
    return told


def solo(
    who: str,
    rank: int,
    difficulty: wild_space_pb2.Difficulty.ValueType = wild_space_pb2.DIFFICULTY_HARD,
    *,
    smuggler: match_pb2.SeatPlan | None = None,
) -> bus_pb2.BusEntry:
    """A solo match of Wild Space; the Smuggler has a seat of its own where a plan for it is given."""
    told = bus_pb2.BusEntry(match=new_match_id(PARTITIONS), version=7, game="wild-space")
    finished = told.finished
    finished.options.wild_space.difficulty = difficulty
    finished.options.seats = 1
    finished.rated = True
    finished.seats.append(player(who))
    if smuggler is not None:
        finished.seats.append(smuggler)
    add_score(finished, 0, rank)
    add_score(finished, 1, 3 - rank)
    return told


def add_score(finished: bus_pb2.Finished, seat: int, rank: int) -> None:
    score = finished.scores.add(seat=seat, name=f"seat {seat}", total=30 - 10 * rank, rank=rank, won=rank == 1)
    score.parts.add(name="corner", value=31 - 10 * rank)
    score.parts.add(name="damage", value=-1)


def message(told: bus_pb2.BusEntry) -> BusMessage:
    return BusMessage(told.match, told.version, told.SerializeToString())


def finished_of(told: bus_pb2.BusEntry) -> Finished:
    found = read(told.match, told.SerializeToString())
    assert found is not None
    return found


async def publish(log: MemoryLog, told: bus_pb2.BusEntry, version: int = 1) -> None:
    assert await log.append(told.match, version, b"record", bus=told.SerializeToString())
