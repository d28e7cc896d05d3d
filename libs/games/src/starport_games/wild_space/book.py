"""A card set as the engine reads it: one list of ints per attribute, indexed by card."""

from __future__ import annotations

from typing import Final

ICON_SPECIES: Final = 0
ICON_OCCUPATION: Final = 6
ICON_CLASS: Final = 12
ICON_MEDAL: Final = 15
ICONS: Final = 16


class Book:
    """Tables of a card set. Never changed after it is filled; every state of a match shares it."""

    def __init__(self) -> None:
        self.label = ""  # id@version of the set
        self.definitions: list[str] = []  # lines of a position that added cards of its own to the set
        self.ids: list[str] = []  # crew cards and captains
        self.match: list[int] = []  # bit f: the card matches filter f
        self.species: list[int] = []  # 0..5, -1 without
        self.occupation: list[int] = []  # 0..5, -1 without
        self.cls: list[int] = []  # 0 specialist, 1 robot, 2 emissary, -1 captain
        self.veteran: list[bool] = []
        self.credits: list[int] = []
        self.condition: list[int] = []  # of the ability, 0 without
        self.effect: list[int] = []  # of the ability, 0 without
        self.mission: list[list[int]] = []  # [] | [credits, icon] for a majority | [credits, icon, n, icon, n, …]
        self.track: list[list[int]] = []  # of captains: an effect, or minus the credits
        self.captains: list[int] = []
        self.crew: list[int] = []  # every card that is no captain, in the order of the file

        self.planet_ids: list[str] = []
        self.planet_tier: list[int] = []  # 0, 3, 6, 9
        self.sector_conditions: list[list[int]] = []  # by planet * 2 + side
        self.sector_options: list[list[int]] = []

        self.hostile_ids: list[str] = []
        self.hostile_category: list[int] = []  # 1..3
        self.hostile_steps: list[list[int]] = []  # by hostile * 2 + half: slot 0..2, + 4 when it adds
        self.hostile_icons: list[list[int]] = []

    def same(self, other: Book) -> bool:
        return self.label == other.label and self.definitions == other.definitions and self.ids == other.ids
