"""Reads the bus as one of a group: everything reaches one of its consumers and is acknowledged after the work."""

import asyncio
import logging
import re
import time
from collections.abc import Sequence

from starport_eventlog.backoff import Backoff
from starport_eventlog.contract import Entry, GroupMissing, StoreDown
from starport_eventlog.handling import ConsumerLimits, ConsumerStats, Handle, Handlers
from starport_eventlog.limits import BLOCK_S, NAME_CHARACTERS_MAX
from starport_eventlog.memory import MemoryLog
from starport_eventlog.opening import open_log
from starport_eventlog.redis_log import RedisLog

_LOG = logging.getLogger(__name__)
_NAME = re.compile(rf"[A-Za-z0-9._-]{{1,{NAME_CHARACTERS_MAX}}}")
_PAGE_ENTRIES = 100  # read or claimed in one call, per partition
_ROUNDS_PER_TAKEOVER = 3  # signs of life within the time after which others take over

_Key = tuple[str, str]  # partition, entry id


class Consumer:
    """The name is unique among the group's living consumers; one that comes back under its old name goes on at once.

    Every message is handled at least once, so handlers are idempotent by (match, version). One consumer calls them in
    order per match; consumers of the same group share the messages, not the matches, so between two there is no order.
    """

    def __init__(
        self,
        log_or_url: RedisLog | MemoryLog | str,
        group: str,
        name: str,
        partitions: int,
        handle: Handle,
        *,
        limits: ConsumerLimits | None = None,
    ) -> None:
        for word in (group, name):
            if _NAME.fullmatch(word) is None:
                raise ValueError(f"not a name for a group or consumer: {word[:40]!r}")
        self._owns_log = isinstance(log_or_url, str)
        self._log = open_log(log_or_url, partitions) if isinstance(log_or_url, str) else log_or_url
        if len(self._log.partitions) != partitions:
            raise ValueError(f"the log has {len(self._log.partitions)} partitions, not {partitions}")
        self._group = group
        self._name = name
        self._limits = limits or ConsumerLimits()
        self.stats = ConsumerStats()
        self._handlers = Handlers(handle, self._limits, self.stats, self._done, self._bury)
        self._in_flight: set[_Key] = set()
        self._room = asyncio.Event()
        self._room.set()
        self._finished: set[_Key] = set()  # worked on, not acknowledged yet
        self._acks_wanted = asyncio.Event()
        self._work: list[asyncio.Task[None]] = []
        self._last_trim = 0.0

    async def start(self) -> None:
        """Returns at once; a store that is down is tried again until it is there."""
        if self._work:
            raise RuntimeError("the consumer is started already")
        loops = [self._read(lane) for lane in self._log.lanes]
        self._work = [asyncio.create_task(loop) for loop in (*loops, self._acknowledge(), self._keep_house())]

    async def stop(self) -> None:
        """Lets running handlers end, acknowledges what is done and leaves the group."""
        if not self._work:
            return
        *reading, acknowledging, keeping_house = self._work
        await _cancel([*reading, keeping_house])
        await self._handlers.stop()
        await _cancel([acknowledging])
        self._work = []
        try:
            await self._acknowledge_finished()
            for partition in self._log.partitions:
                await self._log.forget_idle(partition, self._group, idle_ms=0, name=self._name)
        except (StoreDown, GroupMissing) as error:
            _LOG.warning("consumer %s of %s leaves without saying so: %s", self._name, self._group, error)
        if self._owns_log:
            await self._log.close()

    async def _read(self, lane: Sequence[str]) -> None:
        backoff = Backoff()
        joined = False
        while True:
            try:
                if not joined:
                    await self._join(lane)
                    joined = True
                await self._room.wait()
                room = self._limits.in_flight_max - len(self._in_flight)
                count = max(1, min(_PAGE_ENTRIES, room // len(lane)))
                self._take(await self._log.fetch(lane, self._group, self._name, count, BLOCK_S))
                backoff.reset()
            except (StoreDown, GroupMissing) as error:
                _LOG.warning("consumer %s of %s: %s", self._name, self._group, error)
                joined = False
                await backoff.wait()
            except Exception:  # noqa: BLE001  # a reader that ends would stop a service without a sign
                _LOG.exception("consumer %s of %s: reading failed", self._name, self._group)
                joined = False
                await backoff.wait()

    async def _join(self, lane: Sequence[str]) -> None:
        """Finds or makes the group, and goes on with what an earlier life or a lost reply left to us."""
        for partition in lane:
            await self._log.ensure_group(partition, self._group)
            while True:
                claimed = await self._claim(partition, idle_ms=0, owner=self._name)
                self._take(claimed)
                if len(claimed) < _PAGE_ENTRIES:
                    break
                await self._room.wait()

    async def _claim(self, partition: str, *, idle_ms: int, owner: str | None = None) -> list[Entry]:
        ours = {entry_id for ours, entry_id in self._in_flight if ours == partition}
        return await self._log.claim(
            partition, self._group, self._name, idle_ms=idle_ms, count=_PAGE_ENTRIES, owner=owner, skip=ours
        )

    def _take(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            key = (entry.partition, entry.id)
            if key not in self._in_flight:
                self._in_flight.add(key)
                self._handlers.add(entry)
        if len(self._in_flight) >= self._limits.in_flight_max:
            self._room.clear()

    def _done(self, entry: Entry) -> None:
        self._finished.add((entry.partition, entry.id))
        self._acks_wanted.set()

    async def _bury(self, entry: Entry, error: str) -> None:
        backoff = Backoff()
        while True:
            try:
                await self._log.bury(self._group, entry, error)
                break
            except GroupMissing:
                break  # nobody waits for it any more
            except StoreDown:
                await backoff.wait()
        _LOG.error(
            "entry %s of partition %s is now a dead letter of %s: %s", entry.id, entry.partition, self._group, error
        )
        self.stats.buried += 1
        self._release({(entry.partition, entry.id)})

    def _release(self, keys: set[_Key]) -> None:
        self._in_flight -= keys
        if len(self._in_flight) < self._limits.in_flight_max:
            self._room.set()

    async def _acknowledge(self) -> None:
        backoff = Backoff()
        while True:
            await self._acks_wanted.wait()
            self._acks_wanted.clear()
            try:
                await self._acknowledge_finished()
                backoff.reset()
            except StoreDown:
                self._acks_wanted.set()
                await backoff.wait()

    async def _acknowledge_finished(self) -> None:
        finished = set(self._finished)
        if finished:
            await self._log.ack(self._group, _by_partition(finished))
            self._finished -= finished
            self._release(finished)

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(self._limits.takeover_s / _ROUNDS_PER_TAKEOVER)
            try:
                await self._show_life()
                for partition in self._log.partitions:
                    await self._take_over(partition)
                if time.monotonic() - self._last_trim >= self._limits.trim_every_s:
                    self._last_trim = time.monotonic()
                    await self._tidy()
            except (StoreDown, GroupMissing) as error:
                _LOG.warning("consumer %s of %s: %s", self._name, self._group, error)
            except Exception:  # noqa: BLE001  # the same
                _LOG.exception("consumer %s of %s: keeping house failed", self._name, self._group)

    async def _show_life(self) -> None:
        """Entries that wait or are worked on for long are not taken over as long as we say so."""
        idle_ms = int(self._limits.takeover_s * 1000 / _ROUNDS_PER_TAKEOVER / 2)
        for partition, ids in _by_partition(self._in_flight).items():
            for first in range(0, len(ids), _PAGE_ENTRIES):
                page = ids[first : first + _PAGE_ENTRIES]
                await self._log.touch(partition, self._group, self._name, page, idle_ms=idle_ms)

    async def _take_over(self, partition: str) -> None:
        if not self._room.is_set():
            return
        claimed = await self._claim(partition, idle_ms=int(self._limits.takeover_s * 1000))
        self.stats.taken_over += len(claimed)
        self._take(claimed)

    async def _tidy(self) -> None:
        for partition in self._log.partitions:
            await self._log.trim(partition)
            await self._log.forget_idle(partition, self._group, idle_ms=int(self._limits.forget_s * 1000))


def _by_partition(keys: set[_Key]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for partition, entry_id in keys:
        found.setdefault(partition, []).append(entry_id)
    return found


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
