"""Values that all games write alike: names of things, numbers, heads of effects, generators; faults are one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from starport.v1 import deal_pb2, match_pb2
from starport_games.kernel.deal import KEY_BYTES, WORDS_MAX, Deal, QuickDeal
from starport_games.kernel.effects import HIDDEN, HOST, Effect
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip

GAP: Final = ""  # something that the viewer must not know
NOTHING: Final = "-"  # an empty slot, a ship not chosen, no card
STRANGER_ID: Final = "no such card"  # how a move that names no card of the set is written; never an id, for its spaces


class Names:
    """Ids of one kind of thing by number and back. Negative numbers mean in lists what they mean in engines."""

    def __init__(self, ids: Sequence[str], what: str) -> None:
        self.what = what
        self.ids = ids
        self.words = [*ids, GAP, NOTHING]  # [HIDDEN] is -2 and [nothing] -1: the gap and the dash
        self.numbers = {id: number for number, id in enumerate(ids)}

    def known(self, word: str) -> int:
        """The number of an id that must be one."""
        number = self.numbers.get(word)
        if number is None:
            raise BadInput(f"there is no {self.what} {clip(word)}")
        return number

    def seen(self, word: str) -> int:
        """The number of an id, or HIDDEN for a gap."""
        return HIDDEN if word == GAP else self.known(word)

    def slot(self, word: str) -> int:
        """The number of an id, or -1 for nothing."""
        return -1 if word == NOTHING else self.known(word)

    def known_list(self, words: Iterable[str]) -> list[int]:
        return [self.known(word) for word in words]

    def seen_list(self, words: Iterable[str]) -> list[int]:
        return [self.seen(word) for word in words]


def number(value: int, low: int, high: int, what: str) -> int:
    if not low <= value <= high:
        raise BadInput(f"{what} is a whole number from {low} to {high}, not {value}")
    return value


def enum_index(value: int, count: int, what: str) -> int:
    """Our enums are the engines' numbers plus one; 0 is unspecified, and newer schemas may have more."""
    if not 1 <= value <= count:
        raise BadInput(f"{what} is not said, or is {value}, which this host does not know")
    return value - 1


# -- effects


def new_effect(effect: Effect) -> match_pb2.Effect:
    """A message with everything but the fact."""
    message = match_pb2.Effect()
    if effect.seat >= 0:
        message.seat = effect.seat
    if effect.sight:
        message.sight = effect.sight  # type: ignore[assignment]  # Sight has the numbers of kernel/effects.py
    if effect.open:
        message.open = effect.open
    return message


def effect_of(message: match_pb2.Effect, kind: int, values: list[int], seats_max: int) -> Effect:
    seat = -1
    if message.HasField("seat"):
        seat = number(message.seat, 0, seats_max - 1, "the seat of an effect")
    sight = number(message.sight, 0, HOST, "the sight of an effect")
    return Effect(kind, seat, values, sight, number(message.open, 0, len(values), "what is open of an effect"))


# -- generators


def write_generator(message: deal_pb2.Generator, deal: Deal) -> None:
    if isinstance(deal, QuickDeal):
        quick = message.quick
        quick.a, quick.b, quick.c, quick.count, quick.at = deal.a, deal.b, deal.c, deal.count, deal.at
    else:
        message.sha256.key = deal.key
        message.sha256.at = deal.at


def read_generator(message: deal_pb2.Generator) -> Deal:
    kind = message.WhichOneof("kind")
    if kind == "sha256":
        if len(message.sha256.key) != KEY_BYTES:
            raise BadInput(f"the key of a generator has {KEY_BYTES} bytes, not {len(message.sha256.key)}")
        return Deal(message.sha256.key, number(message.sha256.at, 0, WORDS_MAX, "where a generator stands"))
    if kind == "quick":
        quick = QuickDeal(0)
        given = message.quick
        quick.a, quick.b, quick.c, quick.count = given.a, given.b, given.c, given.count
        quick.at = number(given.at, 0, WORDS_MAX, "where a generator stands")
        return quick
    raise BadInput("a generator of no kind")
