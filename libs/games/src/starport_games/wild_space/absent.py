"""What an absent seat answers."""

from __future__ import annotations

from starport_games.wild_space.codes import (
    DRAW,
    F_ACTION,
    F_PLAY,
    F_SHIP,
    F_TAKE,
    F_TRIGGERS,
    M_CHOOSE,
    M_DONE,
    M_EXPLORE,
    M_PASS,
)
from starport_games.wild_space.legal import legal
from starport_games.wild_space.state import State


def default(state: State, seat: int) -> int:
    """The answer for an absent seat (WS-DEC-11): harmless to the others, spends nothing beyond a landing's price."""
    moves = legal(state, seat)
    kind = state.stack[-1] & 15
    if kind == F_SHIP:
        for move in moves:
            if move & 31 == M_EXPLORE:
                return move
    elif kind == F_ACTION:
        frame = state.stack[-1]
        for move in moves:
            option = frame >> 4 if move >> 17 == 1 else frame >> 13
            if move & 31 == M_CHOOSE and option & 3 == DRAW:
                return move
    elif kind == F_PLAY or kind == F_TAKE:
        return M_PASS
    elif kind == F_TRIGGERS:
        return M_DONE
    return moves[0]
