"""Moves of Space Race: the packed ints of starport_games/space_race/codes.py to messages and back."""

from __future__ import annotations

from typing import Final

from starport.v1.space_race_pb2 import DamageCount, SpaceRaceMove
from starport_games.kernel.errors import BadInput
from starport_games.space_race.codes import (
    BID_MAX,
    COUNT_MASK,
    FACTIONS,
    M_BID,
    M_PICK,
    M_REPAIR,
    M_SHIP,
    NONE,
    bid_move,
    move_kind,
    move_value,
    pick_move,
    picked_card,
    picked_face,
    repair_count,
    repair_move,
    ship_move,
)
from starport_games.space_race.pack import Pack
from starport_wire.values import STRANGER_ID, Names, enum_index, number

FACES: Final = 2  # up, down


class Moves:
    """Of one pack."""

    def __init__(self, pack: Pack) -> None:
        self.ids = [*pack.ids, STRANGER_ID]  # [NONE] is the stranger
        self.cards = {id: card for card, id in enumerate(pack.ids)}
        self.factions = Names(pack.factions, "faction")

    def write(self, message: SpaceRaceMove, move: int) -> None:
        kind = move_kind(move)
        value = move_value(move)
        if kind == M_PICK:
            pick = message.pick
            pick.card = self.ids[picked_card(move)]
            pick.face = picked_face(move) + 1  # type: ignore[assignment]  # CardFace is up, down from 1 on
        elif kind == M_BID:
            message.bid.count = value
        elif kind == M_SHIP:
            message.ship.cockpit = self.factions.ids[value // FACTIONS]
            message.ship.engine = self.factions.ids[value % FACTIONS]
        elif kind == M_REPAIR:
            write_counts(message.repair.damage, [repair_count(move, 0), repair_count(move, 1), repair_count(move, 2)])
        else:
            raise ValueError(f"{move} is no move of Space Race")

    def read(self, message: SpaceRaceMove) -> int:
        field = message.WhichOneof("move")
        if field == "pick":
            pick = message.pick
            if not pick.card:
                raise BadInput("the pick names no card")
            return pick_move(self.cards.get(pick.card, NONE), enum_index(pick.face, FACES, "the face of a pick"))
        if field == "bid":
            return bid_move(number(message.bid.count, 0, BID_MAX, "a bid"))
        if field == "repair":
            return repair_move(*read_counts(message.repair.damage))
        if field == "ship":
            ship = message.ship
            return ship_move(self.factions.known(ship.cockpit), self.factions.known(ship.engine))
        raise BadInput("a move of Space Race that says nothing")


def write_counts(message: DamageCount, counts: list[int]) -> None:
    message.fire, message.breach, message.invasion = counts


def read_counts(message: DamageCount) -> tuple[int, int, int]:
    """How many of each kind; a number past any supply is no count."""
    return (
        number(message.fire, 0, COUNT_MASK, "fire"),
        number(message.breach, 0, COUNT_MASK, "breach"),
        number(message.invasion, 0, COUNT_MASK, "invasion"),
    )
