"""What a table is made of: options, bots and nonces, checked before anybody sits down."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass

from starport.v1 import match_pb2
from starport_chassis.refusals import Refused, invalid
from starport_games.kernel.errors import BadInput
from starport_lobby.settings import (
    BOTS,
    CARD_FILE_BYTES_MAX,
    CLOCK_MS_MAX,
    LABEL_CHARS_MAX,
    NONCE_BYTES_MAX,
    POSITION_BYTES_MAX,
    SMUGGLER_BOT,
)
from starport_wire.codec import game_name, open_codec, seat_count


@dataclass(frozen=True, slots=True)
class Choice:
    """Options that make a match."""

    game: str
    players: int  # as the options say
    seats: int  # one more when the Smuggler has its own
    options: match_pb2.Options


def check_options(options: match_pb2.Options) -> Choice:
    if len(options.card_file.encode()) > CARD_FILE_BYTES_MAX:
        raise malformed(f"options.card_file: at most {CARD_FILE_BYTES_MAX} bytes")
    if len(options.position.encode()) > POSITION_BYTES_MAX:
        raise malformed(f"options.position: at most {POSITION_BYTES_MAX} bytes")
    if options.HasField("clock"):
        check_clock(options.clock)
    try:
        open_codec(options)
        return Choice(game_name(options), options.seats, seat_count(options), options)
    except BadInput as why:
        raise malformed(str(why)) from None


def check_clock(clock: match_pb2.Clock) -> None:
    if not (0 <= clock.bank_ms <= CLOCK_MS_MAX and 0 <= clock.free_ms <= CLOCK_MS_MAX):
        raise malformed(f"options.clock: bank_ms and free_ms lie between 0 and {CLOCK_MS_MAX}")
    if clock.bank_ms + clock.free_ms == 0:
        raise malformed("options.clock: give a bank, free time or both")


def check_quick(options: match_pb2.Options) -> None:
    for name, given in (("private", options.private), ("card_file", options.card_file), ("position", options.position)):
        if given:
            raise malformed(f"options.{name}: not for a quick match, where others must find the table; create one")


def check_bots(bots: Sequence[str], choice: Choice) -> tuple[str, ...]:
    """The house bots of the last seats; the Smuggler is always one."""
    for place, bot in enumerate(bots):
        check_bot(bot, f"bots[{place}]")
    if len(bots) >= choice.seats:
        raise malformed(f"bots: at most {choice.seats - 1}, for the host takes one of {choice.seats} seats")
    if choice.seats > choice.players and not bots:
        return (SMUGGLER_BOT,)
    return tuple(bots)


def check_bot(bot: str, where: str) -> None:
    if bot not in BOTS:
        raise malformed(f"{where}: there is no house bot {bot[:LABEL_CHARS_MAX]!r}; there is {', '.join(BOTS)}")


def check_nonce(nonce: bytes) -> bytes:
    if len(nonce) > NONCE_BYTES_MAX:
        raise malformed(f"nonce: at most {NONCE_BYTES_MAX} bytes")
    return nonce


def listed(options: match_pb2.Options) -> match_pb2.Options:
    """Options as lists show them: a card file and a position only by their labels."""
    short = shown(options)
    short.card_file = card_label(options.card_file)
    return short


def shown(options: match_pb2.Options) -> match_pb2.Options:
    """Options as who may see the table sees them: a position would show every hand, so only its label stays."""
    copy = match_pb2.Options()
    copy.CopyFrom(options)
    copy.position = first_line(options.position)
    return copy


def card_label(card_file: str) -> str:
    """What a card file calls itself."""
    if not card_file:
        return ""
    try:
        content = tomllib.loads(card_file)
    except (tomllib.TOMLDecodeError, RecursionError):  # options are checked before, so this is for no one
        return first_line(card_file)
    about = content.get("set", content)
    called = about.get("name", about.get("id")) if isinstance(about, dict) else None
    return called[:LABEL_CHARS_MAX] if isinstance(called, str) and called else first_line(card_file)


def first_line(text: str) -> str:
    lines = (line.strip(" #\t\r") for line in text.splitlines())
    return next((line for line in lines if line), "")[:LABEL_CHARS_MAX]


def malformed(line: str) -> Refused:
    return invalid("MALFORMED", line)
