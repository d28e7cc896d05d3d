"""Stores and houses for the tests of the rules service: the same suite over memory and over a real store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from redis.asyncio import Redis

from starport_eventlog import EmbeddedStore, EventLog, MemoryLog, open_log
from tests.harness.rules import PARTITIONS, House, new_signer, rules_house


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store = EmbeddedStore(tmp_path_factory.mktemp("store"))
    yield asyncio.run(store.start())
    asyncio.run(store.stop())


class World:
    """A store and as many rules services over it as a test asks for."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self._url = url
        self._stack = stack
        self._memory = MemoryLog(PARTITIONS) if url == "memory://" else None
        self.signer = new_signer()

    def log(self) -> EventLog:
        """Each replica of a real store has a connection of its own; memory is one for all."""
        if self._memory is not None:
            return self._memory
        opened = open_log(self._url, PARTITIONS)
        self._stack.push_async_callback(opened.close)
        return opened

    async def house(self, eventlog: EventLog | None = None, **settings: Any) -> House:
        opened = eventlog or self.log()
        return await self._stack.enter_async_context(rules_house(opened, self.signer, **settings))


@pytest.fixture(params=["memory", "valkey"])
def url(request: pytest.FixtureRequest) -> str:
    return "memory://" if request.param == "memory" else str(request.getfixturevalue("store_url"))


@pytest.fixture
async def world(url: str) -> AsyncIterator[World]:
    if url != "memory://":
        async with Redis.from_url(url) as client:
            await client.flushall()
    async with AsyncExitStack() as stack:
        yield World(url, stack)


@pytest.fixture
async def house(world: World) -> House:
    return await world.house()


@pytest.fixture
async def memory_world() -> AsyncIterator[World]:
    """For what does not depend on the store."""
    async with AsyncExitStack() as stack:
        yield World("memory://", stack)


@pytest.fixture
async def memory_house(memory_world: World) -> House:
    return await memory_world.house()
