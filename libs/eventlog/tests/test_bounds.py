"""The bus stays bounded without losing what a group still needs; dead letters and consumers do not pile up."""

import asyncio

import pytest

from libs.eventlog.tests.stores import PARTITIONS, Eventually, Log, Store, match_in, publish
from starport_eventlog import BusMessage, Consumer, ConsumerLimits, MemoryLog, memory_groups, redis_groups, redis_log
from starport_eventlog.ids import bus_key

KEEP = 200
NODE_ENTRIES = 100  # a stream is trimmed by whole nodes


@pytest.fixture(autouse=True)
def small_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (memory_groups, redis_groups):
        monkeypatch.setattr(module, "BUS_ENTRIES_MAX", KEEP)
    monkeypatch.setattr(memory_groups, "BUS_ENTRIES_HARD_MAX", 3 * KEEP)
    monkeypatch.setattr(redis_log, "BUS_ENTRIES_HARD_MAX", 3 * KEEP)


async def bus_length(log: Log) -> int:
    if isinstance(log, MemoryLog):
        return len(log._buses["00"].entries)
    return int(await log.link.call("00", "XLEN", bus_key("00")))


async def handle_all(log: Log, group: str, count: int) -> list[str]:
    """Reads so many entries and acknowledges all but the last one read."""
    await log.ensure_group("00", group)
    ids: list[str] = []
    while len(ids) < count:
        ids += [entry.id for entry in await log.fetch(["00"], group, "a", count - len(ids), 0.1)]
    await log.ack(group, {"00": ids[:-1]})
    return ids


async def test_trimming_keeps_what_the_slowest_group_has_not_acknowledged(log: Log) -> None:
    match = match_in(0)
    await publish(log, match, 1, 500)
    quick = await handle_all(log, "quick", 500)
    slow = await handle_all(log, "slow", 150)
    await log.trim("00")
    length = await bus_length(log)
    assert 351 <= length < 351 + NODE_ENTRIES + 1
    # Everything the slow one still needs is there: its pending one and all it has not read.
    (pending,) = await log.claim("00", "slow", "b", idle_ms=0, count=10)
    assert pending.message == BusMessage(match, 150, b"b150")
    rest = await log.fetch(["00"], "slow", "a", 1000, 0.1)
    assert [entry.message.version for entry in rest if entry.message] == list(range(151, 501))

    await log.ack("slow", {"00": [slow[-1], *(entry.id for entry in rest)]})
    await log.ack("quick", {"00": quick})
    await log.trim("00")
    assert KEEP <= await bus_length(log) < KEEP + NODE_ENTRIES + 1


async def test_a_bus_without_groups_is_trimmed(log: Log) -> None:
    await publish(log, match_in(0), 1, 450)
    await log.trim("00")
    assert KEEP <= await bus_length(log) < KEEP + NODE_ENTRIES + 1


async def test_a_short_bus_and_an_empty_one_stay_as_they_are(log: Log) -> None:
    await log.trim("00")
    await publish(log, match_in(0), 1, 20)
    await log.trim("00")
    assert await bus_length(log) == 20


async def test_a_group_that_nobody_serves_cannot_fill_the_store(log: Log) -> None:
    await log.ensure_group("00", "gone")
    await publish(log, match_in(0), 1, 900)
    await log.trim("00")
    assert 3 * KEEP <= await bus_length(log) < 3 * KEEP + NODE_ENTRIES + 1


async def test_a_group_that_lost_entries_to_the_hard_limit_goes_on_with_the_rest(
    log: Log, eventually: Eventually
) -> None:
    await log.ensure_group("00", "late")
    match = match_in(0)
    await publish(log, match, 1, 1)
    assert len(await log.fetch(["00"], "late", "dead", 10, 0.1)) == 1  # pending, and soon trimmed away
    await publish(log, match, 2, 900)
    seen: list[int] = []

    async def handle(message: BusMessage) -> None:
        seen.append(message.version)

    consumer = Consumer(log, "late", "a", PARTITIONS, handle, limits=ConsumerLimits(takeover_s=0.3))
    await consumer.start()
    await eventually(lambda: bool(seen) and seen[-1] == 900)
    await asyncio.sleep(0.4)
    await consumer.stop()
    assert seen == list(range(seen[0], 901))


async def test_consumers_trim_by_themselves(log: Log, eventually: Eventually) -> None:
    seen: list[int] = []

    async def handle(message: BusMessage) -> None:
        seen.append(message.version)

    limits = ConsumerLimits(takeover_s=0.3, trim_every_s=0.0)
    consumer = Consumer(log, "scoring", "a", PARTITIONS, handle, limits=limits)
    await consumer.start()
    await publish(log, match_in(0), 1, 500)
    await eventually(lambda: len(seen) == 500)
    async with asyncio.timeout(5):
        while await bus_length(log) > KEEP + NODE_ENTRIES:  # noqa: ASYNC110  # the store has no event for it
            await asyncio.sleep(0.02)
    await consumer.stop()


async def consumer_names(log: Log) -> set[str]:
    if isinstance(log, MemoryLog):
        return set(log._buses["00"].groups["scoring"].heard)
    rows = await log.link.call("00", "XINFO CONSUMERS", bus_key("00"), "scoring")
    return {row["name"].decode() if isinstance(row, dict) else row[1].decode() for row in rows}


async def test_consumers_that_left_are_forgotten_but_never_with_entries(store: Store) -> None:
    log = store.open()
    await log.ensure_group("00", "scoring")
    await publish(log, match_in(0), 1, 1)
    assert len(await log.fetch(["00"], "scoring", "busy", 10, 0.1)) == 1
    assert await log.fetch(["00"], "scoring", "idle", 10, 0.01) == []
    await log.forget_idle("00", "scoring", idle_ms=60_000)
    assert await consumer_names(log) >= {"busy"}
    await asyncio.sleep(0.05)
    await log.forget_idle("00", "scoring", idle_ms=20)
    assert await consumer_names(log) == {"busy"}
