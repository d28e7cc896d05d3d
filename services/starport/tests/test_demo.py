"""`starport demo`: whole matches of house bots through all services."""

from __future__ import annotations

import pytest

from services.starport.tests.hands import Screen
from starport_starport import demo as demo_module
from starport_starport.demo import demo
from starport_starport.problems import Problem
from starport_starport.sessions import Wishes, options_of


@pytest.mark.parametrize(("game", "seats"), [("wild-space", 1), ("wild-space", 2), ("space-race", 2)])
async def test_a_whole_match(game: str, seats: int) -> None:
    screen = Screen([])
    assert await demo(options_of(Wishes(game, seats)), "greedy", screen.terminal) == 0
    assert "Final score" in screen.text
    assert f"Result of scoring: {game}" in screen.text
    assert "The deal was fair" in screen.text
    assert " won" in screen.text


async def test_random_bots_come_to_an_end_too() -> None:
    screen = Screen([])
    assert await demo(options_of(Wishes("space-race", 4)), "random", screen.terminal) == 0
    assert "random 4" in screen.text


async def test_a_match_that_takes_too_long_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_module, "DEMO_LIMIT_S", 0.01)
    with pytest.raises(Problem, match=r"not over after 0\.01 s"):
        await demo(options_of(Wishes("wild-space", 5)), "greedy", Screen([]).terminal)
