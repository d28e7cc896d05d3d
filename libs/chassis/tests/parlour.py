"""The service of these tests: one method of each shape, told by a word what to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
import structlog
from google.protobuf.wrappers_pb2 import StringValue as Word

from starport_chassis import Refused, Settings, failed, serve

Context = grpc.aio.ServicerContext[Any, Any]
NAME = "test.Parlour"
OTHER_NAME = "test.Garden"
SHAPES = ("unary", "down", "up", "both")  # which side streams


class Odd(Exception):
    """Something that only a `translate` knows."""


def translate(error: Exception) -> Refused | None:
    return failed("ODD", "translated") if isinstance(error, Odd) else None


class Parlour:
    """Echoes; some words have consequences."""

    def __init__(self, name: str = NAME) -> None:
        self.name = name.rpartition(".")[2].lower()
        self._full_name = name
        self.told: list[str] = []
        self.entered = asyncio.Event()
        self.release = asyncio.Event()

    async def _heed(self, request: Word, context: Context) -> Word:
        word = request.value
        if word == "refuse":
            raise failed("NO_LUCK", "no luck today ½")
        if word == "crash":
            raise KeyError("something secret")
        if word == "odd":
            raise Odd
        if word == "group":
            async with asyncio.TaskGroup() as group:
                group.create_task(self._heed(Word(value="refuse"), context))
        if word == "abort":
            await context.abort(grpc.StatusCode.DATA_LOSS, "by hand")
        if word == "upstream":
            raise grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata())
        if word == "wait":
            self.entered.set()
            structlog.get_logger().debug("entered")
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                self.told.append("cancelled")
                raise
        if word == "timeout":
            raise TimeoutError  # its own, not the deadline of the call
        return request

    def register(self, server: grpc.aio.Server) -> Sequence[str]:
        async def unary(request: Word, context: Context) -> Word:
            return await self._heed(request, context)

        async def down(request: Word, context: Context) -> AsyncIterator[Word]:
            try:
                yield Word(value="first")
                yield await self._heed(request, context)
            finally:
                self.told.append("closed")

        async def up(requests: AsyncIterator[Word], context: Context) -> Word:
            return Word(value=" ".join([(await self._heed(request, context)).value async for request in requests]))

        async def both(requests: AsyncIterator[Word], context: Context) -> None:
            async for request in requests:
                await context.write(await self._heed(request, context))

        schema: dict[str, Any] = {
            "request_deserializer": Word.FromString,
            "response_serializer": Word.SerializeToString,
        }
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "unary": grpc.unary_unary_rpc_method_handler(unary, **schema),
            "down": grpc.unary_stream_rpc_method_handler(down, **schema),
            "up": grpc.stream_unary_rpc_method_handler(up, **schema),
            "both": grpc.stream_stream_rpc_method_handler(both, **schema),
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(self._full_name, handlers),))
        return [self._full_name]

    async def start(self) -> None:
        self.told.append("start")

    async def stop(self) -> None:
        self.told.append("stop")


async def say(channel: grpc.aio.Channel, shape: str, *words: str | bytes, name: str = NAME) -> list[str]:
    """Calls the method of a shape with the words (one only where it takes one); returns what came back."""
    raw = [word if isinstance(word, bytes) else Word(value=word).SerializeToString() for word in words]
    calls: Any = channel  # without serializers it speaks bytes, which the stubs do not say
    path = f"/{name}/{shape}"
    if shape in ("unary", "down"):
        call = (calls.unary_unary if shape == "unary" else calls.unary_stream)(path)(raw[0])
    else:
        call = (calls.stream_unary if shape == "up" else calls.stream_stream)(path)(iter(raw))
    try:
        replies = [await call] if shape in ("unary", "up") else [reply async for reply in call]
    finally:
        call.cancel()  # gRPC does not always do so when the task that reads a stream is cancelled
    return [Word.FromString(reply).value for reply in replies]


async def build(settings: Settings) -> Sequence[Parlour]:
    return [Parlour()]


if __name__ == "__main__":
    raise SystemExit(serve(Settings, build))
