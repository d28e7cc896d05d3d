"""Measures a card set with the baseline bot against the acceptance of the rules document, 23.9."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, quantiles
from typing import NamedTuple

from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.wild_space import scoring
from starport_games.wild_space.baseline import play_game
from starport_games.wild_space.book import Book
from starport_games.wild_space.setup import DIFFICULTIES, WildSpaceOptions, start

SEAT_COUNTS = (2, 3, 4, 5)
PARTS = ("species", "series", "missions", "robots", "captain")

MEAN = (45, 70)
USUAL = (30, 90)
USUAL_SHARE = 0.80
PART_SHARE = 0.05
SPECIES_SHARE = 0.55
CAPTAIN_CREDITS = 6
POSITION_SHARE = 0.08
FORCED_SHARE = 0.01
HARD_WINS = (0.15, 0.60)


class Line(NamedTuple):
    """How one player of one game ended; the Smuggler has no captain and no position."""

    parts: list[int]
    crew: int
    captain: str
    position: int  # in the order of turns, the seat that began is 0
    won: float  # a shared victory is shared

    @property
    def total(self) -> int:
        return sum(self.parts)


class Result(NamedTuple):
    """How one game ended."""

    lines: list[Line]
    passes: int  # forced passes (WS-TURN-7)
    smuggler: int  # its credits in the solo game


@dataclass(frozen=True)
class Verdict:
    """One clause, with the number that decides it."""

    clause: str
    holds: bool
    measured: str


@dataclass(frozen=True)
class Measurement:
    """All games of a run: by seat count, and solo by difficulty."""

    label: str
    tables: dict[int, list[Result]]
    solo: dict[str, list[Result]]

    def lines(self, seats: int) -> list[Line]:
        return [line for result in self.tables[seats] for line in result.lines]

    def all_lines(self) -> list[Line]:
        return [line for seats in self.tables for line in self.lines(seats)]

    def mean(self, seats: int) -> float:
        return fmean(line.total for line in self.lines(seats))

    def usual(self) -> dict[int, float]:
        """The share of totals in the usual range, by seat count."""
        low, high = USUAL
        return {n: fmean(low <= line.total <= high for line in self.lines(n)) for n in self.tables}

    def shares(self) -> dict[str, float]:
        lines = self.all_lines()
        total = sum(line.total for line in lines)
        return {part: sum(line.parts[i] for line in lines) / total for i, part in enumerate(PARTS)}

    def captains(self) -> dict[str, float]:
        totals: dict[str, list[int]] = {}
        for line in self.all_lines():
            totals.setdefault(line.captain, []).append(line.total)
        return {captain: fmean(totals[captain]) for captain in sorted(totals)}

    def positions(self, seats: int) -> list[float]:
        """How often each position in the order of turns wins."""
        lines = self.lines(seats)
        return [fmean(line.won for line in lines if line.position == at) for at in range(seats)]

    def forced(self) -> float:
        """The share of games with a forced pass, solo games included."""
        games = [result for results in (*self.tables.values(), *self.solo.values()) for result in results]
        return fmean(result.passes > 0 for result in games)

    def solo_wins(self) -> list[float]:
        return [fmean(result.lines[0].won for result in self.solo[level]) for level in DIFFICULTIES]

    def verdicts(self) -> list[Verdict]:
        means = [self.mean(seats) for seats in self.tables]
        usual = min(self.usual().values())
        shares = self.shares()
        least = min(shares, key=lambda part: shares[part])
        captains = self.captains()
        middle = fmean(captains.values())
        apart = max(abs(average - middle) for average in captains.values())
        above = max(won - 1 / n for n in self.tables for won in self.positions(n))
        forced = self.forced()
        easy, normal, hard = self.solo_wins()
        low, high = HARD_WINS
        return [
            Verdict(
                "WS-DECK-30",
                MEAN[0] <= min(means) and max(means) <= MEAN[1],
                f"means {min(means):.1f} to {max(means):.1f}",
            ),
            Verdict("WS-DECK-31", usual >= USUAL_SHARE, f"at the least {usual:.1%} of totals in range"),
            Verdict(
                "WS-DECK-32",
                shares[least] >= PART_SHARE and shares["species"] <= SPECIES_SHARE,
                f"least part {least} {shares[least]:.1%}, species {shares['species']:.1%}",
            ),
            Verdict("WS-DECK-33", apart <= CAPTAIN_CREDITS, f"a captain {apart:.1f} credits from the mean"),
            Verdict("WS-DECK-34", above <= POSITION_SHARE, f"a position {100 * above:+.1f} points from its share"),
            Verdict("WS-DECK-35", forced < FORCED_SHARE, f"forced passes in {forced:.2%} of games"),
            Verdict(
                "WS-DECK-36",
                easy > normal > hard and low <= hard <= high,
                f"wins {easy:.0%} > {normal:.0%} > {hard:.0%}",
            ),
        ]


# -- playing


def play_one(book: Book, seats: int, difficulty: str, words: str) -> Result:
    """A game of the bot against itself; the same words, the same game."""
    key = key_of_words(words)
    state = start(WildSpaceOptions(book, difficulty), seats, Deal(key))
    passes = play_game(state, QuickDeal(int.from_bytes(key[:12], "big")))
    scores = scoring.parts(state)
    ranks = scoring.ranks(state, [sum(parts) for parts in scores])
    winners = ranks.count(1)
    lines: list[Line] = []
    for seat in range(seats):
        crew = state.players[seat].crew
        position = (seat - state.first) % len(state.players)
        won = 1 / winners if ranks[seat] == 1 else 0.0
        lines.append(Line(scores[seat][: len(PARTS)], len(crew), book.ids[crew[0]], position, won))
    return Result(lines, passes, sum(scores[1]) if seats == 1 else 0)


def kinds() -> list[tuple[int, str]]:
    """What a measurement plays: every seat count, and solo at every difficulty."""
    return [(seats, "normal") for seats in SEAT_COUNTS] + [(1, difficulty) for difficulty in DIFFICULTIES]


# -- telling


def _spread(totals: list[int]) -> str:
    tenths = quantiles(totals, n=10, method="inclusive")
    return f"{fmean(totals):.1f} | {tenths[0]:.0f} | {tenths[4]:.0f} | {tenths[8]:.0f}"


def report(found: Measurement) -> Iterator[str]:
    """The tables of docs/balance.md."""
    usual = found.usual()
    yield "| seats | games | mean | 10 % | median | 90 % | crew | in 30–90 | wins by position in turn order |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for seats, results in found.tables.items():
        lines = found.lines(seats)
        crew = fmean(line.crew for line in lines)
        wins = " ".join(f"{won:.1%}" for won in found.positions(seats))
        spread = _spread([line.total for line in lines])
        yield f"| {seats} | {len(results)} | {spread} | {crew:.1f} | {usual[seats]:.1%} | {wins} |"
    yield ""
    lines = found.all_lines()
    yield "| part | credits | share |"
    yield "|---|---|---|"
    for i, (part, share) in enumerate(found.shares().items()):
        yield f"| {part} | {fmean(line.parts[i] for line in lines):.1f} | {share:.1%} |"
    yield ""
    yield "| captain | average total |"
    yield "|---|---|"
    for captain, average in found.captains().items():
        yield f"| {captain} | {average:.1f} |"
    yield ""
    yield "| solo | games | seat: mean | 10 % | median | 90 % | crew | Smuggler: mean | wins |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for (level, results), won in zip(found.solo.items(), found.solo_wins(), strict=True):
        spread = _spread([result.lines[0].total for result in results])
        crew = fmean(result.lines[0].crew for result in results)
        smuggler = fmean(result.smuggler for result in results)
        yield f"| {level} | {len(results)} | {spread} | {crew:.1f} | {smuggler:.1f} | {won:.1%} |"
    yield ""
    yield "| clause | verdict | measured |"
    yield "|---|---|---|"
    for verdict in found.verdicts():
        yield f"| {verdict.clause} | {'holds' if verdict.holds else 'BROKEN'} | {verdict.measured} |"
