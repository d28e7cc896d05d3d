"""Cards written as one line of text, as in position files: `card x1: specialist owl pilot; draw 2`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from starport_games.kernel.lines import clip
from starport_games.wild_space.grammar import (
    CATEGORIES,
    HOSTILE_ICONS,
    HOSTILE_ICONS_MAX,
    HOSTILE_STEPS_MAX,
    OCCUPATIONS,
    ROBOT_CREDITS_MAX,
    SECTOR_CONDITIONS_MAX,
    SECTOR_OPTIONS_MAX,
    SPECIES,
    SQUARES_MAX,
    TIERS,
    Ability,
    Card,
    ConditionKind,
    EffectKind,
    GrammarError,
    Hostile,
    HostileStep,
    Planet,
    Sector,
    Square,
    read_ability,
    read_condition,
    read_effect,
    read_hostile_step,
    read_mission,
    read_square,
)

T = TypeVar("T")
Definition = Card | Planet | Hostile

KINDS = ("card", "captain", "planet", "hostile")
ID_CHARS_MAX = 40
TEXT_CHARS_MAX = 400
ID_PATTERN = re.compile(r"[a-z][a-z0-9-]*")
ID_SENTENCE = f"an id is a lower-case letter, then letters, digits and hyphens, at most {ID_CHARS_MAX} in all"
CYCLE_SENTENCE = "no card may both remove a card of the crew and take one"

CARD_SAMPLE = "'specialist owl pilot; draw 2', 'robot pilot credits 3' or 'emissary bear; 5 per 3 botanist'"
CAPTAIN_SAMPLE = "'owl pilot; draw 2, play any, credits 6'"
PLANET_SAMPLE = "'3; [discard(any) | own(robot)] draw 4; play any / draw 2'"
HOSTILE_SAMPLE = "'II; discard 3, add 1; add 2, add 2; robot, botanist'"


def is_id(text: str) -> bool:
    return len(text) <= ID_CHARS_MAX and ID_PATTERN.fullmatch(text) is not None


def cycles(ability: Ability | None) -> bool:
    """The one combination with which a chain need not end (WS-DECK-24)."""
    if ability is None or ability.condition is None:
        return False
    return ability.condition.kind is ConditionKind.REMOVE and ability.effect.kind is EffectKind.TAKE


def one_of(word: str, allowed: tuple[str, ...], what: str) -> str:
    if word not in allowed:
        raise GrammarError(f"{clip(word)} is no {what}; write one of: {', '.join(allowed)}")
    return word


def several(texts: Sequence[str], read: Callable[[str], T], least: int, most: int, what: str) -> tuple[T, ...]:
    if not least <= len(texts) <= most:
        raise GrammarError(f"{least} to {most} {what} are needed, not {len(texts)}")
    return tuple(read(text) for text in texts)


def sector(conditions: Sequence[str], options: Sequence[str]) -> Sector:
    return Sector(
        several(conditions, read_condition, 0, SECTOR_CONDITIONS_MAX, "conditions"),
        several(options, read_effect, 1, SECTOR_OPTIONS_MAX, "options"),
    )


def track(squares: Sequence[str]) -> tuple[Square, ...]:
    return several(squares, read_square, 1, SQUARES_MAX, "squares")


def steps(texts: Sequence[str]) -> tuple[HostileStep, ...]:
    return several(texts, read_hostile_step, 1, HOSTILE_STEPS_MAX, "effects")


def hostile_icons(texts: Sequence[str]) -> tuple[str, ...]:
    return several(texts, lambda word: one_of(word, HOSTILE_ICONS, "icon"), 1, HOSTILE_ICONS_MAX, "icons")


def robot_credits(n: int) -> int:
    if not 0 <= n <= ROBOT_CREDITS_MAX:
        raise GrammarError(f"a robot has 0 to {ROBOT_CREDITS_MAX} credits, not {clip(str(n))}")
    return n


def read_card_definition(kind: str, id: str, text: str) -> Definition:
    """The card, captain, planet or hostile planet that `kind id: text` defines; its name is its id."""
    if not is_id(id):
        raise GrammarError(f"{clip(id)} is no id: {ID_SENTENCE}")
    if len(text) > TEXT_CHARS_MAX:
        raise GrammarError(f"the definition of {id} is too long: at most {TEXT_CHARS_MAX} characters")
    parts = [" ".join(part.split()) for part in text.lower().split(";")]
    match kind:
        case "card":
            return _read_card(id, parts)
        case "captain":
            return _read_captain(id, parts)
        case "planet":
            return _read_planet(id, parts)
        case "hostile":
            return _read_hostile(id, parts)
    raise GrammarError(f"{clip(kind)} is nothing that can be defined; write one of: {', '.join(KINDS)}")


def card_definition(card: Definition) -> tuple[str, str]:
    """The kind and the text that read_card_definition turns into the same thing again."""
    if isinstance(card, Planet):
        return "planet", f"{card.tier}; {_sector_text(card.left)}; {_sector_text(card.right)}"
    if isinstance(card, Hostile):
        parts = [_list(card.bottom), _list(card.top), ", ".join(card.icons)]
        return "hostile", "; ".join([card.category, *parts])
    if card.cls == "captain":
        return "captain", f"{card.species} {card.occupation}; {_list(card.track)}"
    words = [card.cls, card.species, card.occupation, "veteran" if card.veteran else None]
    if card.credits:
        words.append(f"credits {card.credits}")
    head = " ".join(word for word in words if word)
    tail = [str(part) for part in (card.mission, card.ability) if part is not None]
    return "card", "; ".join([head, *tail])


def _read_card(id: str, parts: list[str]) -> Card:
    head, *rest = parts
    match head.split():
        case ["specialist", species, occupation, *more] if more in ([], ["veteran"]):
            return Card(
                id,
                id,
                "specialist",
                species=one_of(species, SPECIES, "species"),
                occupation=one_of(occupation, OCCUPATIONS, "occupation"),
                veteran=bool(more),
                ability=_ability(rest),
            )
        case ["robot", *more]:
            return _read_robot(id, more, rest)
        case ["emissary", species] if rest:
            return Card(
                id,
                id,
                "emissary",
                species=one_of(species, SPECIES, "species"),
                ability=_ability(rest[1:]),
                mission=read_mission(rest[0]),
            )
    raise GrammarError(f"{clip(head)} is no crew card; write {CARD_SAMPLE}")


def _read_robot(id: str, words: list[str], rest: list[str]) -> Card:
    left = list(words)
    occupation = left.pop(0) if left and left[0] not in ("veteran", "credits") else None
    veteran = left[:1] == ["veteran"]
    match left[1:] if veteran else left:
        case []:
            credits = 0
        case ["credits", n] if n.isascii() and n.isdigit() and len(n) <= 3:
            credits = robot_credits(int(n))
        case _:
            text = clip(" ".join(["robot", *words]))
            raise GrammarError(f"{text} is no robot; write 'robot pilot veteran credits 3'")
    if occupation is not None:
        one_of(occupation, OCCUPATIONS, "occupation")
    return Card(id, id, "robot", occupation=occupation, veteran=veteran, credits=credits, ability=_ability(rest))


def _read_captain(id: str, parts: list[str]) -> Card:
    match [parts[0].split(), *parts[1:]]:
        case [[species, occupation], str(squares)]:
            return Card(
                id,
                id,
                "captain",
                species=one_of(species, SPECIES, "species"),
                occupation=one_of(occupation, OCCUPATIONS, "occupation"),
                track=track(squares.split(",")),
            )
    raise GrammarError(f"{clip('; '.join(parts))} is no captain; write {CAPTAIN_SAMPLE}")


def _read_planet(id: str, parts: list[str]) -> Planet:
    if len(parts) != 3:
        raise GrammarError(f"{clip('; '.join(parts))} is no planet; write {PLANET_SAMPLE}")
    tier, left, right = parts
    return Planet(id, id, one_of(tier, TIERS, "tier"), _read_sector(left), _read_sector(right))


def _read_sector(text: str) -> Sector:
    conditions: list[str] = []
    if text.startswith("["):
        inside, bracket, text = text[1:].partition("]")
        if not bracket:
            raise GrammarError(f"{clip('[' + inside)} lacks its ']'; write {PLANET_SAMPLE}")
        conditions = inside.split("|")
    return sector(conditions, text.split("/"))


def _read_hostile(id: str, parts: list[str]) -> Hostile:
    if len(parts) != 4:
        raise GrammarError(f"{clip('; '.join(parts))} is no hostile planet; write {HOSTILE_SAMPLE}")
    category, bottom, top, icons = parts
    return Hostile(
        id,
        id,
        one_of(category.upper(), CATEGORIES, "category"),
        steps(bottom.split(",")),
        steps(top.split(",")),
        hostile_icons([word.strip() for word in icons.split(",")]),
    )


def _ability(parts: list[str]) -> Ability | None:
    if len(parts) > 1:
        raise GrammarError(f"{clip('; '.join(parts))}: a card has at most one ability")
    ability = read_ability(parts[0]) if parts else None
    if cycles(ability):
        raise GrammarError(f"{ability}: {CYCLE_SENTENCE} (WS-DECK-24)")
    return ability


def _list(things: Sequence[Square] | Sequence[HostileStep]) -> str:
    return ", ".join(str(thing) for thing in things)


def _sector_text(half: Sector) -> str:
    options = " / ".join(str(option) for option in half.options)
    return f"[{' | '.join(str(c) for c in half.conditions)}] {options}" if half.conditions else options
