"""Turns a card set of the grammar into the engine's tables, and back for people."""

from __future__ import annotations

from functools import lru_cache

from starport_games.wild_space import grammar
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    ANY,
    CARDS_MAX,
    DISCARD,
    DRAW,
    EMISSARY,
    OCCUPATION,
    OWN,
    PLAY,
    REMOVE,
    ROBOT,
    ROBOT_OR_EMISSARY,
    TAKE,
    VETERAN,
    effect_code,
)
from starport_games.wild_space.grammar import CLASSES, FILTERS, ICONS, OCCUPATIONS, SPECIES

EFFECT_KINDS = {grammar.EffectKind.DRAW: DRAW, grammar.EffectKind.PLAY: PLAY, grammar.EffectKind.TAKE: TAKE}
CONDITION_KINDS = {
    grammar.ConditionKind.DISCARD: DISCARD,
    grammar.ConditionKind.OWN: OWN,
    grammar.ConditionKind.REMOVE: REMOVE,
}
EFFECT_OF = {code: kind for kind, code in EFFECT_KINDS.items()}


def effect_number(effect: grammar.Effect) -> int:
    return effect_code(EFFECT_KINDS[effect.kind], effect.n, FILTERS.index(effect.filter))


def effect_of(number: int) -> grammar.Effect:
    return grammar.Effect(EFFECT_OF[number & 3], number >> 2 & 7, FILTERS[number >> 5])


def condition_number(condition: grammar.Condition | None) -> int:
    return 0 if condition is None else CONDITION_KINDS[condition.kind] | FILTERS.index(condition.filter) << 2


def _match(card: grammar.Card) -> int:
    match = 1 << ANY
    if card.cls in FILTERS:
        match |= 1 << FILTERS.index(card.cls)
    if match & (1 << ROBOT | 1 << EMISSARY):
        match |= 1 << ROBOT_OR_EMISSARY
    if card.veteran:
        match |= 1 << VETERAN
    if card.occupation is not None:
        match |= 1 << OCCUPATION + OCCUPATIONS.index(card.occupation)
    return match


def _mission(mission: grammar.Mission | None) -> list[int]:
    if mission is None:
        return []
    if isinstance(mission, grammar.Majority):
        return [mission.credits, ICONS.index(mission.icon)]
    numbers = [mission.credits]
    for icon in dict.fromkeys(mission.need):
        numbers += [ICONS.index(icon), mission.need.count(icon)]
    return numbers


def _square(square: grammar.Square) -> int:
    return -square.n if isinstance(square, grammar.Credits) else effect_number(square)


@lru_cache(maxsize=64)
def book_of(cards: grammar.CardSet, definitions: tuple[str, ...] = ()) -> Book:
    """The tables of this set; the same set gives the same book. Definitions are the lines that added to it."""
    if len(cards.cards) > CARDS_MAX:
        raise ValueError(f"a set has at most {CARDS_MAX} cards, not {len(cards.cards)}")
    book = Book()
    book.label = cards.label
    book.definitions = list(definitions)
    for index, card in enumerate(cards.cards):
        book.ids.append(card.id)
        book.match.append(_match(card))
        book.species.append(-1 if card.species is None else SPECIES.index(card.species))
        book.occupation.append(-1 if card.occupation is None else OCCUPATIONS.index(card.occupation))
        book.cls.append(CLASSES.index(card.cls) if card.cls in CLASSES else -1)
        book.veteran.append(card.veteran)
        book.credits.append(card.credits)
        book.condition.append(condition_number(card.ability.condition if card.ability else None))
        book.effect.append(effect_number(card.ability.effect) if card.ability else 0)
        book.mission.append(_mission(card.mission))
        book.track.append([_square(square) for square in card.track])
        (book.captains if card.cls == "captain" else book.crew).append(index)
    for planet in cards.planets:
        book.planet_ids.append(planet.id)
        book.planet_tier.append(0 if planet.tier == "home" else int(planet.tier))
        for sector in (planet.left, planet.right):
            book.sector_conditions.append([condition_number(condition) for condition in sector.conditions])
            book.sector_options.append([effect_number(option) for option in sector.options])
    for hostile in cards.hostiles:
        book.hostile_ids.append(hostile.id)
        book.hostile_category.append(grammar.CATEGORIES.index(hostile.category) + 1)
        for half in (hostile.bottom, hostile.top):
            book.hostile_steps.append([step.slot - 1 + (4 if step.adds else 0) for step in half])
        book.hostile_icons.append([ICONS.index(icon) for icon in hostile.icons])
    return book
