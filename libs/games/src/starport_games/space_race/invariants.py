"""What holds at every decision of Space Race, whatever was played; for the suite and the random games."""

from __future__ import annotations

from starport_games.kernel.effects import Effect
from starport_games.space_race.codes import (
    BIDS_DISCARDED,
    C_HAND,
    CREW,
    DAMAGES,
    DOWN,
    FLIGHT,
    NONE,
    OVER,
    PICK,
    PICKS_REVEALED,
    SHIPS,
    picked_card,
)
from starport_games.space_race.state import State

# A ship, 18 picks, 3 bids and 3 repairs for each of four seats.
DECISIONS_MAX = 100


class Watch:
    """Follows one match: whose play a discarded card was can only be told from the facts."""

    def __init__(self) -> None:
        self.played: dict[int, int] = {}
        self.fuel: dict[int, int] = {}
        self.crew: dict[int, int] = {}

    def broken_after(self, state: State, effects: list[Effect]) -> str | None:
        for effect in effects:
            self._note(state, effect)
        return broken(state) or self._plays(state) or self._resources(state)

    def _note(self, state: State, effect: Effect) -> None:
        seat = effect.seat
        if effect.kind == PICKS_REVEALED:
            face, card = effect.values
            _add(self.played, seat, 1)
            if face == DOWN:
                _add(self.fuel, seat, 1)
            elif state.pack.kind[card] == CREW:
                _add(self.crew, seat, 1)
        elif effect.kind == BIDS_DISCARDED:
            _add(self.fuel if effect.values[0] == FLIGHT else self.crew, seat, 1 - len(effect.values))

    def _plays(self, state: State) -> str | None:
        """SR-INV-4: after round r each seat has played 6·r Space cards; and in it, one for each pick made."""
        for seat in range(state.seats):
            if self.played.get(seat, 0) != plays(state):
                return f"SR-INV-4: seat {seat} has played {self.played.get(seat, 0)} cards, not {plays(state)}"
        return None

    def _resources(self, state: State) -> str | None:
        """SR-INV-6: Fuel is face-down plays minus Fuel bids, Crew is face-up Crew plays minus Fight bids."""
        for seat in range(state.seats):
            for name, held, counted in (("Fuel", state.fuel, self.fuel), ("Crew", state.crew, self.crew)):
                if len(held[seat]) != counted.get(seat, 0):
                    return f"SR-INV-6: seat {seat} has {len(held[seat])} {name}, not {counted.get(seat, 0)}"
        return None


def _add(counts: dict[int, int], seat: int, number: int) -> None:
    counts[seat] = counts.get(seat, 0) + number


def plays(state: State) -> int:
    """How many Space cards each seat has played by now."""
    if state.phase == SHIPS:
        return 0
    size = state.pack.constant[C_HAND]
    return size * (state.round - 1) + (state.pick - 1 if state.phase == PICK else size)


def broken(state: State) -> str | None:
    """The first invariant that this full position (no view) breaks, in words, or None."""
    return _space(state) or _dangers(state) or _hands(state) or _end(state)


def _space(state: State) -> str | None:
    """SR-INV-1: deck, hands, ships and discards partition the cards; an open commitment lies in its hand."""
    found = state.space_deck[state.space_at :] + state.fuel_gone + state.crew_gone
    for zone in (state.hands, state.up, state.fuel, state.crew):
        for cards in zone:
            found += cards
    if sorted(found) != list(range(len(state.pack.ids))):
        ids = state.pack.ids
        twice = sorted({ids[card] for card in found if found.count(card) > 1})
        gone = [id for card, id in enumerate(ids) if card not in found]
        return f"SR-INV-1: Space cards are not partitioned: twice {twice}, missing {gone}"
    for seat, answer in enumerate(state.answers):
        if state.phase == PICK and answer != NONE and picked_card(answer) not in state.hands[seat]:
            return f"SR-INV-1: seat {seat} has committed a card that it does not hold"
    return None


def _dangers(state: State) -> str | None:
    """SR-INV-2: Damage is in deck, ships or discards; Danger is in its deck, revealed or discarded."""
    for kind in range(DAMAGES):
        deck = state.damage_deck[state.damage_at :].count(kind)
        count = deck + sum(state.damage[kind::DAMAGES]) + state.damage_gone[kind]
        if count != state.pack.damage_kind.count(kind) or min(state.damage) < 0 or min(state.damage_gone) < 0:
            return f"SR-INV-2: there are {count} Damage cards of kind {kind}"
    dangers = state.danger_deck[state.danger_at :] + state.danger_gone
    if state.danger != NONE:
        dangers.append(state.danger)
    if sorted(dangers) != list(range(len(state.pack.danger_ids))):
        return f"SR-INV-2: Danger cards are not partitioned: {sorted(dangers)}"
    return None


def _hands(state: State) -> str | None:
    """SR-INV-3: between picks all hands have the same size; and it is what is left of the hand dealt."""
    sizes = [len(hand) for hand in state.hands]
    due = state.pack.constant[C_HAND] - state.pick + 1 if state.phase == PICK else 0
    if sizes != [due] * state.seats:
        return f"SR-INV-3: hands have {sizes} cards, not {due} each"
    laid = sum(len(cards) for zone in (state.up, state.fuel, state.crew) for cards in zone)
    played = laid + len(state.fuel_gone) + len(state.crew_gone)
    if played != plays(state) * state.seats:
        return f"SR-INV-4: {played} Space cards were played, not {plays(state)} by each seat"
    return None


def _end(state: State) -> str | None:
    """SR-INV-5: at the end all hands are empty and the Space deck holds what was never dealt (72 − 18·n)."""
    left = len(state.space_deck) - state.space_at
    undealt = len(state.pack.ids) - plays(state) * state.seats
    if state.phase == OVER and (left != undealt or any(state.hands)):
        return f"SR-INV-5: the Space deck holds {left} cards at the end, not {undealt}, or a hand is not empty"
    return None
