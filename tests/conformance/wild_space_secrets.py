"""What a viewer of Wild Space must not know, from section 20 of docs/rules/wild-space.md."""

from __future__ import annotations

from starport_games.kernel.deal import Deal
from starport_games.wild_space.codes import (
    F_DRAW,
    F_END,
    M_ABILITY,
    M_CHOOSE,
    M_DONE,
    M_DRAW_PILE,
    M_EXPLORE,
    M_LAND,
    M_PASS,
    M_SQUARE,
    move_card,
    move_kind,
)
from starport_games.wild_space.legal import legal
from starport_games.wild_space.state import Smuggler, State

# Without a payment these are seen later, with the first card they move, or never (WS-INFO-8, -15).
UNSEEN = (M_PASS, M_DONE, M_CHOOSE, M_SQUARE, M_ABILITY)
# Seen, but without anything that the hand decides.
ALIKE = (*UNSEEN, M_LAND, M_EXPLORE)


class WildSpaceSecrets:
    """Hands, the pile, face-down planets, hidden hostile planets, the generator, and which decision is open."""

    def disguise(self, state: State, viewer: int, deal: Deal, open_too: bool) -> State:
        other = state.clone()
        other.deal = Deal(deal.key, deal.below(1000) + 1)
        _deal_again(other, viewer, deal)
        deal.shuffle(other.discard)  # known as a set (WS-INFO-5)
        _swap_planets(other, deal)
        if other.smuggler is not None:
            _swap_hostile(other, other.smuggler, deal)
        if open_too and viewer != state.decider() and state.stack[0] == F_END:  # the ship move itself is public
            other.stack = _another_decision(state.stack)
        return other

    def counterpart(self, state: State, disguised: State, seat: int, move: int) -> int | None:
        kind = move_kind(move)
        alike = kind in ALIKE and move_card(move) < 0
        # A draw that empties the pile may be followed by a reshuffle, which shows cards.
        alike = alike or (kind == M_DRAW_PILE and state.left > 1)
        return move if alike and move in legal(disguised, seat) else None

    def unseen(self, state: State, move: int) -> bool:
        return move_kind(move) in UNSEEN and move_card(move) < 0


def _deal_again(state: State, viewer: int, deal: Deal) -> None:
    """The cards of the pile and of the other hands change places; the numbers are public (WS-INFO-9)."""
    others = [player for seat, player in enumerate(state.players) if seat != viewer]
    unknown = state.deck[: state.left]
    for player in others:
        unknown += player.hand
    deal.shuffle(unknown)
    for player in others:
        size = len(player.hand)
        player.hand = unknown[:size]
        unknown = unknown[size:]
    state.deck = unknown


def _swap_planets(state: State, deal: Deal) -> None:
    """A face-down planet is known by its number only, so any unused one of its tier may lie there."""
    tiers = state.book.planet_tier
    planets = state.planets[:]
    for place, planet in enumerate(planets):
        if not state.faceup >> place & 1:
            unused = [p for p in range(len(tiers)) if tiers[p] == tiers[planet] and p not in state.planets]
            if unused:
                planets[place] = unused[deal.below(len(unused))]
    state.planets = planets


def _swap_hostile(state: State, smuggler: Smuggler, deal: Deal) -> None:
    """Of face-down hostile planets one knows the number, and the category of the top one by its back."""
    if not smuggler.hidden:
        return
    category = state.book.hostile_category
    below = smuggler.hidden[:-1]
    deal.shuffle(below)
    backs = [category[hostile] for hostile in [*below, smuggler.hidden[-1]]]
    seen = {*smuggler.shown, *smuggler.aside}
    free = [hostile for hostile in range(len(category)) if hostile not in seen]
    deal.shuffle(free)
    smuggler.hidden = []
    for back in backs:
        chosen = next(hostile for hostile in free if category[hostile] == back)
        free.remove(chosen)
        smuggler.hidden.append(chosen)


def _another_decision(stack: list[int]) -> list[int]:
    """Any other decision that could be open after the ship move (WS-INFO-15)."""
    draw = F_DRAW | 1 << 8
    return [F_END, draw] if stack == [F_END] else [F_END]
