"""Moves of Wild Space: the packed ints of starport_games/wild_space/codes.py to messages and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from starport.v1 import wild_space_pb2
from starport_games.kernel.errors import BadInput
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    CONDITION_MAX,
    M_ABILITY,
    M_CHOOSE,
    M_DONE,
    M_DRAW_PILE,
    M_DRAW_POOL,
    M_END_TURN,
    M_EXPLORE,
    M_LAND,
    M_PASS,
    M_PASS_TURN,
    M_PLAY,
    M_REFRESH,
    M_SMUGGLER_EXPLORE,
    M_SMUGGLER_LAND,
    M_SQUARE,
    M_TAKE_PILE,
    M_TAKE_POOL,
    MOVE_KINDS,
    NO_CARD,
    NUMBER_MAX,
    PLACES,
    SECTORS,
    STRANGER,
    move_card,
    move_code,
    move_condition,
    move_kind,
    move_number,
)
from starport_wire.values import STRANGER_ID, enum_index, number

SIDES: Final = 2

# The fields of WildSpaceMove by the numbers of codes.py, and the field of the argument.
FIELDS: Final = {
    M_LAND: "land",
    M_EXPLORE: "explore",
    M_PASS_TURN: "pass_turn",
    M_CHOOSE: "choose",
    M_DRAW_PILE: "draw_pile",
    M_DRAW_POOL: "draw_pool",
    M_PLAY: "play",
    M_PASS: "pass",
    M_TAKE_PILE: "take_pile",
    M_TAKE_POOL: "take_pool",
    M_ABILITY: "ability",
    M_SQUARE: "square",
    M_DONE: "done",
    M_END_TURN: "end_turn",
    M_REFRESH: "refresh",
    M_SMUGGLER_LAND: "smuggler_land",
    M_SMUGGLER_EXPLORE: "smuggler_explore",
}
KINDS: Final = {field: kind for kind, field in FIELDS.items()}
WITH_NUMBER: Final = {M_CHOOSE: "option", M_DRAW_POOL: "slot", M_TAKE_POOL: "slot"}
WITH_CARD: Final = {M_PLAY: "card", M_REFRESH: "card", M_SMUGGLER_LAND: "hostile", M_SMUGGLER_EXPLORE: "hostile"}
SECTOR_MESSAGES: Final = [
    wild_space_pb2.Sector(place=sector // SIDES + 1, side=sector % SIDES + 1)  # type: ignore[arg-type]
    for sector in range(SECTORS)
]

Write = Callable[[Any, int], None]
Read = Callable[[Any], int]


def read_sector(message: wild_space_pb2.Sector) -> int:
    place = enum_index(message.place, PLACES, "the place of a sector")
    return place * SIDES + enum_index(message.side, SIDES, "the side of a sector")


class Moves:
    """By kind, how to write a move into its message, and by field, how to read it."""

    def __init__(self, book: Book) -> None:
        self.cards = _Ids(book.ids)
        hostiles = _Ids(book.hostile_ids)
        self.writers: list[Write] = [_no_move] * (MOVE_KINDS + 1)
        self.readers: dict[str, Read] = {}
        for kind, field in FIELDS.items():
            if kind in WITH_NUMBER:
                pair = _with_number(kind, field, WITH_NUMBER[kind])
            elif kind in WITH_CARD:
                pair = _with_card(kind, field, WITH_CARD[kind], hostiles if "smuggler" in field else self.cards)
            else:
                pair = _bare(kind, field)
            self.writers[kind], self.readers[field] = pair
        self.writers[M_LAND], self.readers["land"] = self.write_land, self.read_land
        self.writers[M_EXPLORE], self.readers["explore"] = _write_explore, _read_explore
        self.writers[M_ABILITY], self.readers["ability"] = self.write_ability, self.read_ability

    def write(self, message: wild_space_pb2.WildSpaceMove, move: int) -> None:
        kind = move_kind(move)
        if kind > MOVE_KINDS:
            _no_move(message, move)
        self.writers[kind](message, move)

    def read(self, message: wild_space_pb2.WildSpaceMove) -> int:
        field = message.WhichOneof("move")
        if field is None:
            raise BadInput("a move of Wild Space that says nothing")
        return self.readers[field](getattr(message, field))

    def write_land(self, message: wild_space_pb2.WildSpaceMove, move: int) -> None:
        land = message.land
        land.sector.CopyFrom(SECTOR_MESSAGES[move_number(move)])
        condition = move_condition(move)
        if condition:
            land.condition = condition
        card = move_card(move)
        if card >= 0:
            land.pay = self.cards.id(card)

    def read_land(self, land: wild_space_pb2.WildSpaceMove.Land) -> int:
        condition = number(land.condition, 0, CONDITION_MAX, "a condition")
        return move_code(M_LAND, self.cards.payment(land.pay), read_sector(land.sector), condition)

    def write_ability(self, message: wild_space_pb2.WildSpaceMove, move: int) -> None:
        card = move_card(move)
        if card < 0:
            message.ability.SetInParent()
        else:
            message.ability.pay = self.cards.id(card)

    def read_ability(self, ability: wild_space_pb2.WildSpaceMove.UseAbility) -> int:
        return move_code(M_ABILITY, self.cards.payment(ability.pay))


class _Ids:
    """Cards as moves name them: number + 1, 0 for none, STRANGER for an id that no card has."""

    def __init__(self, ids: list[str]) -> None:
        self.ids = ids
        self.cards = {id: index + 1 for index, id in enumerate(ids)}

    def id(self, index: int) -> str:
        return self.ids[index] if index < len(self.ids) else STRANGER_ID

    def card(self, id: str) -> int:
        if not id:
            raise BadInput("the move names no card")
        return self.cards.get(id, STRANGER)

    def payment(self, id: str) -> int:
        return self.cards.get(id, STRANGER) if id else NO_CARD


def _no_move(_message: wild_space_pb2.WildSpaceMove, move: int) -> None:
    raise ValueError(f"{move} is no move of Wild Space")


def _bare(kind: int, field: str) -> tuple[Write, Read]:
    code = move_code(kind)

    def write(message: Any, _move: int) -> None:
        getattr(message, field).SetInParent()

    def read(_part: Any) -> int:
        return code

    return write, read


def _with_number(kind: int, field: str, argument: str) -> tuple[Write, Read]:
    def write(message: Any, move: int) -> None:
        setattr(getattr(message, field), argument, move_number(move))

    def read(part: Any) -> int:
        return move_code(kind, NO_CARD, number(getattr(part, argument), 0, NUMBER_MAX, argument))

    return write, read


def _with_card(kind: int, field: str, argument: str, ids: _Ids) -> tuple[Write, Read]:
    def write(message: Any, move: int) -> None:
        setattr(getattr(message, field), argument, ids.id(move_card(move)))

    def read(part: Any) -> int:
        return move_code(kind, ids.card(getattr(part, argument)))

    return write, read


def _write_explore(message: wild_space_pb2.WildSpaceMove, move: int) -> None:
    message.explore.sector.CopyFrom(SECTOR_MESSAGES[move_number(move)])


def _read_explore(explore: wild_space_pb2.WildSpaceMove.Explore) -> int:
    return move_code(M_EXPLORE, NO_CARD, read_sector(explore.sector))
