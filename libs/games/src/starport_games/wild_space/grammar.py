"""The closed grammar of cards (rules document, 23.1) as values, and how it is written in text and in card files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

SPECIES = ("bear", "rhino", "owl", "lizard", "monkey", "octopus")
OCCUPATIONS = ("military", "pilot", "botanist", "engineer", "programmer", "scientist")
CLASSES = ("specialist", "robot", "emissary")
TIERS = ("home", "3", "6", "9")
CATEGORIES = ("I", "II", "III")
FILTERS = ("any", *CLASSES, "robot-or-emissary", "veteran", *OCCUPATIONS)
POSSESSIONS = ("robot", "emissary", *OCCUPATIONS)
ICONS = (*SPECIES, *OCCUPATIONS, *CLASSES, "medal")
HOSTILE_ICONS = ("robot", "emissary", "medal", *OCCUPATIONS)

DRAW_MAX = 5
PLAY_MAX = 2
SQUARES_MAX = 6
SQUARE_CREDITS_MAX = 12
ROBOT_CREDITS_MAX = 6
MISSION_CREDITS_MAX = 9
MISSION_ICONS_MAX = 6
HOSTILE_STEPS_MAX = 3
HOSTILE_ICONS_MAX = 3
SECTOR_CONDITIONS_MAX = 2
SECTOR_OPTIONS_MAX = 2


class GrammarError(ValueError):
    """A piece of text is not in the closed grammar; says what was expected."""


class EffectKind(Enum):
    DRAW = "draw"
    PLAY = "play"
    TAKE = "take"


class ConditionKind(Enum):
    DISCARD = "discard"
    OWN = "own"
    REMOVE = "remove"


@dataclass(frozen=True)
class Effect:
    """`draw 2`, `play pilot`, `play any x2`, `take`."""

    kind: EffectKind
    n: int = 1
    filter: str = "any"

    def __str__(self) -> str:
        if self.kind is EffectKind.DRAW:
            return f"draw {self.n}"
        if self.kind is EffectKind.TAKE:
            return "take"
        return f"play {self.filter}" + (f" x{self.n}" if self.n > 1 else "")


@dataclass(frozen=True)
class Condition:
    """`discard(robot)`, `own(pilot)`, `remove`."""

    kind: ConditionKind
    filter: str = "any"

    def __str__(self) -> str:
        return "remove" if self.kind is ConditionKind.REMOVE else f"{self.kind.value}({self.filter})"

    @property
    def is_cost(self) -> bool:
        return self.kind is not ConditionKind.OWN


@dataclass(frozen=True)
class Ability:
    """`draw 1`, `discard(any) -> play any`."""

    effect: Effect
    condition: Condition | None = None

    def __str__(self) -> str:
        return str(self.effect) if self.condition is None else f"{self.condition} -> {self.effect}"


@dataclass(frozen=True)
class Credits:
    """A square that scores instead of acting: `credits 6`."""

    n: int

    def __str__(self) -> str:
        return f"credits {self.n}"


@dataclass(frozen=True)
class PerSet:
    """`5 per botanist + botanist + botanist` (also written `5 per 3 botanist`)."""

    need: tuple[str, ...]  # sorted in the order of ICONS
    credits: int

    def __str__(self) -> str:
        return f"{self.credits} per {' + '.join(self.need)}"


@dataclass(frozen=True)
class Majority:
    """`6 for most robot`."""

    icon: str
    credits: int

    def __str__(self) -> str:
        return f"{self.credits} for most {self.icon}"


Mission = PerSet | Majority
Square = Effect | Credits


@dataclass(frozen=True)
class Card:
    """A crew card of any class; what its class does not have is None, False or 0."""

    id: str
    name: str
    cls: str  # "specialist", "robot", "emissary" or "captain"
    species: str | None = None
    occupation: str | None = None
    veteran: bool = False
    credits: int = 0
    ability: Ability | None = None
    mission: Mission | None = None
    track: tuple[Square, ...] = ()


@dataclass(frozen=True)
class Sector:
    conditions: tuple[Condition, ...]  # alternatives
    options: tuple[Effect, ...]  # alternatives


@dataclass(frozen=True)
class Planet:
    id: str
    name: str
    tier: str
    left: Sector
    right: Sector


@dataclass(frozen=True)
class HostileStep:
    """`add 2` or `discard 2`: what happens to the card in that pool slot."""

    adds: bool
    slot: int  # 1 to 3

    def __str__(self) -> str:
        return f"{'add' if self.adds else 'discard'} {self.slot}"


@dataclass(frozen=True)
class Hostile:
    id: str
    name: str
    category: str
    bottom: tuple[HostileStep, ...]
    top: tuple[HostileStep, ...]
    icons: tuple[str, ...]


@dataclass(frozen=True)
class CardSet:
    """A whole card file: everything that can lie on a table."""

    id: str
    version: int
    name: str
    cards: tuple[Card, ...]  # captains included
    planets: tuple[Planet, ...]
    hostiles: tuple[Hostile, ...]

    @property
    def label(self) -> str:
        return f"{self.id}@{self.version}"


def _words(text: str) -> list[str]:
    return text.lower().replace("(", " ").replace(")", " ").split()


def _count(word: str, most: int, what: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 3 or not 1 <= int(word) <= most:
        raise GrammarError(f"{what} must be a whole number from 1 to {most}, not {word!r}")
    return int(word)


def _one_of(word: str, allowed: tuple[str, ...], what: str) -> str:
    if word not in allowed:
        raise GrammarError(f"{word!r} is no {what}; write one of: {', '.join(allowed)}")
    return word


def read_effect(text: str) -> Effect:
    match _words(text):
        case ["draw", n]:
            return Effect(EffectKind.DRAW, _count(n, DRAW_MAX, "the number of cards drawn"))
        case ["take"]:
            return Effect(EffectKind.TAKE)
        case ["play", which]:
            return Effect(EffectKind.PLAY, 1, _one_of(which, FILTERS, "filter"))
        case ["play", which, times] if times.removeprefix("x").isdigit():
            cards = _count(times.removeprefix("x"), PLAY_MAX, "the number of cards played")
            return Effect(EffectKind.PLAY, cards, _one_of(which, FILTERS, "filter"))
    raise GrammarError(f"{text!r} is no effect; write 'draw 2', 'play pilot', 'play any x2' or 'take'")


def read_condition(text: str) -> Condition:
    match _words(text):
        case ["remove"]:
            return Condition(ConditionKind.REMOVE)
        case ["discard", which] if which != "robot-or-emissary":
            return Condition(ConditionKind.DISCARD, _one_of(which, FILTERS, "filter"))
        case ["own", which]:
            return Condition(ConditionKind.OWN, _one_of(which, POSSESSIONS, "possession"))
    raise GrammarError(f"{text!r} is no condition; write 'discard(any)', 'own(robot)' or 'remove'")


def read_ability(text: str) -> Ability:
    """On cards a play is of one card."""
    condition, arrow, effect = text.partition("->")
    ability = Ability(read_effect(effect if arrow else condition), read_condition(condition) if arrow else None)
    if ability.effect.kind is EffectKind.PLAY and ability.effect.n != 1:
        raise GrammarError(f"{text!r}: an ability plays one card")
    return ability


def read_square(text: str) -> Square:
    match _words(text):
        case ["credits", n]:
            return Credits(_count(n, SQUARE_CREDITS_MAX, "the credits of a square"))
    return read_effect(text)


def read_mission(text: str) -> Mission:
    match _words(text.replace("+", " ")):
        case [credits, "for", "most", icon]:
            return Majority(_one_of(icon, ICONS, "icon"), _count(credits, MISSION_CREDITS_MAX, "the credits"))
        case [credits, "per", *rest] if rest:
            need: list[str] = []
            times = 0
            for word in rest:
                if word.isdigit() and times == 0:
                    times = _count(word, MISSION_ICONS_MAX, "a number of icons")
                else:
                    need += [_one_of(word, ICONS, "icon")] * (times or 1)
                    times = 0
            if times:
                raise GrammarError(f"{text!r}: the number {times} has no icon after it")
            if not 1 <= len(need) <= MISSION_ICONS_MAX:
                raise GrammarError(f"{text!r}: a mission needs 1 to {MISSION_ICONS_MAX} icons")
            return PerSet(tuple(sorted(need, key=ICONS.index)), _count(credits, MISSION_CREDITS_MAX, "the credits"))
    raise GrammarError(
        f"{text!r} is no mission; write '5 per 3 botanist', '2 per owl + military' or '6 for most robot'"
    )


def read_hostile_step(text: str) -> HostileStep:
    match _words(text):
        case [("add" | "discard") as what, slot]:
            return HostileStep(what == "add", _count(slot, 3, "a pool slot"))
    raise GrammarError(f"{text!r} is no hostile effect; write 'add 1' or 'discard 2'")
