"""The host: health, reflection, several services on one port, and the drain."""

from __future__ import annotations

import asyncio
import socket
import urllib.request
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # has no types
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc  # type: ignore[import-untyped]  # has no types

from libs.chassis.tests.conftest import Lines, Open
from libs.chassis.tests.parlour import NAME, OTHER_NAME, Parlour, say
from starport_chassis import CannotStart, Host, Settings, code_of

Health = health_pb2.HealthCheckResponse
Status = grpc.StatusCode


async def health_of(channel: grpc.aio.Channel, service: str) -> Any:
    request = health_pb2.HealthCheckRequest(service=service)
    return (await health_pb2_grpc.HealthStub(channel).Check(request)).status


async def until(condition: Any) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110  # the other end of a connection has no event here
            await asyncio.sleep(0.01)


async def test_health_is_told_for_each_service(opened: Open, parlour: Parlour) -> None:
    host, channel = await opened(parlour, Parlour(OTHER_NAME))
    for name in ("", NAME, OTHER_NAME):
        assert await health_of(channel, name) == Health.SERVING
    await host.set_health(NAME, serving=False)
    assert await health_of(channel, NAME) == Health.NOT_SERVING
    assert await health_of(channel, OTHER_NAME) == Health.SERVING
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await health_of(channel, "test.Nowhere")
    assert caught.value.code() is Status.NOT_FOUND


async def test_health_is_not_rated(opened: Open, parlour: Parlour) -> None:
    _, channel = await opened(parlour, rate_per_s=0.001, rate_burst=1, rate_exempt="")
    for _ in range(5):
        assert await health_of(channel, NAME) == Health.SERVING


async def test_reflection_lists_the_services(opened: Open, parlour: Parlour) -> None:
    _, channel = await opened(parlour)
    asked = reflection_pb2.ServerReflectionRequest(list_services="")
    call = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(iter([asked]))
    [response] = [response async for response in call]
    names = {service.name for service in response.list_services_response.service}
    assert names == {NAME, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}


async def test_several_services_share_a_port(opened: Open, parlour: Parlour) -> None:
    garden = Parlour(OTHER_NAME)
    host, channel = await opened(parlour, garden)
    assert await say(channel, "unary", "a") == ["a"]
    assert await say(channel, "unary", "b", name=OTHER_NAME) == ["b"]
    await host.stop()
    assert parlour.told == garden.told == ["start", "stop"]


async def test_the_drain_finishes_running_calls_and_refuses_new_ones(
    opened: Open, parlour: Parlour, logged: Lines
) -> None:
    host, channel = await opened(parlour)
    running = asyncio.create_task(say(channel, "unary", "wait"))
    await parlour.entered.wait()
    stopping = asyncio.create_task(host.stop())
    await until(lambda: "draining" in logged.events())
    await asyncio.sleep(0.05)
    assert await health_of(channel, NAME) == Health.NOT_SERVING
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await say(channel, "unary", "a")
    assert (caught.value.code(), code_of(caught.value)) == (Status.UNAVAILABLE, "DRAINING")
    assert "stop" not in parlour.told
    parlour.release.set()
    assert await running == ["wait"]
    await stopping
    assert parlour.told == ["start", "stop"]
    assert logged.events() == ["serving", "draining", "stopped"]


async def test_watchers_of_health_hear_of_the_drain_first(opened: Open, parlour: Parlour) -> None:
    host, channel = await opened(parlour, drain_notice_s=0.2)
    watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=NAME))
    assert (await watch.read()).status == Health.SERVING
    stopping = asyncio.create_task(host.stop())
    assert (await watch.read()).status == Health.NOT_SERVING
    assert await say(channel, "unary", "a") == ["a"]  # calls are still taken until load balancers know
    await stopping


@pytest.mark.parametrize("shape", ["down", "up", "both"])
async def test_the_drain_ends_open_streams_with_a_word(opened: Open, parlour: Parlour, shape: str) -> None:
    host, channel = await opened(parlour)
    open_stream = asyncio.create_task(say(channel, shape, "wait"))
    await parlour.entered.wait()
    await host.stop()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await open_stream
    assert (caught.value.code(), code_of(caught.value)) == (Status.UNAVAILABLE, "DRAINING")


async def test_the_drain_is_bounded(opened: Open, parlour: Parlour, logged: Lines) -> None:
    host, channel = await opened(parlour, drain_s=0.1)
    stuck = asyncio.create_task(say(channel, "unary", "wait"))
    await parlour.entered.wait()
    async with asyncio.timeout(3):
        await host.stop()
    assert "calls cut off" in logged.events()
    with pytest.raises(grpc.aio.AioRpcError):
        await stuck


async def test_a_drain_can_be_cut_short(opened: Open, parlour: Parlour) -> None:
    host, channel = await opened(parlour, drain_s=60.0)
    stuck = asyncio.create_task(say(channel, "unary", "wait"))
    await parlour.entered.wait()
    stopping = asyncio.create_task(host.stop())
    await asyncio.sleep(0.05)
    async with asyncio.timeout(3):
        await host.stop(hurry=True)
        await stopping
    with pytest.raises(grpc.aio.AioRpcError):
        await stuck


async def test_a_taken_port_is_told_in_one_line(opened: Open, parlour: Parlour) -> None:
    host, _ = await opened(parlour)
    second = Parlour()
    with pytest.raises(CannotStart, match=f"cannot listen on 127.0.0.1:{host.port}"):
        await Host(Settings(port=host.port), [second]).start()
    assert second.told == []


async def test_a_service_that_cannot_start_stops_what_was_started(parlour: Parlour) -> None:
    class Broken(Parlour):
        async def start(self) -> None:
            raise CannotStart("no store")

    with pytest.raises(CannotStart, match="no store"):
        await Host(Settings(), [parlour, Broken(OTHER_NAME)]).start()
    assert parlour.told == ["start", "stop"]


async def test_a_service_that_cannot_stop_does_not_keep_others(opened: Open, parlour: Parlour, logged: Lines) -> None:
    class Broken(Parlour):
        async def stop(self) -> None:
            raise RuntimeError("jammed")

    host, _ = await opened(parlour, Broken(OTHER_NAME))
    await host.stop()
    assert parlour.told == ["start", "stop"]
    assert "a service did not stop well" in logged.events()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_metrics_have_a_page(opened: Open, parlour: Parlour) -> None:
    port = free_port()
    host, channel = await opened(parlour, metrics_port=port)
    await say(channel, "unary", "a")

    def read() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as page:
            return str(page.read().decode())

    text = await asyncio.to_thread(read)
    assert f'starport_grpc_calls_total{{method="/{NAME}/unary",status="OK"}}' in text
    assert "starport_grpc_seconds_bucket" in text
    await host.stop()
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(read)
