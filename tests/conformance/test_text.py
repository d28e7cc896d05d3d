"""Positions, views and moves survive being written down and read back."""

from __future__ import annotations

import pytest

from starport_games.checking import broken_views, viewers
from tests.conformance.tables import TABLES, Table, samples

pytestmark = pytest.mark.parametrize("table", TABLES, ids=str)


@pytest.mark.rule("WS-INFO-14")
def test_positions_and_views_read_back(table: Table) -> None:
    game = table.game
    for state in samples(table):
        assert broken_views(game, state) is None
        read = game.read_position(game.position_text(state))
        for viewer in viewers(game, state):
            assert game.same(game.view(read, viewer), game.view(state, viewer))


def test_a_position_read_back_is_played_on_alike(table: Table) -> None:
    game = table.game
    for state in samples(table):
        kept = table.match("read back")
        read = table.match("read back")
        kept.state = game.clone(state)
        read.state = game.read_position(game.position_text(state))
        for _ in zip(kept.play(), read.play(), strict=True):
            assert kept.moves[-1] == read.moves[-1]
        assert game.same(kept.state, read.state)


def test_moves_read_back(table: Table) -> None:
    game = table.game
    for state in samples(table)[::4]:
        for move in game.move_space(state):
            assert game.read_move(state, game.move_text(state, move)) == move
