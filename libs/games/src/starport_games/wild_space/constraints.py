"""The constraints on the shipped card set (rules document, 23.2), each as a function over a whole set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from starport_games.kernel.lines import clip
from starport_games.wild_space.grammar import (
    CATEGORIES,
    FILTERS,
    OCCUPATIONS,
    POSSESSIONS,
    SPECIES,
    Card,
    CardSet,
    Condition,
    ConditionKind,
    Effect,
    EffectKind,
    Hostile,
    Planet,
)
from starport_games.wild_space.inline import CYCLE_SENTENCE, ID_SENTENCE, card_definition, cycles, is_id

WHOLE_SET = "set"  # the subject of a problem that no single card has

CLASS_COUNTS = {"specialist": 60, "emissary": 24, "robot": 18, "captain": 6}
TIER_COUNTS = {"home": 2, "3": 3, "6": 3, "9": 2}
HOSTILES_PER_CATEGORY = 4
SPECIALISTS_PER_SPECIES = 10
SPECIALISTS_PER_OCCUPATION = 10
EMISSARIES_PER_SPECIES = 4
ROBOTS_PER_OCCUPATION = 2
ROBOTS_WITHOUT_OCCUPATION = 6
VETERAN_SPECIALISTS = 18
VETERANS_PER_SPECIES = 3
VETERANS_PER_OCCUPATION = 3
VETERAN_ROBOTS = 6
VETERAN_ROBOTS_WITH_OCCUPATION = (3, 5)
ABILITY_SPREAD = {"none": (1, 2), "draw": (3, 5), "play": (3, 6), "take": (0, 1)}


@dataclass(frozen=True)
class Problem:
    """One broken constraint: which, on what, and why."""

    rule: str
    subject: str
    why: str

    def __str__(self) -> str:
        return f"{self.subject}: {self.rule}: {self.why}"


Found = Iterator[tuple[str, str]]  # subject and sentence; the constraint's id is added by its table


def of_class(cards: CardSet, cls: str) -> list[Card]:
    return [card for card in cards.cards if card.cls == cls]


def things(cards: CardSet) -> list[Card | Planet | Hostile]:
    return [*cards.cards, *cards.planets, *cards.hostiles]


def ability_kind(card: Card) -> str:
    return "none" if card.ability is None else card.ability.effect.kind.value


def unequal(counts: Counter[str], wanted: dict[str, int], what: str) -> Found:
    """Every key whose count is not the wanted one; `what` has a place for the key."""
    for key in [*wanted, *(key for key in counts if key not in wanted)]:
        if counts[key] != wanted.get(key, 0):
            yield WHOLE_SET, f"{counts[key]} {what.format(key)}, not {wanted.get(key, 0)}"


def evenly(words: Iterable[str | None], keys: tuple[str, ...], each: int, what: str) -> Found:
    yield from unequal(Counter(str(word) for word in words), dict.fromkeys(keys, each), what)


def deck_1(cards: CardSet) -> Found:
    yield from unequal(Counter(card.cls for card in cards.cards), CLASS_COUNTS, "{} cards")
    yield from unequal(Counter(planet.tier for planet in cards.planets), TIER_COUNTS, "planets of tier {}")
    categories = (hostile.category for hostile in cards.hostiles)
    yield from evenly(categories, CATEGORIES, HOSTILES_PER_CATEGORY, "hostile planets of category {}")


def deck_2(cards: CardSet) -> Found:
    crew = of_class(cards, "specialist")
    yield from evenly((card.species for card in crew), SPECIES, SPECIALISTS_PER_SPECIES, "{} specialists")
    yield from evenly((card.occupation for card in crew), OCCUPATIONS, SPECIALISTS_PER_OCCUPATION, "{} specialists")


def deck_3(cards: CardSet) -> Found:
    pairs = Counter(f"{card.species} {card.occupation}" for card in of_class(cards, "specialist"))
    wanted = {
        f"{species} {occupation}": 1 if (o - s) % 6 in (0, 3) else 2
        for s, species in enumerate(SPECIES)
        for o, occupation in enumerate(OCCUPATIONS)
    }
    yield from unequal(pairs, wanted, "{} specialists")


def deck_4(cards: CardSet) -> Found:
    captains = of_class(cards, "captain")
    for card in captains:
        if card.species in SPECIES and card.occupation != (due := OCCUPATIONS[SPECIES.index(card.species)]):
            yield card.id, f"the {card.species} captain is {card.occupation}, not {due}"
    seen: set[str | None] = set()
    for card in captains:
        if card.species in seen:
            yield card.id, f"a second {card.species} captain"
        seen.add(card.species)


def deck_5(cards: CardSet) -> Found:
    emissaries = of_class(cards, "emissary")
    yield from evenly((card.species for card in emissaries), SPECIES, EMISSARIES_PER_SPECIES, "{} emissaries")


def deck_6(cards: CardSet) -> Found:
    robots = Counter(card.occupation or "no occupation" for card in of_class(cards, "robot"))
    wanted = dict.fromkeys(OCCUPATIONS, ROBOTS_PER_OCCUPATION) | {"no occupation": ROBOTS_WITHOUT_OCCUPATION}
    yield from unequal(robots, wanted, "robots with {}")


def deck_7(cards: CardSet) -> Found:
    crew = [card for card in of_class(cards, "specialist") if card.veteran]
    if len(crew) != VETERAN_SPECIALISTS:
        yield WHOLE_SET, f"{len(crew)} veteran specialists, not {VETERAN_SPECIALISTS}"
    what = "veteran {} specialists"
    yield from evenly((card.species for card in crew), SPECIES, VETERANS_PER_SPECIES, what)
    yield from evenly((card.occupation for card in crew), OCCUPATIONS, VETERANS_PER_OCCUPATION, what)
    robots = [card for card in of_class(cards, "robot") if card.veteran]
    if len(robots) != VETERAN_ROBOTS:
        yield WHOLE_SET, f"{len(robots)} veteran robots, not {VETERAN_ROBOTS}"
    skilled = sum(card.occupation is not None for card in robots)
    low, high = VETERAN_ROBOTS_WITH_OCCUPATION
    if not low <= skilled <= high:
        yield WHOLE_SET, f"{skilled} veteran robots have an occupation, not {low} to {high}"
    for card in cards.cards:
        if card.veteran and card.cls not in ("specialist", "robot"):
            yield card.id, f"a veteran {card.cls}; only specialists and robots are veterans"


def deck_8(cards: CardSet) -> Found:
    veterans = [card for card in of_class(cards, "specialist") if card.veteran]
    able = sum(card.ability is not None for card in veterans)
    if 2 * able < len(veterans):
        yield WHOLE_SET, f"{able} of {len(veterans)} veteran specialists have an ability, not half of them"


def deck_9_spread(cards: CardSet) -> Found:
    crew = of_class(cards, "specialist")
    for group in (*SPECIES, *OCCUPATIONS):
        kinds = Counter(ability_kind(card) for card in crew if group in (card.species, card.occupation))
        for kind, (low, high) in ABILITY_SPREAD.items():
            if not low <= kinds[kind] <= high:
                what = "without ability" if kind == "none" else f"that {kind}"
                yield WHOLE_SET, f"{kinds[kind]} {group} specialists {what}, not {low} to {high}"


def named_occupations(card: Card) -> list[tuple[str, str]]:
    """The occupations that an ability names, each with its family of WS-DECK-10: play, own or discard."""
    if card.ability is None:
        return []
    parts = [part for part in (card.ability.condition, card.ability.effect) if part is not None]
    return [(part.kind.value, part.filter) for part in parts if part.filter in OCCUPATIONS]


def deck_10(cards: CardSet) -> Found:
    for card in cards.cards:
        if any(occupation == card.occupation for _, occupation in named_occupations(card)):
            yield card.id, f"'{card.ability}' names its own occupation"


def deck_11(cards: CardSet) -> Found:
    named = Counter(pair for card in of_class(cards, "specialist") for pair in named_occupations(card))
    for family in ("play", "own", "discard"):
        counts = [named[family, occupation] for occupation in OCCUPATIONS]
        if len(set(counts)) > 1:
            shown = ", ".join(f"{o} {n}" for o, n in zip(OCCUPATIONS, counts, strict=True))
            yield WHOLE_SET, f"'{family}' names the occupations unequally often: {shown}"


def deck_14(cards: CardSet) -> Found:
    tracks: dict[tuple[object, ...], str] = {}
    for card in of_class(cards, "captain"):
        yield from ((card.id, why) for why in _track_faults(card))
        first = tracks.setdefault(card.track, card.id)
        if first != card.id:
            yield card.id, f"has the same track as {first}"


def _track_faults(card: Card) -> Iterator[str]:
    if not 3 <= len(card.track) <= 6:
        yield f"{len(card.track)} squares, not 3 to 6"
    worth = [(i, square.n) for i, square in enumerate(card.track, 1) if not isinstance(square, Effect)]
    if len(worth) != 1:
        yield f"{len(worth)} credit squares, not 1"
    effects = [square for square in card.track if isinstance(square, Effect)]
    plays = sum(effect.n for effect in effects if effect.kind is not EffectKind.DRAW)
    for place, credits in worth:
        if not 3 <= credits <= 10:
            yield f"credits {credits}, not 3 to 10"
        if plays >= 2 and credits > 4:
            yield f"credits {credits} beside {plays} plays, not at most 4"
        if place == 5 and credits < 8:
            yield f"credits {credits} on the fifth square, not at least 8"


def _conditions(cards: CardSet) -> Iterator[Condition]:
    for card in cards.cards:
        if card.ability is not None and card.ability.condition is not None:
            yield card.ability.condition
    for planet in cards.planets:
        yield from (*planet.left.conditions, *planet.right.conditions)


def _effects(cards: CardSet) -> Iterator[Effect]:
    for card in cards.cards:
        if card.ability is not None:
            yield card.ability.effect
        yield from (square for square in card.track if isinstance(square, Effect))
    for planet in cards.planets:
        yield from (*planet.left.options, *planet.right.options)


def deck_19(cards: CardSet) -> Found:
    """Every symbol of the grammar is in use; conditions and plays are looked at apart."""
    effects, conditions = list(_effects(cards)), set(_conditions(cards))
    kinds = {effect.kind for effect in effects}
    plays = {effect.filter for effect in effects if effect.kind is EffectKind.PLAY}
    symbols = [Condition(ConditionKind.DISCARD, word) for word in FILTERS if word != "robot-or-emissary"]
    symbols += [Condition(ConditionKind.OWN, word) for word in POSSESSIONS]
    symbols.append(Condition(ConditionKind.REMOVE))
    missing = [kind.value for kind in EffectKind if kind not in kinds]
    missing += [f"play {word}" for word in FILTERS if word not in plays]
    missing += [str(symbol) for symbol in symbols if symbol not in conditions]
    yield from ((WHOLE_SET, f"'{symbol}' stands on no card and no sector") for symbol in missing)


def deck_23(cards: CardSet) -> Found:
    """Two things are the same when their one-line definitions are: names and ids are not part of those."""
    seen: dict[tuple[str, str], str] = {}
    for thing in things(cards):
        key = card_definition(thing)
        first = seen.setdefault(key, thing.id)
        if first != thing.id:
            yield thing.id, f"is the same as {first} in everything but name and id"


def deck_24(cards: CardSet) -> Found:
    for card in cards.cards:
        if cycles(card.ability):
            yield card.id, f"{card.ability}: {CYCLE_SENTENCE}"


def deck_25(cards: CardSet) -> Found:
    """That a name is original is for people to judge; here only that each has one of its own."""
    seen: dict[str, str] = {}
    for thing in things(cards):
        name = " ".join(thing.name.lower().split())
        if not name:
            yield thing.id, "has no name"
        elif seen.setdefault(name, thing.id) != thing.id:
            yield thing.id, f"has the name of {seen[name]}"


def deck_26(cards: CardSet) -> Found:
    if cards.version < 1:
        yield WHOLE_SET, f"version {cards.version}; versions count from 1"
    if not is_id(cards.id):
        yield WHOLE_SET, f"{clip(cards.id)} is no id: {ID_SENTENCE}"
    seen: set[str] = set()
    for thing in things(cards):
        if not is_id(thing.id):
            yield clip(thing.id), f"is no id: {ID_SENTENCE}"
        if thing.id in seen:
            yield clip(thing.id)[1:-1], "the id stands twice"
        seen.add(thing.id)


Rule = Callable[[CardSet], Found]

BINDING: tuple[tuple[str, Rule], ...] = (("WS-DECK-24", deck_24), ("WS-DECK-26", deck_26))


def problems(rules: Iterable[tuple[str, Rule]], cards: CardSet) -> list[Problem]:
    return [Problem(name, subject, why) for name, rule in rules for subject, why in rule(cards)]
