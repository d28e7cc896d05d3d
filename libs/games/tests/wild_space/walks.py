"""Random games in which something happens; uniformly random ones refresh their hands away and play hardly a card."""

from __future__ import annotations

from collections.abc import Iterator

from starport_games.kernel.deal import QuickDeal
from wild_space.table import GAME, Table

REFRESH_ODDS = 12  # one decision in so many may also be answered with a refresh


def busy(table: Table, seed: int) -> Iterator[tuple[int, str, list[str]]]:
    """Play to the end, seldom refreshing and never declining; gives each seat, move and what it brought about."""
    chance = QuickDeal(seed)
    while not GAME.over(table.state):
        seat = table.asked()
        answers = table.legal() if chance.below(REFRESH_ODDS) == 0 else table.answers()
        keen = [text for text in answers if text not in ("pass", "done")]
        move = keen[chance.below(len(keen))]
        yield seat, move, table.play(f"{seat}: {move}")
