"""The host: one gRPC server for one service or for several, with health, reflection, limits and a graceful end."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from typing import Any, Protocol, cast

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # has no types
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]  # has no types

from .guard import Guard, Registrar, Translate
from .metrics import MetricsPage
from .settings import CannotStart, Settings

log = structlog.get_logger("starport.host")

SENT_BYTES_MAX = 4 * 1024 * 1024  # what clients accept unless told otherwise
METADATA_BYTES_MAX = 16 * 1024
KEEPALIVE_EVERY_MS = 30_000  # a dead client is noticed by then, also on a silent stream
KEEPALIVE_WAIT_MS = 10_000
CLIENT_PING_EVERY_MIN_MS = 10_000  # clients that ping more often are sent away
HEALTH_CHANGE_S = 1.0  # a watcher of health that does not read must not hold the end up
LAST_WORDS_S = 0.25  # replies that are on their way, and watchers of health, after the last call ended
SERVICE_STOP_S = 5.0
EXIT_IMPATIENT = 130  # the usual code of a process ended by Ctrl-C


class Service(Protocol):
    """What a host runs."""

    @property
    def name(self) -> str: ...

    def register(self, server: grpc.aio.Server) -> Sequence[str]:
        """Adds its servicers; returns the full names of its gRPC services, for health and reflection."""

    async def start(self) -> None:
        """Begins background work; calls arrive only after every service has started."""

    async def stop(self) -> None:
        """Ends background work; no call arrives any more."""


class Host:
    """Serves until told to stop."""

    def __init__(self, settings: Settings, services: Sequence[Service], translate: Translate | None = None) -> None:
        self._settings = settings
        self._services = tuple(services)
        self._translate = translate
        self._started: list[Service] = []
        self._names: list[str] = []
        self._server: grpc.aio.Server | None = None
        self._guard: Guard | None = None
        self._health: Any = None
        self._page: MetricsPage | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()
        self.port = 0

    async def start(self) -> int:
        """Starts the services, then listens; returns the port. CannotStart when the port is taken."""
        try:
            return await self._start()
        except BaseException:
            await self.stop(hurry=True)
            raise

    async def _start(self) -> int:
        settings = self._settings
        server = self._server = grpc.aio.server(options=_options(settings))
        self._guard = Guard(settings, self._translate)
        registrar = cast("grpc.aio.Server", Registrar(server, self._guard))
        for service in self._services:
            self._names += service.register(registrar)
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection([*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME], server)
        await self._tell_health(health_pb2.HealthCheckResponse.NOT_SERVING)
        try:
            self.port = server.add_insecure_port(f"{_bracketed(settings.host)}:{settings.port}")
        except RuntimeError:
            raise CannotStart(f"cannot listen on {settings.host}:{settings.port}; is the port taken?") from None
        if settings.metrics_port:
            self._page = MetricsPage(settings.metrics_host, settings.metrics_port)
            self._page.start()
        for service in self._services:
            self._started.append(service)
            await service.start()
        await server.start()
        await self._tell_health(health_pb2.HealthCheckResponse.SERVING)
        log.info("serving", host=settings.host, port=self.port, services=[service.name for service in self._services])
        return self.port

    async def set_health(self, service: str, *, serving: bool) -> None:
        """For a service that notices that it cannot work for now, by its full gRPC name."""
        response = health_pb2.HealthCheckResponse
        await self._health.set(service, response.SERVING if serving else response.NOT_SERVING)

    async def _tell_health(self, status: Any) -> None:
        for name in ("", *self._names):
            await self._health.set(name, status)

    # -------------------------------------------------------------------------------------------------------- the end

    async def stop(self, *, hurry: bool = False) -> None:
        """Drains and stops; `hurry` cuts a drain short, also one that is under way."""
        if hurry:
            self._hurry.set()
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def _stop(self) -> None:
        draining = asyncio.create_task(self._drain())
        hurrying = asyncio.create_task(self._hurry.wait())
        await asyncio.wait((draining, hurrying), return_when=asyncio.FIRST_COMPLETED)
        for task in (draining, hurrying):
            task.cancel()
        await asyncio.gather(draining, hurrying, return_exceptions=True)
        if self._server is not None:
            await self._server.stop(None if self._hurry.is_set() else LAST_WORDS_S)
        for service in reversed(self._started):
            await _stop_service(service)
        if self._page is not None:
            await asyncio.to_thread(self._page.stop)
        log.info("stopped")

    async def _drain(self) -> None:
        if self._guard is None or self._health is None:
            return
        log.info("draining", running=self._guard.running)
        try:
            async with asyncio.timeout(HEALTH_CHANGE_S):
                await self._health.enter_graceful_shutdown()
        except TimeoutError:
            log.warning("a watcher of health does not read")
        await asyncio.sleep(self._settings.drain_notice_s)
        left = await self._guard.drain(self._settings.drain_s, self._settings.stream_drain_s)
        if left:
            log.warning("calls cut off", calls=left)

    async def run_until_signal(self) -> int:
        """Waits for SIGTERM or SIGINT and drains. A second signal cuts the drain short, a third ends the process."""
        loop = asyncio.get_running_loop()
        asked = asyncio.Event()
        count = 0

        def on_signal(number: signal.Signals) -> None:
            nonlocal count
            count += 1
            log.info("signal", signal=number.name)
            asked.set()
            if count == 2:
                self._hurry.set()
            elif count > 2:
                os._exit(EXIT_IMPATIENT)

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, on_signal, number)
        try:
            await asked.wait()
            await self.stop()
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)
        return EXIT_IMPATIENT if self._hurry.is_set() else 0


async def _stop_service(service: Service) -> None:
    """One that cannot stop must not keep the others from stopping."""
    try:
        async with asyncio.timeout(SERVICE_STOP_S):
            await service.stop()
    except Exception:
        log.exception("a service did not stop well", service=service.name)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _options(settings: Settings) -> list[tuple[str, Any]]:
    return [
        ("grpc.so_reuseport", 0),  # a second process on the port is an error, not a silent sharer
        ("grpc.max_receive_message_length", settings.message_bytes_max),
        ("grpc.max_send_message_length", SENT_BYTES_MAX),
        ("grpc.max_metadata_size", METADATA_BYTES_MAX),
        ("grpc.max_concurrent_streams", settings.streams_per_connection_max),
        ("grpc.keepalive_time_ms", KEEPALIVE_EVERY_MS),
        ("grpc.keepalive_timeout_ms", KEEPALIVE_WAIT_MS),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", CLIENT_PING_EVERY_MIN_MS),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", CLIENT_PING_EVERY_MIN_MS),
    ]
