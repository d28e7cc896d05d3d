"""What only a cluster can do: move a partition to another node while it is in use."""

import asyncio
import contextlib
from collections.abc import Iterator

import pytest
from redis.crc import key_slot

from libs.eventlog.tests.stores import PARTITIONS, Eventually, Store, match_in, publish
from starport_eventlog import BusMessage, Consumer, StoreDown
from starport_eventlog.ids import bus_key

SLOT = str(key_slot(bus_key("00").encode()))


@pytest.fixture
def nodes(cluster_store: Store) -> Iterator[list[str]]:
    """The nodes' ids, the one that has partition 00 first. It gets it back at the end."""
    cluster_store.flush()
    ids = [answer.decode() for answer in cluster_store.on_all_nodes("CLUSTER", "MYID")]
    keys = cluster_store.on_all_nodes("CLUSTER", "COUNTKEYSINSLOT", SLOT)
    assert keys == [0] * len(ids)
    owner = ids[int(SLOT) // (16384 // len(ids) + 1)]
    yield [owner, *(node for node in ids if node != owner)]
    cluster_store.flush()
    cluster_store.on_all_nodes("CLUSTER", "SETSLOT", SLOT, "NODE", owner)


async def test_a_partition_that_moves_is_followed(
    cluster_store: Store, nodes: list[str], eventually: Eventually
) -> None:
    log = cluster_store.open()
    seen: list[BusMessage] = []

    async def handle(message: BusMessage) -> None:
        seen.append(message)

    consumer = Consumer(log, "scoring", "a", PARTITIONS, handle)
    await consumer.start()
    before, after = match_in(0), match_in(0)
    await publish(log, before, 1, 3)
    await eventually(lambda: len(seen) == 3)

    # Moved empty: moving the data is the cluster's business, finding the new place is ours.
    cluster_store.flush()
    cluster_store.on_all_nodes("CLUSTER", "SETSLOT", SLOT, "NODE", nodes[1])
    async with asyncio.timeout(10):
        while True:
            with contextlib.suppress(StoreDown):
                await log.append(after, 1, b"r1", bus=b"b1")
                if await log.read(after) == [b"r1"]:
                    break
    await publish(log, after, 2, 4)
    await eventually(lambda: [message.version for message in seen if message.match == after] == [1, 2, 3, 4])
    tail = log.tail()
    await tail.ready()
    await publish(log, after, 5, 5)
    assert (await anext(tail)).version == 5
    await consumer.stop()
    await cluster_store.end_test()
