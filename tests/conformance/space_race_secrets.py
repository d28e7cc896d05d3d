"""What a viewer of Space Race must not know, from section 11 of docs/rules/space-race.md."""

from __future__ import annotations

from starport_games.kernel.deal import Deal
from starport_games.space_race.codes import NONE, PICK, SHIPS, pick_move
from starport_games.space_race.rules import legal, waiting
from starport_games.space_race.state import State


class SpaceRaceSecrets:
    """Other hands, commitments, fronts of Fuel, looks, the order of decks and the generator (SR-VIEW-3)."""

    def disguise(self, state: State, viewer: int, deal: Deal, open_too: bool) -> State:  # open_too: always public
        other = state.clone()
        other.deal = Deal(deal.key, deal.below(1000) + 1)
        _deal_again(other, viewer, deal)
        _reorder_dangers(other, viewer, deal)
        other.damage_deck = state.damage_deck[state.damage_at :]
        other.damage_at = 0
        deal.shuffle(other.damage_deck)
        for seat in range(state.seats):
            if seat != viewer and state.answers[seat] != NONE:
                other.answers[seat] = _another_answer(other, seat, deal)
        return other

    def counterpart(self, state: State, disguised: State, seat: int, move: int) -> int | None:
        if state.phase == SHIPS:
            return move if waiting_ships(state) > 1 else None
        if waiting(state) == 1:
            return None  # with the last answer all are revealed
        # One sees only that a seat has answered (SR-VIEW-5): any other answer looks the same.
        moves = legal(disguised, seat)
        return moves[(legal(state, seat).index(move) + 1) % len(moves)]

    def unseen(self, state: State, move: int) -> bool:
        return False  # who has committed is public (SR-VIEW-2)


def waiting_ships(state: State) -> int:
    return state.cockpits.count(NONE)


def _deal_again(state: State, viewer: int, deal: Deal) -> None:
    """Undealt cards, other hands, other seats' Fuel and all discarded Fuel change places; their numbers stay."""
    others = [seat for seat in range(state.seats) if seat != viewer]
    sizes = [len(state.space_deck) - state.space_at, len(state.fuel_gone)]
    unknown = state.space_deck[state.space_at :] + state.fuel_gone
    for seat in others:
        unknown = unknown + state.hands[seat] + state.fuel[seat]
        sizes += [len(state.hands[seat]), len(state.fuel[seat])]
    deal.shuffle(unknown)
    parts: list[list[int]] = []
    for size in sizes:
        parts.append(unknown[:size])
        unknown = unknown[size:]
    state.space_deck, state.fuel_gone = parts[:2]
    state.space_at = 0
    for i, seat in enumerate(others):
        state.hands[seat], state.fuel[seat] = parts[2 * i + 2 : 2 * i + 4]


def _reorder_dangers(state: State, viewer: int, deal: Deal) -> None:
    """Whoever looked knows the top Danger card (SR-VIEW-1); everybody else knows nothing of the order."""
    deck = state.danger_deck[state.danger_at :]
    known = 1 if viewer >= 0 and state.scanned[viewer] != NONE else 0
    rest = deck[known:]
    deal.shuffle(rest)
    state.danger_deck = deck[:known] + rest
    state.danger_at = 0
    state.scanned = [NONE if card == NONE else state.danger_deck[0] for card in state.scanned]


def _another_answer(state: State, seat: int, deal: Deal) -> int:
    """A random answer that this seat could have committed instead."""
    if state.phase == PICK:
        hand = state.hands[seat]
        return pick_move(hand[deal.below(len(hand))], deal.below(2))
    asked = state.clone()
    asked.answers[seat] = NONE
    moves = legal(asked, seat)
    return moves[deal.below(len(moves))]
