"""The one exit for secrets (rules document, section 20): a position as one viewer may know it, with gaps."""

from __future__ import annotations

from starport_games.wild_space.codes import HIDDEN, PLACES
from starport_games.wild_space.state import Smuggler, State


def view(state: State, viewer: int) -> State:
    """The same shape with HIDDEN where the viewer must not know. A finished game hides nothing (WS-INFO-12)."""
    seen = state.clone()
    if state.over():
        return seen
    seen.deal = None
    seen.deck = [HIDDEN] * state.left
    seen.discard.sort()  # known as a set, not in order
    planets: list[int] = []
    for place in range(PLACES):
        planets.append(state.planets[place] if state.faceup >> place & 1 else HIDDEN)
    seen.planets = planets
    for seat in range(len(seen.players)):
        if seat != viewer:
            player = seen.players[seat]
            player.hand = [HIDDEN] * len(player.hand)
    smuggler = seen.smuggler
    if smuggler is not None:
        _hide_hostile(state, smuggler)
    if viewer != state.decider():
        seen.stack = []  # not even which decision is open (WS-INFO-15)
    return seen


def hidden_category(category: int) -> int:
    """A face-down hostile planet of which only the back is seen."""
    return HIDDEN - category


def _hide_hostile(state: State, smuggler: Smuggler) -> None:
    """The backs of face-down hostile planets tell the category of the top one only."""
    hidden = smuggler.hidden
    count = len(hidden)
    for i in range(count):
        if i < count - 1:
            hidden[i] = HIDDEN
        elif hidden[i] >= 0:
            hidden[i] = hidden_category(state.book.hostile_category[hidden[i]])
