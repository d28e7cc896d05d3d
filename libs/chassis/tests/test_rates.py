"""Rates: buckets refill steadily, a host is one peer, and memory is bounded."""

from __future__ import annotations

import pytest

from starport_chassis import rates
from starport_chassis.rates import Bucket, PeerRates, host_of
from starport_chassis.settings import networks_of


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    clock = Clock()
    bucket = Bucket(per_s=2, burst=3, now=clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 1000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("ipv4:10.1.2.3:5000", "10.1.2.3"),
        ("ipv4:127.0.0.1:5000", None),
        ("ipv6:%5B::1%5D:5000", None),
        ("ipv6:[2001:db8:0:1:2:3:4:5]:5000", "2001:db8:0:1::/64"),
        ("ipv6:%5Bfe80::1%25eth0%5D:5000", "fe80::/64"),
        ("ipv6:[::ffff:10.1.2.3]:5000", "10.1.2.3"),
        ("ipv6:[::ffff:127.0.0.1]:5000", None),
        ("unix:/run/starport.sock", None),
        ("unix:", None),
        ("ipv4:nonsense", "ipv4:nonsense"),
        ("vsock:3:4", "vsock:3:4"),
    ],
)
def test_the_host_of_a_peer(peer: str, host: str | None) -> None:
    assert host_of(peer, networks_of("127.0.0.0/8, ::1/128")) == host


def test_connections_of_a_host_share_a_bucket() -> None:
    peers = PeerRates(1, 1)
    assert peers.bucket("ipv4:10.0.0.1:1") is peers.bucket("ipv4:10.0.0.1:2")
    assert peers.bucket("ipv4:10.0.0.1:1") is not peers.bucket("ipv4:10.0.0.2:1")


def test_only_so_many_peers_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "PEERS_MAX", 3)
    peers = PeerRates(1, 1)
    for number in range(10):
        peers.bucket(f"ipv4:10.0.0.{number}:1")
    assert len(peers._by_peer) == len(peers._by_host) == 3
