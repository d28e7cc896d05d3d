"""Tails: everything from now on, once, also across lost connections; a slow one hears that it missed something."""

import asyncio
import contextlib

import pytest

from libs.eventlog.tests.stores import PARTITIONS, Log, Store, match_in, publish
from starport_eventlog import BusMessage, StoreDown, Tail, TailGap, new_match_id
from starport_eventlog import tails as tails_module


async def take(tail: Tail, count: int) -> list[BusMessage]:
    async with asyncio.timeout(15):
        return [await anext(tail) for _ in range(count)]


async def nothing_more(tail: Tail) -> bool:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.1):
            await anext(tail)
            return False
    return True


async def test_a_tail_gets_every_message_of_all_partitions_from_now_on(log: Log) -> None:
    before = match_in(0)
    await publish(log, before, 1, 3)
    tail = log.tail()
    await tail.ready()
    matches = [match_in(partition) for partition in range(PARTITIONS)]
    expected = [
        message for group in await asyncio.gather(*(publish(log, m, 1, 20) for m in matches)) for message in group
    ]
    got = await take(tail, len(expected))
    assert sorted(got, key=repr) == sorted(expected, key=repr)
    for match in matches:
        assert [message.version for message in got if message.match == match] == list(range(1, 21))
    assert await nothing_more(tail)
    await tail.aclose()


async def test_an_append_without_a_bus_message_is_not_told(log: Log) -> None:
    tail = log.tail()
    await tail.ready()
    match = new_match_id(PARTITIONS)
    assert await log.append(match, 1, b"secret", bus=None)
    assert await log.append(match, 2, b"open", bus=b"")
    assert await take(tail, 1) == [BusMessage(match, 2, b"")]
    await tail.aclose()


async def test_many_tails_all_get_everything_and_may_leave_and_come(store: Store) -> None:
    writer, reader = store.open(), store.open()
    match = match_in(1)
    first = [reader.tail() for _ in range(5)]
    await asyncio.gather(*(tail.ready() for tail in first))
    early = await publish(writer, match, 1, 5)
    for tail in first:
        assert await take(tail, 5) == early
    for tail in first[1:]:
        await tail.aclose()
    late = await publish(writer, match, 6, 8)
    assert await take(first[0], 3) == late
    await first[0].aclose()
    again = reader.tail()
    await again.ready()
    last = await publish(writer, match, 9, 9)
    assert await take(again, 1) == last
    assert await nothing_more(again)
    await again.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(again)


async def test_a_tail_ends_with_its_log(store: Store) -> None:
    log = store.open()
    tail = log.tail()
    waiting = asyncio.ensure_future(anext(tail))
    await asyncio.sleep(0.05)
    await log.close()
    with pytest.raises(StopAsyncIteration):
        await waiting


async def test_lost_connections_make_no_hole_and_no_double(server: Store) -> None:
    writer, reader = server.open(), server.open()
    tail = reader.tail()
    await tail.ready()
    matches = [match_in(partition) for partition in range(PARTITIONS)]
    stop = asyncio.Event()

    async def write(match: str) -> list[BusMessage]:
        told: list[BusMessage] = []
        while not stop.is_set():
            version = len(told) + 1
            # An append whose answer was lost is looked up, as a service would do it.
            try:
                await writer.append(match, version, b"", bus=b"x")
            except StoreDown:
                continue
            if len(await read_patiently(writer, match)) >= version:
                told.append(BusMessage(match, version, b"x"))
            await asyncio.sleep(0.001)
        return told

    async def disturb() -> None:
        for _ in range(5):
            await asyncio.sleep(0.15)
            server.drop_connections()
        stop.set()

    *written, _ = await asyncio.gather(*(write(match) for match in matches), disturb())
    expected = [message for messages in written for message in messages or []]
    got = await take(tail, len(expected))
    assert sorted(got, key=repr) == sorted(expected, key=repr)
    assert await nothing_more(tail)


async def read_patiently(log: Log, match: str) -> list[bytes]:
    while True:
        with contextlib.suppress(StoreDown):
            return await log.read(match)


async def test_a_slow_tail_hears_of_the_gap_and_goes_on(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails_module, "TAIL_QUEUE_MAX", 10)
    slow, quick = log.tail(), log.tail()
    await asyncio.gather(slow.ready(), quick.ready())
    match = match_in(0)
    for version in range(1, 31):
        expected = await publish(log, match, version, version)
        assert await take(quick, 1) == expected
    with pytest.raises(TailGap):
        await take(slow, 1)
    seen = []
    while not await_is_empty(slow):
        seen += await take(slow, 1)
    assert seen[-1].version == 30
    assert [message.version for message in seen] == list(range(seen[0].version, 31))
    await publish(log, match, 31, 31)
    assert (await take(slow, 1))[0].version == 31


def await_is_empty(tail: Tail) -> bool:
    assert isinstance(tail, tails_module.QueueTail)
    return not tail._queue


async def test_a_bus_that_was_emptied_is_a_gap(server: Store) -> None:
    log = server.open()
    tail = log.tail()
    await tail.ready()
    match = match_in(0)
    await publish(log, match, 1, 2)
    assert len(await take(tail, 2)) == 2
    server.flush()
    server.drop_connections()
    with pytest.raises(TailGap):
        await take(tail, 1)
    after = match_in(0)
    with contextlib.suppress(StoreDown):
        await log.append(after, 1, b"", bus=b"x")
    assert (await take(tail, 1))[0].match == after
