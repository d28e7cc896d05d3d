"""Positions and views of Space Race to messages and back."""

from __future__ import annotations

from typing import Final

from starport.v1.space_race_pb2 import SpaceRaceSeat, SpaceRaceState
from starport_games.kernel.effects import HIDDEN
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.space_race.codes import (
    BID,
    BID_MAX,
    C_HAND,
    C_ROUNDS,
    CREW,
    DAMAGES,
    FINE,
    NONE,
    OVER,
    PICK,
    REPAIR,
    SEATS_MAX,
    SEATS_MIN,
    SHIPS,
)
from starport_games.space_race.pack import Pack
from starport_games.space_race.rules import fault, waits_for
from starport_games.space_race.state import State, blank
from starport_games.space_race.words import PHASE_WORDS
from starport_wire.space_race.facts import COINS
from starport_wire.space_race.moves import Moves, read_counts, write_counts
from starport_wire.values import NOTHING, Names, enum_index, number, read_generator, write_generator

DAMAGE_GAP: Final = 0  # an unspecified DamageKind


class States:
    """Of one pack."""

    def __init__(self, pack: Pack, moves: Moves) -> None:
        self.pack = pack
        self.moves = moves
        self.cards = Names(pack.ids, "card")
        self.dangers = Names(pack.danger_ids, "Danger card")
        self.factions = Names(pack.factions, "faction")

    # -- writing

    def write(self, message: SpaceRaceState, state: State) -> None:
        words, dangers = self.cards.words, self.dangers.words
        message.pack = self.pack.label
        message.phase = state.phase + 1  # type: ignore[assignment]  # SpaceRacePhase is the engine's, from 1 on
        message.round = state.round
        message.pick = state.pick
        message.coin = state.coin + 1  # type: ignore[assignment]  # CoinSide; NONE is unspecified
        message.danger = dangers[state.danger]
        for seat in range(state.seats):
            self._write_seat(message.seats.add(), state, seat)
        message.space_deck.extend([words[card] for card in state.space_deck[state.space_at :]])
        message.danger_deck.extend([dangers[card] for card in state.danger_deck[state.danger_at :]])
        kinds = state.damage_deck[state.damage_at :]
        message.damage_deck.extend([DAMAGE_GAP if kind == HIDDEN else kind + 1 for kind in kinds])  # type: ignore[misc]
        message.fuel_discard.extend([words[card] for card in state.fuel_gone])
        message.crew_discard.extend([words[card] for card in state.crew_gone])
        message.danger_discard.extend([dangers[card] for card in state.danger_gone])
        write_counts(message.damage_discard, state.damage_gone)
        if state.deal is not None:
            write_generator(message.generator, state.deal)

    def _write_seat(self, message: SpaceRaceSeat, state: State, seat: int) -> None:
        words, factions = self.cards.words, self.factions.words
        message.cockpit = factions[state.cockpits[seat]]
        message.engine = factions[state.engines[seat]]
        message.hand.extend([words[card] for card in state.hands[seat]])
        message.up.extend([words[card] for card in state.up[seat]])
        message.fuel.extend([words[card] for card in state.fuel[seat]])
        message.crew.extend([words[card] for card in state.crew[seat]])
        write_counts(message.damage, state.damage[seat * DAMAGES : (seat + 1) * DAMAGES])
        if state.bids[seat] != NONE:
            message.bid = state.bids[seat]
        answer = state.answers[seat]
        if answer == HIDDEN:
            message.answer.SetInParent()
        elif answer != NONE:
            self.moves.write(message.answer, answer)
        message.scanned = self.dangers.words[state.scanned[seat]]

    # -- reading

    def read(self, message: SpaceRaceState) -> State:
        pack = self.pack
        if message.pack != pack.label:
            raise BadInput(f"a position of the card file {clip(message.pack)}, not of {pack.label}")
        state = blank(pack, number(len(message.seats), SEATS_MIN, SEATS_MAX, "seats"))
        state.phase = enum_index(message.phase, len(PHASE_WORDS), "the phase")
        state.round = number(message.round, 0, pack.constant[C_ROUNDS], "round")
        state.pick = number(message.pick, 0, pack.constant[C_HAND], "pick")
        state.coin = number(message.coin, 0, COINS, "coin") - 1
        state.danger = self.dangers.slot(message.danger)
        for seat, given in enumerate(message.seats):
            self._read_seat(state, seat, given)
        state.space_deck = self.cards.seen_list(message.space_deck)
        state.danger_deck = self.dangers.seen_list(message.danger_deck)
        kinds = [number(kind, DAMAGE_GAP, DAMAGES, "a Damage card") for kind in message.damage_deck]
        state.damage_deck = [HIDDEN if kind == DAMAGE_GAP else kind - 1 for kind in kinds]
        state.fuel_gone = self.cards.seen_list(message.fuel_discard)
        state.crew_gone = self.cards.known_list(message.crew_discard)
        state.danger_gone = self.dangers.known_list(message.danger_discard)
        state.damage_gone = list(read_counts(message.damage_discard))
        if message.HasField("generator"):
            state.deal = read_generator(message.generator)
        self._check_cards(state)
        _check_phase(state)
        for seat, given in enumerate(message.seats):
            self._read_answer(state, seat, given)
        return state

    def _read_seat(self, state: State, seat: int, message: SpaceRaceSeat) -> None:
        state.cockpits[seat] = self.factions.slot(message.cockpit)
        state.engines[seat] = self.factions.slot(message.engine)
        state.hands[seat] = self.cards.seen_list(message.hand)
        state.up[seat] = self.cards.known_list(message.up)
        state.fuel[seat] = self.cards.seen_list(message.fuel)
        state.crew[seat] = self.cards.known_list(message.crew)
        state.damage[seat * DAMAGES : (seat + 1) * DAMAGES] = read_counts(message.damage)
        if message.HasField("bid"):
            state.bids[seat] = number(message.bid, 0, BID_MAX, "a bid")
        state.scanned[seat] = NONE if message.scanned == NOTHING else self.dangers.seen(message.scanned)

    def _read_answer(self, state: State, seat: int, message: SpaceRaceSeat) -> None:
        """The answers of the others change nothing about what this one may be."""
        if not message.HasField("answer"):
            return
        if state.phase in (SHIPS, OVER) or not waits_for(state, seat):
            raise BadInput(f"seat {seat} is not asked for a secret answer")
        if message.answer.WhichOneof("move") is None:
            state.answers[seat] = HIDDEN
            return
        answer = self.moves.read(message.answer)
        if fault(state, seat, answer) != FINE:
            raise BadInput(f"the answer of seat {seat} is not legal there")
        state.answers[seat] = answer

    def _check_cards(self, state: State) -> None:
        """No card lies in two places, and no piece on two ships."""
        lying = state.space_deck + state.fuel_gone + state.crew_gone
        for zone in (state.hands, state.up, state.fuel, state.crew):
            for cards in zone:
                lying = lying + cards
        dangers = [*state.danger_deck, *state.danger_gone, state.danger]
        for things in (lying, dangers, state.cockpits, state.engines):
            known = [thing for thing in things if thing >= 0]
            if len(set(known)) != len(known):
                raise BadInput("one card or piece lies in two places")
        for zone, crew in ((state.up, False), (state.crew, True), ([state.crew_gone], True)):
            for cards in zone:
                if any((self.pack.kind[card] == CREW) != crew for card in cards):
                    raise BadInput("Crew lies among Crew, and nothing else does")


def _check_phase(state: State) -> None:
    """What every phase promises to the rules."""
    sizes = {len(hand) for hand in state.hands}
    picking = state.phase == PICK
    full = state.pack.constant[C_HAND]
    if len(sizes) > 1 or (state.pick, max(sizes)) != ((full - max(sizes) + 1, max(sizes)) if picking else (0, 0)):
        raise BadInput("hands, all of one size, and the number of the pick belong together, and to the pick phase")
    if picking and not max(sizes):
        raise BadInput("a pick needs cards to pick from")
    if (state.danger == NONE) == (state.phase in (BID, REPAIR)):
        raise BadInput("a Danger card lies revealed in the bid and repair phases, and only then")
    if (NONE in state.bids) == (state.phase == REPAIR) or (state.phase != REPAIR and max(state.bids) != NONE):
        raise BadInput("bids lie open in the repair phase, and only then")
    if state.phase != SHIPS and (NONE in state.cockpits or NONE in state.engines or state.coin == NONE):
        raise BadInput("ships are chosen and the coin is flipped before the first pick")
    if not picking and max(state.scanned) != NONE:
        raise BadInput("looks last until the Danger card is revealed")
