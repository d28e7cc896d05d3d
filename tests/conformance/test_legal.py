"""`legal` is exact: a written move is accepted if and only if it is listed, and refusals change nothing."""

from __future__ import annotations

import pytest

from starport_games.kernel.contract import Refusal
from tests.conformance.tables import TABLES, Table, samples, strangers

pytestmark = pytest.mark.parametrize("table", TABLES, ids=str)


def sweep(table: Table, state: object, seat: int) -> None:
    """Try the whole move space on a clone; after an accepted move go on with a new one."""
    game = table.game
    legal = game.legal(state, seat)
    listed = set(legal)
    assert len(listed) == len(legal), "a move is listed twice"
    digest = game.digest(state)
    found: set[int] = set()
    scratch = game.clone(state)
    for move in game.move_space(state):
        form = game.canonical(state, move)
        answer = game.play(scratch, seat, move)
        said = f"seat {seat}: {game.move_text(state, move)}: {answer}"
        assert isinstance(answer, Refusal) == (form not in listed), said
        if isinstance(answer, Refusal):
            assert answer.code, said
            assert not listed or game.same(scratch, state), said
            assert answer.why, said
        else:
            found.add(form)
            assert not game.same(scratch, state), said
            scratch = game.clone(state)
    assert game.same(scratch, state)
    assert game.digest(scratch) == digest == game.digest(state)
    assert found == listed, "a listed move is not in the move space"


@pytest.mark.rule("WS-INFO-7")
def test_legal_is_exact_and_refusals_change_nothing(table: Table) -> None:
    for state in samples(table)[::2]:
        deciders = {decider.seat for decider in table.game.deciders(state)}
        assert deciders == {seat for seat in strangers(table) if table.game.legal(state, seat)}
        for seat in strangers(table):
            sweep(table, state, seat)


@pytest.mark.slow
def test_legal_is_exact_in_many_positions(table: Table) -> None:
    for number in range(6):
        for state in samples(table, f"exact {number}"):
            for decider in table.game.deciders(state):
                sweep(table, state, decider.seat)


def test_nobody_can_move_after_the_end(table: Table) -> None:
    match = table.match("over")
    for _ in match.play():
        pass
    for seat in strangers(table):
        assert table.game.legal(match.state, seat) == []
        sweep(table, match.state, seat)
