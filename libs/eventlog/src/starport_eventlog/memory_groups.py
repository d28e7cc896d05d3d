"""Consumer groups on the bus of the memory twin."""

import asyncio
import time
from collections import deque
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from starport_eventlog.contract import BusMessage, DeadLetter, Entry, GroupMissing
from starport_eventlog.limits import BUS_ENTRIES_HARD_MAX, BUS_ENTRIES_MAX, DEAD_LETTERS_MAX, ERROR_TEXT_MAX


@dataclass(slots=True)
class _Pending:
    owner: str
    touched: float
    deliveries: int


@dataclass(slots=True)
class _Group:
    delivered: int = 0  # number of the last entry that somebody got
    pending: dict[int, _Pending] = field(default_factory=dict)
    heard: dict[str, float] = field(default_factory=dict)  # when each consumer last asked
    dead: deque[DeadLetter] = field(default_factory=lambda: deque(maxlen=DEAD_LETTERS_MAX))


@dataclass(slots=True)
class _Bus:
    entries: dict[int, BusMessage] = field(default_factory=dict)  # by number, oldest first
    last: int = 0
    groups: dict[str, _Group] = field(default_factory=dict)


class MemoryGroups:
    def __init__(self, partitions: Sequence[str]) -> None:
        self._buses = {name: _Bus() for name in partitions}
        self._lane = tuple(partitions)
        self._news = asyncio.Event()

    @property
    def lanes(self) -> Sequence[Sequence[str]]:
        return (self._lane,)

    def _publish(self, partition: str, message: BusMessage) -> None:
        bus = self._buses[partition]
        bus.last += 1
        bus.entries[bus.last] = message
        if len(bus.entries) > BUS_ENTRIES_HARD_MAX:
            del bus.entries[next(iter(bus.entries))]
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def ensure_group(self, partition: str, group: str) -> None:
        self._buses[partition].groups.setdefault(group, _Group())

    async def fetch(self, lane: Sequence[str], group: str, name: str, count: int, block_s: float) -> list[Entry]:
        until = asyncio.get_running_loop().time() + block_s
        while True:
            news = self._news
            found = [entry for partition in lane for entry in self._take(partition, group, name, count)]
            if found:
                return found
            try:
                async with asyncio.timeout_at(until):
                    await news.wait()
            except TimeoutError:
                return []

    def _take(self, partition: str, group: str, name: str, count: int) -> list[Entry]:
        bus, known = self._group(partition, group)
        known.heard[name] = time.monotonic()
        found: list[Entry] = []
        while known.delivered < bus.last and len(found) < count:
            known.delivered += 1
            if known.delivered in bus.entries:
                known.pending[known.delivered] = _Pending(name, time.monotonic(), 1)
                found.append(self._entry(partition, known.delivered, 1))
        return found

    async def claim(
        self,
        partition: str,
        group: str,
        name: str,
        *,
        idle_ms: int,
        count: int,
        owner: str | None = None,
        skip: Container[str] = (),
    ) -> list[Entry]:
        bus, known = self._group(partition, group)
        latest = time.monotonic() - idle_ms / 1000
        found: list[Entry] = []
        for number, pending in sorted(known.pending.items()):
            if (
                pending.touched > latest
                or owner not in {None, pending.owner}
                or str(number) in skip
                or len(found) == count
            ):
                continue
            if number not in bus.entries:
                del known.pending[number]
                continue
            known.pending[number] = _Pending(name, time.monotonic(), pending.deliveries + 1)
            found.append(self._entry(partition, number, pending.deliveries + 1))
        return found

    async def touch(self, partition: str, group: str, name: str, ids: Sequence[str], *, idle_ms: int) -> None:
        _, known = self._group(partition, group)
        latest = time.monotonic() - idle_ms / 1000
        for number in map(int, ids):
            pending = known.pending.get(number)
            if pending is not None and pending.touched <= latest:
                known.pending[number] = _Pending(name, time.monotonic(), pending.deliveries)

    async def ack(self, group: str, ids: Mapping[str, Sequence[str]]) -> None:
        for partition, done in ids.items():
            known = self._buses[partition].groups.get(group)
            for number in map(int, done):
                if known is not None:
                    known.pending.pop(number, None)

    async def bury(self, group: str, entry: Entry, error: str) -> None:
        _, known = self._group(entry.partition, group)
        if known.pending.pop(int(entry.id), None) is not None:
            known.dead.appendleft(DeadLetter(entry.message, error[:ERROR_TEXT_MAX]))

    async def dead_letters(self, partition: str, group: str, count: int) -> list[DeadLetter]:
        known = self._buses[partition].groups.get(group)
        return [] if known is None else list(known.dead)[:count]

    async def forget_idle(self, partition: str, group: str, *, idle_ms: int, name: str | None = None) -> None:
        _, known = self._group(partition, group)
        owners = {pending.owner for pending in known.pending.values()}
        latest = time.monotonic() - idle_ms / 1000
        for consumer, heard in tuple(known.heard.items()):
            if name in {None, consumer} and consumer not in owners and heard <= latest:
                del known.heard[consumer]

    async def trim(self, partition: str) -> None:
        bus = self._buses[partition]
        needed = min([bus.last, *(min(group.pending, default=group.delivered) for group in bus.groups.values())])
        for number in tuple(bus.entries)[: max(0, len(bus.entries) - BUS_ENTRIES_MAX)]:
            if number < needed:
                del bus.entries[number]

    def _group(self, partition: str, group: str) -> tuple[_Bus, _Group]:
        bus = self._buses[partition]
        if group not in bus.groups:
            raise GroupMissing(f"no group {group} on the bus of partition {partition}")
        return bus, bus.groups[group]

    def _entry(self, partition: str, number: int, deliveries: int) -> Entry:
        return Entry(partition, str(number), self._buses[partition].entries[number], deliveries)
