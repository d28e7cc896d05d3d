"""The random-games command finds what is broken and says how to see it again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from starport_games import checking, registry
from starport_games.kernel.errors import BadInput


@pytest.mark.parametrize("name", registry.ALL)
def test_one_line_a_seat_count(name: str) -> None:
    lines: list[str] = []
    assert checking.run(name, 30, None, "suite", 1, lines.append)
    assert len(lines) == len(registry.ALL[name].seat_counts)
    assert all("nothing broken" in line for line in lines)


@pytest.mark.slow
def test_workers_change_nothing() -> None:
    alone: list[str] = []
    together: list[str] = []
    assert checking.run("space-race", 120, [2, 4], "suite", 1, alone.append)
    assert checking.run("space-race", 120, [2, 4], "suite", 2, together.append)
    assert alone == together


def test_a_broken_invariant_is_shown_with_seed_and_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(checking.CHECKS, "wild-space", replace(checking.CHECKS["wild-space"], decisions_max=5))
    lines: list[str] = []
    assert not checking.run("wild-space", 10, [3], "suite", 1, lines.append)
    assert len(lines) == 1
    head, *position = lines[0].splitlines()
    assert head == (
        "BROKEN wild-space (3 seats), seed 'suite/wild-space/3/0', after 5 answers: ValueError: no end after 5 answers"
    )
    registry.find("wild-space").read_position("\n".join(position))


def test_a_seat_count_that_the_game_lacks_is_bad_input() -> None:
    with pytest.raises(BadInput, match="2 to 4 seats, not 5"):
        checking.run("space-race", 1, [5], "suite", 1, print)
