"""How a client reaches a service: one that comes back, or another replica of it, is found within seconds."""

from __future__ import annotations

from typing import Final

import grpc

# What gRPC does without these: it asks DNS again after 30 s at the earliest, waits 20 s for a host that is gone and up
# to two minutes between tries. A replica that dies would cost its clients more time than a house bot has for a move.
OPTIONS: Final = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),  # also how long a connection may take to come about
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.dns_min_time_between_resolutions_ms", 500),
    ("grpc.keepalive_time_ms", 15_000),  # a peer that vanished without a word is noticed; servers allow one in 10 s
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.enable_http_proxy", 0),
)


def dial(address: str, *more: tuple[str, str | int]) -> grpc.aio.Channel:
    """A channel to a service, with further options where a client has wishes of its own."""
    return grpc.aio.insecure_channel(address, (*OPTIONS, *more))
