"""A game that is registered without what this suite needs fails here, with the name of what is missing."""

from __future__ import annotations

import pytest

from starport_games import checking, registry
from tests.conformance import golden
from tests.conformance.helpers import HELPERS


@pytest.mark.parametrize("name", registry.ALL)
def test_every_game_has_what_the_suite_needs(name: str) -> None:
    assert name in HELPERS, f"{name}: add its secrets to HELPERS in tests/conformance/helpers.py"
    assert name in checking.CHECKS, f"{name}: add its invariants to CHECKS in starport_games/checking.py"
    for seats in registry.ALL[name].seat_counts:
        path = golden.path_of(name, seats)
        assert path.is_file(), f"{name}: no golden match {path.name}; python -m tests.conformance.golden --write"


def test_nothing_is_kept_for_games_that_are_gone() -> None:
    assert set(HELPERS) == set(checking.CHECKS) == set(registry.ALL)
    expected = {golden.path_of(name, seats) for name, game in registry.ALL.items() for seats in game.seat_counts}
    assert set(golden.FOLDER.iterdir()) == expected
