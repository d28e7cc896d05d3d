"""A rules service on a loopback port, over a log in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from starport_eventlog import MemoryLog
from tests.harness.rules import PARTITIONS, House, rules_house


@pytest.fixture
async def log() -> AsyncIterator[MemoryLog]:
    log = MemoryLog(PARTITIONS)
    yield log
    await log.close()


@pytest.fixture
async def house(log: MemoryLog) -> AsyncIterator[House]:
    async with rules_house(log) as house:
        yield house
