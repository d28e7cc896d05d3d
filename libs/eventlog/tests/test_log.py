"""Appending and reading: one winner per version, no gaps, nothing out of bounds."""

import asyncio

import pytest

from libs.eventlog.tests.stores import PARTITIONS, Log, Store, match_in
from starport_eventlog import new_match_id, partition_of
from starport_eventlog.limits import BUS_BODY_BYTES_MAX, LOG_RECORDS_MAX, READ_PAGE_RECORDS, RECORD_BYTES_MAX

RACERS = 100


async def test_of_many_writers_of_one_version_exactly_one_wins(store: Store) -> None:
    logs = [store.open() for _ in range(4)]
    match = new_match_id(PARTITIONS)
    for version in (1, 2, 3):
        won = await asyncio.gather(
            *(logs[racer % 4].append(match, version, b"%d" % racer, bus=None) for racer in range(RACERS))
        )
        assert sum(won) == 1
        assert (await logs[0].read(match))[version - 1] == b"%d" % won.index(True)


@pytest.mark.parametrize("version", [1, 2, 4, 100])
async def test_a_version_that_is_not_the_next_is_refused(log: Log, version: int) -> None:
    match = new_match_id(PARTITIONS)
    assert await log.append(match, 1, b"one", bus=None)
    assert await log.append(match, 2, b"two", bus=None)
    assert not await log.append(match, version, b"other", bus=b"never told", deadline_ms=1)
    assert await log.read(match) == [b"one", b"two"]
    assert await log.due(partition_of(match), 10, 10) == []


async def test_records_come_back_in_order_and_after_a_version(log: Log) -> None:
    match, other = match_in(1), match_in(1)
    records = [bytes([n % 256, 0, 255]) * (n % 7) for n in range(READ_PAGE_RECORDS + 3)]
    for version, record in enumerate(records, 1):
        assert await log.append(match, version, record, bus=None)
    assert await log.read(match) == records
    assert await log.read(match, after=READ_PAGE_RECORDS) == records[READ_PAGE_RECORDS:]
    assert await log.read(match, after=len(records)) == []
    assert await log.read(other) == []


async def test_matches_of_all_partitions_append_at_the_same_time(log: Log) -> None:
    matches = [match_in(n % PARTITIONS) for n in range(64)]
    for version in (1, 2):
        record = b"%d" % version
        assert all(await asyncio.gather(*(log.append(match, version, record, bus=record) for match in matches)))
    assert all(records == [b"1", b"2"] for records in await asyncio.gather(*(log.read(match) for match in matches)))


async def test_a_log_expires_unless_the_last_append_says_otherwise(log: Log) -> None:
    short, kept = match_in(0), match_in(0)
    for match in (short, kept):
        assert await log.append(match, 1, b"one", bus=None, ttl_s=1)
    assert await log.append(kept, 2, b"two", bus=None)
    await asyncio.sleep(1.2)
    assert await log.read(short) == []
    assert await log.read(kept) == [b"one", b"two"]


async def test_deadlines_are_due_in_order_and_the_next_append_replaces_them(log: Log) -> None:
    early, late, elsewhere = match_in(2), match_in(2), match_in(3)
    assert await log.append(late, 1, b"", bus=None, deadline_ms=2_000_000_000_000)
    assert await log.append(early, 1, b"", bus=None, deadline_ms=1_900_000_000_000)
    assert await log.append(elsewhere, 1, b"", bus=None, deadline_ms=1)
    assert await log.due("02", 1_899_999_999_999, 10) == []
    assert await log.due("02", 1_900_000_000_000, 10) == [early]
    assert await log.due("02", 2_100_000_000_000, 10) == [early, late]
    assert await log.due("02", 2_100_000_000_000, 1) == [early]
    assert await log.append(early, 2, b"", bus=None, deadline_ms=2_050_000_000_000)
    assert await log.append(late, 2, b"", bus=None)
    assert await log.due("02", 2_100_000_000_000, 10) == [early]
    await log.forget_deadline(early)
    assert await log.due("02", 2_100_000_000_000, 10) == []


async def test_what_is_too_big_is_refused_and_what_just_fits_is_not(log: Log) -> None:
    match = new_match_id(PARTITIONS)
    with pytest.raises(ValueError, match="record of"):
        await log.append(match, 1, b"x" * (RECORD_BYTES_MAX + 1), bus=None)
    with pytest.raises(ValueError, match="bus message of"):
        await log.append(match, 1, b"x", bus=b"x" * (BUS_BODY_BYTES_MAX + 1))
    for version in (0, -1, LOG_RECORDS_MAX + 1):
        with pytest.raises(ValueError, match="version"):
            await log.append(match, version, b"x", bus=None)
    biggest = b"x" * RECORD_BYTES_MAX
    assert await log.append(match, 1, biggest, bus=biggest)
    assert await log.read(match) == [biggest]


@pytest.mark.parametrize(
    "match", ["", "03", "xx" + "a" * 16, "03" + "A" * 16, "03" + "a" * 15, "03" + "a" * 16 + "\n", "٠٣" + "a" * 16]
)
async def test_malformed_match_ids_are_refused(log: Log, match: str) -> None:
    with pytest.raises(ValueError, match="not a match id"):
        await log.append(match, 1, b"", bus=None)
    with pytest.raises(ValueError, match="not a match id"):
        await log.read(match)


async def test_a_match_of_a_partition_that_nobody_reads_is_refused(log: Log) -> None:
    with pytest.raises(ValueError, match="partition 07"):
        await log.append(match_in(7), 1, b"", bus=None)


def test_match_ids_are_well_formed_and_spread_over_the_partitions() -> None:
    ids = {new_match_id(100) for _ in range(2000)}
    assert len(ids) == 2000
    assert len({partition_of(match) for match in ids}) > 90
    for partitions in (0, 101):
        with pytest.raises(ValueError, match="partitions"):
            new_match_id(partitions)
