"""From the options of a table to the codec of Wild Space."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from starport.v1 import match_pb2, wild_space_pb2
from starport_games.kernel.contract import Game
from starport_games.kernel.deal import KEY_BYTES, Deal
from starport_games.kernel.effects import HIDDEN
from starport_games.kernel.errors import BadInput, GapError
from starport_games.wild_space import content, reading, setup
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import SEATS_MAX
from starport_games.wild_space.game import SETTINGS, WildSpace
from starport_games.wild_space.grammar import CardSet
from starport_games.wild_space.setup import DIFFICULTIES, WildSpaceOptions
from starport_games.wild_space.state import State
from starport_games.wild_space.tables import book_of
from starport_wire.common import CARD_FILE, POSITION, Codec, TableCodec, one_of, only, position_text, whole_seats
from starport_wire.values import number
from starport_wire.wild_space.facts import Facts
from starport_wire.wild_space.moves import Moves
from starport_wire.wild_space.states import States

GAME = WildSpace()
MODES = ("player", "seat")
FIRST = ("random", *(str(seat) for seat in range(SEATS_MAX)))
NORMAL = DIFFICULTIES.index("normal") + 1  # what an unspecified difficulty means
BOOKS_MAX = 64


class Tables:
    """Everything that depends on the card set alone; tables of one set share it."""

    def __init__(self, book: Book) -> None:
        self.moves = Moves(book)
        self.facts = Facts(book)
        self.states = States(book)


@lru_cache(maxsize=BOOKS_MAX)
def tables_of(book: Book) -> Tables:
    return Tables(book)


class WildSpaceWire:
    """The Wire of common.py."""

    game: Game[Any, Any] = GAME
    field = "wild_space"

    def write_settings(self, options: match_pb2.Options, settings: Mapping[str, str]) -> None:
        only(settings, GAME.title, SETTINGS)
        own = options.wild_space
        own.SetInParent()
        if "difficulty" in settings:
            own.difficulty = one_of(settings, "difficulty", DIFFICULTIES, "") + 1  # type: ignore[assignment]
        if "smuggler" in settings:
            own.smuggler = one_of(settings, "smuggler", MODES, "") + 1  # type: ignore[assignment]
        first = one_of(settings, "first", FIRST, "random")
        if first:
            own.first = first - 1

    def seat_count(self, options: match_pb2.Options) -> int:
        own_seat = options.wild_space.smuggler == wild_space_pb2.SMUGGLER_MODE_SEAT
        return 2 if options.seats == 1 and own_seat else options.seats

    def open(self, options: match_pb2.Options) -> Codec:
        seats = whole_seats(GAME, options.seats)
        own = options.wild_space
        level = number(own.difficulty, 0, len(DIFFICULTIES), "difficulty") or NORMAL
        mode = number(own.smuggler, 0, len(MODES), "who moves for the Smuggler") or 1
        first = own.first if own.HasField("first") else None
        cards = content.load_text(options.card_file, CARD_FILE) if options.card_file else content.load()
        if options.position:
            position = _read_position(position_text(options), cards)
            _check_position(position, options)
            level = level if position.smuggler is None else position.smuggler.difficulty
            chosen = _options(position.book, level, mode, position.first)
            return TableCodec(self, chosen, seats, tables_of(position.book), position)
        chosen = _options(book_of(cards), level, mode, first)
        setup.start(chosen, seats, Deal(bytes(KEY_BYTES)))  # says what no deal could ever fulfil
        return TableCodec(self, chosen, seats, tables_of(chosen.book), None)


def _options(book: Book, level: int, mode: int, first: int | None) -> WildSpaceOptions:
    return WildSpaceOptions(book, DIFFICULTIES[level - 1], MODES[mode - 1], first)


def _read_position(text: str, cards: CardSet) -> State:
    try:
        return reading.read_position(text, cards, POSITION)
    except GapError as why:  # raised while the position is settled, where no line is at hand to be named
        raise BadInput(f"{POSITION}: {why}") from None


def _check_position(position: State, options: match_pb2.Options) -> None:
    """A match needs a whole position with somebody to ask, and what the options say must agree with it."""
    own = options.wild_space
    if position.seats != options.seats:
        raise BadInput(f"{POSITION}: it has {position.seats} seats, the options say {options.seats}")
    if position.over():
        raise BadInput(f"{POSITION}: the game is over there")
    lying = position.deck[: position.left] + position.discard + position.planets
    for player in position.players:
        lying = lying + player.hand
    smuggler = position.smuggler
    if smuggler is not None:
        lying = lying + smuggler.hidden
    if position.deal is None or not position.stack or min(lying, default=0) <= HIDDEN:
        raise BadInput(f"{POSITION}: it has gaps; a match needs a whole position")
    if own.HasField("first") and own.first != position.first:
        raise BadInput(f"{POSITION}: player {position.first} began, the options say {own.first}")
    if smuggler is None:
        return
    if own.difficulty and own.difficulty != smuggler.difficulty:
        raise BadInput(
            f"{POSITION}: its difficulty is {DIFFICULTIES[smuggler.difficulty - 1]}, the options say another"
        )
    if smuggler.own_seat != (own.smuggler == wild_space_pb2.SMUGGLER_MODE_SEAT):
        mode = MODES[int(smuggler.own_seat)]
        raise BadInput(f"{POSITION}: its Smuggler is moved by the {mode}; the options must say so too")
