"""Was the deal fair? Recomputed here from what the host revealed at the end, never taken from the host's word."""

from __future__ import annotations

from collections.abc import Sequence

from starport.v1 import match_pb2
from starport_games.kernel.deal import Deal, commitment, seed_key
from starport_games.kernel.effects import SPECTATOR, Effect, shown
from starport_wire.codec import Codec


class Unfair(Exception):
    """What does not fit, in one line."""


def check_deal(
    codec: Codec,
    match: str,
    promise: bytes,
    ending: match_pb2.Ending,
    seats: Sequence[match_pb2.SeatPlan],
    opening: Sequence[Effect],
    viewer: int | None,
    nonce: bytes | None,
) -> str:
    """The key of the deal, in hexadecimal; Unfair when the host did not keep its promise.

    `promise` is what the host published before anybody sat down, `opening` what we saw when the match began.
    """
    if not ending.secret:
        raise Unfair("the host reveals no secret")
    if commitment(ending.secret) != promise:
        raise Unfair("the revealed secret is not the one that the host had promised")
    if nonce is not None and viewer is not None and seats[viewer].nonce != nonce:
        raise Unfair("the host did not use what we added to the seed")
    key = seed_key(ending.secret, match, [plan.nonce for plan in seats])
    dealt = codec.opening(codec.first_state(Deal(key)))
    expected = shown(dealt, SPECTATOR if viewer is None else viewer)
    same = len(expected) == len(opening) and all(one.same(two) for one, two in zip(expected, opening, strict=True))
    if not same:
        raise Unfair("these cards were not dealt from the revealed secret")
    return key.hex()
