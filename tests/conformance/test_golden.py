"""Matches that were played once are still played the same way, move by move, to the same count."""

from __future__ import annotations

import pytest

from starport_games import registry
from tests.conformance import golden
from tests.conformance.tables import accepted

KEPT = [(name, seats) for name, game in registry.ALL.items() for seats in game.seat_counts]


@pytest.mark.parametrize(("name", "seats"), KEPT)
def test_a_golden_match_replays(name: str, seats: int) -> None:
    table = golden.table_of(name, seats)
    game = table.game
    lines = golden.path_of(name, seats).read_text(encoding="utf-8").splitlines()
    head = golden.head_lines(table)
    assert lines[: len(head)] == head
    state = table.start(golden.seed_of(name, seats))
    body = [line for line in lines[len(head) :] if not line.startswith("score ")]
    for number, line in enumerate(body, len(head) + 1):
        if line.startswith("="):
            assert golden.digest_line(table, state) == line, f"line {number}: another position"
        else:
            seat, _, text = line.partition(": ")
            accepted(game, state, int(seat), game.read_move(state, text))
    assert game.over(state)
    assert [line for line in lines if line.startswith("score ")] == golden.score_lines(table, state)
