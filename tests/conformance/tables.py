"""The tables of the conformance suite: every registered game at every seat count and under all its settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from starport_games import checking, registry
from starport_games.checking import Match, Settings
from starport_games.kernel.contract import Game, Refusal
from starport_games.kernel.deal import Deal, key_of_words
from starport_games.kernel.effects import Effect

SAMPLES = 8  # positions kept of a sampled match


@dataclass(frozen=True)
class Table:
    """A game, its seats and its settings."""

    name: str
    seats: int
    settings: Settings

    def __str__(self) -> str:
        return "-".join([self.name, str(self.seats), *(value for _, value in self.settings)])

    @property
    def game(self) -> Game[Any, Any]:
        return registry.find(self.name)

    def start(self, words: str) -> Any:
        options = checking.options(self.name, self.settings)
        return self.game.start(options, self.seats, Deal(key_of_words(words)))

    def match(self, words: str) -> Match:
        return Match(self.name, self.seats, self.settings, words)


def every_table() -> Iterator[Table]:
    """A game that checking.py does not know gets one table a seat count, and fails in test_helpers.py."""
    for name, game in registry.ALL.items():
        for seats in game.seat_counts:
            variants = checking.CHECKS[name].variants(seats) if name in checking.CHECKS else [()]
            yield from (Table(name, seats, settings) for settings in variants)


TABLES = list(every_table())


@cache
def samples(table: Table, words: str = "samples") -> tuple[Any, ...]:
    """Positions from the start of a random match to shortly before its end; clone before you change one."""
    match = table.match(words)
    positions = [table.game.clone(match.state)]
    for _ in match.play():
        positions.append(table.game.clone(match.state))
    positions.pop()  # the end has no decision
    last = len(positions) - 1
    return tuple(positions[last * i // (SAMPLES - 1)] for i in range(SAMPLES))


def strangers(table: Table) -> list[int]:
    """Every seat, the solo opponent's, and some that nobody has."""
    return [*range(-1, max(table.seats, 2)), 7]


def accepted(game: Game[Any, Any], state: Any, seat: int, move: int) -> list[Effect]:
    effects = game.play(state, seat, move)
    assert not isinstance(effects, Refusal), f"seat {seat}: {game.move_text(state, move)}: {effects}"
    return effects


def texts(game: Game[Any, Any], state: Any, effects: list[Effect]) -> list[str]:
    return [f"{effect.seat} {game.effect_text(state, effect)}" for effect in effects]
