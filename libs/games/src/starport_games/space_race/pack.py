"""The cards and constants of a content pack as tables of ints, the way the engine reads them."""

from __future__ import annotations

from starport_games.space_race.codes import C_CORNER, COLOURED, NONE, ROWS

# The names of section 15, in the order of the C_ places in codes.py.
CONSTANT_NAMES: list[str] = [
    "rounds",
    "hand",
    "corner-scanner",
    "corner-robot-part",
    "corner-crystal",
    "corner-power-source",
    "robot-bonus",
    "crystal-bonus",
    "crystal-set",
    "power-bonus",
    "loot-most",
    "loot-second",
    "drone-bonus",
    "fuel-most",
    "crew-most",
    "damage-fire",
    "damage-breach",
    "damage-invasion",
]


class Pack:
    """Cards are numbered in the order of their ids, so that the lowest number is the lowest id (SR-DEC-2)."""

    def __init__(self, id: str, version: str) -> None:
        self.id = id
        self.version = version
        self.base: Pack | None = None  # the pack that a position added its own cards or constants to
        self.constant: list[int] = []
        self.factions: list[str] = []
        self.faction_names: list[str] = []
        # Space cards
        self.ids: list[str] = []
        self.names: list[str] = []
        self.kind: list[int] = []
        self.colour: list[int] = []
        self.piece: list[int] = []
        # Danger cards: rows are flat, four a card
        self.danger_ids: list[str] = []
        self.danger_names: list[str] = []
        self.danger_type: list[int] = []
        self.rows: list[int] = []
        # Damage cards: nothing but their kind matters, so the engine never tells two of one kind apart
        self.damage_ids: list[str] = []
        self.damage_names: list[str] = []
        self.damage_kind: list[int] = []

    @property
    def label(self) -> str:
        """How positions name their card file."""
        return f"{self.id}@{self.version}"

    def add_card(self, id: str, name: str, kind: int, colour: int = NONE, piece: int = NONE) -> None:
        at = place(self.ids, id)
        self.ids.insert(at, id)
        self.names.insert(at, name)
        self.kind.insert(at, kind)
        self.colour.insert(at, colour)
        self.piece.insert(at, piece)

    def add_danger(self, id: str, name: str, type: int, rows: list[int]) -> None:
        at = place(self.danger_ids, id)
        self.danger_ids.insert(at, id)
        self.danger_names.insert(at, name)
        self.danger_type.insert(at, type)
        self.rows[at * ROWS : at * ROWS] = rows

    def add_damage(self, id: str, name: str, kind: int) -> None:
        at = place(self.damage_ids, id)
        self.damage_ids.insert(at, id)
        self.damage_names.insert(at, name)
        self.damage_kind.insert(at, kind)

    def corner(self, card: int) -> int:
        kind = self.kind[card]
        return self.constant[C_CORNER + kind] if kind < COLOURED else 0

    def row(self, danger: int, rank: int) -> int:
        return self.rows[danger * ROWS + rank - 1]

    def derived(self) -> Pack:
        """A copy for a position to add to."""
        copy = Pack(self.id, self.version)
        copy.base = self
        copy.constant = self.constant[:]
        copy.factions = self.factions
        copy.faction_names = self.faction_names
        copy.ids = self.ids[:]
        copy.names = self.names[:]
        copy.kind = self.kind[:]
        copy.colour = self.colour[:]
        copy.piece = self.piece[:]
        copy.danger_ids = self.danger_ids[:]
        copy.danger_names = self.danger_names[:]
        copy.danger_type = self.danger_type[:]
        copy.rows = self.rows[:]
        copy.damage_ids = self.damage_ids
        copy.damage_names = self.damage_names
        copy.damage_kind = self.damage_kind
        return copy

    def same(self, other: Pack) -> bool:
        """Whether rules and notation read the same from both."""
        return self is other or (
            self.id == other.id
            and self.version == other.version
            and self.constant == other.constant
            and self.factions == other.factions
            and self.ids == other.ids
            and self.kind == other.kind
            and self.colour == other.colour
            and self.piece == other.piece
            and self.danger_ids == other.danger_ids
            and self.danger_type == other.danger_type
            and self.rows == other.rows
            and self.damage_kind == other.damage_kind
        )


def place(ids: list[str], id: str) -> int:
    """Where a new id belongs in a sorted list."""
    at = 0
    while at < len(ids) and ids[at] < id:
        at += 1
    return at
