"""From what a seat is told to the move it answers with."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from prometheus_client import Counter

from starport.v1 import match_pb2
from starport_games.kernel.deal import Deal
from starport_games.kernel.errors import BadInput
from starport_smuggler.bots import find, random_bot
from starport_wire.codec import open_codec

log = structlog.get_logger("smuggler")
GUESSES = Counter("starport_smuggler_guesses", "Random moves in place of a bot's choice, by why", ["why"])


def decide(
    bot_name: str, options: match_pb2.Options, update: match_pb2.Update, seat: int, chance: Deal
) -> match_pb2.Move:
    """One of the legal answers. A bot that cannot read the view, or fails over it, gives a random one instead.

    A table with a card file of its own names another set in its views, and nobody but the rules service has that file:
    there any legal answer must do. A match from a position over the shipped cards is like any other.
    """
    legal = update.decision.legal
    bot = find(bot_name)
    if len(legal) == 1 or bot is random_bot:
        return guess(legal, chance)
    try:
        codec = open_codec(options)
        view = codec.decode_state(update.view)
        moves = [codec.decode_move(move) for move in legal]
        return legal[moves.index(bot(codec.game, view, seat, moves, chance))]
    except BadInput:
        GUESSES.labels("content").inc()
    except Exception:
        log.exception("bot_failed", match=update.match, seat=seat, bot=bot_name)  # the match must go on
        GUESSES.labels("bug").inc()
    return guess(legal, chance)


def guess(legal: Sequence[match_pb2.Move], chance: Deal) -> match_pb2.Move:
    return legal[chance.below(len(legal))]
