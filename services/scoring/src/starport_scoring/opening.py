"""Opening the results database: which one, and with which tables."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import event, insert, text, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.inspection import inspect
from sqlalchemy.schema import CreateIndex, CreateTable

from starport_chassis.settings import CannotStart
from starport_scoring.settings import CONNECTIONS_MAX, DATABASE_WAIT_S, OPEN_TRIES_MAX
from starport_scoring.store import THE_ROW, Store, one_line
from starport_scoring.tables import LAYOUT, STEPS, ledger, metadata

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
OPEN_AGAIN_S = 0.1


async def open_store(url: str) -> Store:
    """Opens the database and makes its tables where there are none; CannotStart says in one line why not."""
    engine = make_engine(url)
    try:
        for tries_left in reversed(range(OPEN_TRIES_MAX)):
            try:
                await prepare(engine)
                return Store(engine)
            except (SQLAlchemyError, OSError) as why:  # perhaps another replica makes the same tables right now
                if tries_left == 0:
                    raise CannotStart(f"the results database cannot be opened: {one_line(why)}") from None
                await asyncio.sleep(OPEN_AGAIN_S)
        raise AssertionError("unreachable")
    except BaseException:
        await engine.dispose()
        raise


def make_engine(url: str) -> AsyncEngine:
    parsed = read_url(url)
    if parsed.get_backend_name() == "sqlite":
        engine = create_async_engine(parsed, pool_size=CONNECTIONS_MAX, max_overflow=0, pool_timeout=DATABASE_WAIT_S)
        event.listen(engine.sync_engine, "connect", set_up_sqlite)
        return engine
    return create_async_engine(
        parsed,
        pool_size=CONNECTIONS_MAX,
        max_overflow=0,
        pool_timeout=DATABASE_WAIT_S,
        pool_pre_ping=True,
        connect_args={"timeout": DATABASE_WAIT_S, "command_timeout": DATABASE_WAIT_S},
    )


def read_url(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise CannotStart("STARPORT_RESULTS_URL: not a url; write sqlite:///FILE or postgresql://…") from None
    driver = DRIVERS.get(parsed.drivername.partition("+")[0])
    if driver is None:
        raise CannotStart(f"STARPORT_RESULTS_URL: sqlite:///FILE or postgresql://…, not {parsed.drivername}://")
    if driver.startswith("sqlite") and parsed.database in (None, "", ":memory:"):
        raise CannotStart("STARPORT_RESULTS_URL: name a file, for results must survive a restart")
    return parsed.set(drivername=driver)


def set_up_sqlite(connection: Any, _: object) -> None:
    """Readers do not wait for the writer, a second writer waits its turn, and commits reach the disk."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", f"busy_timeout = {int(DATABASE_WAIT_S * 1000)}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def prepare(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        exists = await connection.run_sync(lambda sync: inspect(sync).has_table(ledger.name))
        # Changing the row, if only to what it is, lets no other replica do the same at the same time.
        locked = update(ledger).where(ledger.c.id == THE_ROW).values(last=ledger.c.last).returning(ledger.c.layout)
        layout = (await connection.execute(locked)).scalar_one_or_none() if exists else None
        if layout is None:
            await create(connection)
        elif layout != LAYOUT:
            await migrate(connection, layout)


async def create(connection: AsyncConnection) -> None:
    """The ledger's row comes last: a database without it is not finished, and making it again does no harm."""
    for table in metadata.sorted_tables:
        await connection.execute(CreateTable(table, if_not_exists=True))
        for index in table.indexes:
            await connection.execute(CreateIndex(index, if_not_exists=True))
    await connection.execute(insert(ledger).values(id=THE_ROW, layout=LAYOUT, last=0))


async def migrate(connection: AsyncConnection, layout: int) -> None:
    if layout > LAYOUT:
        raise CannotStart(f"the results database has layout {layout}; this Starport knows {LAYOUT}: use a newer one")
    for step in range(layout, LAYOUT):
        for statement in STEPS[step]:
            await connection.execute(text(statement))
    await connection.execute(update(ledger).where(ledger.c.id == THE_ROW).values(layout=LAYOUT))
