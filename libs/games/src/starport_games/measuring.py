"""The `balance` command: plays the games of a measurement on all processors and tells what came of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from starport_games import workers
from starport_games.kernel.errors import BadInput
from starport_games.wild_space import balance, content
from starport_games.wild_space.balance import Measurement, Result
from starport_games.wild_space.book import Book
from starport_games.wild_space.tables import book_of

CHUNK_GAMES = 50  # what a worker plays before it reports
GAMES_MIN = 2  # fewer have no percentiles


@dataclass(frozen=True)
class Task:
    """A run of games of one kind, by their numbers."""

    seats: int
    difficulty: str
    first: int
    games: int


@lru_cache(maxsize=1)  # a worker plays many tasks with one set
def _book(content_path: Path | None) -> Book:
    return book_of(content.load(content_path))


def play_task(content_path: Path | None, seed: str, task: Task) -> list[Result]:
    book = _book(content_path)
    table = f"{seed}/balance/{task.seats}/{task.difficulty}"
    numbers = range(task.first, task.first + task.games)
    return [balance.play_one(book, task.seats, task.difficulty, f"{table}/{number}") for number in numbers]


def measure(games: int, seed: str, processes: int = 1, content_path: Path | None = None) -> Measurement:
    """The same numbers for the same seed, however many processes share the games."""
    if games < GAMES_MIN:
        raise BadInput(f"balance: {games} games tell nothing; play at least {GAMES_MIN}, 200 for a judgement")
    label = _book(content_path).label  # a bad card file is told before any worker starts
    tasks = [
        Task(seats, difficulty, first, min(CHUNK_GAMES, games - first))
        for seats, difficulty in balance.kinds()
        for first in range(0, games, CHUNK_GAMES)
    ]
    played: dict[Task, list[Result]] = {}
    for task, results in workers.share_out(partial(play_task, content_path, seed), tasks, processes):
        played[task] = results
        done = sum(map(len, played.values()))
        workers.progress(f"balance: {done} of {games * len(balance.kinds())} games")
    workers.progress("")
    found = Measurement(label, {}, {})
    for task in tasks:  # in this order whichever came first
        if task.seats == 1:
            found.solo.setdefault(task.difficulty, []).extend(played[task])
        else:
            found.tables.setdefault(task.seats, []).extend(played[task])
    return found


def run(games: int, seed: str, processes: int, content_path: Path | None, out: Callable[[str], None]) -> bool:
    """Measure, tell, and say whether every clause holds."""
    found = measure(games, seed, processes, content_path)
    out(f"set {found.label}, {games} games per seat count and per solo difficulty, seed {seed!r}")
    out("")
    for line in balance.report(found):
        out(line)
    return all(verdict.holds for verdict in found.verdicts())
