"""What the service answers: single results, pages of them, and leaderboards."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row

from starport.v1 import match_pb2, scoring_pb2
from starport_chassis.refusals import invalid, not_found
from starport_scoring.ratings import Skill
from starport_scoring.settings import LINES_DEFAULT, LINES_MAX, PAGE_CHARS_MAX, TEXT_CHARS_MAX
from starport_scoring.store import Store

PAGE: Final = re.compile(r"below:([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Reader:
    """The use cases behind GetResult, ListResults and Leaderboard."""

    store: Store
    matches_min: int

    async def result(self, match: str) -> scoring_pb2.Result:
        number = await self.store.number_of(checked("match", match))
        if number is None:
            raise not_found("NO_RESULT", f"there is no result of a match {match[:40]!r}")
        [found] = await self.store.load([number])
        return result_message(*found)

    async def results(self, request: scoring_pb2.ListResultsRequest) -> scoring_pb2.ListResultsResponse:
        """Newest first. A page begins below the last number of the one before, so new results move nothing."""
        limit = bounded(request.limit)
        player, game = checked("player", request.player), checked("game", request.game)
        numbers = await self.store.numbers(player, game, read_page(request.page), limit + 1)
        shown = numbers[:limit]
        found = await self.store.load(shown)
        return scoring_pb2.ListResultsResponse(
            results=[result_message(*each) for each in found],
            next_page=write_page(shown[-1]) if len(numbers) > limit else "",
        )

    async def leaderboard(self, request: scoring_pb2.LeaderboardRequest) -> scoring_pb2.LeaderboardResponse:
        if not request.game:
            raise invalid("MALFORMED", "game: each game has a leaderboard of its own")
        rows = await self.store.best(checked("game", request.game), self.matches_min, bounded(request.limit))
        lines: list[scoring_pb2.LeaderboardLine] = []
        for i, row in enumerate(rows):
            shared = i > 0 and row.ordinal == rows[i - 1].ordinal
            lines.append(
                scoring_pb2.LeaderboardLine(
                    place=lines[-1].place if shared else i + 1,
                    player=row.competitor,
                    name=row.name,
                    rating=rating_message(row.mu, row.sigma),
                    matches=row.matches,
                    wins=row.wins,
                )
            )
        return scoring_pb2.LeaderboardResponse(lines=lines)


def result_message(result: Row[Any], seats: list[Row[Any]]) -> scoring_pb2.Result:
    return scoring_pb2.Result(
        match=result.match,
        game=result.game,
        started_ms=result.started_ms,
        ended_ms=result.ended_ms,
        rated=result.rated,
        seats=[seat_message(seat) for seat in seats],
    )


def seat_message(row: Row[Any]) -> scoring_pb2.SeatResult:
    score = match_pb2.SeatScore(
        seat=row.seat,
        name=row.label,
        parts=[match_pb2.ScorePart(name=name, value=value) for name, value in row.parts],
        total=row.total,
        rank=row.rank,
        won=row.won,
    )
    seat = scoring_pb2.SeatResult(score=score, player=row.player, name=row.name, bot=row.bot, absent=row.absent)
    if row.mu_after is not None:
        seat.before.CopyFrom(rating_message(row.mu_before, row.sigma_before))
        seat.after.CopyFrom(rating_message(row.mu_after, row.sigma_after))
    return seat


def rating_message(mu: float, sigma: float) -> scoring_pb2.Rating:
    return scoring_pb2.Rating(mu=mu, sigma=sigma, ordinal=Skill(mu, sigma).ordinal)


def bounded(limit: int) -> int:
    return min(limit, LINES_MAX) if limit else LINES_DEFAULT


def checked(field: str, value: str) -> str:
    if len(value) > TEXT_CHARS_MAX or "\0" in value:
        raise invalid("MALFORMED", f"{field}: at most {TEXT_CHARS_MAX} characters, and no NUL")
    return value


def write_page(number: int) -> str:
    return urlsafe_b64encode(f"below:{number}".encode()).decode()


def read_page(page: str) -> int | None:
    """The number below which the page begins, None for the first one."""
    if not page:
        return None
    try:
        found = PAGE.fullmatch(urlsafe_b64decode(page).decode()) if len(page) <= PAGE_CHARS_MAX else None
    except ValueError:
        found = None
    if found is None:
        raise invalid("MALFORMED", "page: give next_page of the answer before, or nothing")
    return int(found[1])
