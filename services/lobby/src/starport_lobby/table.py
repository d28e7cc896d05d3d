"""A table and what may happen to it before its match begins: pure, so that a lost race is only judged again."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from starport.v1 import lobby_pb2, match_pb2
from starport_chassis.refusals import Refused, denied, failed, invalid, not_found
from starport_lobby.settings import STAND_IN_BOT


class Status(StrEnum):
    OPEN = "open"
    STARTING = "starting"  # nothing changes any more, but whether the match began is not known yet
    STARTED = "started"
    ENDED = "ended"  # still there for who comes back to look, but listed nowhere


STATUSES = {
    Status.OPEN: lobby_pb2.TABLE_STATUS_OPEN,
    Status.STARTING: lobby_pb2.TABLE_STATUS_OPEN,
    Status.STARTED: lobby_pb2.TABLE_STATUS_STARTED,
    Status.ENDED: lobby_pb2.TABLE_STATUS_ENDED,
}


@dataclass(frozen=True, slots=True)
class Seat:
    bot: str = ""  # who plays a house seat, or stands in for the player
    house: bool = False
    player: str = ""
    name: str = ""
    nonce: bytes = b""

    @property
    def free(self) -> bool:
        return not self.house and not self.player


FREE = Seat()


@dataclass(frozen=True, slots=True)
class Table:
    id: str  # also of its match
    host: str
    game: str
    players: int  # seats that the options ask for; a Smuggler's own comes on top
    private: bool
    quick: bool  # somebody who looks for any table of this game may be sent here
    start_when_full: bool
    commit: bytes
    created_ms: int
    listed: bytes  # the options as lists show them
    seats: tuple[Seat, ...]
    status: Status = Status.OPEN

    @property
    def full(self) -> bool:
        return not any(seat.free for seat in self.seats)

    @property
    def sitting(self) -> tuple[str, ...]:
        return tuple(seat.player for seat in self.seats if seat.player)

    def seat_of(self, player: str) -> int | None:
        return next((place for place, seat in enumerate(self.seats) if seat.player == player), None)

    def with_seat(self, place: int, seat: Seat) -> Table:
        return replace(self, seats=(*self.seats[:place], seat, *self.seats[place + 1 :]))


# ------------------------------------------------------------------------------------------------------------- changes


def lay_seats(count: int, bots: Sequence[str]) -> tuple[Seat, ...]:
    """The bots on the last seats."""
    free = count - len(bots)
    return (*(FREE for _ in range(free)), *(Seat(bot=bot, house=True) for bot in bots))


def sit(table: Table, player: str, name: str, nonce: bytes, wanted: int | None) -> tuple[Table, int]:
    """Takes a seat. Who sits already gets the same seat again, so that a lost reply can be asked for again, and may
    bring another nonce until the table begins: only now has its host seen the promise of the deal."""
    if wanted is not None and wanted >= len(table.seats):
        raise invalid("MALFORMED", f"seat: this table has the seats 0 to {len(table.seats) - 1}")
    mine = table.seat_of(player)
    if mine is not None:
        if wanted is not None and wanted != mine:
            raise failed("SEATED", f"you sit on seat {mine} of this table already")
        seat = table.seats[mine]
        if not nonce or nonce == seat.nonce:
            return table, mine
        refuse_started(table)
        return table.with_seat(mine, replace(seat, nonce=nonce)), mine
    refuse_started(table)
    if table.full:
        raise failed("TABLE_FULL", "every seat of this table is taken")
    place = next(i for i, seat in enumerate(table.seats) if seat.free) if wanted is None else wanted
    if not table.seats[place].free:
        raise failed("SEAT_TAKEN", f"seat {place} is taken")
    return table.with_seat(place, Seat(player=player, name=name, nonce=nonce)), place


def leave(table: Table, player: str) -> Table | None:
    """Gives a seat back; a host's table passes to the next player, and None is left when there is none."""
    place = must_sit(table, player)
    refuse_started(table)
    after = table.with_seat(place, FREE)
    if not after.sitting:
        return None
    if table.host != player:
        return after
    in_turn = (*after.seats[place:], *after.seats[:place])
    return replace(after, host=next(seat.player for seat in in_turn if seat.player))


def freeze(table: Table, bot: str) -> Table:
    """From here on every try to start the match sends the same words. Free seats get the bot."""
    if table.status is not Status.OPEN:
        return table
    if not table.full and not bot:
        free = sum(seat.free for seat in table.seats)
        raise failed("EMPTY_SEATS", f"{free} of {len(table.seats)} seats are free; name a bot for them, or wait")
    seats = tuple(
        Seat(bot=bot, house=True) if seat.free else replace(seat, bot=seat.bot or STAND_IN_BOT) for seat in table.seats
    )
    return replace(table, seats=seats, status=Status.STARTING)


def mark_started(table: Table) -> Table:
    """A short match may be over before anybody heard that it began."""
    return replace(table, status=Status.STARTED) if table.status is Status.STARTING else table


def mark_ended(table: Table) -> Table:
    return replace(table, status=Status.ENDED)


def must_host(table: Table, player: str) -> None:
    if table.host != player:
        raise denied("NOT_HOST", "only the host of a table starts it")


def must_sit(table: Table, player: str) -> int:
    place = table.seat_of(player)
    if place is None:
        raise failed("NOT_SEATED", "you do not sit at this table")
    return place


def refuse_started(table: Table) -> None:
    if table.status is not Status.OPEN:
        raise failed("STARTED", "this table has begun")


# -------------------------------------------------------------------------------------------------------------- schema


def plans(table: Table) -> list[match_pb2.SeatPlan]:
    return [
        match_pb2.SeatPlan(kind=kind_of(seat), player=seat.player, name=seat.name, bot=seat.bot, nonce=seat.nonce)
        for seat in table.seats
    ]


def message(table: Table, options: match_pb2.Options, expires_ms: int) -> lobby_pb2.Table:
    """What others see; nonces stay here until the match ends."""
    return lobby_pb2.Table(
        id=table.id,
        host=table.host,
        options=options,
        seats=[
            lobby_pb2.TableSeat(
                kind=kind_of(seat), player=seat.player, name=seat.name, bot=seat.bot if seat.house else ""
            )
            for seat in table.seats
        ],
        status=STATUSES[table.status],
        commit=table.commit,
        created_ms=table.created_ms,
        expires_ms=expires_ms,
        start_when_full=table.start_when_full,
    )


def kind_of(seat: Seat) -> match_pb2.SeatKind.ValueType:
    return match_pb2.SEAT_KIND_HOUSE if seat.house else match_pb2.SEAT_KIND_PLAYER


# -------------------------------------------------------------------------------------------------------------- stored


def to_json(table: Table) -> bytes:
    return json.dumps(
        {
            "id": table.id,
            "host": table.host,
            "game": table.game,
            "players": table.players,
            "private": table.private,
            "quick": table.quick,
            "start_when_full": table.start_when_full,
            "commit": _text(table.commit),
            "created_ms": table.created_ms,
            "listed": _text(table.listed),
            "status": table.status.value,
            "seats": [
                {"bot": s.bot, "house": s.house, "player": s.player, "name": s.name, "nonce": _text(s.nonce)}
                for s in table.seats
            ],
        },
        separators=(",", ":"),
    ).encode()


def from_json(stored: bytes) -> Table:
    found: dict[str, Any] = json.loads(stored)
    return Table(
        id=found["id"],
        host=found["host"],
        game=found["game"],
        players=found["players"],
        private=found["private"],
        quick=found["quick"],
        start_when_full=found["start_when_full"],
        commit=base64.b64decode(found["commit"]),
        created_ms=found["created_ms"],
        listed=base64.b64decode(found["listed"]),
        status=Status(found["status"]),
        seats=tuple(
            Seat(s["bot"], s["house"], s["player"], s["name"], base64.b64decode(s["nonce"])) for s in found["seats"]
        ),
    )


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def no_table(id: str) -> Refused:
    """Also for a private table that the asker may not know of."""
    return not_found("NO_TABLE", f"there is no table {id[:40]!r}")
