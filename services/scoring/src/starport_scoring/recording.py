"""Storing what the bus tells: every finished match once, whoever tells it how often."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog
from prometheus_client import Counter

from starport_eventlog import BusMessage
from starport_scoring.finished import Finished, read
from starport_scoring.settings import RETRY_MAX_S, RETRY_MIN_S
from starport_scoring.store import DatabaseDown, Store

log = structlog.get_logger("scoring")
STORED = Counter("starport_scoring_results", "Results that were stored", ["game", "rated"])
KNOWN = Counter("starport_scoring_known", "Results that were told again")
WAITS = Counter("starport_scoring_waits", "Times that a result had to wait for the database")


@dataclass(frozen=True, slots=True)
class Recorder:
    """The handler of the bus consumer. What it raises is tried again a few times, then put with the dead letters."""

    store: Store

    async def handle(self, message: BusMessage) -> None:
        finished = read(message.match, message.body)
        if finished is None:
            return
        if await self._add(finished):
            STORED.labels(finished.game, str(finished.rated).lower()).inc()
            log.info("result", match=finished.match, game=finished.game, rated=finished.rated)
        else:
            KNOWN.inc()

    async def _add(self, finished: Finished) -> bool:
        """A database that is away is waited for as long as it takes: no result is given up for it."""
        wait_s = RETRY_MIN_S
        while True:
            try:
                return await self.store.add(finished)
            except DatabaseDown as why:
                WAITS.inc()
                log.warning("database_down", match=finished.match, why=str(why))
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, RETRY_MAX_S)
