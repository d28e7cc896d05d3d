"""Consumers: acknowledged after the work, tried again, taken over, buried; in order per match, shared by replicas."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from libs.eventlog.tests.stores import PARTITIONS, Eventually, Log, Store, match_in, publish
from starport_eventlog import BusMessage, Consumer, ConsumerLimits, StoreDown
from starport_eventlog.handling import Handle

GROUP = "scoring"
QUICK = ConsumerLimits(retry_min_s=0.01, retry_max_s=0.02, tries_max=3, takeover_s=0.6, drain_s=2.0, trim_every_s=0.1)


class Seen:
    """A handler that remembers."""

    def __init__(self) -> None:
        self.messages: list[BusMessage] = []

    async def __call__(self, message: BusMessage) -> None:
        self.messages.append(message)

    def versions(self, match: str) -> list[int]:
        return [message.version for message in self.messages if message.match == match]


class Consumers:
    """Starts consumers and sees to it that none outlives the test."""

    def __init__(self) -> None:
        self._running: list[Consumer] = []

    async def start(self, log: Log, name: str, handle: Handle, limits: ConsumerLimits = QUICK) -> Consumer:
        consumer = Consumer(log, GROUP, name, PARTITIONS, handle, limits=limits)
        await consumer.start()
        self._running.append(consumer)
        return consumer

    async def kill(self, consumer: Consumer) -> None:
        """As if its process had died: nothing is acknowledged, nobody is told."""
        tasks = [*consumer._work, *consumer._handlers._work]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._running.remove(consumer)

    async def stop_all(self) -> None:
        await asyncio.gather(*(consumer.stop() for consumer in self._running))


@pytest.fixture
async def consumers(store: Store) -> AsyncIterator[Consumers]:
    found = Consumers()
    yield found
    await found.stop_all()


async def pending(log: Log) -> int:
    """Entries that somebody got and nobody acknowledged. Claims them, so only at the end of a test."""
    found = 0
    for partition in log.partitions:
        found += len(await log.claim(partition, GROUP, "inspector", idle_ms=0, count=1000))
    return found


async def test_everything_from_the_beginning_is_handled_once_and_acknowledged(
    log: Log, consumers: Consumers, eventually: Eventually
) -> None:
    matches = [match_in(partition) for partition in range(PARTITIONS)]
    expected = [message for match in matches for message in await publish(log, match, 1, 30)]
    seen = Seen()
    consumer = await consumers.start(log, "a", seen)
    await eventually(lambda: len(seen.messages) >= len(expected))
    expected += await publish(log, matches[0], 31, 40)
    await eventually(lambda: len(seen.messages) >= len(expected))
    await eventually(lambda: not consumer._in_flight)
    assert sorted(seen.messages, key=repr) == sorted(expected, key=repr)
    assert consumer.stats.handled == len(expected)
    assert await pending(log) == 0


async def test_acknowledged_after_the_work_and_not_before(
    log: Log, consumers: Consumers, eventually: Eventually
) -> None:
    may_end = asyncio.Event()
    begun: list[BusMessage] = []

    async def handle(message: BusMessage) -> None:
        begun.append(message)
        await may_end.wait()

    consumer = await consumers.start(log, "a", handle)
    match = match_in(0)
    await publish(log, match, 1, 1)
    await eventually(lambda: bool(begun))
    assert consumer._in_flight
    assert len(await log.claim("00", GROUP, "a", idle_ms=0, count=10)) == 1
    may_end.set()
    await eventually(lambda: not consumer._in_flight)
    assert await pending(log) == 0


async def test_a_failed_handler_is_tried_again(log: Log, consumers: Consumers, eventually: Eventually) -> None:
    calls: list[int] = []

    async def handle(message: BusMessage) -> None:
        calls.append(message.version)
        if calls.count(2) < 3 and message.version == 2:
            raise OSError("the database is away")

    consumer = await consumers.start(log, "a", handle)
    await publish(log, match_in(0), 1, 3)
    await eventually(lambda: consumer.stats.handled == 3)
    assert calls == [1, 2, 2, 2, 3]
    assert consumer.stats.failed == 2
    assert await log.dead_letters("00", GROUP, 10) == []


async def test_a_hopeless_message_becomes_a_dead_letter_and_the_match_goes_on(
    log: Log, consumers: Consumers, eventually: Eventually
) -> None:
    handled: list[int] = []

    async def handle(message: BusMessage) -> None:
        if message.version == 2:
            raise ValueError("no such card")
        if message.version == 3:
            await asyncio.sleep(30)
        handled.append(message.version)

    limits = ConsumerLimits(tries_max=2, retry_min_s=0.01, retry_max_s=0.01, handle_s=0.2, takeover_s=5)
    consumer = await consumers.start(log, "a", handle, limits)
    match = match_in(3)
    await publish(log, match, 1, 4)
    await eventually(lambda: handled == [1, 4])
    assert consumer.stats.buried == 2
    late, hopeless = await log.dead_letters("03", GROUP, 10)
    assert (hopeless.message, hopeless.error) == (BusMessage(match, 2, b"b2"), "ValueError: no such card")
    assert (late.message, late.error[:12]) == (BusMessage(match, 3, b"b3"), "TimeoutError")
    await eventually(lambda: not consumer._in_flight)
    assert await pending(log) == 0


async def test_one_match_is_handled_in_order_and_several_at_the_same_time(
    log: Log, consumers: Consumers, eventually: Eventually
) -> None:
    running: dict[str, int] = {}
    most_at_once = most_of_one_match = 0
    seen = Seen()

    async def handle(message: BusMessage) -> None:
        nonlocal most_at_once, most_of_one_match
        running[message.match] = running.get(message.match, 0) + 1
        most_at_once = max(most_at_once, sum(running.values()))
        most_of_one_match = max(most_of_one_match, running[message.match])
        await asyncio.sleep(0.002 * (message.version % 3))
        running[message.match] -= 1
        await seen(message)

    limits = ConsumerLimits(handlers_max=6, in_flight_max=40)
    await consumers.start(log, "a", handle, limits)
    matches = [match_in(n % PARTITIONS) for n in range(20)]
    await asyncio.gather(*(publish(log, match, 1, 15) for match in matches))
    await eventually(lambda: len(seen.messages) == 300)
    for match in matches:
        assert seen.versions(match) == list(range(1, 16))
    assert most_of_one_match == 1
    assert 2 <= most_at_once <= 6


async def test_two_replicas_share_the_work(store: Store, consumers: Consumers, eventually: Eventually) -> None:
    writer = store.open()
    first, second = Seen(), Seen()

    async def slowly(seen: Seen, message: BusMessage) -> None:
        await asyncio.sleep(0.001)
        await seen(message)

    limits = ConsumerLimits(in_flight_max=8)
    await consumers.start(store.open(), "a", lambda message: slowly(first, message), limits)
    await consumers.start(store.open(), "b", lambda message: slowly(second, message), limits)
    matches = [match_in(n % PARTITIONS) for n in range(16)]
    lists = await asyncio.gather(*(publish(writer, match, 1, 20) for match in matches))
    expected = [message for messages in lists for message in messages]
    await eventually(lambda: len(first.messages) + len(second.messages) >= len(expected))
    await asyncio.sleep(0.1)
    assert sorted(first.messages + second.messages, key=repr) == sorted(expected, key=repr)
    assert first.messages
    assert second.messages


async def test_a_dead_consumers_entries_are_taken_over(
    store: Store, consumers: Consumers, eventually: Eventually
) -> None:
    log = store.open()
    stuck: list[BusMessage] = []

    async def hang(message: BusMessage) -> None:
        stuck.append(message)
        await asyncio.sleep(60)

    victim = await consumers.start(store.open(), "victim", hang)
    expected = [message for n in range(PARTITIONS) for message in await publish(log, match_in(n), 1, 3)]
    await eventually(lambda: len(stuck) == PARTITIONS)
    await eventually(lambda: len(victim._in_flight) == len(expected))
    await consumers.kill(victim)
    seen = Seen()
    heir = await consumers.start(store.open(), "heir", seen)
    await eventually(lambda: len(seen.messages) >= len(expected))
    assert sorted(seen.messages, key=repr) == sorted(expected, key=repr)
    assert heir.stats.taken_over == len(expected)
    await eventually(lambda: not heir._in_flight)
    assert await pending(log) == 0


async def test_a_consumer_that_comes_back_under_its_name_goes_on_at_once(
    store: Store, consumers: Consumers, eventually: Eventually
) -> None:
    stuck: list[BusMessage] = []

    async def hang(message: BusMessage) -> None:
        stuck.append(message)
        await asyncio.sleep(60)

    patient = ConsumerLimits(takeover_s=1000)
    victim = await consumers.start(store.open(), "a", hang, patient)
    await publish(store.open(), match_in(1), 1, 2)
    await eventually(lambda: len(victim._in_flight) == 2)
    await consumers.kill(victim)
    seen = Seen()
    await consumers.start(store.open(), "a", seen, patient)
    await eventually(lambda: [message.version for message in seen.messages] == [1, 2])


async def test_a_slow_but_living_consumer_keeps_its_entries(
    store: Store, consumers: Consumers, eventually: Eventually
) -> None:
    calls: list[int] = []

    async def slowly(message: BusMessage) -> None:
        calls.append(message.version)
        await asyncio.sleep(0.9)  # far longer than the time after which others take over

    first = await consumers.start(store.open(), "a", slowly)
    await publish(store.open(), match_in(0), 1, 2)
    await eventually(lambda: len(first._in_flight) == 2)
    other = Seen()
    await consumers.start(store.open(), "b", other)
    await eventually(lambda: first.stats.handled == 2)
    assert calls == [1, 2]
    assert other.messages == []


async def test_an_entry_that_kills_consumers_is_buried(
    store: Store, consumers: Consumers, eventually: Eventually
) -> None:
    log = store.open()
    begun: list[BusMessage] = []

    async def hang(message: BusMessage) -> None:
        begun.append(message)
        await asyncio.sleep(60)

    limits = ConsumerLimits(deliveries_max=2, takeover_s=1000)
    await publish(log, match_in(2), 1, 1)
    for life in (1, 2):
        victim = await consumers.start(store.open(), "a", hang, limits)
        await eventually(lambda life=life: len(begun) == life)  # type: ignore[misc]
        await consumers.kill(victim)
    last = await consumers.start(store.open(), "a", hang, limits)
    await eventually(lambda: last.stats.buried == 1)
    assert len(begun) == 2
    (letter,) = await log.dead_letters("02", GROUP, 10)
    assert letter.error == "2 consumers did not finish it"


async def test_stop_waits_for_running_handlers_and_leaves_the_rest(
    store: Store, consumers: Consumers, eventually: Eventually
) -> None:
    log = store.open()
    seen = Seen()

    async def slowly(message: BusMessage) -> None:
        await asyncio.sleep(0.2)
        await seen(message)

    consumer = await consumers.start(log, "a", slowly)
    await publish(log, match_in(0), 1, 3)
    await eventually(lambda: len(consumer._in_flight) == 3)
    await consumer.stop()
    done = len(seen.messages)
    assert 1 <= done < 3
    assert await pending(log) == 3 - done


async def test_an_emptied_store_and_lost_connections_are_survived(server: Store, eventually: Eventually) -> None:
    log = server.open()
    seen = Seen()
    consumer = Consumer(server.url, GROUP, "a", PARTITIONS, seen, limits=QUICK)
    await consumer.start()
    first, second = match_in(0), match_in(1)
    await publish(log, first, 1, 5)
    await eventually(lambda: seen.versions(first) == [1, 2, 3, 4, 5])
    server.drop_connections()
    await asyncio.sleep(0.05)
    server.flush()
    server.on_all_nodes("SCRIPT", "FLUSH")
    await asyncio.sleep(0.05)
    with contextlib.suppress(StoreDown):
        await log.append(second, 1, b"", bus=b"")
    await publish(log, second, len(await log.read(second)) + 1, 5)
    await eventually(lambda: seen.versions(second) == [1, 2, 3, 4, 5])
    await consumer.stop()


async def test_names_and_partitions_are_checked() -> None:
    seen = Seen()
    for group, name in (("", "a"), ("a b", "a"), ("a", "x" * 65), ("a{1}", "b")):
        with pytest.raises(ValueError, match="not a name"):
            Consumer("memory://", group, name, PARTITIONS, seen)
    with pytest.raises(ValueError, match="store url"):
        Consumer("http://somewhere", "a", "b", PARTITIONS, seen)
