"""`starport play`: finds or starts a house, signs in, goes on with a match or begins one."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc
from rich.text import Text

from starport.v1 import match_pb2
from starport_games.kernel.errors import BadInput
from starport_starport.client import (
    House,
    Me,
    Said,
    Seat,
    connected,
    enter,
    my_tables,
    new_match,
    observe,
    sign_in,
)
from starport_starport.folder import LOCAL, DataFolder, FolderInUse
from starport_starport.logs import logs_in
from starport_starport.playing import Match, playable_options
from starport_starport.problems import EXIT_BAD_INPUT, Problem
from starport_starport.scribe import DIM
from starport_starport.scribes import open_scribe
from starport_starport.terminal import Terminal
from starport_starport.world import open_world
from starport_wire.codec import make_options, open_codec, seat_count

NONCE_BYTES = 16
NONCE_BYTES_MAX = 64  # what the lobby takes
CARD_FILE_BYTES_MAX = 128 * 1024  # the same
LOOKS_AT = 10  # newest tables that are asked for unfinished matches
DEFAULT_SEATS = {"wild-space": 1, "space-race": 2}
LEFT = "The match waits for you: the same command goes on with it."


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person asked for on the command line."""

    game: str = "wild-space"
    seats: int | None = None
    bot: str = "greedy"
    difficulty: str | None = None
    smuggler: str | None = None
    card_file: Path | None = None
    name: str | None = None
    nonce: str | None = None
    server: str | None = None
    anew: bool = False


def options_of(wishes: Wishes) -> match_pb2.Options:
    """The options of a new table, checked before anything is started."""
    seats = DEFAULT_SEATS[wishes.game] if wishes.seats is None else wishes.seats
    chosen = {"difficulty": wishes.difficulty, "smuggler": wishes.smuggler}
    settings = {key: value for key, value in chosen.items() if value is not None}
    if settings and (wishes.game != "wild-space" or seats != 1):
        raise Problem(f"--{next(iter(settings))} is for Wild Space with one seat, the solo game", EXIT_BAD_INPUT)
    try:
        options = make_options(wishes.game, seats, settings, card_file=read_card_file(wishes.card_file))
        open_codec(options)
    except BadInput as why:
        where = "" if wishes.card_file is None else f"{wishes.card_file}: "
        raise Problem(f"{where}{why}", EXIT_BAD_INPUT) from None
    return options


def read_card_file(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        with path.open("rb") as file:
            data = file.read(CARD_FILE_BYTES_MAX + 1)
        text = data.decode()
    except OSError as why:
        raise Problem(f"{path}: cannot be read: {why.strerror}", EXIT_BAD_INPUT) from None
    except UnicodeDecodeError:
        raise Problem(f"{path}: is not UTF-8 text", EXIT_BAD_INPUT) from None
    if len(data) > CARD_FILE_BYTES_MAX:
        raise Problem(f"{path}: a card file has at most {CARD_FILE_BYTES_MAX} bytes", EXIT_BAD_INPUT)
    return text


def nonce_of(wishes: Wishes) -> bytes:
    """What we add to the seed, so that the host alone cannot choose the deal."""
    if wishes.nonce is None:
        return secrets.token_bytes(NONCE_BYTES)
    nonce = wishes.nonce.encode()
    if len(nonce) > NONCE_BYTES_MAX:
        raise Problem(f"--seed-nonce: at most {NONCE_BYTES_MAX} bytes", EXIT_BAD_INPUT)
    return nonce


async def play(wishes: Wishes, folder: DataFolder, terminal: Terminal) -> int:
    options = options_of(wishes)
    nonce = nonce_of(wishes)
    async with AsyncExitStack() as stack:
        where, address = await find_house(stack, wishes, folder, terminal)
        house = await stack.enter_async_context(connected(address))
        me = await sign_in(house, folder, where, wishes.name)
        seat = None if wishes.anew else await offer_unfinished(house, me, terminal)
        resumed = seat is not None
        if seat is None:
            bots = [wishes.bot] * (seat_count(options) - 1)
            seat = await new_match(house, me, options, bots, nonce)
            terminal.say(
                Text(f"Welcome, {me.name}. The host promised its secret: {seat.commit.hex()[:16]}…", style=DIM)
            )
        try:
            over = await Match(house, seat, terminal, resumed=resumed).play()
        except asyncio.CancelledError:
            terminal.say("", LEFT)
            raise
        if not over:
            terminal.say(LEFT)
    return 0


async def find_house(stack: AsyncExitStack, wishes: Wishes, folder: DataFolder, terminal: Terminal) -> tuple[str, str]:
    """The name under which accounts are kept, and the address: a server that was named, our own, or the folder's."""
    if wishes.server is not None:
        return wishes.server, wishes.server
    folder.make()
    stack.enter_context(logs_in(folder.log))
    try:
        world = await stack.enter_async_context(open_world(folder))
    except FolderInUse:
        running = folder.running()
        if running is None:
            raise
        terminal.say(Text(f"Using the Starport that runs on {running.address}.", style=DIM))
        return LOCAL, running.address
    return LOCAL, world.address


async def offer_unfinished(house: House, me: Me, terminal: Terminal) -> Seat | None:
    """The unfinished match that the person wants to go on with; None for a new one."""
    found: list[tuple[Seat, str]] = []
    for id in await my_tables(house, me, LOOKS_AT):
        try:
            seat = await enter(house, me, id)
            about = await unfinished_words(house, seat)
        except Said as why:
            if why.status is grpc.StatusCode.NOT_FOUND:
                continue
            raise
        except BadInput:
            continue  # made of cards that are not told here
        if about:
            found.append((seat, about))
    if not found:
        return None
    terminal.say("You have unfinished matches:" if len(found) > 1 else "You have an unfinished match:")
    for number, (_, about) in enumerate(found, 1):
        terminal.say(Text.assemble((f"  {number} ", "bold"), about))
    while True:
        word = await terminal.ask("Go on with it? (number, Enter for 1, n for a new match):")
        if word is None:
            raise Problem("nothing was chosen; `starport play --new` begins a new match without asking")
        low = word.lower()
        if low in ("n", "no", "new"):
            return None
        if low in ("", "y", "yes"):
            return found[0][0]
        if low.isascii() and low.isdigit() and len(low) < 4 and 1 <= int(low) <= len(found):
            return found[int(low) - 1][0]
        terminal.say(Text(f"Type a number from 1 to {len(found)}, or n.", style="red"))


async def unfinished_words(house: House, seat: Seat) -> str:
    """`Wild Space, 3 seats, turn 4 of 10`; empty when the match is over."""
    observed = await observe(house, seat)
    if not observed.update.waiting_for:
        return ""
    options = playable_options(seat.table.options)
    codec = open_codec(options)
    view = codec.decode_state(observed.update.view)
    seats = "solo" if options.seats == 1 else f"{options.seats} seats"
    return f"{codec.game.title}, {seats}, {open_scribe(options).progress(view)[2]}"
