"""Sends the appends that wait at the same time in one batch: the client's work per call costs more than the store's."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from starport_eventlog.contract import StoreDown
from starport_eventlog.limits import (
    APPENDS_PER_BATCH_MAX,
    APPENDS_WAITING_MAX,
    BATCH_BYTES_MAX,
    CALL_WAIT_S,
    GATHER_TURNS_MAX,
)

_LOG = logging.getLogger(__name__)

Arguments = tuple[str | bytes | int, ...]
Send = Callable[[Sequence[Arguments]], Awaitable[Sequence[bool | StoreDown]]]


@dataclass(slots=True)
class _Waiting:
    arguments: Arguments
    size: int
    deadline: float  # of the event loop's clock
    answer: asyncio.Future[bool]


class BatchingWriter:
    """One batch is under way at a time; what arrives meanwhile forms the next."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: deque[_Waiting] = deque()
        self._work: asyncio.Task[None] | None = None
        self._closed = False

    async def append(self, arguments: Arguments, size: int) -> bool:
        if self._closed:
            raise StoreDown("the log is closed")
        if len(self._waiting) >= APPENDS_WAITING_MAX:
            raise StoreDown(f"{APPENDS_WAITING_MAX} appends are waiting already")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(arguments, size, loop.time() + CALL_WAIT_S, loop.create_future())
        self._waiting.append(waiting)
        if self._work is None:
            self._work = loop.create_task(self._drain(), name="eventlog-writer")
        return await waiting.answer

    async def close(self) -> None:
        """Lets the batch under way end and refuses the rest."""
        self._closed = True
        self._refuse_waiting("the log is closed")
        if self._work is not None:
            await asyncio.wait([self._work])

    async def _drain(self) -> None:
        try:
            await self._gather()
            while batch := self._next_batch():
                await self._send_batch(batch)
                await self._gather()
        finally:
            self._work = None
            self._refuse_waiting("the writer was stopped")

    async def _gather(self) -> None:
        """Whoever is about to append comes along: waits for as many turns of the loop as bring somebody."""
        waiting = -1
        for _ in range(GATHER_TURNS_MAX):
            if len(self._waiting) == waiting:
                return
            waiting = len(self._waiting)
            await asyncio.sleep(0)

    def _next_batch(self) -> list[_Waiting]:
        batch: list[_Waiting] = []
        size = 0
        while self._waiting and len(batch) < APPENDS_PER_BATCH_MAX:
            if batch and size + self._waiting[0].size > BATCH_BYTES_MAX:
                break
            waiting = self._waiting.popleft()
            if waiting.answer.done():  # its caller has gone; it was never sent
                continue
            batch.append(waiting)
            size += waiting.size
        return batch

    async def _send_batch(self, batch: list[_Waiting]) -> None:
        # The first has waited longest: when its time is over, no other has waited too long. This bounds every wait.
        answers: Sequence[bool | StoreDown]
        try:
            async with asyncio.timeout_at(batch[0].deadline):
                answers = await self._send([waiting.arguments for waiting in batch])
        except TimeoutError:
            answers = [StoreDown(f"no answer within {CALL_WAIT_S:g} s")] * len(batch)
        except StoreDown as error:
            answers = [error] * len(batch)
        except Exception:  # noqa: BLE001  # a writer that ends would leave everybody waiting
            _LOG.exception("sending appends failed")
            answers = [StoreDown("sending appends failed")] * len(batch)
        except BaseException:
            _answer(batch, [StoreDown("the writer was stopped")] * len(batch))
            raise
        _answer(batch, answers)

    def _refuse_waiting(self, why: str) -> None:
        rest = list(self._waiting)
        self._waiting.clear()
        _answer(rest, [StoreDown(why)] * len(rest))


def _answer(batch: Sequence[_Waiting], answers: Sequence[bool | StoreDown]) -> None:
    for waiting, answer in zip(batch, answers, strict=True):
        if waiting.answer.done():
            continue
        if isinstance(answer, StoreDown):
            waiting.answer.set_exception(StoreDown(*answer.args))  # one each: a traceback belongs to one caller
        else:
            waiting.answer.set_result(answer)
