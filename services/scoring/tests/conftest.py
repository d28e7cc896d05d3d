"""A results database in a file, and a scoring service over it behind real gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.scoring.tests.entries import PARTITIONS
from services.scoring.tests.served import Served, served
from starport_eventlog import MemoryLog
from starport_scoring.opening import open_store
from starport_scoring.store import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'results.db'}"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    store = await open_store(url)
    yield store
    await store.close()


@pytest.fixture
async def log() -> AsyncIterator[MemoryLog]:
    log = MemoryLog(PARTITIONS)
    yield log
    await log.close()


@pytest.fixture
async def scoring(url: str, log: MemoryLog) -> AsyncIterator[Served]:
    async with served(url, log) as scoring:
        yield scoring
