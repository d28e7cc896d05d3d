"""The count of points, part by part (section 8 of the rules)."""

from __future__ import annotations

from typing import Final

from starport_games.space_race.codes import (
    ALIEN_DRONE,
    C_CREW,
    C_CRYSTAL,
    C_CRYSTAL_SET,
    C_DAMAGE,
    C_DRONE,
    C_FUEL,
    C_LOOT_MOST,
    C_LOOT_SECOND,
    C_POWER,
    C_ROBOT,
    COMPONENTS,
    CRYSTAL,
    DAMAGES,
    LOOT_CARRIER,
    NONE,
    PIECES,
    POWER_SOURCE,
    ROBOT_PART,
)
from starport_games.space_race.state import State

PARTS: Final = 10
TOTAL: Final = 9
PART_NAMES: list[str] = [
    "corner",
    "robots",
    "crystals",
    "power",
    "loot",
    "drones",
    "fuel",
    "crew",
    "damage",
    "total",
]


def count_seat(state: State, seat: int) -> list[int]:
    """The ten numbers of SR-SCORE-23 for one seat, in the order of PART_NAMES."""
    constant = state.pack.constant
    damage = 0
    for i in range(DAMAGES):
        damage += state.damage[seat * DAMAGES + i] * constant[C_DAMAGE + i]
    parts = [
        corner(state, seat),
        constant[C_ROBOT] * robots(state, seat),
        constant[C_CRYSTAL] * (how_many(state, seat, CRYSTAL) // constant[C_CRYSTAL_SET]),
        constant[C_POWER] * matches(state, seat),
        loot(state, seat),
        constant[C_DRONE] * fewer_drones(state, seat),
        constant[C_FUEL] if has_most(state.fuel, seat) else 0,
        constant[C_CREW] if has_most(state.crew, seat) else 0,
        damage,
    ]
    parts.append(sum(parts))
    return parts


def how_many(state: State, seat: int, kind: int) -> int:
    kinds = state.pack.kind
    count = 0
    for card in state.up[seat]:
        if kinds[card] == kind:
            count += 1
    return count


def corner(state: State, seat: int) -> int:
    points = 0
    for card in state.up[seat]:
        points += state.pack.corner(card)
    return points


def robots(state: State, seat: int) -> int:
    """Complete robots: head, torso and legs of any colours (SR-SCORE-4, 5)."""
    counts = [0] * PIECES
    for card in state.up[seat]:
        if state.pack.kind[card] == ROBOT_PART:
            counts[state.pack.piece[card]] += 1
    return min(counts)


def matches(state: State, seat: int) -> int:
    """Pairs of a Power Source and a top card of its colour (SR-SCORE-8, 9)."""
    tops = [NONE] * COMPONENTS
    for card in state.up[seat]:
        kind = state.pack.kind[card]
        if kind < COMPONENTS:
            tops[kind] = state.pack.colour[card]
    count = 0
    for card in state.up[seat]:
        if state.pack.kind[card] == POWER_SOURCE:
            count += tops.count(state.pack.colour[card])
    return count


def loot(state: State, seat: int) -> int:
    """The prize for most or second most; second is the next lower count that occurs (SR-SCORE-10 to 14)."""
    mine = how_many(state, seat, LOOT_CARRIER)
    if mine == 0:
        return 0
    above = NONE
    for other in range(state.seats):
        count = how_many(state, other, LOOT_CARRIER)
        if count > mine:
            if above != NONE and above != count:
                return 0
            above = count
    return state.pack.constant[C_LOOT_MOST if above == NONE else C_LOOT_SECOND]


def fewer_drones(state: State, seat: int) -> int:
    mine = how_many(state, seat, ALIEN_DRONE)
    count = 0
    for other in range(state.seats):
        if how_many(state, other, ALIEN_DRONE) < mine:
            count += 1
    return count


def has_most(held: list[list[int]], seat: int) -> bool:
    """Nobody has more, and it is not nothing (SR-SCORE-16 to 18)."""
    mine = len(held[seat])
    for cards in held:
        if len(cards) > mine:
            return False
    return mine > 0


def winners(totals: list[int]) -> list[int]:
    """All seats with the highest total (SR-END-1, 2)."""
    best = max(totals)
    seats: list[int] = []
    for seat in range(len(totals)):
        if totals[seat] == best:
            seats.append(seat)
    return seats
