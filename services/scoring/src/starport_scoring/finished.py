"""A finished match as the bus tells it, read and checked: who competed, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from google.protobuf.message import DecodeError

from starport.v1 import bus_pb2, match_pb2, wild_space_pb2
from starport_scoring.settings import SEATS_MAX

HOUSE: Final = "house:"  # begins the ids under which house bots are rated
SMUGGLER: Final = "smuggler:"


class BadEntry(ValueError):
    """A bus entry that tells no result; trying again would not help."""


@dataclass(frozen=True, slots=True)
class Line:
    """One seat of the count and who is answerable for it."""

    seat: int
    label: str
    parts: tuple[tuple[str, int], ...]
    total: int
    rank: int
    won: bool
    competitor: str
    competitor_name: str
    player: str = ""
    name: str = ""
    bot: str = ""
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    match: str
    game: str
    started_ms: int
    ended_ms: int
    rated: bool
    lines: tuple[Line, ...]


def read(match: str, body: bytes) -> Finished | None:
    """The result that this entry tells, None for every other entry; BadEntry when it cannot be read."""
    try:
        entry = bus_pb2.BusEntry.FromString(body)
    except DecodeError as why:
        raise BadEntry(f"not a bus entry: {why}") from None
    if entry.match != match:
        raise BadEntry(f"the entry of match {match} names match {entry.match[:40]!r}")
    if not entry.HasField("finished"):
        return None
    told = entry.finished
    lines = tuple(line(told, score) for score in told.scores)
    if not entry.game or not lines or len(lines) > SEATS_MAX or len({each.seat for each in lines}) < len(lines):
        raise BadEntry(f"a result names its game and 1 to {SEATS_MAX} different seats")
    rated = told.rated and fair(told, lines)
    return Finished(match, clean(entry.game), told.started_ms, told.ended_ms, rated, lines)


def line(told: bus_pb2.Finished, score: match_pb2.SeatScore) -> Line:
    seat = score.seat
    plan = told.seats[seat] if seat < len(told.seats) else None
    if seat >= SEATS_MAX or not 1 <= score.rank <= SEATS_MAX:
        raise BadEntry(f"seat {seat} with rank {score.rank}")
    competitor, name = competing(told, seat, plan)
    return Line(
        seat=seat,
        label=clean(score.name),
        parts=tuple((clean(part.name), part.value) for part in score.parts),
        total=score.total,
        rank=score.rank,
        won=score.won,
        competitor=competitor,
        competitor_name=name,
        player=clean(plan.player) if plan else "",
        name=clean(plan.name) if plan else "",
        bot=clean(plan.bot) if plan else "",
        absent=seat in told.absent,
    )


def competing(told: bus_pb2.Finished, seat: int, plan: match_pb2.SeatPlan | None) -> tuple[str, str]:
    """Under which id and name a seat is rated. An absent player's seat stays the player's."""
    if plan is not None and plan.kind == match_pb2.SEAT_KIND_PLAYER:
        if not plan.player or plan.player.startswith((HOUSE, SMUGGLER)):
            raise BadEntry(f"seat {seat} has the player {plan.player[:40]!r}")
        return clean(plan.player), clean(plan.name)
    if is_smuggler(told, seat):
        difficulty = difficulty_name(told.options.wild_space.difficulty)
        return SMUGGLER + difficulty, f"Smuggler ({difficulty})"
    if plan is None or not plan.bot:
        raise BadEntry(f"nobody is named for seat {seat}")
    return HOUSE + clean(plan.bot), clean(plan.bot)


def is_smuggler(told: bus_pb2.Finished, seat: int) -> bool:
    """In the solo game the Smuggler is counted as seat 1, whether it has a seat of its own or not."""
    return told.options.HasField("wild_space") and told.options.seats == 1 and seat == 1


def difficulty_name(difficulty: int) -> str:
    if difficulty == wild_space_pb2.DIFFICULTY_UNSPECIFIED:
        difficulty = wild_space_pb2.DIFFICULTY_NORMAL
    known = wild_space_pb2.Difficulty.DESCRIPTOR.values_by_number.get(difficulty)
    return known.name.removeprefix("DIFFICULTY_").lower() if known else str(difficulty)


def fair(told: bus_pb2.Finished, lines: tuple[Line, ...]) -> bool:
    """Rated are matches between two competitors or more; a friend as the Smuggler could lose on purpose."""
    befriended = any(is_smuggler(told, each.seat) and not each.competitor.startswith(SMUGGLER) for each in lines)
    return not befriended and len({each.competitor for each in lines}) > 1


def clean(text: str) -> str:
    """PostgreSQL keeps no NUL in a text."""
    return text.replace("\0", "")
