"""Facts of Space Race (SR-EVT-1): kind and values of an Effect to the message of that fact and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from starport.v1.space_race_pb2 import SpaceRaceFact
from starport_games.kernel.deal import WORDS_MAX
from starport_games.kernel.effects import HIDDEN, Effect
from starport_games.kernel.errors import BadInput
from starport_games.space_race.codes import BID_MAX, DAMAGES, SEATS_MAX, SEATS_MIN
from starport_games.space_race.evolve import deal_numbers, deal_of_numbers
from starport_games.space_race.facts import FACTS
from starport_games.space_race.pack import Pack
from starport_games.space_race.scoring import PART_NAMES
from starport_wire.space_race.moves import FACES, read_counts, write_counts
from starport_wire.values import Names, enum_index, number, read_generator, write_generator

COINS: Final = 2  # left, right
RESOURCES: Final = 2  # fuel, crew
HIDDEN_MAX: Final = 10_000  # values of the log that a viewer is not told at once
SCORE_MAX: Final = 1_000_000  # of either sign
COUNTS_HIDDEN: Final = [HIDDEN] * DAMAGES
LIMITS: Final = {"round": (0, 99), "pick": (0, 99)}

Write = Callable[[Any, list[int]], None]
Read = Callable[[Any], list[int]]


class Facts:
    """Writers by kind and readers by field."""

    def __init__(self, pack: Pack) -> None:
        self.cards = Names(pack.ids, "card")
        self.dangers = Names(pack.danger_ids, "Danger card")
        self.factions = Names(pack.factions, "faction")
        pairs: dict[str, tuple[Write, Read]] = {
            "game_created": (self._write_created, self._read_created),
            "ship_chosen": (self._write_ship, self._read_ship),
            "round_started": _number("round"),
            "hands_dealt": (self._write_dealt, self._read_dealt),
            "coin_flipped": (_write_coin, _read_coin),
            "pick_committed": (self._write_pick, self._read_pick),
            "picks_revealed": (self._write_revealed, self._read_revealed),
            "danger_peeked": (self._write_danger, self._read_danger),
            "hands_passed": (self._write_passed, self._read_passed),
            "danger_revealed": (self._write_danger, self._read_danger),
            "bid_committed": (_write_bid, _read_bid),
            "bids_revealed": _numbers("bids", BID_MAX),
            "ranks_assigned": _numbers("ranks", SEATS_MAX),
            "repair_committed": (_write_repair, _read_repair),
            "damage_removed": (_write_repair, _read_removed),
            "damage_deck_rebuilt": (_write_rebuilt, _read_rebuilt),
            "damage_drawn": (_write_drawn, _read_drawn),
            "bids_discarded": (self._write_discarded, self._read_discarded),
            "round_ended": _number("round"),
            "game_scored": (_write_scored, _read_scored),
            "game_ended": _numbers("winners", SEATS_MAX - 1),
        }
        self.fields = [_field(name) for name, _ in FACTS]
        self.writers = [pairs[field][0] for field in self.fields]
        self.readers = {field: (kind, pairs[field][1]) for kind, field in enumerate(self.fields)}

    def write(self, message: SpaceRaceFact, effect: Effect) -> None:
        kind = effect.kind
        self.writers[kind](getattr(message, self.fields[kind]), effect.values)

    def read(self, message: SpaceRaceFact) -> tuple[int, list[int]]:
        field = message.WhichOneof("fact")
        if field is None:
            raise BadInput("a fact of Space Race that says nothing")
        kind, read = self.readers[field]
        return kind, read(getattr(message, field))

    # -- facts with cards in them

    def _write_created(self, part: Any, values: list[int]) -> None:
        """Seats, then four lists, each after its length; to viewers everything after the seats is one gap."""
        part.seats = values[0]
        if HIDDEN in values:
            part.hidden = len(values) - 1
            return
        generator, space, danger, damage = _counted(values)
        write_generator(part.generator, deal_of_numbers(generator))
        part.space_deck.extend([self.cards.ids[card] for card in space])
        part.danger_deck.extend([self.dangers.ids[card] for card in danger])
        part.damage_deck.extend([kind + 1 for kind in damage])

    def _read_created(self, part: Any) -> list[int]:
        values = [number(part.seats, SEATS_MIN, SEATS_MAX, "seats")]
        if part.hidden:
            return values + [HIDDEN] * number(part.hidden, 1, HIDDEN_MAX, "hidden")
        deal = read_generator(part.generator)
        lists = (
            deal_numbers(deal, deal.at),
            self.cards.known_list(part.space_deck),
            self.dangers.known_list(part.danger_deck),
            [enum_index(kind, DAMAGES, "a Damage card") for kind in part.damage_deck],
        )
        for numbers in lists:
            values += [len(numbers), *numbers]
        return values

    def _write_ship(self, part: Any, values: list[int]) -> None:
        part.cockpit = self.factions.ids[values[0]]
        part.engine = self.factions.ids[values[1]]

    def _read_ship(self, part: Any) -> list[int]:
        return [self.factions.known(part.cockpit), self.factions.known(part.engine)]

    def _write_dealt(self, part: Any, values: list[int]) -> None:
        words = self.cards.words
        part.SetInParent()
        part.cards.extend([words[card] for card in values])

    def _read_dealt(self, part: Any) -> list[int]:
        return self.cards.seen_list(part.cards)

    def _write_pick(self, part: Any, values: list[int]) -> None:
        part.card = self.cards.words[values[0]]
        part.face = _face_number(values[1])

    def _read_pick(self, part: Any) -> list[int]:
        return [self.cards.seen(part.card), _face(part.face)]

    def _write_revealed(self, part: Any, values: list[int]) -> None:
        part.face = _face_number(values[0])
        part.card = self.cards.words[values[1]]

    def _read_revealed(self, part: Any) -> list[int]:
        return [_face(part.face), self.cards.seen(part.card)]

    def _write_danger(self, part: Any, values: list[int]) -> None:
        part.danger = self.dangers.words[values[0]]

    def _read_danger(self, part: Any) -> list[int]:
        return [self.dangers.seen(part.danger)]

    def _write_passed(self, part: Any, values: list[int]) -> None:
        words = self.cards.words
        part.pick, part.from_seat = values[0], values[1]
        part.cards.extend([words[card] for card in values[2:]])

    def _read_passed(self, part: Any) -> list[int]:
        pick = number(part.pick, *LIMITS["pick"], "pick")
        return [pick, number(part.from_seat, 0, SEATS_MAX - 1, "from_seat"), *self.cards.seen_list(part.cards)]

    def _write_discarded(self, part: Any, values: list[int]) -> None:
        words = self.cards.words
        part.resource = values[0] + 1
        part.cards.extend([words[card] for card in values[1:]])

    def _read_discarded(self, part: Any) -> list[int]:
        return [enum_index(part.resource, RESOURCES, "what was bid"), *self.cards.seen_list(part.cards)]


def _field(name: str) -> str:
    """GameCreated is the field game_created."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _counted(values: list[int]) -> list[list[int]]:
    lists: list[list[int]] = []
    at = 1
    while at < len(values):
        lists.append(values[at + 1 : at + 1 + values[at]])
        at += 1 + values[at]
    return lists


def _face_number(face: int) -> int:
    return 0 if face == HIDDEN else face + 1


def _face(value: int) -> int:
    return HIDDEN if value == 0 else enum_index(value, FACES, "a face")


def _number(field: str) -> tuple[Write, Read]:
    def write(part: Any, values: list[int]) -> None:
        setattr(part, field, values[0])

    def read(part: Any) -> list[int]:
        return [number(getattr(part, field), *LIMITS[field], field)]

    return write, read


def _numbers(field: str, most: int) -> tuple[Write, Read]:
    def write(part: Any, values: list[int]) -> None:
        part.SetInParent()
        getattr(part, field).extend(values)

    def read(part: Any) -> list[int]:
        return [number(value, 0, most, field) for value in getattr(part, field)]

    return write, read


def _write_coin(part: Any, values: list[int]) -> None:
    part.coin = values[0] + 1
    _write_at(part, values[1])


def _read_coin(part: Any) -> list[int]:
    return [enum_index(part.coin, COINS, "the coin"), _read_at(part)]


def _write_at(part: Any, at: int) -> None:
    if at != HIDDEN:
        part.at = at


def _read_at(part: Any) -> int:
    return number(part.at, 0, WORDS_MAX, "where the generator stands") if part.HasField("at") else HIDDEN


def _write_bid(part: Any, values: list[int]) -> None:
    if values[0] == HIDDEN:
        part.SetInParent()
    else:
        part.bid = values[0]


def _read_bid(part: Any) -> list[int]:
    return [number(part.bid, 0, BID_MAX, "a bid") if part.HasField("bid") else HIDDEN]


def _write_repair(part: Any, values: list[int]) -> None:
    if values == COUNTS_HIDDEN:
        part.SetInParent()
    else:
        write_counts(part.damage, values)


def _read_repair(part: Any) -> list[int]:
    return list(read_counts(part.damage)) if part.HasField("damage") else COUNTS_HIDDEN[:]


def _read_removed(part: Any) -> list[int]:
    return list(read_counts(part.damage))


def _damage_numbers(values: list[int]) -> list[int]:
    return [0 if kind == HIDDEN else kind + 1 for kind in values]


def _damage(values: Iterable[int]) -> list[int]:
    return [HIDDEN if value == 0 else enum_index(value, DAMAGES, "a Damage card") for value in values]


def _write_rebuilt(part: Any, values: list[int]) -> None:
    part.SetInParent()
    _write_at(part, values[0])
    part.damage.extend(_damage_numbers(values[1:]))


def _read_rebuilt(part: Any) -> list[int]:
    return [_read_at(part), *_damage(part.damage)]


def _write_drawn(part: Any, values: list[int]) -> None:
    part.SetInParent()
    part.damage.extend(_damage_numbers(values))


def _read_drawn(part: Any) -> list[int]:
    return _damage(part.damage)


def _write_scored(part: Any, values: list[int]) -> None:
    part.SetInParent()
    for name, value in zip(PART_NAMES, values, strict=True):
        setattr(part, name, value)


def _read_scored(part: Any) -> list[int]:
    return [number(getattr(part, name), -SCORE_MAX, SCORE_MAX, name) for name in PART_NAMES]
