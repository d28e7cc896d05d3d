"""The scribe of a table. The only module of the terminal that knows all games; a new game is one line in ALL."""

from __future__ import annotations

from collections.abc import Callable

from starport.v1 import match_pb2
from starport_starport.race_scribe import RaceScribe
from starport_starport.scribe import Scribe
from starport_starport.wild_scribe import WildScribe
from starport_wire.codec import game_name

ALL: dict[str, Callable[[match_pb2.Options], Scribe]] = {
    "wild-space": WildScribe,
    "space-race": lambda _: RaceScribe(),
}


def open_scribe(options: match_pb2.Options) -> Scribe:
    return ALL[game_name(options)](options)
