"""From the options of a table to the codec of Space Race."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from starport.v1 import match_pb2
from starport_games.kernel.contract import Game
from starport_games.kernel.deal import KEY_BYTES, Deal
from starport_games.kernel.errors import BadInput
from starport_games.space_race import content, reading
from starport_games.space_race.game import SWITCH, SpaceRace, SpaceRaceOptions
from starport_games.space_race.pack import Pack
from starport_games.space_race.state import State
from starport_wire.common import CARD_FILE, POSITION, Codec, TableCodec, one_of, only, position_text, whole_seats
from starport_wire.space_race.facts import Facts
from starport_wire.space_race.moves import Moves
from starport_wire.space_race.states import States

GAME = SpaceRace()
PACKS_MAX = 64


class Tables:
    """Everything that depends on the card file alone; tables of one file share it."""

    def __init__(self, pack: Pack) -> None:
        self.moves = Moves(pack)
        self.facts = Facts(pack)
        self.states = States(pack, self.moves)


@lru_cache(maxsize=PACKS_MAX)
def tables_of(pack: Pack) -> Tables:
    return Tables(pack)


class SpaceRaceWire:
    """The Wire of common.py."""

    game: Game[Any, Any] = GAME
    field = "space_race"

    def write_settings(self, options: match_pb2.Options, settings: Mapping[str, str]) -> None:
        only(settings, GAME.title, ("auto_ships",))
        words = tuple(SWITCH)
        options.space_race.choose_ships = not SWITCH[words[one_of(settings, "auto_ships", words, "on")]]

    def seat_count(self, options: match_pb2.Options) -> int:
        return options.seats

    def open(self, options: match_pb2.Options) -> Codec:
        seats = whole_seats(GAME, options.seats)
        auto_ships = not options.space_race.choose_ships
        pack = content.read_pack(options.card_file, CARD_FILE) if options.card_file else content.shipped_pack()
        if options.position:
            position = reading.read_position(position_text(options), pack, POSITION)
            _check_position(position, seats)
            chosen = SpaceRaceOptions(position.pack, auto_ships)
            return TableCodec(self, chosen, seats, tables_of(position.pack), position)
        chosen = SpaceRaceOptions(pack, auto_ships)
        GAME.start(chosen, seats, Deal(bytes(KEY_BYTES)))  # says what no deal could ever fulfil
        return TableCodec(self, chosen, seats, tables_of(pack), None)


def _check_position(position: State, seats: int) -> None:
    """A match needs a whole position with somebody to ask."""
    if position.seats != seats:
        raise BadInput(f"{POSITION}: it has {position.seats} seats, the options say {seats}")
    if GAME.over(position):
        raise BadInput(f"{POSITION}: the game is over there")
    if position.deal is None:
        raise BadInput(f"{POSITION}: it has gaps; a match needs a whole position")
