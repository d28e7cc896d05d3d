"""Reads one frame of the decision stack: `play any x2`, `triggers owl-03 ability square draw 2`."""

from __future__ import annotations

from starport_games.kernel.lines import Line, clip, whole_number
from starport_games.wild_space import grammar
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    BY_ABILITY,
    BY_CHOICE,
    BY_SQUARE,
    DRAW,
    F_ACTION,
    F_DRAW,
    F_PLAY,
    F_TAKE,
    F_TRIGGERS,
    PLAY,
)
from starport_games.wild_space.notation import PLAIN_FRAMES
from starport_games.wild_space.tables import effect_number

PLAIN = {name: kind for kind, name in PLAIN_FRAMES.items()}
SAMPLES = (
    "ship, end, smuggler, over, action draw 3 / play any, draw 2, play any x2, take, "
    "triggers CARD ability square draw 2"
)


def read_frame(book: Book, ids: dict[str, int], line: Line, text: str) -> int:
    if text in PLAIN:
        return PLAIN[text]
    words = text.split()
    try:
        match words:
            case ["action", *_]:
                first, _, second = text.removeprefix("action").partition("/")
                one, two = grammar.read_effect(first), grammar.read_effect(second)
                return F_ACTION | effect_number(one) << 4 | effect_number(two) << 13
            case ["triggers", card, *rest]:
                return _triggers(book, line, _crew_card(book, ids, line, card), rest)
            case [*effect, "by", ("choice" | "ability" | "square") as origin, argument]:
                return _effect_frame(" ".join(effect)) | _origin(book, ids, line, origin, argument)
        return _effect_frame(text)
    except grammar.GrammarError:
        raise line.bad(f"{clip(text)} is no frame; write one of: {SAMPLES}") from None


def _effect_frame(text: str) -> int:
    effect = effect_number(grammar.read_effect(text))
    kind, n, which = effect & 3, effect >> 2 & 7, effect >> 5
    if kind == DRAW:
        return F_DRAW | n << 8
    return F_PLAY | which << 4 | n << 8 if kind == PLAY else F_TAKE


def _origin(book: Book, ids: dict[str, int], line: Line, origin: str, argument: str) -> int:
    if origin == "choice":
        return BY_CHOICE << 12 | whole_number(line, argument, 1, grammar.SECTOR_OPTIONS_MAX) << 14
    kind = BY_ABILITY if origin == "ability" else BY_SQUARE
    return kind << 12 | _crew_card(book, ids, line, argument) << 14


def _triggers(book: Book, line: Line, card: int, rest: list[str]) -> int:
    frame = F_TRIGGERS | card << 4
    if rest and rest[0] == "ability":
        frame |= 1 << 16
        rest = rest[1:]
    if rest and rest[0] == "square":
        frame |= effect_number(grammar.read_effect(" ".join(rest[1:]))) << 17
        rest = []
    if rest:
        raise line.bad(
            f"{clip(' '.join(rest))}: after 'triggers {book.ids[card]}' write ability, square EFFECT or both"
        )
    return frame


def _crew_card(book: Book, ids: dict[str, int], line: Line, word: str) -> int:
    card = ids.get(word)
    if card is None or card in book.captains:
        raise line.bad(f"the set has no crew card {clip(word)}")
    return card
