"""The names of the log's facts (SR-EVT-1) and of their values, and a fact as a line of text."""

from __future__ import annotations

from starport_games.kernel.effects import HIDDEN, Effect
from starport_games.space_race.codes import FACTIONS, NONE
from starport_games.space_race.pack import Pack
from starport_games.space_race.scoring import PART_NAMES
from starport_games.space_race.words import COIN_WORDS, DAMAGE_WORDS, FACE_WORDS, RESOURCE_WORDS

# Kind number -> name and value names; a name that ends in * stands for all the values from there on.
FACTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("GameCreated", ("seats", "secret*")),  # generator, Space, Danger and Damage deck, each after its length
    ("ShipChosen", ("cockpit", "engine")),
    ("RoundStarted", ("round",)),
    ("HandsDealt", ("card*",)),
    ("CoinFlipped", ("coin", "at")),
    ("PickCommitted", ("card", "face")),
    ("PicksRevealed", ("face", "card")),
    ("DangerPeeked", ("danger",)),
    ("HandsPassed", ("pick", "from", "card*")),
    ("DangerRevealed", ("danger",)),
    ("BidCommitted", ("bid",)),
    ("BidsRevealed", ("bid*",)),
    ("RanksAssigned", ("rank*",)),
    ("RepairCommitted", DAMAGE_WORDS),
    ("DamageRemoved", DAMAGE_WORDS),
    ("DamageDeckRebuilt", ("at", "damage*")),
    ("DamageDrawn", ("damage*",)),
    ("BidsDiscarded", ("resource", "card*")),
    ("RoundEnded", ("round",)),
    ("GameScored", tuple(PART_NAMES)),
    ("GameEnded", ("winner*",)),
)


def value_text(pack: Pack, name: str, value: int) -> str:
    """A value by its name in FACTS: cards by id, faces by word, all others as numbers."""
    if value == HIDDEN:
        return "?"
    tables: dict[str, tuple[str, ...] | list[str]] = {
        "card": pack.ids,
        "danger": pack.danger_ids,
        "cockpit": pack.factions[:FACTIONS],
        "engine": pack.factions[:FACTIONS],
        "face": FACE_WORDS,
        "coin": COIN_WORDS,
        "damage": DAMAGE_WORDS,
        "resource": RESOURCE_WORDS,
    }
    return tables[name][value] if name in tables else str(value)


def effect_text(pack: Pack, effect: Effect) -> str:
    """`HandsPassed seat 1: pick 2, from 0, card crew-03 crew-11 …`."""
    name, fields = FACTS[effect.kind]
    who = "" if effect.seat == NONE else f" seat {effect.seat}"
    words: list[str] = []
    scored = name == "GameScored"
    for i, field in enumerate(fields):
        values = effect.values[i:] if field.endswith("*") else effect.values[i : i + 1]
        label = field.rstrip("*")
        if scored:  # a score may well be -2, and is never hidden; its part "damage" is no card
            words.append(f"{label} {values[0]}")
        elif values:
            words.append(f"{label} {' '.join(gap_runs([value_text(pack, label, v) for v in values]))}")
    return f"{name}{who}: {', '.join(words)}" if words else f"{name}{who}"


def gap_runs(words: list[str]) -> list[str]:
    """The same words with several `?` in a row written as `?x5`."""
    told: list[str] = []
    run = 0
    for word in [*words, ""]:
        if word == "?":
            run += 1
            continue
        if run:
            told.append("?" if run == 1 else f"?x{run}")
            run = 0
        if word:
            told.append(word)
    return told
