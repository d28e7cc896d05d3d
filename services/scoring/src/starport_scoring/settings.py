"""What an operator can set for the scoring service, and its limits."""

from __future__ import annotations

from typing import Final

from pydantic import Field, SecretStr

from starport_chassis.settings import Settings

GROUP: Final = "scoring"
LINES_DEFAULT: Final = 50  # results or leaderboard lines where a request names no limit
LINES_MAX: Final = 200  # what a request gets at most, whatever it asks for
TEXT_CHARS_MAX: Final = 64  # of a match, player or game that is asked for
PAGE_CHARS_MAX: Final = 64
SEATS_MAX: Final = 16  # of one result
CONNECTIONS_MAX: Final = 8  # to the database
DATABASE_WAIT_S: Final = 5.0  # for a connection, or for another writer
RETRY_MIN_S: Final = 0.1  # between tries while the database is away, doubled up to the next
RETRY_MAX_S: Final = 5.0
HANDLE_S: Final = 7 * 24 * 3600.0  # a result waits for the database, however long it is away
DRAIN_S: Final = 3.0  # what a result under way gets at the end
OPEN_TRIES_MAX: Final = 3  # two replicas may make the tables at the same time


class ScoringSettings(Settings):
    """Settings of the scoring service."""

    results_url: SecretStr = Field(
        SecretStr("sqlite:///starport-results.db"),
        description="where results are kept: sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/DATABASE"
        " (default sqlite:///starport-results.db, in the folder of the process)",
    )
    matches_min: int = Field(1, ge=1, description="a leaderboard lists who has played so many rated matches")
    consumer_name: str = Field(
        "",
        pattern=r"^[A-Za-z0-9._-]{0,32}$",
        description="name of this replica on the bus, of its own; kept over a restart it goes on at once",
    )
    takeover_s: float = Field(
        30.0, gt=0, description="results that a silent replica left are taken over after so long, in seconds"
    )
