"""The one exit for secrets: a position as one viewer may know it."""

from __future__ import annotations

from starport_games.kernel.effects import HIDDEN
from starport_games.space_race.codes import NONE, OVER
from starport_games.space_race.state import State


def view(state: State, viewer: int) -> State:
    """The position with gaps for what this seat, or SPECTATOR (-1), must not know; all of it at the end."""
    if viewer < -1 or viewer >= state.seats:
        raise ValueError(f"there is no viewer {viewer} at a table of {state.seats} seats")
    if state.phase == OVER:
        return state.clone()
    seen = state.copy(None)
    scanned = state.scanned[:]
    for seat in range(state.seats):
        if seat != viewer:
            seen.hands[seat] = gaps(len(state.hands[seat]))
            seen.fuel[seat] = gaps(len(state.fuel[seat]))
            if state.answers[seat] != NONE:
                seen.answers[seat] = HIDDEN
            if scanned[seat] != NONE:
                scanned[seat] = HIDDEN
    seen.scanned = scanned
    seen.fuel_gone = gaps(len(state.fuel_gone))
    seen.space_deck = gaps(len(state.space_deck) - state.space_at)
    seen.space_at = 0
    seen.danger_deck = gaps(len(state.danger_deck) - state.danger_at)
    seen.danger_at = 0
    seen.damage_deck = gaps(len(state.damage_deck) - state.damage_at)
    seen.damage_at = 0
    return seen


def gaps(count: int) -> list[int]:
    return [HIDDEN] * count
