"""The embedded store: data survives its end, however that comes; one folder has one owner."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from libs.eventlog.tests.stores import PARTITIONS, Log, match_in, publish
from starport_eventlog import Consumer, EmbeddedStore, StoreDown, new_match_id, open_log
from starport_eventlog.contract import BusMessage


@asynccontextmanager
async def opened(store: EmbeddedStore) -> AsyncIterator[Log]:
    log = open_log(await store.start(), PARTITIONS)
    try:
        yield log
    finally:
        await log.close()
        await store.stop()


async def test_data_survives_a_restart(tmp_path: Path) -> None:
    match = new_match_id(PARTITIONS)
    async with opened(EmbeddedStore(tmp_path / "deep" / "data")) as log:
        await publish(log, match, 1, 10)
    store = EmbeddedStore(tmp_path / "deep" / "data")
    async with opened(store) as log:
        assert len(await log.read(match)) == 10
        assert await log.append(match, 11, b"", bus=None)
    async with opened(store) as log:  # the same object may start again
        assert len(await log.read(match)) == 11


async def test_no_promised_append_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path, fsync="always")
    log = open_log(await store.start(), PARTITIONS)
    matches = [match_in(n % PARTITIONS) for n in range(16)]
    promised = dict.fromkeys(matches, 0)

    async def write(match: str) -> None:
        with contextlib.suppress(StoreDown):
            while await log.append(match, promised[match] + 1, b"%d" % (promised[match] + 1), bus=b"x"):
                promised[match] += 1

    async def kill() -> None:
        await asyncio.sleep(0.3)
        assert store.pid is not None
        os.kill(store.pid, signal.SIGKILL)

    await asyncio.gather(*(write(match) for match in matches), kill())
    await log.close()
    await store.stop()
    assert sum(promised.values()) > 0
    async with opened(EmbeddedStore(tmp_path)) as again:
        for match in matches:
            records = await again.read(match)
            # One append may have been stored without its answer getting through; none that was answered may be missing.
            assert promised[match] <= len(records) <= promised[match] + 1
            assert records == [b"%d" % version for version in range(1, len(records) + 1)]


async def test_consumers_and_tails_survive_a_restart(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    log = open_log(await store.start(), PARTITIONS)
    seen: list[int] = []

    async def handle(message: BusMessage) -> None:
        seen.append(message.version)

    consumer = Consumer(log, "scoring", "a", PARTITIONS, handle)
    await consumer.start()
    tail = log.tail()
    await tail.ready()
    match = match_in(0)
    await publish(log, match, 1, 5)
    await store.stop()
    with pytest.raises(StoreDown):
        await log.append(match, 6, b"", bus=b"")
    await store.start()
    await publish(log, match, 6, 10)
    async with asyncio.timeout(10):
        told = [(await anext(tail)).version for _ in range(10)]
        while len(seen) < 10:  # noqa: ASYNC110  # filled by the consumer
            await asyncio.sleep(0.01)
    assert told == list(range(1, 11))
    assert sorted(set(seen)) == list(range(1, 11))
    await consumer.stop()
    await log.close()
    await store.stop()


async def test_a_folder_in_use_is_refused_in_one_line(tmp_path: Path) -> None:
    first, second = EmbeddedStore(tmp_path), EmbeddedStore(tmp_path)
    async with opened(first) as log:
        with pytest.raises(StoreDown, match="is in use by another Starport") as refusal:
            await second.start()
        assert "\n" not in str(refusal.value)
        with pytest.raises(StoreDown, match="is started already"):
            await first.start()
        assert await log.append(match_in(0), 1, b"", bus=None)  # the first one did not notice
    async with opened(second) as log:
        pass


async def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreDown, match="does not start"):
        await EmbeddedStore(tmp_path / "file" / "data").start()


async def test_the_server_of_an_owner_that_was_killed_is_ended_and_its_data_found(tmp_path: Path) -> None:
    match = match_in(1)
    program = f"""
import asyncio, os, pathlib
from starport_eventlog import EmbeddedStore, open_log
async def main():
    store = EmbeddedStore(pathlib.Path({str(tmp_path)!r}))
    log = open_log(await store.start(), {PARTITIONS})
    assert await log.append({match!r}, 1, b"kept", bus=None)
    print(store.pid, flush=True)
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""
    owner = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program], stdout=subprocess.PIPE, check=False
    )
    orphan = int(owner.stdout)
    assert owner.returncode == -signal.SIGKILL
    os.kill(orphan, 0)  # it is still there
    async with opened(EmbeddedStore(tmp_path)) as log:
        assert await log.read(match) == [b"kept"]
        assert await log.append(match, 2, b"more", bus=None)


async def test_a_long_path_still_gets_a_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 20) / ("longer" * 10)
    match = match_in(0)
    async with opened(EmbeddedStore(folder)) as log:
        assert await log.append(match, 1, b"", bus=None)
    async with opened(EmbeddedStore(folder)) as log:
        assert await log.read(match) == [b""]
