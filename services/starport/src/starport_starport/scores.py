"""Scores as a table: the parts of every seat, the total and the rank."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from starport.v1 import match_pb2
from starport_starport.scribe import DIM, Cast

RANKS = {1: "1st", 2: "2nd", 3: "3rd"}


def score_table(scores: Sequence[match_pb2.SeatScore], cast: Cast, *, final: bool) -> Table:
    table = Table(title="Final score" if final else "The score as it stands", title_justify="left", title_style="bold")
    table.add_column("", style=DIM)
    for score in scores:
        table.add_column(Text(cast.name(score.seat), style=cast.style(score.seat)), justify="right")
    parts: dict[str, dict[int, int]] = {}
    for score in scores:
        for part in score.parts:
            parts.setdefault(part.name, {})[score.seat] = part.value
    for name, values in parts.items():
        table.add_row(name, *(str(values[score.seat]) if score.seat in values else "–" for score in scores))
    table.add_section()
    table.add_row("total", *(Text(str(score.total), style="bold") for score in scores))
    table.add_row("rank", *(RANKS.get(score.rank, f"{score.rank}th") for score in scores))
    return table


def verdict(scores: Sequence[match_pb2.SeatScore], cast: Cast) -> Text:
    winners = [score.seat for score in scores if score.won]
    if cast.own in winners:
        return Text("You won!" if len(winners) == 1 else "You won, together with others.", style="bold green")
    names = [cast.name(seat) for seat in winners]
    words = f"{' and '.join(names)} won." if names else "Nobody won."
    return Text(words[:1].upper() + words[1:], style="bold")
