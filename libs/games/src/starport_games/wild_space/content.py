"""Reads card files; whatever is wrong in one is told in one line: file, card, place and reason."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeVar

from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.wild_space.constraint_tables import RULES
from starport_games.wild_space.constraints import BINDING, problems
from starport_games.wild_space.grammar import (
    CATEGORIES,
    OCCUPATIONS,
    SPECIES,
    TIERS,
    Card,
    CardSet,
    GrammarError,
    Hostile,
    Planet,
    Sector,
    read_ability,
    read_mission,
)
from starport_games.wild_space.inline import hostile_icons, is_id, one_of, robot_credits, sector, steps, track

SHIPPED_FILE = "cards.toml"
FILE_BYTES_MAX = 1024 * 1024
LINE_CHARS_MAX = 4_000  # also keeps the TOML reader away from keys of a hundred thousand parts
THINGS_MAX = 4_000  # cards, planets and hostile planets together
NAME_CHARS_MAX = 60
PHRASE_CHARS_MAX = 200  # one ability, mission, square …
LIST_MAX = 16
NUMBER_MAX = 999_999_999  # a hexadecimal number in TOML may otherwise be too long even to print
NEEDED_PLANETS = {"home": 2, "3": 1, "6": 1, "9": 1}
KINDS = ("specialist", "robot", "emissary", "captain", "planet", "hostile")

T = TypeVar("T")


def load(path: Path | None = None, *, strict: bool | None = None) -> CardSet:
    """The shipped set, or the set in a file.

    Every set must keep to the grammar and to WS-DECK-24 and 26, and have the planets that a game lays out.
    `strict` asks for all of 23.2; left out, that holds for the shipped set only (WS-DECK-27).
    """
    if path is None:
        return _shipped() if strict is None or strict else read(None)
    return _bound(file_label(path), read(path), strict=bool(strict))


def load_text(text: str, label: str) -> CardSet:
    """As `load`, for a set that does not come from a file; `label` is what messages call it."""
    if len(text) > FILE_BYTES_MAX:
        raise BadInput(f"{label}: too big: a card file has at most {FILE_BYTES_MAX} bytes")
    return _bound(label, _parse(_short_lines(text.removeprefix("\ufeff"), label), label), strict=False)


@cache
def _shipped() -> CardSet:
    return _bound(file_label(None), read(None), strict=True)


def _bound(label: str, cards: CardSet, *, strict: bool) -> CardSet:
    for problem in problems(RULES if strict else BINDING, cards):
        raise BadInput(f"{label}: {problem}")
    for tier, least in NEEDED_PLANETS.items():
        found = sum(planet.tier == tier for planet in cards.planets)
        if found < least:
            why = f"{found} of tier {tier}; a game needs at least {least}"
            raise BadInput(f"{label}: planets: {why}")
    return cards


def read(path: Path | None) -> CardSet:
    """The set as the file has it: in the grammar, but bound by no constraint yet."""
    label = file_label(path)
    return _parse(_text(path, label), label)


def _parse(text: str, label: str) -> CardSet:
    try:
        table: dict[str, object] = tomllib.loads(text)
    except RecursionError:
        raise BadInput(f"{label}: not a TOML file: nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, and Python's own word on numbers with thousands of digits
        raise BadInput(f"{label}: not a TOML file: {' '.join(str(error).split())[:200]}") from None
    return _card_set(Table(table, label, "file"))


def file_label(path: Path | None) -> str:
    """The file as people know it, on one line whatever its name."""
    name = SHIPPED_FILE if path is None else str(path)
    return "".join(c if c.isprintable() else "?" for c in name)


def _text(path: Path | None, label: str) -> str:
    try:
        if path is None:
            data = resources.files(__package__).joinpath(SHIPPED_FILE).read_bytes()
        elif path.is_dir():
            raise BadInput(f"{label}: is a directory, not a card file")
        elif path.exists() and not path.is_file():
            raise BadInput(f"{label}: is not a regular file")
        else:
            with path.open("rb") as file:
                data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise BadInput(f"{label}: cannot be read: {error.strerror or 'unknown reason'}") from None
    except ValueError as error:
        # BadInput is a ValueError too; the other one is a path with a zero byte in it.
        raise error if isinstance(error, BadInput) else BadInput(f"{label}: is no file name") from None
    if len(data) > FILE_BYTES_MAX:
        raise BadInput(f"{label}: too big: a card file has at most {FILE_BYTES_MAX} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{label}: not UTF-8 text: byte {error.start} cannot be read") from None
    return _short_lines(text, label)


def _short_lines(text: str, label: str) -> str:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_CHARS_MAX:
            raise BadInput(f"{label}: line {number} is too long: at most {LINE_CHARS_MAX} characters")
    return text


def _shown(value: object) -> str:
    """A value for a message; tables and lists may be deep and numbers long, so they are only named."""
    if isinstance(value, str):
        return clip(value)
    if isinstance(value, bool):
        return str(value).lower()
    names: dict[type, str] = {dict: "a table", list: "a list", int: "a number", float: "a number"}
    return names.get(type(value), "a date or time")


class Table:
    """A TOML table that is asked for its keys one by one, and at the end for those nobody asked for."""

    def __init__(self, table: dict[str, object], label: str, spot: str) -> None:
        self.table = table
        self.label = label
        self.spot = spot
        self.asked: set[str] = set()

    def bad(self, key: str, why: str) -> BadInput:
        spot = "" if self.spot == "file" else f"{self.spot}: "
        return BadInput(f"{self.label}: {spot}{key}: {why}")

    def get(self, key: str, kind: type[T], shape: str, default: T | None = None) -> T:
        self.asked.add(key)
        value = self.table.get(key, default)
        if value is None:
            raise self.bad(key, f"is missing; write {key} = {shape}")
        # True is an int to Python, but not to people.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.bad(key, f"{_shown(value)} has the wrong type; write {key} = {shape}")
        if isinstance(value, int) and abs(value) > NUMBER_MAX:
            raise self.bad(key, f"the number is too big; write {key} = {shape}")
        return value

    def phrase(self, key: str, shape: str) -> str:
        return self.short(key, self.get(key, str, shape))

    def short(self, key: str, text: str) -> str:
        if len(text) > PHRASE_CHARS_MAX:
            raise self.bad(key, f"{clip(text)} is too long: at most {PHRASE_CHARS_MAX} characters")
        return text

    def phrases(self, key: str, shape: str, default: list[object] | None = None) -> list[str]:
        values: list[object] = self.get(key, list, shape, default)
        if len(values) > LIST_MAX or not all(isinstance(value, str) for value in values):
            raise self.bad(key, f"must be a list of at most {LIST_MAX} texts; write {key} = {shape}")
        return [self.short(key, str(value)) for value in values]

    def parsed(self, key: str, read: Callable[[str], T], shape: str) -> T:
        return self.told(key, lambda: read(self.phrase(key, shape)))

    def told(self, key: str, make: Callable[[], T]) -> T:
        """A grammar error says what is wrong; here it learns where."""
        try:
            return make()
        except GrammarError as error:
            raise self.bad(key, str(error)) from None

    def word(self, key: str, allowed: tuple[str, ...]) -> str:
        shape = " or ".join(f'"{word}"' for word in allowed)
        return self.parsed(key, lambda text: one_of(text, allowed, key), shape)

    def done(self) -> None:
        for key in self.table:
            if key not in self.asked:
                known = ", ".join(sorted(self.asked))
                raise self.bad(clip(key), f"unknown key; the keys here are: {known}")


def _card_set(file: Table) -> CardSet:
    head = Table(file.get("set", dict, '{ id = "mine", version = 1, name = "Mine" }'), file.label, "set")
    id, version = head.phrase("id", '"mine"'), head.get("version", int, "1")
    name = _name(head)
    head.done()
    things: dict[str, list[Table]] = {kind: _things(file, kind) for kind in KINDS}
    file.done()
    total = sum(len(tables) for tables in things.values())
    if total > THINGS_MAX:
        raise BadInput(f"{file.label}: {total} cards and planets; at most {THINGS_MAX}")
    crew: tuple[tuple[str, Callable[[Table], Card]], ...] = (
        ("specialist", _specialist),
        ("robot", _robot),
        ("emissary", _emissary),
        ("captain", _captain),
    )
    return CardSet(
        id,
        version,
        name,
        tuple(_whole(table, make) for kind, make in crew for table in things[kind]),
        tuple(_whole(table, _planet) for table in things["planet"]),
        tuple(_whole(table, _hostile) for table in things["hostile"]),
    )


def _things(file: Table, kind: str) -> list[Table]:
    values: list[object] = file.get(kind, list, f"… as [[{kind}]] tables", [])
    tables: list[Table] = []
    for number, value in enumerate(values, 1):
        if not isinstance(value, dict):
            raise file.bad(kind, f"number {number} is no table; write [[{kind}]]")
        id = value.get("id")
        what = kind if kind in ("planet", "hostile") else "card"
        spot = f"{what} {id}" if isinstance(id, str) and is_id(id) else f"{kind} number {number}"
        tables.append(Table(value, file.label, spot))
    return tables


def _whole(table: Table, make: Callable[[Table], T]) -> T:
    thing = make(table)
    table.done()
    return thing


def _id(table: Table) -> str:
    return table.phrase("id", '"owl-03"')


def _name(table: Table) -> str:
    name = table.get("name", str, '"…"')
    if not name.strip() or not name.isprintable() or len(name) > NAME_CHARS_MAX:
        raise table.bad("name", f"{clip(name)} must be 1 to {NAME_CHARS_MAX} printable characters")
    return name


def _specialist(table: Table) -> Card:
    return Card(
        _id(table),
        _name(table),
        "specialist",
        species=table.word("species", SPECIES),
        occupation=table.word("occupation", OCCUPATIONS),
        veteran=table.get("veteran", bool, "true", False),
        ability=_optional(table, "ability", read_ability, '"draw 2"'),
    )


def _robot(table: Table) -> Card:
    credits = table.get("credits", int, "3", 0)
    return Card(
        _id(table),
        _name(table),
        "robot",
        occupation=table.word("occupation", OCCUPATIONS) if "occupation" in table.table else None,
        veteran=table.get("veteran", bool, "true", False),
        credits=table.told("credits", lambda: robot_credits(credits)),
        ability=_optional(table, "ability", read_ability, '"draw 2"'),
    )


def _emissary(table: Table) -> Card:
    return Card(
        _id(table),
        _name(table),
        "emissary",
        species=table.word("species", SPECIES),
        ability=_optional(table, "ability", read_ability, '"draw 2"'),
        mission=table.parsed("mission", read_mission, '"5 per 3 botanist"'),
    )


def _captain(table: Table) -> Card:
    squares = table.phrases("track", '["draw 2", "play any", "credits 6"]')
    return Card(
        _id(table),
        _name(table),
        "captain",
        species=table.word("species", SPECIES),
        occupation=table.word("occupation", OCCUPATIONS),
        track=table.told("track", lambda: track(squares)),
    )


def _planet(table: Table) -> Planet:
    return Planet(_id(table), _name(table), table.word("tier", TIERS), _sector(table, "left"), _sector(table, "right"))


def _sector(planet: Table, side: str) -> Sector:
    half = Table(planet.get(side, dict, '{ options = ["draw 2"] }'), planet.label, f"{planet.spot}: {side}")
    conditions = half.phrases("conditions", '["discard(any)"]', [])
    options = half.phrases("options", '["draw 2", "play any"]')
    half.done()
    return planet.told(side, lambda: sector(conditions, options))


def _hostile(table: Table) -> Hostile:
    bottom, top = table.phrases("bottom", '["add 1"]'), table.phrases("top", '["discard 2", "add 3"]')
    icons = table.phrases("icons", '["robot"]')
    return Hostile(
        _id(table),
        _name(table),
        table.word("category", CATEGORIES),
        table.told("bottom", lambda: steps(bottom)),
        table.told("top", lambda: steps(top)),
        table.told("icons", lambda: hostile_icons(icons)),
    )


def _optional(table: Table, key: str, read: Callable[[str], T], shape: str) -> T | None:
    table.asked.add(key)
    return table.parsed(key, read, shape) if key in table.table else None
