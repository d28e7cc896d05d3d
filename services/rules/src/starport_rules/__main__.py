"""`python -m starport_rules`: the rules service in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starport_chassis import CannotStart, Refused, Service, TokenVerifier, serve, unavailable
from starport_eventlog import StoreDown, open_log
from starport_rules.keys import StoredKeys
from starport_rules.service import RulesService
from starport_rules.settings import RulesSettings

MEMORY = "memory://"


@asynccontextmanager
async def world(settings: RulesSettings) -> AsyncIterator[Sequence[Service]]:
    if settings.store_url == MEMORY:
        raise CannotStart("STARPORT_STORE_URL: in a process of its own, memory could be shared with nobody")
    try:
        eventlog = open_log(settings.store_url, settings.partitions)
        keys = StoredKeys(settings.store_url)
    except ValueError as why:
        raise CannotStart(f"STARPORT_STORE_URL: {why}") from None
    try:
        yield [RulesService(settings, eventlog, TokenVerifier(keys))]
    finally:
        await keys.close()
        await eventlog.close()


def translate(error: Exception) -> Refused | None:
    """What libraries raise, as clients shall hear it."""
    return unavailable("STORE", "the store does not answer; try again") if isinstance(error, StoreDown) else None


if __name__ == "__main__":
    sys.exit(serve(RulesSettings, world, translate=translate))
