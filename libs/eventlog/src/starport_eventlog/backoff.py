"""Waits that grow while something keeps failing."""

import asyncio
import random

from starport_eventlog.limits import BACKOFF_MAX_S, BACKOFF_MIN_S


class Backoff:
    def __init__(self, least_s: float = BACKOFF_MIN_S, most_s: float = BACKOFF_MAX_S) -> None:
        self._least_s = least_s
        self._most_s = most_s
        self._next_s = least_s

    async def wait(self) -> None:
        # Not all at once after a restart of the store, hence the jitter.
        await asyncio.sleep(self._next_s * random.uniform(0.5, 1.0))  # noqa: S311  # spreads load, guards nothing
        self._next_s = min(self._next_s * 2, self._most_s)

    def reset(self) -> None:
        self._next_s = self._least_s
