"""A bounded cache: everything works when most matches are not in memory, and nothing is kept that nobody needs."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from starport.v1 import rules_pb2
from starport_eventlog import MemoryLog, StoreDown
from tests.harness.hands import SOON_S, play_on, refused, until, watched, watching
from tests.harness.rules import PARTITIONS, House

CACHED = 5
MATCHES = 50


async def test_ten_times_more_matches_than_the_cache_holds(world: Any) -> None:
    house = await world.house(cache_matches=CACHED)
    tables = [await house.start("space-race", 2) for _ in range(MATCHES)]
    assert len(house.service.matches) <= CACHED
    chance = random.Random(1)  # noqa: S311  # any order will do
    for turn in range(2):
        chance.shuffle(tables)
        await asyncio.gather(*(play_on(house, table, seed=turn, most=3) for table in tables))
    for table in tables:
        await play_on(house, table)
    assert len(house.service.matches) <= CACHED
    for table in tables:
        state = await house.state(table)
        assert table.codec.game.over(state)


async def test_viewers_of_matches_that_the_cache_would_like_to_drop(world: Any) -> None:
    """Also those who come in just while their match is dropped."""
    house = await world.house(cache_matches=2)
    tables = [await house.start("space-race", 2) for _ in range(12)]

    async def view(table: Any) -> list[int]:
        return [update.number for update in await watched(house, table, 0)]

    views = [asyncio.create_task(view(table)) for table in tables for _ in range(2)]
    await asyncio.gather(*(play_on(house, table, seed=number) for number, table in enumerate(tables)))
    for numbers in await asyncio.gather(*views):
        assert numbers == list(range(1, len(numbers) + 1))
    await until(lambda: not any(room.followers for room in house.service.matches._rooms.values()))
    await house.start("space-race", 2)
    await house.observe(tables[0], None)
    assert len(house.service.matches) <= 2


class Halting(MemoryLog):
    """A log whose reads wait while a test does something else."""

    def __init__(self, partitions: int) -> None:
        super().__init__(partitions)
        self.go = asyncio.Event()
        self.go.set()

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        await self.go.wait()
        return await super().read(match, after)


async def test_a_viewer_whose_match_is_dropped_while_it_shows_its_token(memory_world: Any) -> None:
    """Nobody would tell a room that the cache has forgotten."""
    house = await memory_world.house(Halting(PARTITIONS), cache_matches=1)
    table, other = await house.start("space-race", 2), await house.start("space-race", 2)
    watcher = house.service._servicer._watcher
    viewer = type(watcher.gate).viewer
    arrived, let = asyncio.Event(), asyncio.Event()

    async def slow(self: Any, *arguments: Any) -> Any:
        arrived.set()
        await let.wait()
        return await viewer(self, *arguments)

    type(watcher.gate).viewer = slow
    try:
        stream = watching(house, table, 0)
        await arrived.wait()
        await house.service.matches.started(other.id)
        assert house.service.matches.known(table.id) is None
        let.set()
        assert (await anext(aiter(stream))).update.number == 1
    finally:
        type(watcher.gate).viewer = viewer
    task = asyncio.create_task(_rest(stream))
    await play_on(house, table)
    numbers = await asyncio.wait_for(task, 5)
    assert numbers == list(range(2, len(numbers) + 2))


async def _rest(stream: Any) -> list[int]:
    return [response.update.number async for response in stream]


async def test_what_follows_is_released_when_streams_end(house: House) -> None:
    table = await house.start("wild-space", 2)
    room = await house.service.matches.started(table.id)
    for how in ("cancelled", "read to the end"):
        streams = [watching(house, table, None) for _ in range(50)]
        for stream in streams:
            await anext(aiter(stream))
        await until(lambda: len(room.followers) == 50)
        if how == "cancelled":
            for stream in streams:
                stream.cancel()
        else:
            tasks = [asyncio.create_task(_rest(stream)) for stream in streams]
            await play_on(house, table)
            await asyncio.gather(*tasks)
        await until(lambda: room.followers == [])


async def test_a_replica_that_starts_while_others_play_misses_nothing(world: Any) -> None:
    """Its tail of the bus may be ready later than its first viewer."""
    house = await world.house()
    table = await house.start("space-race", 3)
    task = asyncio.create_task(play_on(house, table, seed=2))
    fresh = await world.house()
    updates = await watched(fresh, table, None)
    await task
    assert [update.number for update in updates] == list(range(1, len(updates) + 1))
    assert updates[-1].HasField("ending")


class LateTail(MemoryLog):
    """A log whose bus cannot be heard at first, as when a replica connects slowly."""

    def __init__(self, partitions: int) -> None:
        super().__init__(partitions)
        self.late = False
        self.go = asyncio.Event()

    def tail(self) -> Any:
        return _Late(self) if self.late else super().tail()


class _Late:
    def __init__(self, eventlog: LateTail) -> None:
        self._eventlog = eventlog
        self._tail: Any = None

    async def ready(self) -> None:
        await self._eventlog.go.wait()
        self._tail = MemoryLog.tail(self._eventlog)

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        return await self._tail.__anext__()

    async def aclose(self) -> None:
        if self._tail is not None:
            await self._tail.aclose()


async def test_what_came_before_the_bus_could_be_heard_is_told_too(memory_world: Any) -> None:
    eventlog = LateTail(PARTITIONS)
    house = await memory_world.house(eventlog)
    eventlog.late = True
    deaf = await memory_world.house(eventlog)
    table = await house.start("space-race", 2)
    numbers: list[int] = []

    async def view() -> None:
        async for response in watching(deaf, table, None):
            numbers.append(response.update.number)

    task = asyncio.create_task(view())
    await until(lambda: numbers == [1])
    await play_on(house, table, most=6)
    newest = (await house.observe(table, None)).update.number
    assert numbers == [1]
    eventlog.go.set()
    await until(lambda: numbers == list(range(1, newest + 1)))
    await play_on(house, table)
    await asyncio.wait_for(task, 5)


class Deaf(MemoryLog):
    """A log that cannot be read while told so."""

    down = False

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        if self.down:
            raise StoreDown("cannot be read")
        return await super().read(match, after)


async def test_viewers_are_cut_off_rather_than_left_waiting_for_news_that_cannot_be_read(memory_world: Any) -> None:
    eventlog = Deaf(PARTITIONS)
    house, other = await memory_world.house(eventlog), await memory_world.house(eventlog)
    table = await house.start("space-race", 2)
    requests = []
    for seat in range(2):
        decision = await house.decision(table, seat)
        requests.append(table.request(seat, decision.id, decision.legal[0]))
    stream = watching(other, table, None)
    assert (await anext(aiter(stream))).update.number == 1
    eventlog.down = True
    await house.stub.Play(requests[0])
    async with asyncio.timeout(SOON_S), refused("UNAVAILABLE", "STORE"):
        await anext(aiter(stream))
    eventlog.down = False
    assert (await anext(aiter(watching(other, table, None, 1)))).update.number == 2


async def test_a_log_that_is_closed_does_not_keep_the_service_busy(memory_world: Any) -> None:
    eventlog = MemoryLog(PARTITIONS)
    house = await memory_world.house(eventlog)
    table = await house.start("space-race", 2)
    await eventlog.close()
    assert (await house.stub.Observe(rules_pb2.ObserveRequest(match=table.id))).update.number == 1
