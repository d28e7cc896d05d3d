"""Cards, sectors and facts of Wild Space in words."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from starport.v1 import match_pb2
from starport_games.kernel.effects import HIDDEN
from starport_games.wild_space import content
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import EMPTY
from starport_games.wild_space.grammar import (
    Ability,
    Card,
    CardSet,
    Condition,
    ConditionKind,
    Credits,
    Effect,
    EffectKind,
    Hostile,
    Majority,
    Mission,
    Planet,
    Sector,
    Square,
)
from starport_games.wild_space.moves import PLACE_NAMES, SIDES

CARD_FILES_MAX = 8
NEEDED = ("", "", "3", "6", "9")  # the crew that a place asks for
VETERAN = "★"


@lru_cache(maxsize=CARD_FILES_MAX)
def cards_of(card_file: str) -> CardSet:
    return content.load_text(card_file, "card file") if card_file else content.load()


class Names:
    """The cards of a table by the engine's numbers."""

    def __init__(self, options: match_pb2.Options) -> None:
        cards = cards_of(options.card_file)
        self._cards = {card.id: card for card in cards.cards}
        self._planets = {planet.id: planet for planet in cards.planets}
        self._hostiles = {hostile.id: hostile for hostile in cards.hostiles}

    def card(self, book: Book, card: int) -> Card | None:
        return self._cards.get(book.ids[card]) if card >= 0 else None

    def planet(self, book: Book, planet: int) -> Planet | None:
        return self._planets.get(book.planet_ids[planet]) if planet >= 0 else None

    def hostile(self, book: Book, hostile: int) -> Hostile | None:
        return self._hostiles.get(book.hostile_ids[hostile]) if hostile >= 0 else None

    def card_name(self, book: Book, card: int) -> str:
        if card in (HIDDEN, EMPTY):
            return "a card"
        found = self.card(book, card)
        return book.ids[card] if found is None else found.name

    def find(self, words: str) -> Card | Planet | Hostile | None:
        """By id, or by a part of the name."""
        things: list[Card | Planet | Hostile] = [
            *self._cards.values(),
            *self._planets.values(),
            *self._hostiles.values(),
        ]
        wanted = words.casefold()
        exact = [thing for thing in things if thing.id == wanted]
        return next(iter(exact or [thing for thing in things if wanted in thing.name.casefold()]), None)

    def hostile_name(self, book: Book, hostile: int) -> str:
        found = self.hostile(book, hostile)
        return "a hostile planet" if found is None else found.name

    def sector_name(self, book: Book, planets: list[int], sector: int) -> str:
        found = self.planet(book, planets[sector >> 1])
        return f"{PLACE_NAMES[sector >> 1] if found is None else found.name}, {SIDES[sector & 1]}"


def a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeio" else f"a {noun}"


def filter_words(which: str) -> str:
    if which == "any":
        return "a card"
    if which == "robot-or-emissary":
        return "a robot or an emissary"
    return "a soldier" if which == "military" else a(which)


def effect_words(effect: Effect) -> str:
    if effect.kind is EffectKind.DRAW:
        return "draw a card" if effect.n == 1 else f"draw {effect.n} cards"
    if effect.kind is EffectKind.TAKE:
        return "take a card from pool or pile into play"
    if effect.n > 1:
        many = "cards" if effect.filter == "any" else f"cards, each {filter_words(effect.filter)}"
        return f"play {effect.n} {many}"
    return f"play {filter_words(effect.filter)}"


def condition_words(condition: Condition) -> str:
    if condition.kind is ConditionKind.OWN:
        return f"with {filter_words(condition.filter)}"
    if condition.kind is ConditionKind.REMOVE:
        return "give up a card of the crew"
    return f"discard {filter_words(condition.filter)}"


def ability_words(ability: Ability) -> str:
    effect = effect_words(ability.effect)
    return effect if ability.condition is None else f"{condition_words(ability.condition)} → {effect}"


def square_words(square: Square) -> str:
    return credits_words(square.n) if isinstance(square, Credits) else effect_words(square)


def icon_words(icon: str, count: int = 1) -> str:
    named = {"military": "soldier", "medal": "veteran"}.get(icon, icon)
    if count == 1:
        return named
    return {"emissary": "emissaries", "octopus": "octopuses"}.get(named, f"{named}s")


def credits_words(count: int) -> str:
    return "1 credit" if count == 1 else f"{count} credits"


def mission_words(mission: Mission) -> str:
    if isinstance(mission, Majority):
        return f"{credits_words(mission.credits)} for the most {icon_words(mission.icon, 2)}"
    need = Counter(mission.need)
    if len(need) == 1:
        [(icon, count)] = need.items()
        each = "each" if count == 1 else f"every {count}"
        return f"{credits_words(mission.credits)} for {each} {icon_words(icon, count)}"
    parts = [icon_words(icon) if count == 1 else f"{count} {icon_words(icon, count)}" for icon, count in need.items()]
    return f"{credits_words(mission.credits)} for each {' + '.join(parts)}"


def kind_words(card: Card) -> str:
    """`bear pilot`, `robot engineer`, `owl emissary`, with a star for veterans."""
    occupation = "" if card.occupation is None else icon_words(card.occupation)
    species = card.species or ""
    words = {"robot": f"robot {occupation}", "emissary": f"{species} emissary"}.get(card.cls, f"{species} {occupation}")
    return words.strip() + (f" {VETERAN}" if card.veteran else "")


def gift_words(card: Card) -> str:
    """What a card does: its mission, its credits and its ability."""
    parts: list[str] = []
    if card.mission is not None:
        parts.append(mission_words(card.mission))
    if card.credits:
        parts.append(credits_words(card.credits))
    if card.ability is not None:
        parts.append(ability_words(card.ability))
    if card.track:
        parts.append("track: " + ", ".join(square_words(square) for square in card.track))
    return "; ".join(parts)


def card_words(card: Card) -> str:
    gift = gift_words(card)
    return f"{card.name} ({kind_words(card)}{f': {gift}' if gift else ''})"


def sector_words(sector: Sector) -> str:
    options = " or ".join(effect_words(option) for option in sector.options)
    if not sector.conditions:
        return options
    return f"{' or '.join(condition_words(condition) for condition in sector.conditions)} → {options}"


def steps_words(hostile: Hostile, half: int) -> str:
    steps = hostile.top if half else hostile.bottom
    return ", ".join(f"{'takes' if step.adds else 'discards'} slot {step.slot}" for step in steps)


def hostile_icons_words(hostile: Hostile) -> str:
    return ", ".join(f"1 per {icon_words(icon)}" for icon in hostile.icons)
