"""Golden matches on disk, one for each game and seat count.

`python -m tests.conformance.golden --write` makes them anew, from the root with libs/games/src on PYTHONPATH.
Do that only when the rules, the card file or the notation was meant to change, and read the difference.
"""

from __future__ import annotations

import sys
from pathlib import Path

from starport_games import registry
from tests.conformance.tables import Table

FOLDER = Path(__file__).parent / "golden"
DIGEST_EVERY = 20  # answers
DIGEST_CHARS = 16
HEAD = "# A golden match: 'seat: move' lines, '=' a digest of the position. tests/conformance/golden.py writes it."


def path_of(name: str, seats: int) -> Path:
    return FOLDER / f"{name}-{seats}.txt"


def table_of(name: str, seats: int) -> Table:
    return Table(name, seats, ())


def seed_of(name: str, seats: int) -> str:
    return f"golden {name} {seats}"


def digest_line(table: Table, state: object) -> str:
    return f"= {table.game.digest(state)[:DIGEST_CHARS]}"


def score_lines(table: Table, state: object) -> list[str]:
    lines: list[str] = []
    for line in table.game.score(state):
        parts = ", ".join(f"{part} {points}" for part, points in line.parts.items())
        lines.append(f"score {line.name}: {line.total}, rank {line.rank}{', won' if line.won else ''} ({parts})")
    return lines


def head_lines(table: Table) -> list[str]:
    settings = ", ".join(f"{key}={value}" for key, value in table.settings) or "none"
    seed = seed_of(table.name, table.seats)
    return [HEAD, f"game: {table.name}", f"seats: {table.seats}", f"options: {settings}", f"seed: {seed}"]


def written(table: Table) -> str:
    """A random match as the file has it."""
    game = table.game
    match = table.match(seed_of(table.name, table.seats))
    lines = [*head_lines(table), digest_line(table, match.state)]
    while not game.over(match.state):
        seat, move = match.random_answer()
        lines.append(f"{seat}: {game.move_text(match.state, move)}")
        match.answer(seat, move)
        if len(match.moves) % DIGEST_EVERY == 0:
            lines.append(digest_line(table, match.state))
    lines += [digest_line(table, match.state), *score_lines(table, match.state)]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    if arguments != ["--write"]:
        print("usage: python -m tests.conformance.golden --write")
        return 2
    FOLDER.mkdir(exist_ok=True)
    for name, game in registry.ALL.items():
        for seats in game.seat_counts:
            path_of(name, seats).write_text(written(table_of(name, seats)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
