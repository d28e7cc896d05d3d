"""The numbers the engine thinks in: filters, effects, conditions, frames, moves and facts, packed into small ints.

Everything a bot touches thousands of times a second is an int; `notation` and `moves` turn them into words.
"""

from __future__ import annotations

from typing import Final

EMPTY: Final = -1  # a pool slot without a card, a square without an effect
HIDDEN: Final = -2  # a gap in a view
SPECTATOR: Final = -1

SHIPS: Final = 5
TURNS: Final = 10
POOL_SLOTS: Final = 3
HAND_DEALT: Final = 3
PLACES: Final = 5  # H1 H2 P3 P6 P9
SECTORS: Final = 10
SEATS_MAX: Final = 5
CARDS_MAX: Final = 4000
NO_CARD: Final = 0  # in a move: no payment named
STRANGER: Final = 4095  # in a move: a card id that no card of the set has

# Filters, in the order of grammar.FILTERS; a card's `match` has bit f set when it matches filter f.
ANY: Final = 0
SPECIALIST: Final = 1
ROBOT: Final = 2
EMISSARY: Final = 3
ROBOT_OR_EMISSARY: Final = 4
VETERAN: Final = 5
OCCUPATION: Final = 6  # … 11

# Effects: kind | n << 2 | filter << 5.
DRAW: Final = 1
PLAY: Final = 2
TAKE: Final = 3

# Conditions: kind | filter << 2.
DISCARD: Final = 1
OWN: Final = 2
REMOVE: Final = 3

# Frames of the decision stack (rules document, 19.1).
F_SHIP: Final = 1
F_ACTION: Final = 2  # e1 << 4 | e2 << 13
F_DRAW: Final = 3  # left << 8 | origin
F_PLAY: Final = 4  # filter << 4 | left << 8 | origin
F_TAKE: Final = 5  # origin
F_TRIGGERS: Final = 6  # card << 4 | ability open << 16 | square effect << 17
F_END: Final = 7
F_SMUGGLER: Final = 8
F_OVER: Final = 9

# Where a frame comes from while the others have not heard of it yet (WS-INFO-15): kind << 12 | argument << 14.
BY_NOTHING: Final = 0
BY_CHOICE: Final = 1
BY_ABILITY: Final = 2
BY_SQUARE: Final = 3

# Moves: kind | card << 5 | sector or number << 17 | condition << 25. Card is index + 1.
M_LAND: Final = 1
M_EXPLORE: Final = 2
M_PASS_TURN: Final = 3
M_CHOOSE: Final = 4
M_DRAW_PILE: Final = 5
M_DRAW_POOL: Final = 6
M_PLAY: Final = 7
M_PASS: Final = 8
M_TAKE_PILE: Final = 9
M_TAKE_POOL: Final = 10
M_ABILITY: Final = 11
M_SQUARE: Final = 12
M_DONE: Final = 13
M_END_TURN: Final = 14
M_REFRESH: Final = 15
M_SMUGGLER_LAND: Final = 16
M_SMUGGLER_EXPLORE: Final = 17

MOVE_KINDS: Final = 17
NUMBER_MAX: Final = 255
CONDITION_MAX: Final = 15

# Refusals, in the order in which they are tested (19.4); 0 is "accepted".
R_NONE: Final = 0
R_OVER: Final = 1
R_MALFORMED: Final = 2
R_SEAT: Final = 3
R_PHASE: Final = 4
R_NO_SHIP: Final = 5
R_FACE_DOWN: Final = 6
R_CREW: Final = 7
R_OWN_SHIP: Final = 8
R_CONDITION: Final = 9
R_PAYMENT: Final = 10
R_NOT_LANDED: Final = 11
R_EXPLORED: Final = 12
R_MUST_MOVE: Final = 13
R_OPTION: Final = 14
R_SOURCE: Final = 15
R_CARD: Final = 16
R_FILTER: Final = 17
R_TRIGGER: Final = 18
R_HOSTILE: Final = 19

# Facts for the log and for viewers; their values are named in moves.FACTS.
E_STARTED: Final = 0
E_LANDED: Final = 1
E_EXPLORED: Final = 2
E_PASSED_TURN: Final = 3
E_PAID: Final = 4
E_REMOVED: Final = 5
E_CHOSE: Final = 6
E_USED_ABILITY: Final = 7
E_USED_SQUARE: Final = 8
E_DREW_PILE: Final = 9
E_DREW_POOL: Final = 10
E_TOOK_PILE: Final = 11
E_TOOK_POOL: Final = 12
E_PUT: Final = 13
E_TOKEN: Final = 14
E_REFRESHED: Final = 15
E_FILLED: Final = 16
E_RESHUFFLED: Final = 17
E_GAVE_UP: Final = 18
E_ENDED_TURN: Final = 19
E_REVEALED: Final = 20
E_SMUGGLER_LANDED: Final = 21
E_SMUGGLER_EXPLORED: Final = 22
E_SMUGGLER_ADDED: Final = 23
E_SMUGGLER_DISCARDED: Final = 24
E_HOSTILE_SHOWN: Final = 25
E_OVER: Final = 26
E_CAPTAIN: Final = 27
E_DEALT: Final = 28


def effect_code(kind: int, n: int, which: int) -> int:
    return kind | n << 2 | which << 5


def move_code(kind: int, card: int = NO_CARD, number: int = 0, condition: int = 0) -> int:
    return kind | card << 5 | number << 17 | condition << 25


def move_kind(move: int) -> int:
    return move & 31


def move_card(move: int) -> int:
    """Index of the card that the move names, or -1 when it names none."""
    return (move >> 5 & 4095) - 1


def move_number(move: int) -> int:
    return move >> 17 & 255


def move_condition(move: int) -> int:
    return move >> 25 & 15
