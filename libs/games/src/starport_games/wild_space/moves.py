"""Moves and facts of Wild Space in words: `land P3 left pay robot-07`, and back."""

from __future__ import annotations

from collections.abc import Iterator

from starport_games.kernel.effects import Effect
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    CONDITION_MAX,
    HIDDEN,
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
    NO_CARD,
    NUMBER_MAX,
    SECTORS,
    STRANGER,
    move_card,
    move_code,
    move_condition,
    move_kind,
    move_number,
)
from starport_games.wild_space.state import State

PLACE_NAMES = ("H1", "H2", "P3", "P6", "P9")
SIDES = ("left", "right")
MOVE_CHARS_MAX = 200

# Moves without an argument, with a card, with a number, with a hostile planet.
BARE = {
    M_PASS_TURN: "pass-turn",
    M_DRAW_PILE: "draw pile",
    M_PASS: "pass",
    M_TAKE_PILE: "take pile",
    M_SQUARE: "square",
    M_DONE: "done",
    M_END_TURN: "end-turn",
}
WITH_CARD = {M_PLAY: "play", M_REFRESH: "refresh"}
WITH_NUMBER = {M_CHOOSE: "choose", M_DRAW_POOL: "draw pool", M_TAKE_POOL: "take pool"}
WITH_HOSTILE = {M_SMUGGLER_LAND: "smuggler-land", M_SMUGGLER_EXPLORE: "smuggler-explore"}
USAGE = (
    "land P3 left [cond 2] [pay CARD], explore P3 left, pass-turn, choose 1, draw pile, draw pool 2, play CARD, pass, "
    "take pile, take pool 2, ability [pay CARD], square, done, end-turn, refresh CARD, smuggler-land HOSTILE, "
    "smuggler-explore HOSTILE"
)

# Name and fields of every fact, by the numbers of codes.py.
FACTS: tuple[tuple[str, ...], ...] = (
    ("started", "first"),
    ("landed", "sector", "condition"),
    ("explored", "sector"),
    ("passed-turn",),
    ("paid", "card"),
    ("removed", "card"),
    ("chose", "option"),
    ("used-ability", "card"),
    ("used-square", "card"),
    ("drew-from-pile", "card"),
    ("drew-from-pool", "slot", "card"),
    ("took-from-pile", "card"),
    ("took-from-pool", "slot", "card"),
    ("put-into-play", "card"),
    ("token-moved", "square"),
    ("refreshed", "card", "card", "card", "card"),
    ("pool-filled", "slot", "card"),
    ("reshuffled", "cards"),
    ("gave-up",),
    ("ended-turn",),
    ("planet-revealed", "place", "planet"),
    ("smuggler-landed", "hostile"),
    ("smuggler-explored", "hostile"),
    ("smuggler-added", "slot", "card"),
    ("smuggler-discarded", "slot", "card"),
    ("hostile-shown", "hostile"),
    ("game-over",),
    ("captain", "card"),
    ("dealt", "card", "card", "card"),
)


def sector_text(sector: int) -> str:
    return f"{PLACE_NAMES[sector >> 1]} {SIDES[sector & 1]}"


def _card_text(ids: list[str], card: int) -> str:
    return ids[card] if card < len(ids) else "no-such-card"


def move_text(book: Book, move: int) -> str:
    kind = move_kind(move)
    card = move_card(move)
    if kind in BARE:
        return BARE[kind]
    if kind in WITH_CARD:
        return f"{WITH_CARD[kind]} {_card_text(book.ids, card)}"
    if kind in WITH_NUMBER:
        return f"{WITH_NUMBER[kind]} {move_number(move)}"
    if kind in WITH_HOSTILE:
        return f"{WITH_HOSTILE[kind]} {_card_text(book.hostile_ids, card)}"
    pay = f" pay {_card_text(book.ids, card)}" if card >= 0 else ""
    if kind == M_ABILITY:
        return f"ability{pay}"
    where = sector_text(move_number(move))
    if kind == M_EXPLORE:
        return f"explore {where}"
    condition = f" cond {move_condition(move)}" if move_condition(move) else ""
    return f"land {where}{condition}{pay}"


def read_move(book: Book, text: str) -> int:
    """The move that these words say. Unknown card ids become STRANGER: refusing them is up to the rules."""
    if len(text) > MOVE_CHARS_MAX:
        raise BadInput(f"a move has at most {MOVE_CHARS_MAX} characters")
    words = text.lower().replace("_", "-").split()
    for head in ("draw", "take"):  # draw_pile and draw_pool, as the rules document writes them
        if words and words[0] in (f"{head}-pile", f"{head}-pool"):
            words[:1] = words[0].split("-")
    joined = " ".join(words)
    for kind, name in BARE.items():
        if joined == name:
            return move_code(kind)
    match words:
        case ["play", card]:
            return move_code(M_PLAY, _card(book.ids, card))
        case ["refresh", card]:
            return move_code(M_REFRESH, _card(book.ids, card))
        case ["choose", number]:
            return move_code(M_CHOOSE, number=_number(number, NUMBER_MAX))
        case ["draw", "pool", number]:
            return move_code(M_DRAW_POOL, number=_number(number, NUMBER_MAX))
        case ["take", "pool", number]:
            return move_code(M_TAKE_POOL, number=_number(number, NUMBER_MAX))
        case ["smuggler-land", hostile]:
            return move_code(M_SMUGGLER_LAND, _card(book.hostile_ids, hostile))
        case ["smuggler-explore", hostile]:
            return move_code(M_SMUGGLER_EXPLORE, _card(book.hostile_ids, hostile))
        case ["ability"]:
            return move_code(M_ABILITY)
        case ["ability", "pay", card]:
            return move_code(M_ABILITY, _card(book.ids, card))
        case ["explore", place, side]:
            return move_code(M_EXPLORE, number=_sector(place, side))
        case ["land", place, side, *rest]:
            return _read_land(book, text, _sector(place, side), rest)
    raise BadInput(f"{clip(text)} is no move; write one of: {USAGE}")


def _read_land(book: Book, text: str, sector: int, rest: list[str]) -> int:
    condition = 0
    card = NO_CARD
    if len(rest) >= 2 and rest[0] == "cond":
        # 0 is what "left out" looks like inside, so a written 0 becomes a number that no sector has.
        condition = _number(rest[1], CONDITION_MAX) or CONDITION_MAX
        rest = rest[2:]
    if len(rest) == 2 and rest[0] == "pay":
        card = _card(book.ids, rest[1])
        rest = []
    if rest:
        raise BadInput(f"{clip(text)} is no landing; write 'land P3 left', with 'cond 2' and 'pay CARD' if needed")
    return move_code(M_LAND, card, sector, condition)


def _card(ids: list[str], word: str) -> int:
    return ids.index(word) + 1 if word in ids else STRANGER


def _number(word: str, most: int) -> int:
    """Numbers past what a move can hold are all equally wrong, so they become the largest."""
    if not word.isascii() or not word.isdigit():
        raise BadInput(f"{clip(word)} is not a whole number")
    return most if len(word) > 9 else min(int(word), most)


def _sector(place: str, side: str) -> int:
    if place.upper() not in PLACE_NAMES:
        raise BadInput(f"there is no planet {clip(place)}; write one of {', '.join(PLACE_NAMES)}")
    if side not in SIDES:
        raise BadInput(f"there is no sector {clip(side)}; write left or right")
    return PLACE_NAMES.index(place.upper()) * 2 + SIDES.index(side)


def move_space(state: State) -> Iterator[int]:
    """Every move that can be written, with one number past each range and one card that does not exist."""
    book = state.book
    cards = [*range(1, len(book.ids) + 1), STRANGER]
    hostiles = [*range(1, len(book.hostile_ids) + 1), STRANGER]
    for kind in BARE:
        yield move_code(kind)
    for kind in WITH_CARD:
        yield from (move_code(kind, card) for card in cards)
    for kind in WITH_NUMBER:
        yield from (move_code(kind, number=number) for number in (0, 1, 2, 3, 4, NUMBER_MAX))
    for kind in WITH_HOSTILE:
        yield from (move_code(kind, hostile) for hostile in hostiles)
    yield from (move_code(M_ABILITY, card) for card in (NO_CARD, *cards))
    yield from (move_code(M_EXPLORE, number=sector) for sector in range(SECTORS))
    for sector in range(SECTORS):
        for condition in (0, 1, 2, 3):
            yield from (move_code(M_LAND, card, sector, condition) for card in (NO_CARD, *cards))


def canonical(state: State, move: int) -> int:
    """The form in which `legal` lists this move: a lone condition goes without its number (WS-LAND-17)."""
    sector = move_number(move)
    if move_kind(move) != M_LAND or move_condition(move) != 1 or sector >= SECTORS:
        return move
    planet = state.planets[sector >> 1]
    if planet < 0 or len(state.book.sector_conditions[planet * 2 + (sector & 1)]) != 1:
        return move
    return move_code(M_LAND, move_card(move) + 1, sector)


def value_text(book: Book, field: str, value: int) -> str:
    if value == HIDDEN:
        return "?"
    if field == "card":
        return _card_text(book.ids, value)
    if field == "hostile":
        return _card_text(book.hostile_ids, value)
    if field == "planet":
        return _card_text(book.planet_ids, value)
    if field == "place":
        return PLACE_NAMES[value]
    if field == "sector":
        return sector_text(value)
    return str(value)


def effect_text(book: Book, effect: Effect) -> str:
    name, *fields = FACTS[effect.kind]
    return " ".join([name, *(value_text(book, *pair) for pair in zip(fields, effect.values, strict=False))])
