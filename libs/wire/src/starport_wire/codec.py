"""Opens the codec of a table from its options. The only module that knows all games; a new game is one line in ALL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from starport.v1 import match_pb2
from starport_games.kernel.contract import SeatScore
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_wire.common import Codec, Wire
from starport_wire.space_race.game import SpaceRaceWire
from starport_wire.wild_space.game import WildSpaceWire

__all__ = ["ALL", "Codec", "encode_scores", "game_name", "make_options", "open_codec", "seat_count"]

ALL: tuple[Wire, ...] = (WildSpaceWire(), SpaceRaceWire())
BY_NAME = {wire.game.name: wire for wire in ALL}
BY_FIELD = {wire.field: wire for wire in ALL}
CODECS_MAX = 64  # opened codecs that are kept; each holds the tables of one content


def open_codec(options: match_pb2.Options) -> Codec:
    """The codec of a table, after checking all that its options say; BadInput says in one line what is wrong."""
    wire = _wire(options)
    if not (options.card_file or options.position or options.HasField("clock") or options.private):
        return _open(options.SerializeToString(deterministic=True))
    # Clock and privacy are no business of the codec: tables that differ in these alone share one.
    bare = match_pb2.Options(seats=options.seats, card_file=options.card_file, position=options.position)
    getattr(bare, wire.field).CopyFrom(getattr(options, wire.field))
    return _open(bare.SerializeToString(deterministic=True))


@lru_cache(maxsize=CODECS_MAX)
def _open(options: bytes) -> Codec:
    message = match_pb2.Options.FromString(options)
    return _wire(message).open(message)


def game_name(options: match_pb2.Options) -> str:
    """`wild-space`: the name that registry, results and leaderboards use."""
    return _wire(options).game.name


def seat_count(options: match_pb2.Options) -> int:
    """How many SeatPlans a match needs: the seats, and one more for a Smuggler with its own seat."""
    return _wire(options).seat_count(options)


def make_options(
    game: str,
    seats: int,
    settings: Mapping[str, str] | None = None,
    *,
    clock: match_pb2.Clock | None = None,
    private: bool = False,
    card_file: str = "",
    position: str = "",
) -> match_pb2.Options:
    """Options from text settings, as people write them; `open_codec` judges the rest."""
    if game not in BY_NAME:
        raise BadInput(f"there is no game {clip(game)}; there is {', '.join(BY_NAME)}")
    if not 0 <= seats < 1 << 32:
        raise BadInput(f"{seats} seats")
    options = match_pb2.Options(seats=seats, private=private, card_file=card_file, position=position)
    if clock is not None:
        options.clock.CopyFrom(clock)
    BY_NAME[game].write_settings(options, settings or {})
    return options


def encode_scores(scores: Sequence[SeatScore]) -> list[match_pb2.SeatScore]:
    return [
        match_pb2.SeatScore(
            seat=score.seat,
            name=score.name,
            parts=[match_pb2.ScorePart(name=name, value=value) for name, value in score.parts.items()],
            total=score.total,
            rank=score.rank,
            won=score.won,
        )
        for score in scores
    ]


def _wire(options: match_pb2.Options) -> Wire:
    field = options.WhichOneof("game")
    if field is None:
        raise BadInput(f"options without a game; there is {', '.join(BY_NAME)}")
    return BY_FIELD[field]
