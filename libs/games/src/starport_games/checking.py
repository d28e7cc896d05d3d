"""Plays random matches and checks every invariant: the `random` command; the conformance suite shares it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from starport_games import registry, workers
from starport_games.kernel.contract import Game, Refusal
from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.kernel.effects import SPECTATOR, Effect
from starport_games.kernel.errors import BadInput
from starport_games.space_race import invariants as space_race
from starport_games.wild_space import invariants as wild_space

CHUNK_GAMES = 25  # what a worker plays before it reports; small, so that Ctrl-C and a failure end things soon
SAMPLE_GAMES = 10  # of so many matches one is also replayed and has its views read back
SHY_ODDS = 12  # one answer in so many is drawn from all that are legal
SAMPLE_ANSWERS = 12  # of so many answers of a sampled match one is looked at

Settings = tuple[tuple[str, str], ...]


class Watch(Protocol):
    """A game's invariants over one match; `broken_after` is called at the start and after each answer."""

    def broken_after(self, state: Any, effects: list[Effect]) -> str | None: ...


@dataclass(frozen=True)
class Check:
    """What must be known about a game to check it."""

    watch: Callable[[], Watch]
    broken: Callable[[Any], str | None]
    decisions_max: int
    variants: Callable[[int], list[Settings]]  # by seats: the settings under which it is a different game
    shy: Callable[[int], bool]  # moves that a random player mostly leaves alone, or hardly anything would happen


def _wild_space_variants(seats: int) -> list[Settings]:
    if seats > 1:
        return [()]
    levels = ("easy", "normal", "hard")
    return [(("difficulty", level), ("smuggler", who)) for who in ("player", "seat") for level in levels]


def _space_race_variants(seats: int) -> list[Settings]:  # noqa: ARG001 - the same for all
    return [(), (("auto_ships", "off"),)]


CHECKS: dict[str, Check] = {
    "wild-space": Check(
        wild_space.Watch, wild_space.broken, wild_space.DECISIONS_MAX, _wild_space_variants, wild_space.shy
    ),
    "space-race": Check(
        space_race.Watch, space_race.broken, space_race.DECISIONS_MAX, _space_race_variants, lambda _: False
    ),
}


@dataclass(frozen=True)
class Broken:
    """A broken invariant and what shows it."""

    why: str
    game: str
    seats: int
    settings: Settings
    words: str  # the seed of the match
    answers: int  # how many had been given
    position: str

    def report(self) -> str:
        table = ", ".join([f"{self.seats} seats", *(f"{key}={value}" for key, value in self.settings)])
        head = f"BROKEN {self.game} ({table}), seed {self.words!r}, after {self.answers} answers: {self.why}"
        return f"{head}\n{self.position}"


@dataclass(frozen=True)
class Task:
    """A run of matches at one kind of table, by their numbers."""

    game: str
    seats: int
    seed: str
    first: int
    count: int


@dataclass(frozen=True)
class Tally:
    """What a run of matches came to."""

    seats: int
    games: int = 0
    answers: int = 0
    longest: int = 0
    broken: Broken | None = None

    def plus(self, other: Tally) -> Tally:
        return Tally(
            self.seats,
            self.games + other.games,
            self.answers + other.answers,
            max(self.longest, other.longest),
            self.broken or other.broken,
        )


class Match:
    """One random match: who answers and what is drawn from a generator of its own, apart from the game's."""

    def __init__(self, name: str, seats: int, settings: Settings, words: str) -> None:
        self.game: Game[Any, Any] = registry.find(name)
        self.check = check_of(name)
        self.seats = seats
        self.settings = settings
        self.words = words
        self.chance = QuickDeal(int.from_bytes(key_of_words(f"{words}/answers")[:12], "big"))
        self.state = self.first()
        self.moves: list[tuple[int, int]] = []

    def first(self) -> Any:
        return self.game.start(options(self.game.name, self.settings), self.seats, Deal(key_of_words(self.words)))

    def random_answer(self) -> tuple[int, int]:
        """A legal answer of one of the deciders; ValueError with the reason if there is none."""
        deciders = self.game.deciders(self.state)
        if not deciders:
            raise ValueError("nobody has a decision, and the game is not over")
        seat = deciders[self.chance.below(len(deciders))].seat
        moves = self.game.legal(self.state, seat)
        if not moves:
            raise ValueError(f"seat {seat} has a decision and no legal answer")
        if self.chance.below(SHY_ODDS):
            moves = [move for move in moves if not self.check.shy(move)] or moves
        return seat, moves[self.chance.below(len(moves))]

    def answer(self, seat: int, move: int) -> list[Effect]:
        """Play it; ValueError if it is refused."""
        effects = self.game.play(self.state, seat, move)
        if isinstance(effects, Refusal):
            raise ValueError(f"seat {seat}: {move} is listed as legal and refused: {effects.code}")
        self.moves.append((seat, move))
        return effects

    def play(self) -> Iterator[list[Effect]]:
        """Random answers to the end; yields the effects of each. ValueError says what is broken."""
        while not self.game.over(self.state):
            if len(self.moves) >= self.check.decisions_max:
                raise ValueError(f"no end after {self.check.decisions_max} answers")
            yield self.answer(*self.random_answer())

    def broken(self, why: str) -> Broken:
        position = self.game.position_text(self.state)
        return Broken(why, self.game.name, self.seats, self.settings, self.words, len(self.moves), position)


def check_of(name: str) -> Check:
    if name not in CHECKS:
        raise BadInput(f"{name} has no invariants to check; add them to starport_games/checking.py")
    return CHECKS[name]


@cache
def options(name: str, settings: Settings) -> Any:
    return registry.find(name).options(dict(settings))


def viewers(game: Game[Any, Any], state: Any) -> range:
    """The spectator and everyone who has a line in the count (a solo opponent has one too)."""
    return range(SPECTATOR, len(game.score(state)))


def run(
    game_name: str, games: int, seats: list[int] | None, seed: str, processes: int, out: Callable[[str], None]
) -> bool:
    """Check so many matches, shared out among the seat counts; False after the first broken invariant."""
    game = registry.find(game_name)
    check_of(game_name)
    counts = list(game.seat_counts) if seats is None else seats
    for count in counts:
        if count not in game.seat_counts:
            raise BadInput(f"{game_name} has {game.seat_counts[0]} to {game.seat_counts[-1]} seats, not {count}")
    tallies: dict[int, Tally] = {count: Tally(count) for count in counts}
    done = 0
    for _, tally in workers.share_out(check_task, _tasks(game_name, games, counts, seed), processes):
        if tally.broken is not None:
            workers.progress("")
            out(tally.broken.report())
            return False
        tallies[tally.seats] = tallies[tally.seats].plus(tally)
        done += tally.games
        workers.progress(f"{game_name}: {done} of {games} games")
    workers.progress("")
    for tally in tallies.values():
        mean = tally.answers / max(tally.games, 1)
        out(
            f"{game_name}, {tally.seats} seats: {tally.games} games, {tally.answers} answers "
            f"({mean:.1f} a game, at most {tally.longest}), nothing broken"
        )
    return True


def _tasks(game: str, games: int, counts: list[int], seed: str) -> list[Task]:
    tasks: list[Task] = []
    for i, seats in enumerate(counts):
        share = games // len(counts) + (i < games % len(counts))
        for first in range(0, share, CHUNK_GAMES):
            tasks.append(Task(game, seats, seed, first, min(CHUNK_GAMES, share - first)))
    return tasks


def check_task(task: Task) -> Tally:
    """Play and check the matches of a task, up to the first that breaks something."""
    variants = check_of(task.game).variants(task.seats)
    tally = Tally(task.seats)
    for number in range(task.first, task.first + task.count):
        words = f"{task.seed}/{task.game}/{task.seats}/{number}"
        match = Match(task.game, task.seats, variants[number % len(variants)], words)
        broken = check_match(match, sampled=number % SAMPLE_GAMES == 0)
        tally = tally.plus(Tally(task.seats, 1, len(match.moves), len(match.moves), broken))
        if broken is not None:
            break
    return tally


def check_match(match: Match, sampled: bool) -> Broken | None:
    """Play a match to its end and check it all the way."""
    watch = match.check.watch()
    digests: list[str] = []
    try:
        why = watch.broken_after(match.state, [])
        for effects in () if why else match.play():
            why = watch.broken_after(match.state, effects)
            if sampled and why is None and len(match.moves) % SAMPLE_ANSWERS == 0:
                digests.append(match.game.digest(match.state))
                why = broken_views(match.game, match.state)
            if why is not None:
                break
        if why is None and sampled:
            why = broken_views(match.game, match.state) or _broken_replay(match, digests)
    except Exception as bug:  # noqa: BLE001 - whatever an engine raises in a random game is a find
        why = f"{type(bug).__name__}: {bug}"
    return None if why is None else match.broken(why)


def broken_views(game: Game[Any, Any], state: Any) -> str | None:
    """Texts of the position and of all views read back as the same; a view has its seat's legal answers."""
    if not _reads_back(game, state):
        return "the position does not read back from its text as the same"
    for viewer in viewers(game, state):
        if not _reads_back(game, game.view(state, viewer)):
            return f"the view of {viewer} does not read back from its text as the same"
    for decider in game.deciders(state):
        seat = decider.seat
        if game.legal(game.view(state, seat), seat) != game.legal(state, seat):
            return f"seat {seat} sees other legal answers in its view than it has"
    return None


def _reads_back(game: Game[Any, Any], state: Any) -> bool:
    text = game.position_text(state)
    read = game.read_position(text)
    return game.same(read, state) and game.position_text(read) == text


def _broken_replay(match: Match, digests: list[str]) -> str | None:
    """The same start and the same moves lead to the same digests."""
    game = match.game
    state = match.first()
    again: list[str] = []
    for number, (seat, move) in enumerate(match.moves, 1):
        if isinstance(game.play(state, seat, move), Refusal):
            return f"answer {number} is refused when the match is replayed"
        if number % SAMPLE_ANSWERS == 0:
            again.append(game.digest(state))
    same = again == digests and game.same(state, match.state)
    return None if same else "replaying the match leads to another position"
