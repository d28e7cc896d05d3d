"""Every call passes the guard: refusals, unforeseen errors, limits, deadlines, metrics, for every shape of method."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from prometheus_client import REGISTRY

from libs.chassis.tests.conftest import Lines, Open
from libs.chassis.tests.parlour import NAME, SHAPES, Parlour, say
from starport_chassis import Host, Settings, code_of
from starport_chassis.guard import Guard
from starport_chassis.refusals import CODE_KEY

Status = grpc.StatusCode


async def refused(call: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), code_of(caught.value)


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.mark.parametrize(
    ("shape", "words", "replies"),
    [
        ("unary", ["a"], ["a"]),
        ("down", ["a"], ["first", "a"]),
        ("up", ["a", "b"], ["a b"]),
        ("both", ["a", "b"], ["a", "b"]),
    ],
)
async def test_good_calls_pass(
    opened: Open, parlour: Parlour, shape: str, words: list[str], replies: list[str]
) -> None:
    _, channel = await opened(parlour)
    assert await say(channel, shape, *words) == replies


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("word", "status", "code"),
    [
        ("refuse", Status.FAILED_PRECONDITION, "NO_LUCK"),
        ("group", Status.FAILED_PRECONDITION, "NO_LUCK"),
        ("odd", Status.FAILED_PRECONDITION, "ODD"),
        ("crash", Status.INTERNAL, "INTERNAL"),
        ("timeout", Status.INTERNAL, "INTERNAL"),
        ("upstream", Status.UNAVAILABLE, "UPSTREAM"),
        ("abort", Status.DATA_LOSS, ""),
        (b"\xff", Status.INVALID_ARGUMENT, "MALFORMED"),
    ],
)
async def test_bad_ends(
    opened: Open, parlour: Parlour, shape: str, word: str | bytes, status: grpc.StatusCode, code: str
) -> None:
    _, channel = await opened(parlour)
    assert await refused(say(channel, shape, word)) == (status, code)
    assert await say(channel, "unary", "still here") == ["still here"]


async def test_a_refusal_has_its_words_and_trailing_metadata(opened: Open, parlour: Parlour) -> None:
    _, channel = await opened(parlour)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await say(channel, "unary", "refuse")
    assert caught.value.details() == "no luck today ½"
    assert (CODE_KEY, "NO_LUCK") in tuple(caught.value.trailing_metadata())


@pytest.mark.parametrize("shape", SHAPES)
async def test_unforeseen_errors_are_logged_and_not_told(
    opened: Open, parlour: Parlour, logged: Lines, shape: str
) -> None:
    _, channel = await opened(parlour)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await say(channel, shape, "crash")
    assert "secret" not in (caught.value.details() or "")
    [entry] = [entry for entry in logged.objects() if entry["level"] == "error"]
    assert entry["method"] == f"/{NAME}/{shape}"
    assert "KeyError: 'something secret'" in entry["exception"]


async def test_refusals_are_not_logged(opened: Open, parlour: Parlour, logged: Lines) -> None:
    _, channel = await opened(parlour)
    await refused(say(channel, "unary", "refuse"))
    assert logged.events() == ["serving"]


@pytest.mark.parametrize("shape", SHAPES)
async def test_oversized_messages_are_refused_and_the_server_lives_on(
    opened: Open, parlour: Parlour, shape: str
) -> None:
    _, channel = await opened(parlour, message_bytes_max=10_000)
    status, _ = await refused(say(channel, shape, "x" * 10_001))
    assert status is Status.RESOURCE_EXHAUSTED
    assert await say(channel, shape, "x" * 9_900)


async def test_the_rate_of_a_peer_is_limited(opened: Open, parlour: Parlour) -> None:
    _, channel = await opened(parlour, rate_per_s=0.001, rate_burst=3, rate_exempt="")
    for _ in range(3):
        await say(channel, "unary", "a")
    for shape in SHAPES:
        assert await refused(say(channel, shape, "a")) == (Status.RESOURCE_EXHAUSTED, "RATE")


@pytest.mark.parametrize("shape", ["up", "both"])
async def test_messages_on_a_stream_count_like_calls(opened: Open, parlour: Parlour, shape: str) -> None:
    _, channel = await opened(parlour, rate_per_s=0.001, rate_burst=3, rate_exempt="")
    assert await refused(say(channel, shape, "a", "b", "c")) == (Status.RESOURCE_EXHAUSTED, "RATE")


@pytest.mark.parametrize("limits", [{"rate_exempt": "127.0.0.0/8"}, {"rate_exempt": "", "rate_per_s": 0}])
async def test_no_rate_for_exempt_peers_or_when_off(opened: Open, parlour: Parlour, limits: dict[str, Any]) -> None:
    _, channel = await opened(parlour, **{"rate_per_s": 0.001, "rate_burst": 1, **limits})
    for shape in SHAPES:
        await say(channel, shape, "a")


async def test_too_many_calls_at_once_are_refused(opened: Open, parlour: Parlour) -> None:
    _, channel = await opened(parlour, calls_max=1)
    waiting = asyncio.create_task(say(channel, "unary", "wait"))
    await parlour.entered.wait()
    assert await refused(say(channel, "unary", "a")) == (Status.RESOURCE_EXHAUSTED, "BUSY")
    parlour.release.set()
    assert await waiting == ["wait"]
    assert await say(channel, "unary", "a") == ["a"]


@pytest.mark.parametrize("shape", SHAPES)
async def test_calls_that_take_too_long_are_given_up(opened: Open, parlour: Parlour, shape: str) -> None:
    _, channel = await opened(parlour, call_deadline_s=0.05, stream_deadline_s=0.05)
    assert await refused(say(channel, shape, "wait")) == (Status.DEADLINE_EXCEEDED, "DEADLINE")
    assert "cancelled" in parlour.told
    assert await say(channel, "unary", "a") == ["a"]


async def test_each_call_has_its_own_deadline(opened: Open, parlour: Parlour) -> None:
    """The timer looks at the oldest only: the second call must not go with it, nor be forgotten."""
    _, channel = await opened(parlour, call_deadline_s=0.4)
    begin = asyncio.get_running_loop().time()

    async def given_up_after(start_s: float) -> float:
        await asyncio.sleep(start_s)
        assert await refused(say(channel, "unary", "wait")) == (Status.DEADLINE_EXCEEDED, "DEADLINE")
        return asyncio.get_running_loop().time() - begin

    first, second = await asyncio.gather(given_up_after(0), given_up_after(0.2))
    assert first >= 0.39
    assert second >= 0.59


@pytest.mark.parametrize("shape", ["unary", "down"])
async def test_a_client_that_leaves_is_noticed_without_noise(
    opened: Open, parlour: Parlour, logged: Lines, shape: str
) -> None:
    _, channel = await opened(parlour)
    call = asyncio.create_task(say(channel, shape, "wait"))
    await parlour.entered.wait()
    call.cancel()
    while "cancelled" not in parlour.told:  # noqa: ASYNC110  # what the other end does has no event here
        await asyncio.sleep(0.01)
    assert logged.events() == ["serving"]
    if shape == "down":
        assert "closed" in parlour.told  # the generator was closed, not left to the collector


async def test_writing_to_a_client_that_has_left_is_no_fault(logged: Lines) -> None:
    """gRPC raises its own error for that, before it cancels the handler."""

    class Gone:
        def peer(self) -> str:
            return "ipv4:127.0.0.1:1"

        async def abort(self, *_: object) -> None:
            raise AssertionError("nobody is there to hear it")

    guard = Guard(Settings())

    async def write(request: Any, context: Any) -> None:
        raise grpc.aio.InternalError("Failed grpc_call_start_batch: 1")

    method: Any = guard.wrap("/parlour/write", grpc.unary_stream_rpc_method_handler(write)).unary_stream
    with pytest.raises(grpc.aio.InternalError):
        await method(b"", Gone())
    assert logged.events() == []
    assert guard.running == 0


async def test_metrics_count_calls_by_method_and_status(opened: Open, parlour: Parlour) -> None:
    _, channel = await opened(parlour)

    def counts() -> list[float]:
        method = f"/{NAME}/unary"
        return [
            figure("starport_grpc_calls_total", method=method, status="OK"),
            figure("starport_grpc_calls_total", method=method, status="FAILED_PRECONDITION"),
            figure("starport_grpc_refusals_total", method=method, code="NO_LUCK"),
            figure("starport_grpc_seconds_count", method=method),
            figure("starport_grpc_running", method=method),
        ]

    before = counts()
    await say(channel, "unary", "a")
    await refused(say(channel, "unary", "refuse"))
    waiting = asyncio.create_task(say(channel, "unary", "wait"))
    await parlour.entered.wait()
    assert [now - then for now, then in zip(counts(), before, strict=True)] == [1, 1, 1, 2, 1]
    parlour.release.set()
    await waiting
    assert [now - then for now, then in zip(counts(), before, strict=True)] == [2, 1, 1, 3, 0]


async def test_blocking_handlers_are_a_mistake_told_at_once() -> None:
    class Blocking(Parlour):
        def register(self, server: grpc.aio.Server) -> list[str]:
            handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {"unary": grpc.unary_unary_rpc_method_handler(max)}
            server.add_registered_method_handlers(NAME, handlers)
            return [NAME]

    with pytest.raises(TypeError, match="must be an async function"):
        await Host(Settings(), [Blocking()]).start()
