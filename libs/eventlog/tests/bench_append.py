"""Measures appends, one call each and batched, and what a consumer and a tail manage. By hand:
python -m libs.eventlog.tests.bench_append"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from redis.asyncio import Redis

from libs.eventlog.tests.stores import PARTITIONS, match_in
from starport_eventlog import BusMessage, Consumer, EmbeddedStore, RedisLog
from starport_eventlog.ids import bus_key, clocks_key, log_key
from starport_eventlog.link import Script

IN_FLIGHT = 64
APPENDS_EACH = 300
RECORD = b"r" * 500
BUS = b"b" * 300
ROUNDS = 3


async def measure(name: str, append: Callable[[str, int], Awaitable[object]]) -> None:
    async def play(match: str) -> None:
        for version in range(1, APPENDS_EACH + 1):
            if not await append(match, version):
                raise RuntimeError("nobody else writes here")

    total = IN_FLIGHT * APPENDS_EACH
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(play(match_in(n % PARTITIONS)) for n in range(IN_FLIGHT)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{name:34} {total / wall:8.0f}/s {cpu / total * 1e6:6.0f} µs of our CPU each")


async def consume(log: RedisLog, group: str, total: int) -> None:
    handled = 0
    done = asyncio.Event()

    async def handle(_: BusMessage) -> None:
        nonlocal handled
        handled += 1
        if handled == total:
            done.set()

    consumer = Consumer(log, group, "a", PARTITIONS, handle)
    wall, cpu = time.perf_counter(), time.process_time()
    await consumer.start()
    await done.wait()
    await consumer.stop()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{'Consumer, empty handler':34} {total / wall:8.0f}/s {cpu / total * 1e6:6.0f} µs of our CPU each")


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder))
        url = await store.start()
        log = RedisLog(url, PARTITIONS)
        client = Redis(unix_socket_path=url.removeprefix("unix://"))
        digest = str(await client.script_load(Script("append.lua").text))

        def one_call(match: str, version: int) -> Awaitable[object]:
            keys = (log_key(match), bus_key(match[:2]), clocks_key(match[:2]))
            values = (str(version), RECORD, match, BUS, "1", "1900000000000", "", "500000")
            return client.evalsha(digest, 3, *keys, *values)

        def batched(match: str, version: int) -> Awaitable[bool]:
            return log.append(match, version, RECORD, bus=BUS, deadline_ms=1_900_000_000_000)

        for _ in range(ROUNDS):
            await measure("redis-py, one call per append", one_call)
            await measure("RedisLog, appends batched", batched)
        await consume(log, "bench", 2 * ROUNDS * IN_FLIGHT * APPENDS_EACH)
        await client.aclose()
        await log.close()
        await store.stop()


if __name__ == "__main__":
    asyncio.run(main())
