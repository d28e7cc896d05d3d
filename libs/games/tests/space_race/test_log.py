"""Facts and invariants: sections 12 and 13 of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from space_race.table import CHOOSE, GAME, OPTIONS, PACK, after_each, finished, names, play_out, start
from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.kernel.effects import Effect
from starport_games.space_race.codes import CREW, DAMAGES, DOWN, NONE
from starport_games.space_race.evolve import evolve, fold
from starport_games.space_race.facts import FACTS
from starport_games.space_race.playout import playout
from starport_games.space_race.state import State

FACT_NAMES = [
    "GameCreated",
    "ShipChosen",
    "RoundStarted",
    "HandsDealt",
    "CoinFlipped",
    "PickCommitted",
    "PicksRevealed",
    "DangerPeeked",
    "HandsPassed",
    "DangerRevealed",
    "BidCommitted",
    "BidsRevealed",
    "RanksAssigned",
    "RepairCommitted",
    "DamageRemoved",
    "DamageDeckRebuilt",
    "DamageDrawn",
    "BidsDiscarded",
    "RoundEnded",
    "GameScored",
    "GameEnded",
]


@pytest.mark.rule("SR-EVT-1")
def test_the_log_uses_these_facts_and_no_others() -> None:
    assert [name for name, _ in FACTS] == FACT_NAMES
    used: set[str] = set()
    for seed in range(120):
        used.update(names(finished(str(seed), 4)[1]))
    assert used == set(FACT_NAMES) - {"DamageDeckRebuilt"}  # which no valid pack ever needs (SR-CONTENT-9)


@pytest.mark.rule("SR-EVT-2")
@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans(), st.booleans())
@settings(max_examples=25)
def test_the_facts_alone_rebuild_the_position_after_every_move(
    seed: int, seats: int, choose: bool, quick: bool
) -> None:
    deal = QuickDeal(seed) if quick else Deal(key_of_words(str(seed)))
    options = CHOOSE if choose else OPTIONS
    state = GAME.start(options, seats, deal)
    log = GAME.opening(state)
    assert GAME.fold(options, log).same(state)
    for number, (_, _, effects) in enumerate(play_out(state, seed)):
        log += effects
        if number % 7 == 0:
            assert GAME.fold(options, log).same(state)
    folded = GAME.fold(options, log)
    assert folded.same(state)
    assert GAME.digest(folded) == GAME.digest(state)


@pytest.mark.rule("SR-EVT-2")
def test_folding_draws_no_random_numbers() -> None:
    """The generator of a folded game is put where the facts say; its key could be anything."""
    state, log = finished("fold", 4)
    other = [Effect(e.kind, e.seat, e.values[:], e.sight, e.open) for e in log]
    for i in range(4, 12):
        other[0].values[i] = 7  # the key in GameCreated
    folded = fold(PACK, other)
    assert folded.deal is not None
    assert state.deal is not None
    assert folded.deal.at == state.deal.at
    folded.deal = state.deal
    assert folded.same(state)


@pytest.mark.rule("SR-EVT-2")
def test_a_rebuilt_damage_deck_is_folded_too() -> None:
    text = """game: space-race
danger dx: flight; 2 wrenches; 9 damage; 9 damage; 9 damage
seats: 2
round: 3
phase: bid
danger: dx
0 fuel: crew-01 crew-02
0 damage: fire 2
damage deck: invasion
damage discard: fire 4 breach 2
"""
    state = GAME.read_position(text)
    replay = GAME.read_position(text)
    effects = GAME.play(state, 0, GAME.read_move(state, "bid 1"))
    assert isinstance(effects, list)
    assert "DamageDeckRebuilt" in names(effects)
    for effect in effects:
        evolve(replay, effect)
    assert replay.same(state)


@pytest.mark.rule("SR-EVT-3")
def test_the_same_seed_and_answers_give_the_same_log() -> None:
    one, two = finished("same", 4)[1], finished("same", 4)[1]
    assert len(one) == len(two)
    assert all(a.same(b) for a, b in zip(one, two, strict=True))
    other = finished("other", 4)[1]
    assert not all(a.same(b) for a, b in zip(one, other, strict=False))


def test_only_a_first_position_has_an_opening() -> None:
    state = start("opening", 2)
    GAME.opening(state)
    GAME.step(state, 0, GAME.default(state, 0))
    with pytest.raises(ValueError, match="first position"):
        GAME.opening(state)
    with pytest.raises(ValueError, match="begins with GameCreated"):
        fold(PACK, [])


def space_cards(state: State) -> list[int]:
    cards = state.space_deck[state.space_at :] + state.fuel_gone + state.crew_gone
    for zone in (state.hands, state.up, state.fuel, state.crew):
        for held in zone:
            cards = cards + held
    return cards


@pytest.mark.rule("SR-INV-1", "SR-INV-2")
@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=15)
def test_no_card_is_lost_or_doubled_after_any_fact(seed: int, seats: int) -> None:
    """A committed card counts in the hand: it leaves it when all are revealed."""
    for effect, state in after_each(finished(str(seed), seats)[1], seats):
        assert sorted(space_cards(state)) == list(range(72)), names([effect])
        dangers = state.danger_deck[state.danger_at :] + state.danger_gone
        dangers = dangers + ([] if state.danger == NONE else [state.danger])
        assert sorted(dangers) == list(range(8))
        damage = len(state.damage_deck) - state.damage_at + sum(state.damage) + sum(state.damage_gone)
        assert damage == 28
        for seat in range(seats):
            if state.answers[seat] != NONE and state.pick:
                assert (state.answers[seat] >> 4) - 1 in state.hands[seat]


@pytest.mark.rule("SR-INV-3")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hands_are_equal_between_picks(seats: int) -> None:
    state = start("sizes", seats)
    for _ in play_out(state, 1):
        if state.pick and all(answer == NONE for answer in state.answers):
            assert {len(hand) for hand in state.hands} == {7 - state.pick}


@pytest.mark.rule("SR-INV-4", "SR-INV-6")
@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=15)
def test_plays_and_bids_account_for_everything_held(seed: int, seats: int) -> None:
    played = [0] * seats
    fuel = [0] * seats
    crew = [0] * seats
    rounds = 0
    for effect, state in after_each(finished(str(seed), seats)[1], seats):
        name = names([effect])[0]
        if name == "PicksRevealed":
            face, card = effect.values
            played[effect.seat] += 1
            fuel[effect.seat] += face == DOWN
            crew[effect.seat] += face != DOWN and PACK.kind[card] == CREW
        elif name == "BidsRevealed":
            spent = fuel if PACK.danger_type[state.danger] == 0 else crew
            for seat in range(seats):
                spent[seat] -= effect.values[seat]
        elif name == "RoundEnded":
            rounds += 1
            assert played == [6 * rounds] * seats
            assert [len(held) for held in state.fuel] == fuel
            assert [len(held) for held in state.crew] == crew
    assert rounds == 3


@pytest.mark.rule("SR-INV-5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_at_the_end_hands_are_empty_and_the_rest_is_undealt(seats: int) -> None:
    state, _ = finished("left", seats)
    assert not any(state.hands)
    assert len(state.space_deck) - state.space_at == 72 - 18 * seats


def test_a_playout_plays_to_the_end_and_leaves_the_original_alone() -> None:
    state = start("playout", 4)
    before = GAME.position_text(state)
    copy = GAME.clone(state)
    decisions = playout(copy, QuickDeal(1))
    assert GAME.over(copy)
    assert 72 <= decisions <= 72 + 24
    assert GAME.position_text(state) == before
    assert len(copy.damage) == 4 * DAMAGES


def test_step_is_play() -> None:
    one, two = start("step", 3), start("step", 3)
    for seat, move, _ in play_out(one, 4):
        GAME.step(two, seat, move)
        assert two.same(one)
