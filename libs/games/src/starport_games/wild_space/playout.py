"""Whole games at the engine's own speed, for benchmarks and for the simulations inside bots."""

from __future__ import annotations

from typing import Final

from starport_games.kernel.deal import Deal
from starport_games.wild_space.legal import legal
from starport_games.wild_space.state import State
from starport_games.wild_space.turn import apply

DECISIONS_MAX: Final = 100_000  # chains end by themselves (WS-ABIL-15); this only bounds a broken card set


def playout(state: State, chance: Deal) -> int:
    """Play uniformly random legal answers to the end; returns how many decisions that took."""
    decisions = 0
    while decisions < DECISIONS_MAX:
        seat = state.decider()
        if seat < 0:
            return decisions
        moves = legal(state, seat)
        apply(state, moves[chance.below(len(moves))])
        decisions += 1
    raise RuntimeError(f"no end after {DECISIONS_MAX} decisions")
