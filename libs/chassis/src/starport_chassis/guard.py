"""The guard around every method: refusals, unforeseen errors, metrics, rates, deadlines and the drain, in one layer.

It wraps handlers when a service registers them instead of being an interceptor: gRPC would run an interceptor's
coroutine on every call, and this costs nothing but what it does.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import grpc
import structlog

from .deadlines import Deadlines, Running
from .metrics import MethodMetrics, metrics_of
from .rates import Bucket, PeerRates
from .refusals import CODE_KEY, Refused, exhausted, invalid, unavailable
from .settings import Settings, networks_of

log = structlog.get_logger("starport.guard")

Context = grpc.aio.ServicerContext[Any, Any]
Translate = Callable[[Exception], Refused | None]
Work = Callable[[Any, Context], Awaitable[Any]]

CUT_S = 1.0  # how long streams have to notice that they were ended
# What a call to another service may end with although nothing is wrong with us.
UPSTREAM_DOWN = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


class Guard:
    """Counts, bounds and ends the calls of one server."""

    def __init__(self, settings: Settings, translate: Translate | None = None) -> None:
        self._translate = translate
        self._calls = Deadlines(settings.call_deadline_s)
        self._streams = Deadlines(settings.stream_deadline_s)
        self._calls_max = settings.calls_max
        self._rates: PeerRates | None = None
        if settings.rate_per_s > 0:
            self._rates = PeerRates(settings.rate_per_s, settings.rate_burst, networks_of(settings.rate_exempt))
        self.draining = False
        self.running = 0
        self._still = asyncio.Event()  # set when, while draining, the last call has ended

    # ------------------------------------------------------------------------------------------------------ the drain

    async def drain(self, calls_s: float, streams_s: float) -> int:
        """Refuses new calls and lets running ones finish; returns how many had to be left."""
        self.draining = True
        if not self.running:
            return 0
        loop = asyncio.get_running_loop()
        end = loop.time() + calls_s
        if not await self._still_within(min(streams_s, calls_s)):
            self._streams.end_all(unavailable("DRAINING", "this server is about to stop; open a new stream"))
            await self._still_within(max(end - loop.time(), CUT_S))
        return self.running

    async def _still_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._still.wait()
        except TimeoutError:
            return False
        return True

    # ---------------------------------------------------------------------------------------------------- the wrapping

    def wrap(self, method: str, handler: grpc.RpcMethodHandler[Any, Any]) -> grpc.RpcMethodHandler[Any, Any]:
        metrics = metrics_of(method)
        if handler.unary_unary is not None:
            return self._unary(metrics, handler)
        reads = _checked(handler.request_deserializer)
        writes = handler.response_serializer
        if handler.stream_unary is not None:
            work = self._guarded(metrics, _coroutine(method, handler.stream_unary), requests=True)
            return grpc.stream_unary_rpc_method_handler(work, reads, writes)
        if handler.unary_stream is not None:
            work = self._guarded(metrics, _reading(reads, _writing(method, handler.unary_stream)), requests=False)
            return grpc.unary_stream_rpc_method_handler(work, None, writes)
        if handler.stream_stream is not None:
            work = self._guarded(metrics, _writing(method, handler.stream_stream), requests=True)
            return grpc.stream_stream_rpc_method_handler(work, reads, writes)
        raise TypeError(f"{method} has no behaviour")

    def _unary(
        self, metrics: MethodMetrics, handler: grpc.RpcMethodHandler[Any, Any]
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """One request, one reply. Bytes are read and written in here, so that malformed ones are refused properly."""
        work = _coroutine(metrics.method, handler.unary_unary)
        read = _checked(handler.request_deserializer)
        write = handler.response_serializer or _as_is
        observe_s = metrics.observe_s
        count_ok = metrics.ok
        deadlines = self._calls

        async def call(raw: bytes, context: Context) -> bytes:
            started = perf_counter()
            metrics.running += 1
            self.running += 1
            task = deadlines.begin()
            try:
                self._admit(context)
                reply = write(await work(read(raw), context))
            except BaseException as error:
                await self._answer(metrics, context, error, task, deadlines.end(task))
                raise
            else:
                deadlines.end(task)
                status: Any = context.code()  # None unless the handler set one, other than the stubs say
                if status is None:
                    count_ok()
                else:
                    metrics.ended(status)
                return reply
            finally:
                observe_s(perf_counter() - started)
                metrics.running -= 1
                self._left()

        return grpc.unary_unary_rpc_method_handler(call)

    def _guarded(self, metrics: MethodMetrics, work: Work, *, requests: bool) -> Work:
        """A method with a stream on one side or both; its messages count against the rate like calls."""
        deadlines = self._streams

        async def call(request: Any, context: Context) -> Any:
            started = perf_counter()
            metrics.running += 1
            self.running += 1
            task = deadlines.begin()
            try:
                bucket = self._admit(context)
                if requests and bucket is not None:
                    request = _rated(request, bucket)
                reply = await work(request, context)
            except BaseException as error:
                await self._answer(metrics, context, error, task, deadlines.end(task))
                raise
            else:
                deadlines.end(task)
                status: Any = context.code()
                metrics.ended(status or grpc.StatusCode.OK)
                return reply
            finally:
                metrics.observe_s(perf_counter() - started)
                metrics.running -= 1
                self._left()

        return call

    def _admit(self, context: Context) -> Bucket | None:
        if self.draining:
            raise unavailable("DRAINING", "this server is about to stop; try again")
        if self.running > self._calls_max:
            raise exhausted("BUSY", "too many calls at the same time; try again later")
        if self._rates is None:
            return None
        bucket = self._rates.bucket(context.peer())
        if bucket is not None and not bucket.take():
            raise _too_fast()
        return bucket

    def _left(self) -> None:
        self.running -= 1
        if self.draining and not self.running:
            self._still.set()

    # ---------------------------------------------------------------------------------------------------- the bad ends

    async def _answer(
        self, metrics: MethodMetrics, context: Context, error: BaseException, task: Running, ended: Refused | None
    ) -> None:
        """Answers a call that did not end well; returns only when that is done already, or nobody is there to hear."""
        if isinstance(error, grpc.aio.AbortError):
            metrics.ended(context.code())
            return
        if isinstance(error, grpc.aio.InternalError):  # what writing to a client that has gone away raises
            metrics.ended(grpc.StatusCode.CANCELLED)
            return
        if isinstance(error, asyncio.CancelledError):
            if ended is None:
                metrics.ended(grpc.StatusCode.CANCELLED)
                return
            task.uncancel()
            refusal = ended
        elif isinstance(error, Exception):
            refusal = self._refusal(metrics, error)
        else:  # the process is asked to end
            return
        metrics.refused(refusal.status, refusal.code)
        await context.abort(refusal.status, refusal.message, ((CODE_KEY, refusal.code),))

    def _refusal(self, metrics: MethodMetrics, error: Exception) -> Refused:
        if isinstance(error, Refused):
            return error
        if isinstance(error, ExceptionGroup):  # of a task group: the worst of what went wrong in it
            refusals = [self._refusal(metrics, part) for part in error.exceptions]
            return next((refusal for refusal in refusals if refusal.code == "INTERNAL"), refusals[0])
        if self._translate is not None:
            translated = self._translate(error)
            if translated is not None:
                return translated
        if isinstance(error, grpc.aio.AioRpcError) and error.code() in UPSTREAM_DOWN:
            log.warning("upstream down", method=metrics.method, status=error.code().name, details=error.details())
            return unavailable("UPSTREAM", "another service does not answer; try again")
        log.error("unforeseen error", method=metrics.method, exc_info=error)
        return Refused(grpc.StatusCode.INTERNAL, "INTERNAL", "something went wrong here; it has been logged")


class Registrar:
    """Stands in for the server while services register, and guards what they add."""

    def __init__(self, server: grpc.aio.Server, guard: Guard) -> None:
        self._server = server
        self._guard = guard

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        self._server.add_generic_rpc_handlers([_GuardedHandler(handler, self._guard) for handler in handlers])

    def add_registered_method_handlers(
        self, service: str, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    ) -> None:
        guarded = {name: self._guard.wrap(f"/{service}/{name}", handler) for name, handler in handlers.items()}
        self._server.add_registered_method_handlers(service, guarded)


class _GuardedHandler(grpc.GenericRpcHandler):
    def __init__(self, inner: grpc.GenericRpcHandler, guard: Guard) -> None:
        self._inner = inner
        self._guard = guard
        self._wrapped: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None:
            handler = self._inner.service(handler_call_details)
            if handler is None:
                return None
            wrapped = self._wrapped[method] = self._guard.wrap(method, handler)
        return wrapped


def _too_fast() -> Refused:
    return exhausted("RATE", "too many calls from this address; slow down")


def _as_is(message: Any) -> Any:
    return message


def _checked(read: Callable[[bytes], Any] | None) -> Callable[[bytes], Any]:
    """Bytes that are no message of the schema are the caller's mistake."""
    if read is None:
        return _as_is

    def checked(raw: bytes) -> Any:
        try:
            return read(raw)
        except Exception:  # noqa: BLE001  # whatever a parser of bytes from outside raises
            raise invalid("MALFORMED", "the bytes are no message of this method") from None

    return checked


async def _rated(requests: AsyncIterator[Any], bucket: Bucket) -> AsyncIterator[Any]:
    async for request in requests:
        if not bucket.take():
            raise _too_fast()
        yield request


def _coroutine(method: str, work: Any) -> Work:
    if not inspect.iscoroutinefunction(work):
        raise TypeError(f"{method} must be an async function: a blocking one would stop every other call")
    return work  # type: ignore[no-any-return]  # handlers are published without types


def _reading(read: Callable[[bytes], Any], work: Work) -> Work:
    async def read_first(raw: bytes, context: Context) -> Any:
        return await work(read(raw), context)

    return read_first


def _writing(method: str, work: Any) -> Work:
    """A stream of replies as one coroutine, whether its handler yields or writes, so that it can be ended anywhere."""
    if not inspect.isasyncgenfunction(work):
        return _coroutine(method, work)

    async def write_all(request: Any, context: Context) -> None:
        replies = work(request, context)
        try:
            async for reply in replies:
                await context.write(reply)
        finally:
            await replies.aclose()  # its own cleaning up runs now, not when somebody collects it

    return write_all
