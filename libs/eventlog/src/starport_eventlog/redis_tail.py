"""Reads the bus of all partitions once per process and hands every message to all tails."""

import asyncio
import logging
import time
from collections.abc import Sequence

from redis.exceptions import ResponseError

from starport_eventlog.backoff import Backoff
from starport_eventlog.contract import StoreDown
from starport_eventlog.ids import bus_key
from starport_eventlog.limits import BLOCK_S, TAIL_LOOK_EVERY_S, TAIL_PAGE_ENTRIES, TAIL_PAUSE_S
from starport_eventlog.link import Link
from starport_eventlog.parsing import id_order, parse_map, parse_streams
from starport_eventlog.tails import QueueTail

_LOG = logging.getLogger(__name__)


class TailPump:
    """Runs while there are tails. Remembers the last id of every partition, so a lost connection makes no hole."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._tails: set[QueueTail] = set()
        self._started = asyncio.Event()
        self._lanes_started = 0
        self._work: list[asyncio.Task[None]] = []

    def open(self) -> QueueTail:
        tail = QueueTail(self._started, self._leave)
        self._tails.add(tail)
        if not self._work:
            self._lanes_started = 0
            self._work = [
                asyncio.create_task(self._run(lane), name=f"eventlog-tail-{lane[0]}") for lane in self._link.lanes
            ]
        return tail

    async def close(self) -> None:
        for tail in tuple(self._tails):
            tail.end()
        self._tails.clear()
        await self._stop()

    async def _leave(self, tail: QueueTail) -> None:
        self._tails.discard(tail)
        if not self._tails:
            await self._stop()

    async def _stop(self) -> None:
        work, self._work = self._work, []
        # A tail that is opened from here on waits for its own pump, not for this one.
        self._started = asyncio.Event()
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)

    async def _run(self, lane: Sequence[str]) -> None:
        positions: dict[str, str] = {}
        started = self._started
        backoff = Backoff()
        look_at = 0.0
        while True:
            try:
                # Also now and then without an error: a pool replaces a dead connection without a word.
                if time.monotonic() >= look_at:
                    await self._look(lane, positions)
                    look_at = time.monotonic() + TAIL_LOOK_EVERY_S
                    self._lane_started(started)
                await self._pass_on(lane, positions)
                backoff.reset()
            except (StoreDown, ResponseError) as error:
                _LOG.warning("tail of the bus: %s", error)
                look_at = 0.0
                await backoff.wait()

    def _lane_started(self, started: asyncio.Event) -> None:
        if started is self._started and not started.is_set():
            self._lanes_started += 1
            if self._lanes_started == len(self._link.lanes):
                started.set()

    async def _look(self, lane: Sequence[str], positions: dict[str, str]) -> None:
        """Finds where to begin, or whether what follows the last seen entry is still there."""
        for partition in lane:
            first, last = await self._ends(partition)
            seen = positions.setdefault(partition, last)
            lost_end = id_order(last) < id_order(seen)  # the store came back without its newest entries
            lost_begin = first is not None and id_order(first) > id_order(seen) != (0, 0)  # trimmed while we were away
            if lost_end:
                positions[partition] = last
            if lost_end or lost_begin:
                for tail in self._tails:
                    tail.tell_gap()

    async def _ends(self, partition: str) -> tuple[str | None, str]:
        try:
            info = parse_map(await self._link.call(partition, "XINFO STREAM", bus_key(partition)))
        except ResponseError as error:
            if "no such key" in str(error).lower():
                return None, "0-0"
            raise
        first = info["first-entry"]
        return (first[0].decode() if first else None), info["last-generated-id"].decode()

    async def _pass_on(self, lane: Sequence[str], positions: dict[str, str]) -> None:
        # Sent once: after a lost connection `_look` must see whether the store still has what follows.
        reply = await self._link.call_once(
            lane[0],
            "XREAD",
            "COUNT",
            TAIL_PAGE_ENTRIES,
            "BLOCK",
            int(BLOCK_S * 1000),
            "STREAMS",
            *(bus_key(partition) for partition in lane),
            *(positions[partition] for partition in lane),
        )
        for partition, entry_id, message in parse_streams(reply):
            positions[partition] = entry_id
            if message is None:
                _LOG.error("entry %s of the bus of partition %s is not one of ours", entry_id, partition)
                continue
            for tail in self._tails:
                tail.offer(message)
        if reply:  # a read costs the client more than a message: let some gather
            await asyncio.sleep(TAIL_PAUSE_S)
