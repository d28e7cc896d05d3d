"""Reads a card file of Space Race and checks every constraint on it (sections 1, 14 and 15 of the rules)."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.space_race.codes import (
    C_CRYSTAL_SET,
    C_DAMAGE,
    C_HAND,
    C_ROUNDS,
    COLOURED,
    DAMAGES,
    FACTIONS,
    FIRE,
    NONE,
    ROBOT_PART,
    ROWS,
    SEATS_MAX,
)
from starport_games.space_race.pack import CONSTANT_NAMES, Pack
from starport_games.space_race.words import (
    COLOUR_WORDS,
    DAMAGE_WORDS,
    DANGER_WORDS,
    ID,
    KIND_WORDS,
    PIECE_WORDS,
    RESERVED_IDS,
    read_row,
)

SHIPPED = Path(__file__).with_name("cards.toml")
FILE_BYTES_MAX = 1 << 20
LINE_CHARS_MAX = 4_000  # also keeps the TOML reader away from keys of a hundred thousand parts
NUMBER_MAX = 999_999_999  # that a message repeats
CONSTANT_MAX = 99  # of either sign
DAMAGE_VP_MIN, DAMAGE_VP_MAX = -5, -1
ROW_MAX = 3

KIND_COUNTS = (9, 9, 9, 9, 9, 9, 18)
KIND_CLAUSES = ("SR-COMP-3", *["SR-COMP-2"] * 3, "SR-COMP-3", "SR-COMP-2", "SR-COMP-3")
DANGER_COUNT = 4  # of each type
DAMAGE_COUNTS = (14, 7, 7)
EXAMPLE_ROWS = (2, -1, -2)  # SR-CONTENT-11

TOP_KEYS = {"id", "version", "relaxed", "constants", "faction", "space", "danger", "damage"}
TEXT_KEYS = {"id", "name", "text", "art"}  # for people; no rule reads them

Table = dict[str, object]


@cache
def shipped_pack() -> Pack:
    return load(SHIPPED)


def load(path: Path, relaxed: bool = False) -> Pack:
    """The pack of a card file; BadInput says in one line which file, which card and which constraint."""
    try:
        data = path.read_bytes()
    except OSError as why:
        raise BadInput(f"{path.name}: cannot be read: {why.strerror}") from None
    if len(data) > FILE_BYTES_MAX:
        raise BadInput(f"{path.name}: has more than {FILE_BYTES_MAX} bytes")
    try:
        return read_pack(data.decode(), path.name, relaxed)
    except UnicodeDecodeError:
        raise BadInput(f"{path.name}: is not UTF-8 text") from None


def read_pack(text: str, where: str, relaxed: bool = False) -> Pack:
    """As `load`; `relaxed` (or `relaxed = true` in the file) waives SR-CONTENT-7 and 8 for test packs."""
    if len(text) > FILE_BYTES_MAX:
        raise BadInput(f"{where}: has more than {FILE_BYTES_MAX} bytes")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_CHARS_MAX:
            raise BadInput(f"{where}: line {number} is too long: at most {LINE_CHARS_MAX} characters")
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise BadInput(f"{where}: is not TOML: nested too deeply") from None
    except ValueError as why:  # TOMLDecodeError, and Python's own word on numbers with thousands of digits
        raise BadInput(f"{where}: is not TOML: {' '.join(str(why).split())[:200]}") from None
    return Reader(table, where, relaxed).pack()


class Reader:
    """One card file on its way to a Pack."""

    def __init__(self, table: Table, where: str, relaxed: bool) -> None:
        self.table = table
        self.where = where
        self.relaxed = relaxed or table.get("relaxed") is True

    def bad(self, card: str, why: str, clause: str) -> BadInput:
        name = card if ID.fullmatch(card) is not None else clip(card)
        return BadInput(f"{self.where}: {name}: {why} ({clause})")

    def pack(self) -> Pack:
        for key in self.table:
            if key not in TOP_KEYS:
                raise self.bad("pack", f"unknown key {clip(key)}", "SR-CONTENT-2")
        if not isinstance(self.table.get("relaxed", False), bool):
            raise self.bad("pack", "relaxed is true or false", "SR-CONTENT-9")
        pack = Pack(self.word(self.table, "pack", "id"), self.word(self.table, "pack", "version"))
        if ID.fullmatch(pack.id) is None or ID.fullmatch(pack.version.replace(".", "-")) is None:
            raise self.bad("pack", "id and version are lower-case letters, digits and '-'", "SR-CONTENT-2")
        self.read_constants(pack)
        self.read_factions(pack)
        seen: set[str] = set()
        for entry in self.entries("space"):
            self.read_space(pack, entry, seen)
        for entry in self.entries("danger"):
            self.read_danger(pack, entry, seen)
        for entry in self.entries("damage"):
            self.read_damage(pack, entry, seen)
        self.check_counts(pack)
        self.check_dangers(pack)
        return pack

    def word(self, table: Table, card: str, key: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.bad(card, f"needs a {key}, a text", "SR-CONTENT-2")
        return value

    def entries(self, section: str) -> list[Table]:
        found = self.table.get(section, [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            raise self.bad("pack", f"{section} is a list of [[{section}]] tables", "SR-CONTENT-2")
        return found

    def choice(self, table: Table, card: str, key: str, words: tuple[str, ...], clause: str) -> int:
        value = table.get(key)
        if value not in words:
            raise self.bad(card, f"{key} must be one of {', '.join(words)}, not {shown(value)}", clause)
        return words.index(str(value))

    def only(self, table: Table, card: str, keys: set[str]) -> None:
        for key in table:
            if key not in keys and key not in TEXT_KEYS:
                raise self.bad(card, f"has no attribute {clip(key)}", "SR-CONTENT-2")

    def new_id(self, table: Table, section: str, seen: set[str]) -> str:
        id = table.get("id")
        if not isinstance(id, str) or ID.fullmatch(id) is None or id in RESERVED_IDS:
            why = f"id {shown(id)} must be lower-case letters, digits and '-'"
            raise self.bad(section, why, "SR-CONTENT-2")
        if id in seen:
            raise self.bad(id, "two cards have this id", "SR-CONTENT-2")
        seen.add(id)
        return id

    def read_constants(self, pack: Pack) -> None:
        table = self.table.get("constants", {})
        if not isinstance(table, dict):
            raise self.bad("constants", "is not a table", "SR-CONST-1")
        for key in table:
            if key not in CONSTANT_NAMES:
                raise self.bad("constants", f"unknown constant {clip(key)}", "SR-CONST-1")
        for name in CONSTANT_NAMES:
            value = table.get(name)
            if not isinstance(value, int) or isinstance(value, bool) or abs(value) > CONSTANT_MAX:
                why = f"{name} must be a whole number of at most two digits"
                raise self.bad("constants", why, "SR-CONST-1")
            pack.constant.append(value)
        problem = constant_problem(pack.constant)
        if problem is not None:
            raise self.bad("constants", problem[0], problem[1])

    def read_factions(self, pack: Pack) -> None:
        for entry in self.entries("faction"):
            id = self.word(entry, "faction", "id")
            if ID.fullmatch(id) is None or id in pack.factions:
                raise self.bad(id, "a faction needs an id of its own", "SR-SETUP-3")
            self.only(entry, id, set())
            pack.factions.append(id)
            pack.faction_names.append(self.word(entry, id, "name"))
        if len(pack.factions) != FACTIONS:
            why = f"has {len(pack.factions)} factions instead of {FACTIONS}"
            raise self.bad("pack", why, "SR-SETUP-4")

    def read_space(self, pack: Pack, entry: Table, seen: set[str]) -> None:
        id = self.new_id(entry, "space", seen)
        kind = self.choice(entry, id, "kind", KIND_WORDS, "SR-CONTENT-2")
        colour = piece = NONE
        keys = {"kind"}
        if kind < COLOURED:
            colour = self.choice(entry, id, "colour", COLOUR_WORDS, "SR-COMP-4")
            keys.add("colour")
        elif "colour" in entry:
            raise self.bad(id, f"{KIND_WORDS[kind]} cards have no colour", "SR-COMP-7")
        if kind == ROBOT_PART:
            piece = self.choice(entry, id, "piece", PIECE_WORDS, "SR-COMP-6")
            keys.add("piece")
        self.only(entry, id, keys)
        pack.add_card(id, self.word(entry, id, "name"), kind, colour, piece)

    def read_danger(self, pack: Pack, entry: Table, seen: set[str]) -> None:
        id = self.new_id(entry, "danger", seen)
        type = self.choice(entry, id, "type", DANGER_WORDS, "SR-CONTENT-2")
        self.only(entry, id, {"type", "rows"})
        texts = entry.get("rows")
        if not isinstance(texts, list) or len(texts) != ROWS:
            raise self.bad(id, f"needs {ROWS} rows", "SR-DANGER-13")
        rows: list[int] = []
        for text in texts:
            row = read_row(text) if isinstance(text, str) else None
            if row is None:
                why = f"row {shown(text)} is not 'clear', 'n wrenches' or 'n damage'"
                raise self.bad(id, why, "SR-DANGER-14")
            rows.append(row)
        problem = rows_problem(rows, self.relaxed)
        if problem is not None:
            raise self.bad(id, problem[0], problem[1])
        pack.add_danger(id, self.word(entry, id, "name"), type, rows)

    def read_damage(self, pack: Pack, entry: Table, seen: set[str]) -> None:
        id = self.new_id(entry, "damage", seen)
        kind = self.choice(entry, id, "kind", DAMAGE_WORDS, "SR-CONTENT-2")
        self.only(entry, id, {"kind"})  # its VP stand in the constants, for they are set per kind
        pack.add_damage(id, self.word(entry, id, "name"), kind)

    def expect(self, what: str, found: int, wanted: int, clause: str) -> None:
        if found != wanted:
            why = f"has {found} {what} cards instead of {wanted}"
            raise self.bad("pack", why, f"SR-CONTENT-1, {clause}")

    def check_counts(self, pack: Pack) -> None:
        for kind, word in enumerate(KIND_WORDS):
            self.expect(word, pack.kind.count(kind), KIND_COUNTS[kind], KIND_CLAUSES[kind])
        self.expect("Space", len(pack.ids), 72, "SR-COMP-1")
        looks = Counter(zip(pack.kind, pack.colour, pack.piece, strict=True))
        for kind in range(COLOURED):
            for colour, word in enumerate(COLOUR_WORDS):
                if kind == ROBOT_PART:
                    for piece, part in enumerate(PIECE_WORDS):
                        found = looks[kind, colour, piece]
                        self.expect(f"{word} robot-part {part}", found, 1, "SR-COMP-6")
                else:
                    self.expect(f"{word} {KIND_WORDS[kind]}", looks[kind, colour, NONE], 3, "SR-COMP-5")
        for type, word in enumerate(DANGER_WORDS):
            self.expect(word, pack.danger_type.count(type), DANGER_COUNT, "SR-COMP-8")
        for kind, word in enumerate(DAMAGE_WORDS):
            self.expect(word, pack.damage_kind.count(kind), DAMAGE_COUNTS[kind], "SR-COMP-9")

    def check_dangers(self, pack: Pack) -> None:
        for type, word in enumerate(DANGER_WORDS):
            patterns: list[tuple[int, ...]] = []
            for i in range(len(pack.danger_ids)):
                if pack.danger_type[i] == type:
                    patterns.append(tuple(pack.rows[i * ROWS : (i + 1) * ROWS]))
            if len(set(patterns)) < 3:
                why = f"the {word} cards need at least three different row patterns"
                raise self.bad("pack", why, "SR-CONTENT-10")
            if all(rows[0] <= 0 for rows in patterns):
                raise self.bad("pack", f"no {word} card has wrenches in row 1", "SR-CONTENT-10")
            if not any(rows[:3] == EXAMPLE_ROWS and rows[3] in (-2, -3) for rows in patterns):
                why = f"no {word} card has 2 wrenches, 1 damage, 2 damage and a row 4 of 2 or 3 damage"
                raise self.bad("pack", why, "SR-CONTENT-11")


def shown(value: object) -> str:
    """A value for a message; lists may be deep and numbers long even to print, so these are only named."""
    short = value is None or isinstance(value, str) or (isinstance(value, int) and abs(value) <= NUMBER_MAX)
    return clip(str(value)) if short else f"this {type(value).__name__}"


def rows_problem(rows: list[int], relaxed: bool) -> tuple[str, str] | None:
    """What is wrong with the rows of a Danger card, and the constraint that says so."""
    for better, worse in pairwise(rows):
        if worse > better:
            return "a row improves with worse rank", "SR-CONTENT-6"
    if relaxed:
        return None
    if rows[0] < 0:
        return "row 1 is damage", "SR-CONTENT-7"
    if rows[3] >= 0:
        return "row 4 is not damage", "SR-CONTENT-7"
    if rows[0] > ROW_MAX or rows[3] < -ROW_MAX:
        return f"a row has more than {ROW_MAX} wrenches or damage", "SR-CONTENT-8"
    return None


def constant_problem(constant: list[int]) -> tuple[str, str] | None:
    """What is wrong with the constants, and the constraint that says so."""
    rounds, hand = constant[C_ROUNDS], constant[C_HAND]
    if rounds < 1 or rounds > len(DANGER_WORDS) * DANGER_COUNT:
        return f"{rounds} rounds need as many Danger cards", "SR-DANGER-26"
    if hand < 1 or rounds * hand * SEATS_MAX > sum(KIND_COUNTS):
        return f"{rounds} rounds with hands of {hand} need more Space cards than there are", "SR-SETUP-9"
    if constant[C_CRYSTAL_SET] < 1:
        return "crystal-set must be at least 1", "SR-SCORE-6"
    values = constant[C_DAMAGE : C_DAMAGE + DAMAGES]
    for word, value in zip(DAMAGE_WORDS, values, strict=True):
        if not DAMAGE_VP_MIN <= value <= DAMAGE_VP_MAX:
            why = f"damage-{word} must lie from {DAMAGE_VP_MIN} to {DAMAGE_VP_MAX}"
            return why, "SR-CONTENT-5"
        if value > values[FIRE]:
            return f"damage-{word} is milder than damage-fire", "SR-CONTENT-5"
    return None
