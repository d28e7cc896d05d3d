"""Metrics of gRPC: calls by method and status, how long they took, how many run; the page Prometheus reads."""

from __future__ import annotations

from functools import cache
from threading import Thread
from typing import Any

import grpc
from prometheus_client import Counter, Gauge, Histogram, start_http_server

from .settings import CannotStart

# From 0.25 ms, a quick call on one machine, to the deadline of a call.
BUCKETS_S = (0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.5, 5.0)

CALLS = Counter("starport_grpc_calls", "Calls that ended, by method and status", ["method", "status"])
SECONDS = Histogram("starport_grpc_seconds", "How long calls took, in seconds", ["method"], buckets=BUCKETS_S)
REFUSALS = Counter("starport_grpc_refusals", "Refused calls by method and code", ["method", "code"])
RUNNING = Gauge("starport_grpc_running", "Calls that run now", ["method"])


class MethodMetrics:
    """The figures of one method, looked up once, so that a call only counts."""

    __slots__ = ("_by_status", "method", "observe_s", "ok", "running")

    def __init__(self, method: str) -> None:
        self.method = method
        self.running = 0  # a plain number that the page reads, cheaper than a gauge's lock twice a call
        RUNNING.labels(method).set_function(lambda: self.running)
        self.observe_s = SECONDS.labels(method).observe
        self.ok = CALLS.labels(method, "OK").inc
        self._by_status: dict[grpc.StatusCode, Any] = {}

    def ended(self, status: grpc.StatusCode) -> None:
        count = self._by_status.get(status)
        if count is None:
            count = self._by_status[status] = CALLS.labels(self.method, status.name).inc
        count()

    def refused(self, status: grpc.StatusCode, code: str) -> None:
        self.ended(status)
        REFUSALS.labels(self.method, code).inc()


@cache
def metrics_of(method: str) -> MethodMetrics:
    """One for each method of the process, also where several hosts serve it."""
    return MethodMetrics(method)


class MetricsPage:
    """The page over HTTP, in a thread of its own."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._server: Any = None
        self._thread: Thread | None = None

    def start(self) -> None:
        try:
            self._server, self._thread = start_http_server(self._port, self._host)
        except OSError as error:
            raise CannotStart(f"metrics: cannot listen on {self._host}:{self._port}: {error.strerror}") from None

    def stop(self) -> None:
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
