"""What a game brings to the wire, and the codec that is made of it: the same for all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from starport.v1 import match_pb2
from starport_games.kernel.contract import Game
from starport_games.kernel.deal import Deal
from starport_games.kernel.effects import Effect
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_wire.values import effect_of, new_effect, number

CARD_FILE: Final = "card file"  # what error lines call Options.card_file
POSITION: Final = "position"  # and Options.position
POSITION_CHARS_MAX: Final = 200_000


class Codec(Protocol):
    """Messages of one table to what its engine understands, and back. Keeps no state of a match."""

    game: Game[Any, Any]
    options: Any  # what game.start takes
    seats: int
    from_position: bool  # the match begins from Options.position: no deal, no opening, no rating

    def encode_move(self, move: int) -> match_pb2.Move: ...

    def decode_move(self, message: match_pb2.Move) -> int:
        """BadInput when it is no move of the game. A card id that no card has is for the rules to refuse."""

    def encode_effect(self, effect: Effect) -> match_pb2.Effect:
        """The effect as it is, with sight and open; what a viewer may know of it is `shown` before."""

    def decode_effect(self, message: match_pb2.Effect) -> Effect: ...

    def encode_state(self, state: Any) -> match_pb2.State:
        """Full positions and views alike."""

    def decode_state(self, message: match_pb2.State) -> Any: ...

    def first_state(self, deal: Deal) -> Any:
        """The first position: dealt, or that of the options, which has a generator of its own."""

    def opening(self, state: Any) -> list[Effect]:
        """The facts of the set-up; none for a match from a position, whose set-up nobody saw."""


class Wire(Protocol):
    """A game's side of the schema; codec.py registers one for each game."""

    game: Game[Any, Any]
    field: str  # its field in the oneofs of Options, Move, Effect and State: "wild_space"

    def write_settings(self, options: match_pb2.Options, settings: Mapping[str, str]) -> None:
        """Text settings into the options; BadInput names what is wrong."""

    def seat_count(self, options: match_pb2.Options) -> int:
        """Seats that a match needs."""

    def open(self, options: match_pb2.Options) -> Codec:
        """Checks everything that the options say."""


class Tables(Protocol):
    """What depends on the content of a table alone; each part writes into a message of the game and reads from one."""

    moves: Any  # write(message, move), read(message) -> move
    facts: Any  # write(message, effect), read(message) -> (kind, values)
    states: Any  # write(message, state), read(message) -> state


class TableCodec:
    """The Codec of any game."""

    def __init__(self, wire: Wire, options: Any, seats: int, tables: Tables, position: Any | None) -> None:
        self.game = wire.game
        self.options = options
        self.seats = seats
        self.from_position = position is not None
        self._position = position
        self._field = wire.field
        self._moves, self._facts, self._states = tables.moves, tables.facts, tables.states
        self._seats_max = wire.game.seat_counts[-1]

    def encode_move(self, move: int) -> match_pb2.Move:
        message = match_pb2.Move()
        self._moves.write(getattr(message, self._field), move)
        return message

    def decode_move(self, message: match_pb2.Move) -> int:
        if message.WhichOneof("game") != self._field:
            raise BadInput(f"this is no move of {self.game.title}")
        move: int = self._moves.read(getattr(message, self._field))
        return move

    def encode_effect(self, effect: Effect) -> match_pb2.Effect:
        message = new_effect(effect)
        self._facts.write(getattr(message, self._field), effect)
        return message

    def decode_effect(self, message: match_pb2.Effect) -> Effect:
        if message.WhichOneof("fact") != self._field:
            raise BadInput(f"this is no fact of {self.game.title}")
        kind, values = self._facts.read(getattr(message, self._field))
        return effect_of(message, kind, values, self._seats_max)

    def encode_state(self, state: Any) -> match_pb2.State:
        message = match_pb2.State()
        self._states.write(getattr(message, self._field), state)
        return message

    def decode_state(self, message: match_pb2.State) -> Any:
        if message.WhichOneof("game") != self._field:
            raise BadInput(f"this is no position of {self.game.title}")
        return self._states.read(getattr(message, self._field))

    def first_state(self, deal: Deal) -> Any:
        if self._position is None:
            return self.game.start(self.options, self.seats, deal)
        return self.game.clone(self._position)

    def opening(self, state: Any) -> list[Effect]:
        return [] if self.from_position else self.game.opening(state)


def one_of(settings: Mapping[str, str], key: str, allowed: Sequence[str], default: str) -> int:
    """The place of a setting's word among the allowed ones."""
    word = settings.get(key, default)
    if word not in allowed:
        raise BadInput(f"{key}: {clip(word)} is not one of {', '.join(allowed)}")
    return allowed.index(word)


def only(settings: Mapping[str, str], title: str, allowed: Sequence[str]) -> None:
    for key in settings:
        if key not in allowed:
            raise BadInput(f"{title} has no setting {clip(key)}; it has {', '.join(allowed)}")


def whole_seats(game: Game[Any, Any], seats: int) -> int:
    counts = game.seat_counts
    return number(seats, counts[0], counts[-1], f"seats of {game.name}")


def position_text(options: match_pb2.Options) -> str:
    if len(options.position) > POSITION_CHARS_MAX:
        raise BadInput(f"{POSITION}: longer than {POSITION_CHARS_MAX} characters")
    return options.position
