"""What holds at every decision of Wild Space, whatever was played; for the suite and the random games."""

from __future__ import annotations

from starport_games.kernel.effects import Effect
from starport_games.wild_space.codes import EMPTY, M_DONE, M_PASS, M_REFRESH, POOL_SLOTS, SHIPS, TURNS, move_kind
from starport_games.wild_space.state import State

# Random matches take about 60 answers a player, and the longest not twice that.
DECISIONS_MAX = 1_000


class Watch:
    """Follows one match; Wild Space needs no memory, for every invariant can be read off the position."""

    def broken_after(self, state: State, effects: list[Effect]) -> str | None:
        return broken(state)


def shy(move: int) -> bool:
    """Uniformly random players refresh their hands away and play hardly a card."""
    return move_kind(move) in (M_DONE, M_PASS, M_REFRESH)


def broken(state: State) -> str | None:
    """The first invariant that this full position (no view) breaks, in words, or None."""
    return _cards(state) or _pool(state) or _captains(state) or _ships(state) or _hostile(state) or _turns(state)


def _cards(state: State) -> str | None:
    """WS-PILE-7: pile, discard pile, pool, hands and crews partition the crew cards of the set."""
    found = state.deck[: state.left] + state.discard + [card for card in state.pool if card != EMPTY]
    for player in state.players:
        found += player.hand
        found += player.crew[1:]
    if sorted(found) == sorted(state.book.crew):
        return None
    ids = state.book.ids
    twice = sorted({ids[card] for card in found if found.count(card) > 1})
    gone = [ids[card] for card in state.book.crew if card not in found]
    strange = [str(card) for card in found if card not in state.book.crew]
    return f"WS-PILE-7: cards are not partitioned: twice {twice}, missing {gone}, no crew card {strange}"


def _pool(state: State) -> str | None:
    """WS-PILE-5: all three slots are filled, or both piles are empty. WS-PILE-1: a reshuffle is never due."""
    if len(state.pool) != POOL_SLOTS:
        return f"WS-PILE-5: the pool has {len(state.pool)} slots"
    if EMPTY in state.pool and (state.left or state.discard):
        return f"WS-PILE-5: an empty slot, with {state.left} cards in the pile, {len(state.discard)} discarded"
    if state.left == 0 and state.discard:
        return f"WS-PILE-1: the pile is empty and {len(state.discard)} discarded cards were not shuffled"
    return None


def _captains(state: State) -> str | None:
    captains = [player.crew[0] for player in state.players]
    if len(set(captains)) < len(captains) or not set(captains) <= set(state.book.captains):
        return f"every crew begins with a captain of its own, not {[state.book.ids[card] for card in captains]}"
    return None


def _ships(state: State) -> str | None:
    """Each of a seat's five ships is in reserve, landed or has explored, and no sector holds two of them."""
    for seat in range(state.seats):
        player = state.players[seat]
        out = player.landed.bit_count() + player.explored.bit_count()
        if player.reserve < 0 or player.reserve + out != SHIPS or player.landed & player.explored:
            return f"seat {seat} has {player.reserve} ships in reserve and {out} out, of {SHIPS}"
    return None


def _hostile(state: State) -> str | None:
    """The hostile planets of a solo game are shown, hidden or set aside; the Smuggler's ships are five."""
    smuggler = state.smuggler
    if smuggler is None:
        return None
    drawn = smuggler.shown + smuggler.hidden + smuggler.aside
    if len(set(drawn)) != SHIPS or len(drawn) != SHIPS or len(smuggler.loaded) != len(smuggler.shown):
        return f"the hostile planets are not partitioned: {[state.book.hostile_ids[h] for h in drawn]}"
    used = sum(smuggler.loaded) + len(smuggler.aside)
    if state.players[1].reserve + used != SHIPS:
        return f"the Smuggler has {state.players[1].reserve} ships in reserve and {used} out, of {SHIPS}"
    return None


def _turns(state: State) -> str | None:
    """Turns go round: nobody is more than one ahead, and all having had theirs is the end of the game."""
    turns = [player.turns for player in state.players]
    if max(turns) - min(turns) > 1 or max(turns) > TURNS:
        return f"turns taken do not go round: {turns}"
    if state.over() != (min(turns) == TURNS):
        return f"turns taken are {turns} of {TURNS}, and the game is {'' if state.over() else 'not '}over"
    return None
