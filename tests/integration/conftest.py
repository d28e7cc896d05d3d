"""One stack of containers for each worker of a test run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.integration.guests import House, connected
from tests.integration.stack import Stack, running


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    with running() as started:
        yield started


@pytest.fixture
async def house(stack: Stack) -> AsyncIterator[House]:
    async with connected(stack) as stubs:
        yield stubs
