"""Random games inside the compiled module, for searches and for measuring."""

from __future__ import annotations

from starport_games.kernel.deal import Deal
from starport_games.space_race.codes import OVER
from starport_games.space_race.flow import commit
from starport_games.space_race.rules import legal, waits_for
from starport_games.space_race.state import State


def playout(state: State, rng: Deal) -> int:
    """Play uniformly random legal answers to the end; the number of decisions it took."""
    decisions = 0
    while state.phase != OVER:
        for seat in range(state.seats):
            if waits_for(state, seat):
                moves = legal(state, seat)
                commit(state, seat, moves[rng.below(len(moves))], None)
                decisions += 1
                if state.phase == OVER:
                    break
    return decisions
