"""Facts of Wild Space: kind and values of an Effect to the message of that fact and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from starport.v1 import wild_space_pb2
from starport_games.kernel.effects import Effect
from starport_games.kernel.errors import BadInput
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import CARDS_MAX, CONDITION_MAX, NUMBER_MAX, PLACES, POOL_SLOTS, SEATS_MAX
from starport_games.wild_space.moves import FACTS
from starport_wire.values import Names, enum_index, number
from starport_wire.wild_space.moves import SECTOR_MESSAGES, read_sector

# What a number may be, by the name of its field.
LIMITS: Final = {
    "first": (0, SEATS_MAX - 1),
    "condition": (0, CONDITION_MAX),
    "option": (0, NUMBER_MAX),
    "slot": (1, POOL_SLOTS),
    "square": (0, NUMBER_MAX),
    "cards": (0, CARDS_MAX),
}

Write = Callable[[Any, list[int]], None]
Read = Callable[[Any], list[int]]


class Facts:
    """Writers by kind and readers by field, made once from the engine's own table of facts."""

    def __init__(self, book: Book) -> None:
        self.names = {
            "card": Names(book.ids, "card"),
            "hostile": Names(book.hostile_ids, "hostile planet"),
            "planet": Names(book.planet_ids, "planet"),
        }
        self.fields: list[str] = []
        self.writers: list[Write] = []
        self.readers: dict[str, tuple[int, Read]] = {}
        for kind, (name, *values) in enumerate(FACTS):
            field = name.replace("-", "_")
            write, read = self._pair(values)
            self.fields.append(field)
            self.writers.append(write)
            self.readers[field] = (kind, read)

    def write(self, message: wild_space_pb2.WildSpaceFact, effect: Effect) -> None:
        kind = effect.kind
        self.writers[kind](getattr(message, self.fields[kind]), effect.values)

    def read(self, message: wild_space_pb2.WildSpaceFact) -> tuple[int, list[int]]:
        field = message.WhichOneof("fact")
        if field is None:
            raise BadInput("a fact of Wild Space that says nothing")
        kind, read = self.readers[field]
        return kind, read(getattr(message, field))

    def _pair(self, values: list[str]) -> tuple[Write, Read]:
        match values:
            case []:
                return _bare()
            case ["sector"]:
                return _write_sector, lambda part: [read_sector(part.sector)]
            case ["sector", "condition"]:
                return _write_landed, _read_landed
            case ["place", "planet"]:
                return _planet(self.names["planet"])
            case ["slot", "card"]:
                return _slot(self.names["card"])
            case ["card", "card", *_]:
                return _cards(self.names["card"])
            case [name] if name in self.names:
                return _name(name, self.names[name])
            case [name]:
                return _number(name, *LIMITS[name])
        raise NotImplementedError(f"a fact with the values {values} needs a message of its own")


def _bare() -> tuple[Write, Read]:
    def write(part: Any, _values: list[int]) -> None:
        part.SetInParent()

    def read(_part: Any) -> list[int]:
        return []

    return write, read


def _number(field: str, low: int, high: int) -> tuple[Write, Read]:
    def write(part: Any, values: list[int]) -> None:
        setattr(part, field, values[0])

    def read(part: Any) -> list[int]:
        return [number(getattr(part, field), low, high, field)]

    return write, read


def _name(field: str, names: Names) -> tuple[Write, Read]:
    words = names.words

    def write(part: Any, values: list[int]) -> None:
        setattr(part, field, words[values[0]])

    def read(part: Any) -> list[int]:
        return [names.seen(getattr(part, field))]

    return write, read


def _slot(names: Names) -> tuple[Write, Read]:
    words = names.words

    def write(part: Any, values: list[int]) -> None:
        part.slot, part.card = values[0], words[values[1]]

    def read(part: Any) -> list[int]:
        return [number(part.slot, *LIMITS["slot"], "slot"), names.seen(part.card)]

    return write, read


def _cards(names: Names) -> tuple[Write, Read]:
    words = names.words

    def write(part: Any, values: list[int]) -> None:
        part.SetInParent()
        part.cards.extend([words[value] for value in values])

    def read(part: Any) -> list[int]:
        return names.seen_list(part.cards)

    return write, read


def _planet(names: Names) -> tuple[Write, Read]:
    words = names.words

    def write(part: Any, values: list[int]) -> None:
        part.place, part.planet = values[0] + 1, words[values[1]]

    def read(part: Any) -> list[int]:
        return [enum_index(part.place, PLACES, "place"), names.seen(part.planet)]

    return write, read


def _write_sector(part: Any, values: list[int]) -> None:
    part.sector.CopyFrom(SECTOR_MESSAGES[values[0]])


def _write_landed(part: Any, values: list[int]) -> None:
    part.sector.CopyFrom(SECTOR_MESSAGES[values[0]])
    part.condition = values[1]


def _read_landed(part: Any) -> list[int]:
    return [read_sector(part.sector), number(part.condition, *LIMITS["condition"], "condition")]
