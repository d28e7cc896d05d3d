"""Digests of positions: SHA-256 over their numbers, specified in docs/protocol.md."""

from __future__ import annotations

import sys
from array import array
from hashlib import sha256

from starport_games.kernel.deal import Deal


def add_list(told: list[int], values: list[int]) -> None:
    """A list after its length, so that no two positions read the same."""
    told.append(len(values))
    told.extend(values)


def digest(content: str, deal: Deal | None, numbers: list[int]) -> str:
    """`content` names the cards: the label of the set and what a position defines beside it."""
    packed = array("q", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    generator = "?" if deal is None else deal.text()
    return sha256(f"{content}\n{generator}\n".encode() + packed.tobytes()).hexdigest()
