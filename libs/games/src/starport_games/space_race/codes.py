"""The numbers the engine computes with: kinds, phases, facts, constants and the packing of moves."""

from __future__ import annotations

from typing import Final

NONE: Final = -1  # no card, no answer, no bid, no colour, no piece

# Fronts of Space cards. The first three are the component kinds, the first four have a colour and corner VP.
SCANNER: Final = 0
ROBOT_PART: Final = 1
CRYSTAL: Final = 2
POWER_SOURCE: Final = 3
LOOT_CARRIER: Final = 4
ALIEN_DRONE: Final = 5
CREW: Final = 6
FRONTS: Final = 7
COMPONENTS: Final = 3
COLOURED: Final = 4

COLOURS: Final = 3  # orange, green, purple
PIECES: Final = 3  # head, torso, legs

FLIGHT: Final = 0  # Fuel is bid
FIGHT: Final = 1  # Crew is bid
ROWS: Final = 4  # of a Danger card; a row is w > 0 wrenches, 0 clear, or -d damage, so that bigger is better

FIRE: Final = 0
BREACH: Final = 1
INVASION: Final = 2
DAMAGES: Final = 3

LEFT: Final = 0  # pass to the next higher seat
RIGHT: Final = 1  # pass to the next lower seat

UP: Final = 0
DOWN: Final = 1

SEATS_MIN: Final = 2
SEATS_MAX: Final = 4
FACTIONS: Final = 4

# Phases
SHIPS: Final = 0
PICK: Final = 1
BID: Final = 2
REPAIR: Final = 3
OVER: Final = 4

# Facts (SR-EVT-1); facts.py has their names and the meaning of their values.
GAME_CREATED: Final = 0
SHIP_CHOSEN: Final = 1
ROUND_STARTED: Final = 2
HANDS_DEALT: Final = 3
COIN_FLIPPED: Final = 4
PICK_COMMITTED: Final = 5
PICKS_REVEALED: Final = 6
DANGER_PEEKED: Final = 7
HANDS_PASSED: Final = 8
DANGER_REVEALED: Final = 9
BID_COMMITTED: Final = 10
BIDS_REVEALED: Final = 11
RANKS_ASSIGNED: Final = 12
REPAIR_COMMITTED: Final = 13
DAMAGE_REMOVED: Final = 14
DAMAGE_DECK_REBUILT: Final = 15
DAMAGE_DRAWN: Final = 16
BIDS_DISCARDED: Final = 17
ROUND_ENDED: Final = 18
GAME_SCORED: Final = 19
GAME_ENDED: Final = 20

# Places in Pack.constant (section 15 of the rules); pack.py has their names.
C_ROUNDS: Final = 0
C_HAND: Final = 1
C_CORNER: Final = 2  # and the next three: Scanner, Robot Part, Crystal, Power Source
C_ROBOT: Final = 6
C_CRYSTAL: Final = 7
C_CRYSTAL_SET: Final = 8
C_POWER: Final = 9
C_LOOT_MOST: Final = 10
C_LOOT_SECOND: Final = 11
C_DRONE: Final = 12
C_FUEL: Final = 13
C_CREW: Final = 14
C_DAMAGE: Final = 15  # and the next two: Fire Onboard, Hull Breach, Alien Invasion
CONSTANTS: Final = 18

# Why a move is refused; game.py has the words. Tested in this order.
FINE: Final = 0
F_OVER: Final = 1
F_MALFORMED: Final = 2
F_SEAT: Final = 3
F_PHASE: Final = 4
F_SHIP: Final = 5
F_CARD: Final = 6
F_BID: Final = 7
F_REPAIR: Final = 8

# A move is value * 8 + kind.
M_SHIP: Final = 0  # value: cockpit * 4 + engine
M_PICK: Final = 1  # value: (card + 1) * 2 + face; card NONE stands for an id that is on no card
M_BID: Final = 2  # value: the bid
M_REPAIR: Final = 3  # value: fire + breach * 32 + invasion * 1024
MOVE_BITS: Final = 3
MOVE_MASK: Final = 7
COUNT_BITS: Final = 5
COUNT_MASK: Final = 31
BID_MAX: Final = 9999  # the largest bid that can be written down


def ship_move(cockpit: int, engine: int) -> int:
    return ((cockpit * FACTIONS + engine) << MOVE_BITS) | M_SHIP


def pick_move(card: int, face: int) -> int:
    return (((card + 1) * 2 + face) << MOVE_BITS) | M_PICK


def bid_move(count: int) -> int:
    return (count << MOVE_BITS) | M_BID


def repair_move(fire: int, breach: int, invasion: int) -> int:
    value = fire | (breach << COUNT_BITS) | (invasion << (2 * COUNT_BITS))
    return (value << MOVE_BITS) | M_REPAIR


def move_kind(move: int) -> int:
    return move & MOVE_MASK


def move_value(move: int) -> int:
    return move >> MOVE_BITS


def picked_card(move: int) -> int:
    return (move >> (MOVE_BITS + 1)) - 1


def picked_face(move: int) -> int:
    return (move >> MOVE_BITS) & 1


def repair_count(move: int, damage: int) -> int:
    """How many Damage cards of this kind a REPAIR move removes."""
    return (move >> (MOVE_BITS + COUNT_BITS * damage)) & COUNT_MASK
