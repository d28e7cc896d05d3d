"""The results database: stores each match once, with what it made of the ratings, and finds results again."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Row, insert, select, update
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from starport_scoring.finished import Finished
from starport_scoring.ratings import Skill, newcomer, rate
from starport_scoring.tables import ledger, ratings, results, seats

THE_ROW = 1  # of the ledger


class DatabaseDown(Exception):
    """The database does not answer; the same may work a little later."""


class Store:
    """One database. Every method either is done completely or raises."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writing = asyncio.Lock()  # spares this process from waiting for itself inside the database

    async def close(self) -> None:
        await self._engine.dispose()

    # -- storing

    async def add(self, finished: Finished) -> bool:
        """Stores the result and the ratings that follow from it in one transaction; False when it was stored before.

        The first statement locks the ledger's only row until the end, on SQLite the whole file. So transactions come
        one after another, also those of other processes: a result's number is its place in the order of commits, and
        each rating is made from what the result before left.
        """
        async with self._writing, answering(), self._engine.connect() as connection, connection.begin() as transaction:
            locked = update(ledger).where(ledger.c.id == THE_ROW).values(last=ledger.c.last + 1)
            number = (await connection.execute(locked.returning(ledger.c.last))).scalar_one()
            known = await connection.scalar(select(results.c.number).where(results.c.match == finished.match))
            if known is not None:
                await transaction.rollback()
                return False
            before, after = await self._rated(connection, finished) if finished.rated else ({}, {})
            await connection.execute(
                insert(results).values(
                    number=number,
                    match=finished.match,
                    game=finished.game,
                    started_ms=finished.started_ms,
                    ended_ms=finished.ended_ms,
                    rated=finished.rated,
                )
            )
            await connection.execute(insert(seats), seat_rows(number, finished, before, after))
            return True

    async def _rated(
        self, connection: AsyncConnection, finished: Finished
    ) -> tuple[dict[str, Skill], dict[str, Skill]]:
        names = {line.competitor: line.competitor_name for line in finished.lines}
        of_them = (ratings.c.game == finished.game) & ratings.c.competitor.in_(names)
        known = {row.competitor: row for row in await connection.execute(select(ratings).where(of_them))}
        before = {who: Skill(known[who].mu, known[who].sigma) if who in known else newcomer() for who in names}
        after = rate([(line.competitor, line.rank) for line in finished.lines], before)
        winners = {line.competitor for line in finished.lines if line.won}
        for who, skill in after.items():
            row = known.get(who)
            values = {
                "name": names[who],
                "mu": skill.mu,
                "sigma": skill.sigma,
                "ordinal": skill.ordinal,
                "matches": (row.matches if row else 0) + 1,
                "wins": (row.wins if row else 0) + (who in winners),
            }
            if row is None:
                await connection.execute(insert(ratings).values(game=finished.game, competitor=who, **values))
            else:
                his = (ratings.c.game == finished.game) & (ratings.c.competitor == who)
                await connection.execute(update(ratings).where(his).values(**values))
        return before, after

    # -- finding

    async def number_of(self, match: str) -> int | None:
        async with self._reading() as connection:
            number: int | None = await connection.scalar(select(results.c.number).where(results.c.match == match))
            return number

    async def numbers(self, competitor: str, game: str, below: int | None, limit: int) -> list[int]:
        """The numbers of results, newest first, of one competitor or game where named."""
        query = select(results.c.number) if not competitor else select(seats.c.number).distinct()
        if competitor:
            query = query.where(seats.c.competitor == competitor)
        if competitor and game:
            query = query.join(results, results.c.number == seats.c.number)
        if game:
            query = query.where(results.c.game == game)
        number = seats.c.number if competitor else results.c.number
        if below is not None:
            query = query.where(number < below)
        async with self._reading() as connection:
            return list(await connection.scalars(query.order_by(number.desc()).limit(limit)))

    async def load(self, numbers: Sequence[int]) -> list[tuple[Row[Any], list[Row[Any]]]]:
        """These results with their seats, in this order."""
        async with self._reading() as connection:
            found = {row.number: row for row in await connection.execute(select(results).where(_in(results, numbers)))}
            by_number: dict[int, list[Row[Any]]] = defaultdict(list)
            for row in await connection.execute(select(seats).where(_in(seats, numbers)).order_by(seats.c.seat)):
                by_number[row.number].append(row)
        return [(found[number], by_number[number]) for number in numbers]

    async def best(self, game: str, matches_min: int, limit: int) -> list[Row[Any]]:
        """The ratings of a game, best first."""
        listed = (ratings.c.game == game) & (ratings.c.matches >= matches_min)
        query = select(ratings).where(listed).order_by(ratings.c.ordinal.desc(), ratings.c.competitor).limit(limit)
        async with self._reading() as connection:
            return list(await connection.execute(query))

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        async with answering(), self._engine.connect() as connection:
            yield connection


def seat_rows(
    number: int, finished: Finished, before: dict[str, Skill], after: dict[str, Skill]
) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for line in finished.lines:
        old, new = before.get(line.competitor), after.get(line.competitor)
        rows.append(
            {
                "number": number,
                "seat": line.seat,
                "competitor": line.competitor,
                "player": line.player,
                "name": line.name,
                "bot": line.bot,
                "absent": line.absent,
                "label": line.label,
                "parts": [list(part) for part in line.parts],
                "total": line.total,
                "rank": line.rank,
                "won": line.won,
                "mu_before": old.mu if old else None,
                "sigma_before": old.sigma if old else None,
                "mu_after": new.mu if new else None,
                "sigma_after": new.sigma if new else None,
            }
        )
    return rows


def _in(table: Any, numbers: Iterable[int]) -> Any:
    return table.c.number.in_(list(numbers))


@asynccontextmanager
async def answering() -> AsyncIterator[None]:
    """Says DatabaseDown where waiting may help; a statement that the database will never take is a bug, to be seen."""
    try:
        yield
    except (IntegrityError, DataError, ProgrammingError, NotSupportedError):
        raise
    except (DBAPIError, PoolTimeout, OSError, TimeoutError) as why:
        raise DatabaseDown(one_line(why)) from why


def one_line(why: BaseException) -> str:
    """Without the statement and its values, which SQLAlchemy would add."""
    cause = why.orig if isinstance(why, DBAPIError) else why
    return (str(cause) or type(cause).__name__).splitlines()[0]
