"""Calls a handler for every entry: matches side by side, one match in order, failures again, hopeless ones buried."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starport_eventlog.backoff import Backoff
from starport_eventlog.contract import BusMessage, Entry

_LOG = logging.getLogger(__name__)

Handle = Callable[[BusMessage], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ConsumerLimits:
    handlers_max: int = 32  # handlers that run at the same time
    in_flight_max: int = (
        512  # entries that were read and not acknowledged yet; about, for a read takes some of each partition
    )
    handle_s: float = 10.0  # one call of the handler
    tries_max: int = 5  # calls of the handler per entry
    retry_min_s: float = 0.1
    retry_max_s: float = 5.0
    deliveries_max: int = 10  # consumers that may die over an entry
    takeover_s: float = 30.0  # without a sign of life for so long, a consumer's entries are taken over
    drain_s: float = 10.0  # what `stop` gives running handlers
    trim_every_s: float = 30.0
    forget_s: float = 3600.0  # consumers that own nothing and are silent for so long are removed from the group


@dataclass(slots=True)
class ConsumerStats:
    handled: int = 0
    failed: int = 0  # calls of the handler
    buried: int = 0
    taken_over: int = 0


@dataclass(slots=True)
class Handlers:
    handle: Handle
    limits: ConsumerLimits
    stats: ConsumerStats
    done: Callable[[Entry], None]
    bury: Callable[[Entry, str], Awaitable[None]]
    _queues: dict[str, deque[Entry]] = field(default_factory=dict)
    _work: set[asyncio.Task[None]] = field(default_factory=set)
    _slots: asyncio.Semaphore = field(init=False)
    _stopping: bool = False

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.limits.handlers_max)

    def add(self, entry: Entry) -> None:
        # What is not a message belongs to no match and can only be buried; the order of those does not matter.
        line = entry.id if entry.message is None else entry.message.match
        queue = self._queues.get(line)
        if queue is not None:
            queue.append(entry)
            return
        self._queues[line] = deque([entry])
        task = asyncio.create_task(self._work_off(line), name=f"eventlog-handler-{line}")
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def stop(self) -> None:
        """Lets running handlers end. What is left stays pending, for whoever takes over."""
        self._stopping = True
        if self._work:
            _, late = await asyncio.wait(self._work, timeout=self.limits.drain_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _work_off(self, line: str) -> None:
        queue = self._queues[line]
        try:
            while queue and not self._stopping:
                await self._finish(queue[0])
                queue.popleft()
        finally:
            del self._queues[line]

    async def _finish(self, entry: Entry) -> None:
        if entry.message is None:
            await self.bury(entry, "not a bus message")
            return
        if entry.deliveries > self.limits.deliveries_max:
            await self.bury(entry, f"{entry.deliveries - 1} consumers did not finish it")
            return
        backoff = Backoff(self.limits.retry_min_s, self.limits.retry_max_s)
        for tries_left in reversed(range(self.limits.tries_max)):
            error = await self._try(entry.message)
            if error is None:
                self.stats.handled += 1
                self.done(entry)
                return
            self.stats.failed += 1
            if tries_left == 0:
                await self.bury(entry, error)
                return
            if self._stopping:
                return
            await backoff.wait()

    async def _try(self, message: BusMessage) -> str | None:
        """None, or what went wrong."""
        try:
            async with self._slots, asyncio.timeout(self.limits.handle_s):
                await self.handle(message)
        except Exception as error:  # noqa: BLE001  # whatever a handler raises, the other matches go on
            _LOG.warning("handler failed on version %d of %s", message.version, message.match, exc_info=True)
            return f"{type(error).__name__}: {error}"
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return "CancelledError: the handler cancelled itself"
        return None
