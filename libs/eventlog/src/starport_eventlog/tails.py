"""Tails that share one source: each has a bounded queue, and a slow one hears of a gap instead of slowing others."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Self

from starport_eventlog.contract import BusMessage, StoreDown, TailGap
from starport_eventlog.limits import CALL_WAIT_S, TAIL_QUEUE_MAX


class QueueTail:
    def __init__(self, started: asyncio.Event, leave: Callable[["QueueTail"], Awaitable[None]]) -> None:
        self._started = started
        self._leave = leave
        self._queue: deque[BusMessage] = deque()
        self._news = asyncio.Event()
        self._gap = False
        self._closed = False

    async def ready(self) -> None:
        try:
            async with asyncio.timeout(CALL_WAIT_S):
                await self._started.wait()
        except TimeoutError as error:
            raise StoreDown(f"the bus cannot be read since {CALL_WAIT_S:g} s") from error

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> BusMessage:
        while True:
            if self._gap:
                self._gap = False
                raise TailGap("bus messages were missed; read again what you follow")
            if self._queue:
                return self._queue.popleft()
            if self._closed:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()

    async def aclose(self) -> None:
        self.end()
        await self._leave(self)

    def offer(self, message: BusMessage) -> None:
        if len(self._queue) >= TAIL_QUEUE_MAX:
            self.tell_gap()
        self._queue.append(message)
        self._news.set()

    def tell_gap(self) -> None:
        """What waits is dropped too: after reading everything again nobody needs it."""
        self._queue.clear()
        self._gap = True
        self._news.set()

    def end(self) -> None:
        self._closed = True
        self._news.set()
