"""The words of the notation and of card files for the numbers of the engine."""

from __future__ import annotations

import re

KIND_WORDS = ("scanner", "robot-part", "crystal", "power-source", "loot-carrier", "alien-drone", "crew")
COLOUR_WORDS = ("orange", "green", "purple")
PIECE_WORDS = ("head", "torso", "legs")
DANGER_WORDS = ("flight", "fight")
DAMAGE_WORDS = ("fire", "breach", "invasion")
RESOURCE_WORDS = ("fuel", "crew")  # what a Flight and what a Fight card calls for
FACE_WORDS = ("up", "down")
COIN_WORDS = ("left", "right")
PHASE_WORDS = ("ships", "pick", "bid", "repair", "over")

ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
NO_SUCH_CARD = "no-such-card"
RESERVED_IDS = frozenset((NO_SUCH_CARD, "deck", "discard"))  # they mean something else in the notation

ROW = re.compile(r"clear|([1-9][0-9]?) (wrench|wrenches|damage)")


def row_text(row: int) -> str:
    """`clear`, `1 wrench`, `2 wrenches`, `3 damage`."""
    if row == 0:
        return "clear"
    if row < 0:
        return f"{-row} damage"
    return f"{row} wrench" if row == 1 else f"{row} wrenches"


def read_row(text: str) -> int | None:
    """The row as a number (wrenches above 0, damage below), None if this is no row (SR-DANGER-14)."""
    found = ROW.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    if found[1] is None:
        return 0
    return -int(found[1]) if found[2] == "damage" else int(found[1])
