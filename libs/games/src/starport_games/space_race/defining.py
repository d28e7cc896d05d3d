"""Cards and constants that a position defines for itself: `card x1: robot-part green legs`."""

from __future__ import annotations

from starport_games.kernel.lines import Line, clip
from starport_games.space_race.codes import C_CRYSTAL_SET, C_HAND, C_ROUNDS, COLOURED, NONE, ROBOT_PART, ROWS
from starport_games.space_race.content import CONSTANT_MAX
from starport_games.space_race.pack import CONSTANT_NAMES, Pack
from starport_games.space_race.words import (
    COLOUR_WORDS,
    DANGER_WORDS,
    ID,
    KIND_WORDS,
    PIECE_WORDS,
    RESERVED_IDS,
    read_row,
)

CARDS_MAX = 72  # that one position may add, of either deck


def with_definitions(pack: Pack, lines: list[Line]) -> tuple[Pack, list[Line]]:
    """The pack with what these lines add to it, and the other lines; the same pack if they add nothing."""
    others: list[Line] = []
    own = pack.derived()
    for line in lines:
        what, _, name = line.key.partition(" ")
        if what == "card" and name:
            define_card(own, line, name)
        elif what == "danger" and name and name not in RESERVED_IDS:
            define_danger(own, line, name)
        elif what == "constant" and name:
            define_constant(own, line, name)
        else:
            others.append(line)
    return (pack if pack.same(own) else own), others


def check_id(pack: Pack, line: Line, id: str) -> None:
    if ID.fullmatch(id) is None or id in RESERVED_IDS:
        raise line.bad(f"{clip(id)} is no id: lower-case letters, digits and '-'")
    if id in pack.ids or id in pack.danger_ids:
        raise line.bad("a card has this id already")
    base = pack.base or pack
    if len(pack.ids) + len(pack.danger_ids) - len(base.ids) - len(base.danger_ids) >= CARDS_MAX:
        raise line.bad(f"a position adds at most {CARDS_MAX} cards")


def define_card(pack: Pack, line: Line, id: str) -> None:
    check_id(pack, line, id)
    words = line.value.split()
    if not words or words[0] not in KIND_WORDS:
        raise line.bad(f"begin with one of {', '.join(KIND_WORDS)}")
    kind = KIND_WORDS.index(words[0])
    wanted: list[tuple[str, ...]] = []
    if kind < COLOURED:
        wanted.append(COLOUR_WORDS)
    if kind == ROBOT_PART:
        wanted.append(PIECE_WORDS)
    attributes = [NONE, NONE]
    if len(words) != 1 + len(wanted):
        raise line.bad(f"a {words[0]} has {len(wanted)} attributes")
    for i, choices in enumerate(wanted):
        if words[1 + i] not in choices:
            raise line.bad(f"{clip(words[1 + i])} is not one of {', '.join(choices)}")
        attributes[i] = choices.index(words[1 + i])
    pack.add_card(id, id, kind, attributes[0], attributes[1])


def define_danger(pack: Pack, line: Line, id: str) -> None:
    """Any four rows: a position may hold cards that no card file may (SR-CONTENT-6 to 8)."""
    check_id(pack, line, id)
    type, *texts = [part.strip() for part in line.value.split(";")]
    rows: list[int] = []
    for text in texts:
        row = read_row(text)
        if row is None:
            raise line.bad(f"row {clip(text)} is not 'clear', 'n wrenches' or 'n damage'")
        rows.append(row)
    if type not in DANGER_WORDS or len(rows) != ROWS:
        raise line.bad(f"write {' or '.join(DANGER_WORDS)} and {ROWS} rows, with ';' between")
    pack.add_danger(id, id, DANGER_WORDS.index(type), rows)


def define_constant(pack: Pack, line: Line, name: str) -> None:
    if name not in CONSTANT_NAMES:
        raise line.bad(f"is none of {', '.join(CONSTANT_NAMES)}")
    place = CONSTANT_NAMES.index(name)
    digits = line.value.removeprefix("-").removeprefix("−")
    low = 1 if place in (C_ROUNDS, C_HAND, C_CRYSTAL_SET) else -CONSTANT_MAX
    if not digits.isascii() or not digits.isdigit() or len(digits) > 2:
        raise line.bad(f"{clip(line.value)} is not a whole number of at most two digits")
    value = int(digits) if digits == line.value else -int(digits)
    if value < low:
        raise line.bad(f"must be at least {low}")
    pack.constant[place] = value
