"""A host that does not keep its promise is found out from what it reveals."""

from __future__ import annotations

import pytest

from starport.v1 import match_pb2
from starport_games.kernel.deal import Deal, commitment, seed_key
from starport_games.kernel.effects import Effect, shown
from starport_starport.fairness import Unfair, check_deal
from starport_wire.codec import make_options, open_codec

SECRET = b"a secret of the host, 32 bytes.."
MATCH = "00abcdefgh"
NONCES = (b"tuesday night", b"")
CODEC = open_codec(make_options("wild-space", 2))


def opening(secret: bytes, viewer: int = 0) -> list[Effect]:
    return shown(CODEC.opening(CODEC.first_state(Deal(seed_key(secret, MATCH, list(NONCES))))), viewer)


def checked(
    *,
    secret: bytes = SECRET,
    promise: bytes = commitment(SECRET),
    nonces: tuple[bytes, ...] = NONCES,
    seen: list[Effect] | None = None,
    nonce: bytes | None = NONCES[0],
) -> str:
    seats = [match_pb2.SeatPlan(nonce=one) for one in nonces]
    ending = match_pb2.Ending(secret=secret)
    return check_deal(CODEC, MATCH, promise, ending, seats, opening(SECRET) if seen is None else seen, 0, nonce)


def test_a_fair_deal() -> None:
    assert checked() == seed_key(SECRET, MATCH, list(NONCES)).hex()
    assert checked(nonce=None)


def test_another_secret_than_promised() -> None:
    with pytest.raises(Unfair, match="not the one"):
        checked(secret=b"another", seen=opening(b"another"))


def test_no_secret_at_all() -> None:
    with pytest.raises(Unfair, match="no secret"):
        checked(secret=b"")


def test_our_words_left_out() -> None:
    with pytest.raises(Unfair, match="what we added"):
        checked(nonces=(b"", b""))


def test_other_cards_than_those_of_the_secret() -> None:
    with pytest.raises(Unfair, match="not dealt from"):
        checked(seen=opening(b"another"))
    with pytest.raises(Unfair, match="not dealt from"):
        checked(seen=opening(SECRET)[:-1])
