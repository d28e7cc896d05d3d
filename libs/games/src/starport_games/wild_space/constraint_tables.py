"""The constraints that follow tables 23.3 to 23.8: abilities, missions, planets and hostile planets."""

from __future__ import annotations

from collections import Counter

from starport_games.wild_space.constraints import (
    BINDING,
    WHOLE_SET,
    Found,
    Rule,
    deck_1,
    deck_2,
    deck_3,
    deck_4,
    deck_5,
    deck_6,
    deck_7,
    deck_8,
    deck_9_spread,
    deck_10,
    deck_11,
    deck_14,
    deck_19,
    deck_23,
    deck_25,
    of_class,
    unequal,
)
from starport_games.wild_space.grammar import (
    CATEGORIES,
    OCCUPATIONS,
    SPECIES,
    Ability,
    Card,
    CardSet,
    Effect,
    EffectKind,
    Hostile,
    HostileStep,
    Majority,
    Mission,
    PerSet,
    Planet,
    Sector,
)

SPECIALIST_TABLE = {  # 23.3, with every occupation written `occupation`
    "none": 8,
    "draw 1": 8,
    "draw 2": 4,
    "own(occupation) -> draw 2": 6,
    "discard(any) -> draw 3": 4,
    "discard(veteran) -> draw 4": 1,
    "play occupation": 6,
    "discard(occupation) -> play any": 6,
    "discard(any) -> play any": 4,
    "remove -> play any": 2,
    "play robot": 2,
    "play emissary": 2,
    "play robot-or-emissary": 1,
    "own(robot) -> play specialist": 1,
    "own(emissary) -> play specialist": 1,
    "play veteran": 1,
    "discard(robot) -> take": 1,
    "discard(emissary) -> take": 1,
    "discard(specialist) -> take": 1,
}
ROBOT_TABLE = {  # 23.4
    "3; none": 3,
    "4; none": 4,
    "5; none": 2,
    "0; play specialist": 1,
    "0; play emissary": 1,
    "0; draw 2": 1,
    "1; draw 1": 2,
    "0; own(robot) -> play any": 1,
    "0; discard(any) -> play any": 1,
    "0; discard(any) -> take": 1,
    "1; own(emissary) -> draw 2": 1,
}
MISSION_TABLE = {  # 23.5, species and occupations written as those words
    "5 per occupation + occupation + occupation": 6,
    "2 per species + occupation": 6,
    "3 per occupation + occupation": 3,
    "5 for most occupation": 3,
    "6 for most robot": 1,
    "6 for most emissary": 1,
    "6 for most medal": 1,
    "2 per robot": 1,
    "2 per emissary": 1,
    "1 per medal": 1,
}
EMISSARY_ABILITIES = {"none": 12, "draw 1": 8, "discard(any) -> play any": 2, "own(robot) -> draw 2": 2}
ROBOT_WORTH_LEAST = 3  # credits of a robot that does nothing

CONDITIONED_SECTORS_LEAST = 6
TWO_CONDITIONS_LEAST = 2
TWO_OPTIONS_LEAST = 5
HOSTILE_ADDS = {"I": (2, 2), "II": (2, 3), "III": (3, 4)}
HOSTILE_ICON_COUNTS = {"I": (1, 1), "II": (1, 2), "III": (2, 3)}
HOSTILE_CLASS_ICONS = {"robot": (3, 5), "emissary": (3, 5), "medal": (3, 5)}


def _by_table(rows: list[tuple[Card, str]], table: dict[str, int], what: str) -> Found:
    """A row that the table lacks is the card's fault, a wrong count the set's."""
    counts = Counter(row for _, row in rows if row in table)
    for card, row in rows:
        if row not in table:
            yield card.id, f"'{row}' is in no row of the table of {what}"
    yield from unequal(counts, table, what + " with '{}'")


def _pattern(ability: Ability | None) -> str:
    text = "none" if ability is None else str(ability)
    for occupation in OCCUPATIONS:
        text = text.replace(occupation, "occupation")
    return text


def deck_9(cards: CardSet) -> Found:
    rows = [(card, _pattern(card.ability)) for card in of_class(cards, "specialist")]
    yield from _by_table(rows, SPECIALIST_TABLE, "specialists")
    yield from deck_9_spread(cards)


def deck_12(cards: CardSet) -> Found:
    robots = of_class(cards, "robot")
    for card in robots:
        if (card.credits >= ROBOT_WORTH_LEAST) == (card.ability is not None):
            what = card.ability or "no ability"
            yield card.id, f"credits {card.credits} and {what}: one of the two is right"
    rows = [(card, f"{card.credits}; {card.ability or 'none'}") for card in robots]
    yield from _by_table(rows, ROBOT_TABLE, "robots")


def _mission_pattern(mission: Mission | None) -> str:
    """The table's row; a set of different occupations keeps their names and so is in no row."""
    if isinstance(mission, Majority):
        return str(Majority(_kind_of_icon(mission.icon), mission.credits))
    if isinstance(mission, PerSet):
        kinds = [_kind_of_icon(icon) for icon in mission.need]
        if kinds.count("occupation") > 1 and len(set(mission.need)) > 1:
            return str(mission)
        return str(PerSet(tuple(kinds), mission.credits))
    return "no mission"


def _kind_of_icon(icon: str) -> str:
    return "occupation" if icon in OCCUPATIONS else "species" if icon in SPECIES else icon


def _icons_of(missions: list[Mission], row: str, names: tuple[str, ...]) -> Counter[str]:
    found: Counter[str] = Counter()
    for mission in missions:
        if _mission_pattern(mission) == row:
            icons = (mission.icon,) if isinstance(mission, Majority) else mission.need
            found.update(icon for icon in set(icons) if icon in names)
    return found


def deck_13(cards: CardSet) -> Found:
    emissaries = of_class(cards, "emissary")
    rows = [(card, _mission_pattern(card.mission)) for card in emissaries]
    yield from _by_table(rows, MISSION_TABLE, "emissaries")
    rows = [(card, str(card.ability or "none")) for card in emissaries]
    yield from _by_table(rows, EMISSARY_ABILITIES, "emissaries")
    missions = [card.mission for card in emissaries if card.mission is not None]
    triples, mixed, pairs, most, *_ = MISSION_TABLE
    once_each = (
        (_icons_of(missions, triples, OCCUPATIONS), OCCUPATIONS, "missions for three {} icons"),
        (_icons_of(missions, mixed, SPECIES), SPECIES, "missions for {} and an occupation"),
        (_icons_of(missions, mixed, OCCUPATIONS), OCCUPATIONS, "missions for a species and {}"),
        (
            _icons_of(missions, pairs, OCCUPATIONS) + _icons_of(missions, most, OCCUPATIONS),
            OCCUPATIONS,
            "missions for two {} icons or the most of them",
        ),
    )
    for counts, names, what in once_each:
        yield from unequal(counts, dict.fromkeys(names, 1), what)


def sectors(planet: Planet) -> tuple[tuple[str, Sector], ...]:
    return ("left", planet.left), ("right", planet.right)


def deck_15(cards: CardSet) -> Found:
    for planet in cards.planets:
        for side, sector in sectors(planet):
            if planet.tier == "home" and sector.conditions:
                yield planet.id, f"the {side} sector of a home planet has a condition"


def deck_16(cards: CardSet) -> Found:
    for planet in cards.planets:
        for side, sector in sectors(planet):
            paid = bool(sector.conditions) and all(condition.is_cost for condition in sector.conditions)
            for option in sector.options:
                if not _affordable(planet.tier, option, paid):
                    cost = "with a cost" if paid else "without a cost"
                    yield planet.id, f"{side}: '{option}' {cost} is too much for tier {planet.tier}"


def _affordable(tier: str, option: Effect, paid: bool) -> bool:
    """With alternatives of conditions, 'with a cost' means that every one of them is a cost."""
    match option.kind:
        case EffectKind.DRAW:
            most = {"home": 2, "3": 4 if paid else 3}.get(tier, 4)
            return option.n <= most
        case EffectKind.TAKE:
            return tier in ("6", "9") or (tier == "3" and paid)
        case EffectKind.PLAY:
            return option.n == 1 or (tier in ("6", "9") and paid)


def deck_17(cards: CardSet) -> Found:
    for planet in cards.planets:
        draws = [option.kind is EffectKind.DRAW for _, sector in sectors(planet) for option in sector.options]
        if True not in draws:
            yield planet.id, "offers no draw"
        if False not in draws:
            yield planet.id, "offers no play and no take"


def deck_18(cards: CardSet) -> Found:
    halves = [(planet.tier, sector) for planet in cards.planets for _, sector in sectors(planet)]
    away = [sector for tier, sector in halves if tier != "home"]
    counts = (
        (sum(bool(sector.conditions) for sector in away), CONDITIONED_SECTORS_LEAST, "carry a condition"),
        (sum(len(sector.conditions) == 2 for sector in away), TWO_CONDITIONS_LEAST, "carry two conditions"),
        (sum(len(sector.options) == 2 for _, sector in halves), TWO_OPTIONS_LEAST, "offer two options"),
    )
    for found, least, what in counts:
        if found < least:
            yield WHOLE_SET, f"{found} sectors {what}, not at least {least}"


def deck_20(cards: CardSet) -> Found:
    for hostile in cards.hostiles:
        adds = sum(step.adds for step in (*hostile.bottom, *hostile.top))
        low, high = HOSTILE_ADDS[hostile.category]
        if not low <= adds <= high:
            yield hostile.id, f"adds {adds} cards; category {hostile.category} adds {low} to {high}"
        low, high = HOSTILE_ICON_COUNTS[hostile.category]
        if not low <= len(hostile.icons) <= high:
            yield hostile.id, f"{len(hostile.icons)} icons; category {hostile.category} has {low} to {high}"


def _repeats(steps: tuple[HostileStep, ...]) -> bool:
    return len({step.slot for step in steps}) < len(steps)


def deck_21(cards: CardSet) -> Found:
    """Two effects on a slot meet only within one half: the other half is another turn."""

    def pair(hostile: Hostile) -> bool:
        return _repeats(hostile.bottom) or _repeats(hostile.top)

    for category in CATEGORIES:
        if not any(pair(hostile) for hostile in cards.hostiles if hostile.category == category):
            yield WHOLE_SET, f"no hostile planet of category {category} has two effects on the same slot"


def deck_22(cards: CardSet) -> Found:
    icons = Counter(icon for hostile in cards.hostiles for icon in hostile.icons)
    for icon, (low, high) in HOSTILE_CLASS_ICONS.items():
        if not low <= icons[icon] <= high:
            yield WHOLE_SET, f"{icons[icon]} {icon} icons on hostile planets, not {low} to {high}"
    for occupation in OCCUPATIONS:
        if not icons[occupation]:
            yield WHOLE_SET, f"no {occupation} icon on a hostile planet"


RULES: tuple[tuple[str, Rule], ...] = (
    ("WS-DECK-1", deck_1),
    ("WS-DECK-2", deck_2),
    ("WS-DECK-3", deck_3),
    ("WS-DECK-4", deck_4),
    ("WS-DECK-5", deck_5),
    ("WS-DECK-6", deck_6),
    ("WS-DECK-7", deck_7),
    ("WS-DECK-8", deck_8),
    ("WS-DECK-9", deck_9),
    ("WS-DECK-10", deck_10),
    ("WS-DECK-11", deck_11),
    ("WS-DECK-12", deck_12),
    ("WS-DECK-13", deck_13),
    ("WS-DECK-14", deck_14),
    ("WS-DECK-15", deck_15),
    ("WS-DECK-16", deck_16),
    ("WS-DECK-17", deck_17),
    ("WS-DECK-18", deck_18),
    ("WS-DECK-19", deck_19),
    ("WS-DECK-20", deck_20),
    ("WS-DECK-21", deck_21),
    ("WS-DECK-22", deck_22),
    ("WS-DECK-23", deck_23),
    BINDING[0],
    ("WS-DECK-25", deck_25),
    BINDING[1],
)
