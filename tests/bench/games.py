"""How fast the engines are, beside OpenSpiel's and RLCard's card games: `make bench-games`.

Everything plays uniformly random whole games from Python, with the list of legal answers at each decision.
Candidates take turns in short rounds and the median round counts, because a shared machine is noisy.
OpenSpiel deals card by card through chance nodes that the caller answers: they cost time but are no
decisions, so the column `with chance` counts them too.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module, metadata
from importlib.machinery import EXTENSION_SUFFIXES
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from starport_games import registry
from starport_games.kernel import deal
from starport_games.kernel.contract import Game
from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.space_race import playout as space_race_playout
from starport_games.wild_space import playout as wild_space_playout
from starport_games.workers import progress

OURS = (("wild-space", 2), ("wild-space", 4), ("space-race", 2), ("space-race", 4))
PLAYOUTS: dict[str, Callable[[Any, Deal], int]] = {
    "wild-space": wild_space_playout.playout,
    "space-race": space_race_playout.playout,
}
OPEN_SPIEL = (
    "crazy_eights",
    "cribbage",
    "dou_dizhu",
    "euchre",
    "gin_rummy",
    "hanabi",
    "hearts",
    "leduc_poker",
    "oh_hell",
    "spades",
)
RLCARD = ("gin-rummy", "uno", "leduc-holdem", "doudizhu")
EVEN = 1e-9
POSITIONS = 24  # positions that are cloned in turn, and deals that are played out in turn

GAMES, DECISIONS, WITH_CHANCE, PLAIN, CHECKED, CLONES, PLAYOUT = range(7)
COLUMNS = (
    "games/s",
    "decisions/s",
    "with chance",
    "without the deal",
    "checked, with effects",
    "clones/s",
    "compiled playout",
)

Sample = dict[int, float]  # column -> per second
Measure = Callable[[float], Sample]  # given the seconds to spend


@dataclass
class Candidate:
    """One line of the table."""

    library: str
    name: str
    measures: list[Measure]
    samples: dict[int, list[float]] = field(default_factory=dict)

    def round(self, seconds: float) -> None:
        for measure in self.measures:
            for column, value in measure(seconds).items():
                self.samples.setdefault(column, []).append(value)

    def figure(self, column: int) -> float | None:
        return median(self.samples[column]) if column in self.samples else None


# -- ours


class Ours:
    """A game of this library, driven only by the contract."""

    def __init__(self, name: str, seats: int) -> None:
        self.game: Game[Any, Any] = registry.find(name)
        self.options = self.game.options({})
        self.seats = seats
        self.playout = PLAYOUTS[name]
        self.random = Random(f"{name} {seats}")  # noqa: S311 - a benchmark, not a secret
        self.keys = self._keys()
        self.starts = [self.start() for _ in range(POSITIONS)]
        self.middles = [self._middle() for _ in range(POSITIONS)]
        self.quick = QuickDeal(self.random.getrandbits(96))

    def _keys(self) -> Iterator[bytes]:
        number = 0
        while True:
            yield key_of_words(f"bench {number}")
            number += 1

    def start(self) -> Any:
        return self.game.start(self.options, self.seats, Deal(next(self.keys)))

    def _middle(self) -> Any:
        length = self.steps(self.start())
        state = self.start()
        self.steps(state, length // 2)
        return state

    def steps(self, state: Any, most: int = sys.maxsize) -> int:
        deciders, legal, step, chance = (
            self.game.deciders,
            self.game.legal,
            self.game.step,
            self.random.random,
        )
        decisions = 0
        while decisions < most:
            asked = deciders(state)
            if not asked:
                break
            seat = asked[0].seat
            moves = legal(state, seat)
            step(state, seat, moves[int(chance() * len(moves))])
            decisions += 1
        return decisions

    def plays(self, state: Any) -> int:
        deciders, legal, play, chance = (
            self.game.deciders,
            self.game.legal,
            self.game.play,
            self.random.random,
        )
        decisions = 0
        while asked := deciders(state):
            seat = asked[0].seat
            moves = legal(state, seat)
            play(state, seat, moves[int(chance() * len(moves))])
            decisions += 1
        return decisions

    def stepped(self, seconds: float) -> Sample:
        games = decisions = 0
        dealing = 0.0
        begun = now = perf_counter()
        while now - begun < seconds:
            state = self.start()
            dealt = perf_counter()
            dealing += dealt - now
            decisions += self.steps(state)
            games += 1
            now = perf_counter()
        spent = now - begun
        return {GAMES: games / spent, DECISIONS: decisions / spent, PLAIN: decisions / (spent - dealing)}

    def checked(self, seconds: float) -> Sample:
        decisions = 0
        begun = now = perf_counter()
        while now - begun < seconds:
            decisions += self.plays(self.start())
            now = perf_counter()
        return {CHECKED: decisions / (now - begun)}

    def cloned(self, seconds: float) -> Sample:
        return {CLONES: clones(self.game.clone, self.middles, seconds)}

    def played_out(self, seconds: float) -> Sample:
        clone, playout, quick = self.game.clone, self.playout, self.quick
        decisions = 0
        begun = now = perf_counter()
        while now - begun < seconds:
            for state in self.starts:
                decisions += playout(clone(state), quick)
            now = perf_counter()
        return {PLAYOUT: decisions / (now - begun)}


def clones(clone: Callable[[Any], Any], positions: list[Any], seconds: float) -> float:
    count = 0
    begun = now = perf_counter()
    while now - begun < seconds:
        for position in positions:
            clone(position)
        count += len(positions)
        now = perf_counter()
    return count / (now - begun)


# -- peers


class Spiel:
    """A game of OpenSpiel, chance nodes answered from Python too, as its interface asks."""

    def __init__(self, spiel: Any, name: str) -> None:
        self.game = spiel.load_game(name)
        self.random = Random(name)  # noqa: S311
        self.chances = 0  # chance nodes answered so far
        self.even = all(self._even() for _ in range(3))
        length = self.play(self.game.new_initial_state())
        self.middles = [self._middle(length // 2) for _ in range(POSITIONS)]

    def _even(self) -> bool:
        """Whether in one whole game every chance node had equally likely outcomes, as a deal has."""
        state = self.game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                weights = [probability for _, probability in state.chance_outcomes()]
                if max(weights) - min(weights) > EVEN:
                    return False
            state.apply_action(self.random.choice(state.legal_actions()))
        return True

    def _middle(self, decisions: int) -> Any:
        state = self.game.new_initial_state()
        self.play(state, decisions)
        return state

    def play(self, state: Any, most: int = sys.maxsize) -> int:
        chance = self.random.random
        decisions = 0
        while decisions < most and not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(self._outcome(state))
                self.chances += 1
                continue
            moves = state.legal_actions()
            state.apply_action(moves[int(chance() * len(moves))])
            decisions += 1
        return decisions

    def _outcome(self, state: Any) -> int:
        at = self.random.random()
        if self.even:  # the quickest way to ask
            dealt: list[int] = state.legal_actions()
            return dealt[int(at * len(dealt))]
        outcomes: list[tuple[int, float]] = state.chance_outcomes()
        for outcome, probability in outcomes:
            at -= probability
            if at < 0:
                return outcome
        return outcomes[-1][0]

    def whole(self, seconds: float) -> Sample:
        games = decisions = self.chances = 0
        begun = now = perf_counter()
        while now - begun < seconds:
            decisions += self.play(self.game.new_initial_state())
            games += 1
            now = perf_counter()
        spent = now - begun
        actions = decisions + self.chances
        return {GAMES: games / spent, DECISIONS: decisions / spent, WITH_CHANCE: actions / spent}

    def cloned(self, seconds: float) -> Sample:
        return {CLONES: clones(type(self.middles[0]).clone, self.middles, seconds)}


class Rlcard:
    """A game of RLCard; it has no way to copy a position."""

    def __init__(self, rlcard: Any, name: str) -> None:
        self.env = rlcard.make(name, config={"seed": 1})
        self.random = Random(name)  # noqa: S311

    def whole(self, seconds: float) -> Sample:
        env, chance = self.env, self.random.random
        games = decisions = 0
        begun = now = perf_counter()
        while now - begun < seconds:
            state, _ = env.reset()
            while not env.is_over():
                moves = list(state["legal_actions"])
                state, _ = env.step(moves[int(chance() * len(moves))])
                decisions += 1
            games += 1
            now = perf_counter()
        return {GAMES: games / (now - begun), DECISIONS: decisions / (now - begun)}


def module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as why:
        print(f"bench: {name} is not installed, left out ({why})", file=sys.stderr)
        return None


def candidates() -> Iterator[Candidate]:
    for name, seats in OURS:
        ours = Ours(name, seats)
        measures: list[Measure] = [ours.stepped, ours.checked, ours.cloned, ours.played_out]
        yield Candidate("starport", f"{name}, {seats} seats", measures)
    if spiel := module("pyspiel"):
        known = spiel.registered_names()
        for name in OPEN_SPIEL:
            if name in known:
                peer = Spiel(spiel, name)
                yield Candidate("open_spiel", name, [peer.whole, peer.cloned])
    if rlcard := module("rlcard"):
        for name in RLCARD:
            yield Candidate("rlcard", name, [Rlcard(rlcard, name).whole])


# -- the run


def pin() -> str:
    """Keep to one core, so that a move between cores is not measured."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return "pinned to one core"


def about(pinned: str) -> str:
    compiled = str(deal.__file__).endswith(tuple(EXTENSION_SUFFIXES)) and str(wild_space_playout.__file__).endswith(
        tuple(EXTENSION_SUFFIXES)
    )
    libraries = [
        f"CPython {platform.python_version()}",
        f"engines {'compiled' if compiled else 'PURE PYTHON'}",
    ]
    for name in ("open_spiel", "rlcard"):
        try:
            libraries.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            libraries.append(f"{name} absent")
    return ", ".join([*libraries, pinned])


def number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def table(lines: list[Candidate]) -> list[str]:
    text = [f"| library | game | {' | '.join(COLUMNS)} |", "|---|---|" + "---:|" * len(COLUMNS)]
    for line in lines:
        figures = [number(line.figure(column)) for column in range(len(COLUMNS))]
        text.append(f"| {line.library} | {line.name} | {' | '.join(figures)} |")
    return text


def ratios(lines: list[Candidate]) -> list[str]:
    """Each game of ours against whatever OpenSpiel game is best at it."""
    text: list[str] = []
    for column, peer_column in ((DECISIONS, DECISIONS), (DECISIONS, WITH_CHANCE), (CLONES, CLONES)):
        peers = [(line.figure(peer_column) or 0.0, line.name) for line in lines if line.library == "open_spiel"]
        if not peers:
            continue
        best, name = max(peers)
        for line in lines:
            if line.library == "starport":
                times = (line.figure(column) or 0.0) / best
                text.append(f"{COLUMNS[column]}: {line.name} {times:.2f} × OpenSpiel's best ({name}, {best:,.0f})")
    return text


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.games", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few seconds, for a first look")
    parser.add_argument("--rounds", type=int, help="rounds per candidate; the median counts")
    arguments = parser.parse_args()
    rounds = arguments.rounds or (3 if arguments.quick else 9)
    seconds = 0.04 if arguments.quick else 0.1
    pinned = pin()
    lines = list(candidates())
    for line in lines:
        line.round(seconds / 4)  # warms up
        line.samples.clear()
    for done in range(rounds):
        for line in lines:
            progress(f"round {done + 1} of {rounds}: {line.library} {line.name}")
            line.round(seconds)
    progress("")
    print(about(pinned), f"median of {rounds} rounds of {seconds} s, interleaved", sep="; ")
    print("", *table(lines), "", *ratios(lines), sep="\n")


if __name__ == "__main__":
    main()
