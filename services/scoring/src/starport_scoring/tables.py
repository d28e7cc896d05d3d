"""The tables of the results database, in SQL that SQLite and PostgreSQL share, and how they change over time."""

from __future__ import annotations

from typing import Final

from sqlalchemy import JSON, BigInteger, Boolean, Column, Double, Index, Integer, MetaData, Table, Text

LAYOUT: Final = 1  # of the tables below; raise it together with a line in STEPS
# By the layout that they start from: the statements that lead to the next one.
STEPS: Final[dict[int, tuple[str, ...]]] = {}

metadata = MetaData()

# One row. Whoever stores a result changes it first, so it is also the lock under which results come one after another.
ledger = Table(
    "results_ledger",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("layout", Integer, nullable=False),
    Column("last", BigInteger, nullable=False),  # the number of the newest result
)

results = Table(
    "results",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # 1, 2, 3, … in the order of storing
    Column("match", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("rated", Boolean, nullable=False),
    Index("results_by_game", "game", "number"),
)

seats = Table(
    "result_seats",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("competitor", Text, nullable=False),  # player id, house:<bot> or smuggler:<difficulty>
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("bot", Text, nullable=False),
    Column("absent", Boolean, nullable=False),
    Column("label", Text, nullable=False),  # what the count calls the seat
    Column("parts", JSON, nullable=False),  # [[name, value], …] in the order of the count
    Column("total", BigInteger, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("mu_before", Double),  # these four are NULL where nothing was rated
    Column("sigma_before", Double),
    Column("mu_after", Double),
    Column("sigma_after", Double),
    Index("result_seats_by_competitor", "competitor", "number"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("competitor", Text, primary_key=True),
    Column("name", Text, nullable=False),  # as in the newest match
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("ordinal", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Index("ratings_by_ordinal", "game", "ordinal"),
)
