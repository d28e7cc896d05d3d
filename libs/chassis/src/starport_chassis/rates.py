"""Rates: how many calls one peer may make, so that one client cannot take the house away from the others."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeVar
from urllib.parse import unquote

from .settings import Network

PEERS_MAX = 10_000  # connections and hosts remembered; the oldest go first
IPV6_PREFIX_BITS = 64  # one household has at least so much, so that is one peer

T = TypeVar("T")


class Bucket:
    """Holds up to `burst` permits, refilled steadily."""

    __slots__ = ("burst", "left", "now", "per_s", "seen")

    def __init__(self, per_s: float, burst: float, now: Callable[[], float] = monotonic) -> None:
        self.per_s = per_s
        self.burst = burst
        self.now = now
        self.left = burst
        self.seen = now()

    def take(self) -> bool:
        now = self.now()
        self.left = min(self.burst, self.left + (now - self.seen) * self.per_s)
        self.seen = now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True


class PeerRates:
    """The buckets by peer; a peer is a host, not a connection."""

    def __init__(
        self, per_s: float, burst: float, exempt: Sequence[Network] = (), now: Callable[[], float] = monotonic
    ) -> None:
        self._per_s = per_s
        self._burst = burst
        self._exempt = exempt
        self._now = now
        self._by_peer: dict[str, Bucket | None] = {}  # by what gRPC calls a peer, which has the port of the connection
        self._by_host: dict[str, Bucket] = {}

    def bucket(self, peer: str) -> Bucket | None:
        """The bucket of a gRPC peer, None when it has no limit."""
        try:
            return self._by_peer[peer]
        except KeyError:
            host = host_of(peer, self._exempt)
            bucket = None
            if host is not None:
                bucket = self._by_host.get(host)
                if bucket is None:
                    bucket = Bucket(self._per_s, self._burst, self._now)
                    _remember(self._by_host, host, bucket)
            _remember(self._by_peer, peer, bucket)
            return bucket


def host_of(peer: str, exempt: Sequence[Network]) -> str | None:
    """`ipv4:10.0.0.7:51234` is the host 10.0.0.7; None when it is exempt, as everything on a unix socket is."""
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return None if kind == "unix" else peer
    try:
        address = ipaddress.ip_address(rest.rpartition(":")[0].strip("[]").partition("%")[0])
    except ValueError:
        return peer
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if any(address in network for network in exempt):
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, IPV6_PREFIX_BITS), strict=False))
    return str(address)


def _remember(table: dict[str, T], key: str, value: T) -> None:
    while len(table) >= PEERS_MAX:
        del table[next(iter(table))]
    table[key] = value
