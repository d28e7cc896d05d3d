"""Decision points and hidden information: sections 10 and 11 of the rules."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from space_race.table import (
    CHOOSE,
    GAME,
    OPTIONS,
    asked,
    at,
    do,
    finished,
    line,
    names,
    play_out,
    refused,
    start,
    texts,
)
from starport_games.kernel.contract import Duty, Refusal
from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.kernel.effects import HIDDEN, Effect, shown
from starport_games.kernel.errors import GapError
from starport_games.space_race.codes import DOWN, FLIGHT, M_PICK, move_kind
from starport_games.space_race.state import State

REPAIRS = """\
danger dw: flight; 1 wrench; clear; clear; 1 damage
seats: 3
round: 3
phase: repair
danger: dw
0 damage: fire 1 breach 1
1 damage: fire 1 invasion 1
2 damage: fire 2
"""


@pytest.mark.rule("SR-DEC-5")
def test_the_open_set_is_exact() -> None:
    state = start("open", 4)
    rest = {0, 1, 2, 3}
    for seat in (2, 0, 3):
        assert asked(state) == sorted(rest)
        assert {decider.duty for decider in GAME.deciders(state)} == {Duty.MUST}
        GAME.step(state, seat, GAME.default(state, seat))
        rest.remove(seat)
    assert asked(state) == [1]
    assert asked(at(REPAIRS)) == [0, 1]  # seat 2 has no choice to make


@pytest.mark.rule("SR-DEC-6", "SR-DEC-5", "SR-EVT-3")
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_answers_changes_nothing(order: tuple[int, ...]) -> None:
    def play(seats: tuple[int, ...]) -> tuple[str, list[str]]:
        state = start("arrival", 3)
        log: list[Effect] = []
        rng = [QuickDeal(seat) for seat in range(3)]  # each seat has a mind of its own
        while not GAME.over(state):
            open_now = asked(state)
            for seat in [seat for seat in seats if seat in open_now]:
                moves = GAME.legal(state, seat)
                effects = GAME.play(state, seat, moves[rng[seat].below(len(moves))])
                assert not isinstance(effects, Refusal)
                log += effects
        settled = [GAME.effect_text(state, e) for e in log if not names([e])[0].endswith("Committed")]
        return GAME.position_text(state), settled

    assert play(order) == play((0, 1, 2))


@pytest.mark.rule("SR-DEC-6", "SR-DEC-4")
def test_repairs_are_simultaneous_and_secret() -> None:
    one, two = at(REPAIRS), at(REPAIRS)
    first = do(one, "0 repair breach 1")
    assert [effect.values for effect in shown(first, 1)] == [[HIDDEN, HIDDEN, HIDDEN]]
    assert line(GAME.view(one, 1), "0 answer") == "?"
    assert line(GAME.view(one, 1), "0 damage") == "fire 1 breach 1"
    assert refused(one, "0 repair fire 1") == "SEAT"
    do(one, "1 repair fire 1")
    do(two, "1 repair fire 1", "0 repair breach 1")
    assert one.same(two)
    assert [line(one, f"{seat} damage") for seat in range(3)] == ["fire 1", "invasion 1", "fire 1"]


@pytest.mark.rule("SR-DEC-7")
def test_every_refusal_has_its_code_and_changes_nothing() -> None:
    state = start("refuse", 2)
    held = texts(state, 0)[0]
    for seat in (-1, 2, 7):
        assert refused(state, f"{seat} {held}") == "SEAT"
    do(state, f"0 {held}")
    assert refused(state, f"0 {held}") == "SEAT"
    assert refused(state, f"1 {held}") == "CARD"
    before = GAME.position_text(state)
    for junk in (-1, -8, 4, 7, 1 << 40, (1 << 70) | 1, (146 << 3) | M_PICK):
        answer = GAME.play(state, 1, junk)
        assert isinstance(answer, Refusal)
        assert answer.code == "MALFORMED"
    assert GAME.position_text(state) == before
    while not GAME.over(state):
        for seat in asked(state):
            GAME.step(state, seat, GAME.default(state, seat))
    assert refused(state, "0 bid 0") == "OVER"
    malformed = GAME.play(state, 0, -1)
    assert isinstance(malformed, Refusal)
    assert malformed.code == "OVER"  # tested first


@pytest.mark.rule("SR-DEC-7")
def test_a_card_elsewhere_and_a_card_that_does_not_exist_are_refused_alike() -> None:
    state = start("alike", 2)
    unknown = GAME.play(state, 0, GAME.read_move(state, "pick nothing-like-it up"))
    answers = {unknown}
    for move in GAME.move_space(state):
        if move_kind(move) == M_PICK and move not in GAME.legal(state, 0):
            answer = GAME.play(state, 0, move)
            assert isinstance(answer, Refusal)
            answers.add(answer)
    assert len(answers) == 1


@pytest.mark.rule("SR-DEC-8", "SR-DANGER-3")
@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=30)
def test_eighteen_picks_and_at_most_three_bids_and_repairs_a_seat(seed: int, seats: int) -> None:
    state = start(str(seed), seats)
    counts: dict[tuple[int, str], int] = {}
    for seat, move, _ in play_out(state, seed):
        word = GAME.move_text(state, move).split()[0]
        counts[seat, word] = counts.get((seat, word), 0) + 1
    for seat in range(seats):
        assert counts[seat, "pick"] == 18
        assert counts.get((seat, "bid"), 0) <= 3
        assert counts.get((seat, "repair"), 0) <= 3


PICKING = """\
seats: 3
round: 2
pick: 5
coin: right
0 hand: scanner-01 crew-01
1 hand: scanner-02 crew-02
2 hand: scanner-03 crew-03
0 up: crystal-01 scanner-04
0 fuel: crystal-02 crystal-03
1 fuel: crystal-04
1 crew: crew-04
1 damage: breach 1
0 answer: pick crew-01 down
0 scanned: flight-1
2 scanned: flight-1
danger deck: flight-1 fight-1
fuel discard: crystal-05
crew discard: crew-05
danger discard: fight-2
damage discard: fire 1
"""


@pytest.mark.rule("SR-VIEW-1")
def test_a_seat_sees_its_own() -> None:
    seen = GAME.view(at(PICKING), 0)
    assert line(seen, "0 hand") == "scanner-01 crew-01"
    assert line(seen, "0 answer") == "pick crew-01 down"
    assert line(seen, "0 fuel") == "crystal-02 crystal-03"
    assert line(seen, "0 scanned") == "flight-1"


@pytest.mark.rule("SR-VIEW-2", "SR-VIEW-4")
@pytest.mark.parametrize("viewer", [0, 1, 2, -1])
def test_what_is_public_is_seen_by_all(viewer: int) -> None:
    state = at(PICKING)
    seen = GAME.view(state, viewer)
    for key in ("round", "pick", "phase", "coin", "0 up", "1 crew", "1 damage"):
        assert line(seen, key) == line(state, key) is not None
    for key in ("crew discard", "danger discard", "damage discard"):
        assert line(seen, key) == line(state, key) is not None
    assert [len(hand) for hand in seen.hands] == [2, 2, 2]
    assert [len(fuel) for fuel in seen.fuel] == [2, 1, 0]
    assert [answer != -1 for answer in seen.answers] == [True, False, False]
    assert [card != -1 for card in seen.scanned] == [True, False, True]
    assert len(seen.space_deck) == len(state.space_deck)
    assert len(seen.danger_deck) == 2
    assert len(seen.damage_deck) == 26
    assert len(seen.fuel_gone) == 1


@pytest.mark.rule("SR-VIEW-3", "SR-VIEW-4")
def test_what_is_hidden_is_hidden() -> None:
    state = at(PICKING)
    for viewer in (1, -1):
        seen = GAME.view(state, viewer)
        assert line(seen, "0 hand") == "?x2"
        assert line(seen, "0 answer") == "?"
        assert line(seen, "0 fuel") == "?x2"
        assert line(seen, "0 scanned") == "?"
        assert line(seen, "fuel discard") == "?"
        assert line(seen, "space deck") == f"?x{len(state.space_deck)}"
        assert line(seen, "danger deck") == "?x2"
        assert line(seen, "damage deck") == "?x26"
        assert line(seen, "deal") == "?"
    assert line(GAME.view(state, 0), "fuel discard") == "?"
    spectator = GAME.position_text(GAME.view(state, -1))
    for secret in (
        "scanner-01",
        "scanner-02",
        "scanner-03",
        "crystal-02",
        "crystal-04",
        "crystal-05",
        "flight-1",
    ):
        assert secret not in spectator


@pytest.mark.rule("SR-VIEW-5")
@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=20)
def test_another_seat_s_commitment_shows_its_mark_and_nothing_else(seed: int, seats: int) -> None:
    state = start(str(seed), seats)
    rng = QuickDeal(seed)
    while not GAME.over(state):
        for seat in asked(state):
            moves = GAME.legal(state, seat)
            move = moves[rng.below(len(moves))]
            if len(asked(state)) > 1:
                before = {viewer: GAME.view(state, viewer) for viewer in range(-1, seats) if viewer != seat}
                effects = GAME.play(state, seat, move)
                assert not isinstance(effects, Refusal)
                for viewer, old in before.items():
                    old.answers[seat] = HIDDEN
                    assert GAME.view(state, viewer).same(old)
                    assert all(set(effect.values) == {HIDDEN} for effect in shown(effects, viewer))
            else:
                GAME.step(state, seat, move)


@pytest.mark.rule("SR-VIEW-6")
def test_equal_states_give_equal_views() -> None:
    one = start("equal", 3)
    two = GAME.read_position(GAME.position_text(one))
    for viewer in (-1, 0, 1, 2):
        assert GAME.view(one, viewer).same(GAME.view(two, viewer))
        again = GAME.view(GAME.view(one, viewer), viewer)
        assert again.same(GAME.view(one, viewer))


def swapped(state: State, viewer: int) -> State:
    """Another state that this viewer cannot tell from the first: what it does not see is mixed anew."""
    other = GAME.clone(state)
    rng = QuickDeal(99)
    deck = state.space_deck[state.space_at :]
    unseen = [card for seat, hand in enumerate(state.hands) if seat != viewer for card in hand] + deck
    rng.shuffle(unseen)
    for seat, hand in enumerate(state.hands):
        if seat != viewer:
            other.hands[seat] = [unseen.pop() for _ in hand]
    other.space_deck, other.space_at = unseen, 0
    damage = state.damage_deck[state.damage_at :]
    rng.shuffle(damage)
    other.damage_deck, other.damage_at = damage, 0
    other.deal = Deal(key_of_words("elsewhere"), 300)
    return other


@pytest.mark.rule("SR-VIEW-7", "SR-VIEW-3", "SR-VIEW-6")
@pytest.mark.parametrize("viewer", [0, 1, 2, -1])
def test_what_a_viewer_must_not_know_changes_nothing_it_gets(viewer: int) -> None:
    one = start("secret", 3)
    two = swapped(one, viewer)
    assert not one.same(two)
    assert GAME.view(one, viewer).same(GAME.view(two, viewer))
    heard: list[list[str]] = []
    for state in (one, two):
        effects = GAME.opening(state)
        for seat in range(3):
            place = 0 if seat == viewer else 2
            move = GAME.legal(state, seat)[2 * place + 1]  # face down: its front must not matter
            told = GAME.play(state, seat, move)
            assert not isinstance(told, Refusal)
            effects += [effect for effect in told if names([effect]) != ["HandsPassed"] or effect.seat != viewer]
        heard.append([GAME.effect_text(state, effect) for effect in shown(effects, viewer)])
    assert heard[0] == heard[1]
    if viewer >= 0:
        assert any("?" not in text for text in heard[0] if text.startswith(f"HandsDealt seat {viewer}"))


OPEN_VALUES = {
    "GameCreated": 1,
    "HandsDealt": 0,
    "CoinFlipped": 1,
    "PickCommitted": 0,
    "DangerPeeked": 0,
    "HandsPassed": 2,
    "BidCommitted": 0,
    "RepairCommitted": 0,
    "DamageDeckRebuilt": 0,
}


@pytest.mark.rule("SR-VIEW-7")
@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=15)
def test_every_fact_keeps_its_secret_part_for_its_owner(seed: int, seats: int) -> None:
    _, log = finished(str(seed), seats)
    for effect in log:
        name = names([effect])[0]
        count = OPEN_VALUES.get(name, len(effect.values))
        face_down = name == "PicksRevealed" and effect.values[0] == DOWN
        if face_down or (name == "BidsDiscarded" and effect.values[0] == FLIGHT):
            count = 1
        for viewer in range(-1, seats):
            told = shown([effect], viewer)[0].values
            if viewer >= 0 and viewer == effect.seat:
                assert told == effect.values
            else:
                assert told == effect.values[:count] + [HIDDEN] * (len(effect.values) - count), name


def test_a_view_answers_for_its_own_seat_and_says_what_it_does_not_know() -> None:
    state = start("view", 3)
    seen = GAME.view(state, 1)
    assert GAME.legal(seen, 1) == GAME.legal(state, 1)
    assert GAME.default(seen, 1) == GAME.default(state, 1)
    with pytest.raises(GapError, match="hand of seat 0"):
        GAME.legal(seen, 0)
    for seat in (0, 2):
        GAME.step(state, seat, GAME.default(state, seat))
    last = GAME.view(state, 1)
    before = GAME.position_text(last)
    with pytest.raises(GapError, match="not known from a view"):
        GAME.play(last, 1, GAME.default(last, 1))
    assert GAME.position_text(last) == before


@pytest.mark.parametrize("options", [OPTIONS, CHOOSE])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_move_is_accepted_exactly_if_it_is_listed(options: object, seats: int) -> None:
    """SR-DEC-7 over whole games, every writable move, every seat."""
    state = start("exact", seats, options)  # type: ignore[arg-type]
    rng = QuickDeal(5)
    while not GAME.over(state):
        listed = {seat: GAME.legal(state, seat) for seat in range(seats)}
        if rng.below(8) == 0:
            for seat in range(-1, seats + 1):
                for move in GAME.move_space(state):
                    answer = GAME.play(GAME.clone(state), seat, move)
                    assert isinstance(answer, Refusal) == (move not in listed.get(seat, []))
        seat = asked(state)[rng.below(len(asked(state)))]
        assert set(listed[seat]) <= set(GAME.move_space(state))
        assert GAME.default(state, seat) in listed[seat]
        GAME.step(state, seat, listed[seat][rng.below(len(listed[seat]))])


def test_nobody_is_asked_twice_for_a_default() -> None:
    state = start("default", 2)
    GAME.step(state, 0, GAME.default(state, 0))
    for seat in (-1, 0, 2):
        with pytest.raises(ValueError, match="is not asked"):
            GAME.default(state, seat)
