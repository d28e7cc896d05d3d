"""The log and the bus in this process's memory: the twin that passes the same tests as the stores."""

import asyncio
from bisect import insort

from starport_eventlog.contract import BusMessage, Tail, check_append
from starport_eventlog.ids import partition_names, partition_of
from starport_eventlog.memory_groups import MemoryGroups
from starport_eventlog.tails import QueueTail


class MemoryLog(MemoryGroups):
    def __init__(self, partitions: int) -> None:
        self.partitions = partition_names(partitions)
        super().__init__(self.partitions)
        self._logs: dict[str, list[bytes]] = {}
        self._expiry: dict[str, float] = {}  # of the event loop's clock
        self._clocks: dict[str, dict[str, int]] = {name: {} for name in self.partitions}
        self._tails: set[QueueTail] = set()
        self._always = asyncio.Event()
        self._always.set()

    async def append(
        self,
        match: str,
        version: int,
        record: bytes,
        *,
        bus: bytes | None,
        deadline_ms: int | None = None,
        ttl_s: int | None = None,
    ) -> bool:
        partition = self._partition(match)
        check_append(version, record, bus)
        await asyncio.sleep(0)  # a store would let others run here; so that races are found with the twin too
        self._expire(match)
        log = self._logs.get(match, [])
        if len(log) != version - 1:
            return False
        log.append(record)
        self._logs[match] = log
        if bus is not None:
            message = BusMessage(match, version, bus)
            self._publish(partition, message)
            for tail in self._tails:
                tail.offer(message)
        if deadline_ms is None:
            self._clocks[partition].pop(match, None)
        else:
            self._clocks[partition][match] = deadline_ms
        if ttl_s is None:
            self._expiry.pop(match, None)
        else:
            self._expiry[match] = asyncio.get_running_loop().time() + ttl_s
        return True

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        self._partition(match)
        await asyncio.sleep(0)
        self._expire(match)
        return self._logs.get(match, [])[after:]

    async def due(self, partition: str, now_ms: int, limit: int) -> list[str]:
        found: list[tuple[int, str]] = []
        for match, deadline_ms in self._clocks[partition].items():
            if deadline_ms <= now_ms:
                insort(found, (deadline_ms, match))
        return [match for _, match in found[:limit]]

    async def forget_deadline(self, match: str) -> None:
        self._clocks[self._partition(match)].pop(match, None)

    def tail(self) -> Tail:
        tail = QueueTail(self._always, self._leave)
        self._tails.add(tail)
        return tail

    async def close(self) -> None:
        for tail in self._tails:
            tail.end()
        self._tails.clear()

    async def _leave(self, tail: QueueTail) -> None:
        self._tails.discard(tail)

    def _expire(self, match: str) -> None:
        if match in self._expiry and self._expiry[match] <= asyncio.get_running_loop().time():
            del self._expiry[match]
            self._logs.pop(match, None)

    def _partition(self, match: str) -> str:
        partition = partition_of(match)
        if partition not in self.partitions:
            raise ValueError(f"match {match} is in partition {partition}, but there are only {len(self.partitions)}")
        return partition
