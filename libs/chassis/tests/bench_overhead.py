"""What the host costs: a unary echo through it beside a bare grpc.aio server, in turns, each in its process.

Run it: python libs/chassis/tests/bench_overhead.py [rounds]
"""

from __future__ import annotations

import asyncio
import multiprocessing
import statistics
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any

import grpc

from starport_chassis import Host, Settings

BODY = b"x" * 500
CALLS_A_ROUND = 400
IN_FLIGHT = 64


class Echo:
    name = "echo"

    def register(self, server: grpc.aio.Server) -> Sequence[str]:
        async def echo(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
            return request

        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {"Echo": grpc.unary_unary_rpc_method_handler(echo)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", handlers),))
        server.add_registered_method_handlers("bench.Echo", handlers)
        return ["bench.Echo"]

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


async def _bare(pipe: Connection) -> None:
    server = grpc.aio.server()
    Echo().register(server)
    pipe.send(server.add_insecure_port("127.0.0.1:0"))
    await server.start()
    await server.wait_for_termination()


async def _hosted(pipe: Connection, exempt: str) -> None:
    host = Host(Settings(rate_exempt=exempt, rate_per_s=1e9, rate_burst=10**9, log_level="warning"), [Echo()])
    pipe.send(await host.start())
    await asyncio.Event().wait()


def _serve(kind: str, pipe: Connection) -> None:
    asyncio.run(_bare(pipe) if kind == "bare" else _hosted(pipe, "127.0.0.0/8" if kind == "host" else ""))


async def _one_by_one(call: Any) -> list[float]:
    took = []
    for _ in range(CALLS_A_ROUND):
        begin = time.perf_counter()
        await call(BODY)
        took.append(time.perf_counter() - begin)
    return took


async def _together(call: Any) -> float:
    async def some() -> None:
        for _ in range(CALLS_A_ROUND // 16):
            await call(BODY)

    begin = time.perf_counter()
    await asyncio.gather(*(some() for _ in range(IN_FLIGHT)))
    return IN_FLIGHT * (CALLS_A_ROUND // 16) / (time.perf_counter() - begin)


async def _measure(ports: dict[str, int], rounds: int) -> None:
    channels = {kind: grpc.aio.insecure_channel(f"127.0.0.1:{port}") for kind, port in ports.items()}
    calls: dict[str, Any] = {kind: channel.unary_unary("/bench.Echo/Echo") for kind, channel in channels.items()}
    took: dict[str, list[float]] = {kind: [] for kind in calls}
    rates: dict[str, list[float]] = {kind: [] for kind in calls}
    for call in calls.values():
        await _one_by_one(call)  # warm
    for _ in range(rounds):
        for kind, call in calls.items():
            took[kind] += await _one_by_one(call)
            rates[kind].append(await _together(call))
    for channel in channels.values():
        await channel.close()
    p50 = {kind: statistics.median(times) for kind, times in took.items()}
    rate = {kind: statistics.median(figures) for kind, figures in rates.items()}
    for kind in calls:
        sys.stdout.write(
            f"{kind:12} p50 {p50[kind] * 1e6:6.0f} µs (x{p50[kind] / p50['bare']:.3f})   "
            f"{rate[kind]:6.0f} calls/s at {IN_FLIGHT} in flight (x{rate[kind] / rate['bare']:.3f})\n"
        )


def main() -> None:
    context = multiprocessing.get_context("spawn")
    ports, processes = {}, []
    for kind in ("bare", "host", "host, rated"):
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(kind, theirs), daemon=True)
        process.start()
        processes.append(process)
        ports[kind] = ours.recv()
    asyncio.run(_measure(ports, int(sys.argv[1]) if len(sys.argv) > 1 else 10))
    for process in processes:
        process.terminate()
        process.join()


if __name__ == "__main__":
    main()
