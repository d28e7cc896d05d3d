"""Random matches of every game end, replay, keep their invariants, and positions do not share what they change."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starport_games.checking import check_match
from starport_games.kernel.effects import shown
from tests.conformance.tables import TABLES, Table, accepted, samples, texts

pytestmark = pytest.mark.parametrize("table", TABLES, ids=str)
SEEDS = st.integers(0, 2**64 - 1).map("hypothesis {}".format)


@pytest.mark.rule("WS-PILE-5", "WS-PILE-7", "SR-INV-1", "SR-INV-2", "SR-INV-3", "SR-INV-4", "SR-INV-5", "SR-INV-6")
@settings(max_examples=10, deadline=None, derandomize=True, database=None)
@given(words=SEEDS)
def test_random_matches_end_and_keep_every_invariant(table: Table, words: str) -> None:
    match = table.match(words)
    broken = check_match(match, sampled=True)
    assert broken is None, broken.report()
    assert table.game.over(match.state)
    assert not table.game.deciders(match.state)
    assert any(line.won for line in table.game.score(match.state))


@pytest.mark.slow
@settings(max_examples=200, deadline=None, database=None)
@given(words=SEEDS)
def test_many_random_matches_end_and_keep_every_invariant(table: Table, words: str) -> None:
    broken = check_match(table.match(words), sampled=False)
    assert broken is None, broken.report()


def test_replay_equals_play(table: Table) -> None:
    game = table.game
    match = table.match("replay")
    opening = [effect.kind for effect in game.opening(match.state)]
    played = [(game.digest(match.state), effects) for effects in match.play()]
    again = match.first()
    assert [effect.kind for effect in game.opening(again)] == opening
    for (seat, move), (digest, effects) in zip(match.moves, played, strict=True):
        told = accepted(game, again, seat, move)
        assert len(told) == len(effects)
        assert all(one.same(other) for one, other in zip(told, effects, strict=True))
        assert game.digest(again) == digest
    assert game.same(again, match.state)


def test_step_leads_where_play_leads(table: Table) -> None:
    game = table.game
    match = table.match("step")
    stepped = game.clone(match.state)
    for _ in match.play():
        game.step(stepped, *match.moves[-1])
        assert game.same(stepped, match.state)
    assert game.digest(stepped) == game.digest(match.state)


def test_a_clone_is_independent(table: Table) -> None:
    game = table.game
    for state in samples(table):
        kept = game.position_text(state)
        witness = game.clone(state)
        copy = game.clone(state)
        assert game.same(copy, state)
        match = table.match("clone")
        match.state = copy
        for _ in match.play():
            pass
        assert game.position_text(state) == kept
        assert game.same(state, witness)


def test_the_default_is_legal_and_ends_the_match(table: Table) -> None:
    game = table.game
    for state in samples(table):
        for decider in game.deciders(state):
            assert game.default(state, decider.seat) in game.legal(state, decider.seat)
    state = table.start("absent")
    for _ in range(table.match("absent").check.decisions_max):
        if game.over(state):
            break
        seat = game.deciders(state)[-1].seat
        accepted(game, state, seat, game.default(state, seat))
    assert game.over(state)


def test_every_effect_has_a_text_for_every_viewer(table: Table) -> None:
    game = table.game
    match = table.match("effects")
    viewers = range(-1, len(game.score(match.state)))
    facts = [*game.opening(match.state)]
    for effects in match.play():
        facts += effects
    for viewer in viewers:
        for line in texts(game, match.state, facts + shown(facts, viewer)):
            assert line.split(" ", 1)[1].strip()
