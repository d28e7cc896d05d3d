"""One match in the terminal: what a seat is told becomes a screen, what a person types becomes a move."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

import grpc
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from starport.v1 import match_pb2, rules_pb2
from starport_games.kernel.deal import KEY_BYTES, Deal
from starport_games.kernel.effects import Effect
from starport_games.kernel.errors import BadInput
from starport_smuggler.bots import greedy_bot
from starport_starport.client import WANT_ALL, House, Said, Seat, call, follow, observe, result_of
from starport_starport.fairness import Unfair, check_deal
from starport_starport.problems import Problem
from starport_starport.scores import score_table, verdict
from starport_starport.scribe import DIM, Cast, News, cast_of, told
from starport_starport.scribes import open_scribe
from starport_starport.terminal import Terminal
from starport_wire.codec import encode_scores, open_codec

COMMAND_ID_BYTES = 8
PATIENCE_S = 1.0  # after so long without news it is said who is waited for
RESULT_WAIT_S = 2.0
LOG_LINES_MAX = 60
FAIR = (
    "The deal was fair: the revealed secret is the one that the host promised before you added your part, and the "
    "cards follow from it and from your part of the seed (key {key}…)."
)
HELP = (
    ("1, 2, 3 …", "that answer"),
    ("?3, ?name", "everything about the card or planet of answer 3, or of that name"),
    ("a", "the answer that the greedy bot would give"),
    ("t", "the table"),
    ("s", "the score as it stands"),
    ("l", "what happened so far"),
    ("h", "this help, with the rules in short"),
    ("q", "leave; the match waits until you are back"),
)


class Match:
    """A seat of a running match, played by a person."""

    def __init__(self, house: House, seat: Seat, terminal: Terminal, *, resumed: bool = False) -> None:
        options = playable_options(seat.table.options)
        self._house = house
        self._seat = seat
        self._terminal = terminal
        self._resumed = resumed
        self._codec = open_codec(options)
        self._scribe = open_scribe(options)
        self._cast = Cast((), seat.seat)
        self._updates: asyncio.Queue[match_pb2.Update | Exception] = asyncio.Queue()
        self._opening: list[Effect] = []
        self._log: list[Effect] = []
        self._news_from = 0  # what of the log has not been told yet
        self._number = 0  # of the newest update
        self._waiting_for: list[int] = []
        self._answered = ""  # the decision that we answered last
        self._view: Any = None  # the newest view; its type is the game's
        self._chance = Deal(secrets.token_bytes(KEY_BYTES))

    async def play(self) -> bool:
        """Until the match ends (True) or the person leaves (False)."""
        observed = await observe(self._house, self._seat)
        self._cast = cast_of(observed.seats, observed.options, self._seat.seat)
        reader = asyncio.create_task(self._read())
        try:
            update: match_pb2.Update | None = None
            while True:
                update = update or await self._newest()
                if update.HasField("ending"):
                    await self._end(update.ending)
                    return True
                if not update.HasField("decision") or update.decision.id == self._answered:
                    update = None  # others answer now, or it was told before they did
                    continue
                move = await self._answer(update.decision)
                if move is None:
                    return False
                update = await self._send(update.decision, move)
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    # ------------------------------------------------------------------------------------------------------ updates

    async def _read(self) -> None:
        try:
            updates = follow(self._house, self._seat.match, self._seat.seat, self._seat.token)
            async with aclosing(updates):
                async for update in updates:
                    self._updates.put_nowait(update)
        except Exception as why:  # noqa: BLE001 - whoever waits for the next update hears of it
            self._updates.put_nowait(why)

    async def _newest(self) -> match_pb2.Update:
        """Waits for news, takes all there are, and returns the last."""
        newest: match_pb2.Update | None = None
        while newest is None or not self._updates.empty():
            update = await self._next()
            if self._take(update):
                newest = update
        return newest

    async def _next(self) -> match_pb2.Update:
        try:
            async with asyncio.timeout(PATIENCE_S):
                got = await self._updates.get()
        except TimeoutError:
            names = " and ".join(self._cast.name(seat) for seat in self._waiting_for) or "the match"
            self._terminal.say(Text(f"Waiting for {names} …", style=DIM))
            got = await self._updates.get()
        if isinstance(got, Exception):
            raise got
        return got

    def _take(self, update: match_pb2.Update) -> bool:
        """False for what the answer to a move has told already."""
        if update.number <= self._number:
            return False
        effects = [self._codec.decode_effect(effect) for effect in update.effects]
        if not self._log:
            self._opening = effects
        self._log += effects
        self._number = update.number
        self._look(update)
        return True

    def _look(self, update: match_pb2.Update) -> None:
        self._waiting_for = [seat for seat in update.waiting_for if seat < len(self._cast.names)]
        if not update.HasField("view"):
            return
        try:
            self._view = self._codec.decode_state(update.view)
        except BadInput as why:
            raise Problem(f"this match cannot be shown here: {why}") from None

    # ------------------------------------------------------------------------------------------------------- screens

    def _draw(self, *, whole: bool = False) -> None:
        """The table and the news. Where screens stay on paper, the later questions of a turn come without the table."""
        new_turn = self._is_new_turn()
        self._terminal.fresh()
        if whole or new_turn or self._terminal.lively:
            self._terminal.say(self._scribe.table(self._view, self._cast))
        news = self._told(self._log[self._news_from :])
        resumed = self._news_from == 0 and self._resumed
        self._news_from = len(self._log)
        if resumed:
            self._terminal.say(Text("Back at the table; l tells what happened so far.", style=DIM))
        elif news and new_turn:
            self._terminal.say(Panel(told(news, self._cast), title="Meanwhile", title_align="left", border_style=DIM))
        elif news:
            self._terminal.say(told(news, self._cast))

    def _told(self, effects: Sequence[Effect], *, small: bool = False) -> list[News]:
        found = (self._scribe.news(self._view, effect, self._cast) for effect in effects)
        return [news for news in found if news is not None and (small or not news.small)]

    def _is_new_turn(self) -> bool:
        """Somebody else did something since our last answer, or this is the first question."""
        return self._news_from == 0 or any(
            news.seat not in (None, self._seat.seat) for news in self._told(self._log[self._news_from :])
        )

    # ------------------------------------------------------------------------------------------------------- answers

    async def _answer(self, decision: match_pb2.Decision) -> int | None:
        """Asks until there is a move; None to leave."""
        moves = [self._codec.decode_move(move) for move in decision.legal]
        self._draw()
        self._ask_again(moves)
        while True:
            word = await self._terminal.ask(f"Your answer (1–{len(moves)}, h for help):")
            if word is None or word.lower() in ("q", "quit", "exit"):
                return None
            move = self._chosen(word, moves)
            if move is not None:
                if not self._terminal.lively:
                    self._terminal.say(Text(f"→ {self._scribe.move_words(self._view, move)}", style="bold"))
                return move

    def _ask_again(self, moves: Sequence[int]) -> None:
        self._terminal.say(Text(self._scribe.question(self._view, self._cast), style="bold green"))
        self._terminal.say(self._scribe.menu(self._view, moves))

    def _chosen(self, word: str, moves: Sequence[int]) -> int | None:
        """The move that was typed; None when it was something else, which is then answered here."""
        low = word.lower()
        if low.isascii() and low.isdigit() and len(low) < 6 and 1 <= int(low) <= len(moves):
            return moves[int(low) - 1]
        if low == "a":
            return greedy_bot(self._codec.game, self._view, self._seat.seat, moves, self._chance)
        if low == "t":
            self._terminal.say(self._scribe.table(self._view, self._cast))
            self._ask_again(moves)
        elif low == "s":
            scores = encode_scores(self._codec.game.score(self._view))
            self._terminal.say(score_table(scores, self._cast, final=False))
        elif low == "l":
            self._show_log()
        elif low in ("h", "help", "?"):
            self._show_help()
            self._ask_again(moves)
        elif low.startswith("?"):
            self._show_details(low[1:].strip(), moves)
        else:
            self._terminal.say(Text(f"That is no answer: type a number from 1 to {len(moves)}, or h.", style="red"))
        return None

    def _show_help(self) -> None:
        for key, meaning in HELP:
            self._terminal.say(Text.assemble((f"  {key:<10}", "bold"), meaning))
        self._terminal.say(self._scribe.rules())

    def _show_log(self) -> None:
        story = told(self._told(self._log, small=True), self._cast)
        lines = story.split()
        skipped = len(lines) - LOG_LINES_MAX
        if skipped > 0:
            self._terminal.say(Text(f"… {skipped} lines before", style=DIM))
        for line in lines[-LOG_LINES_MAX:]:
            self._terminal.say(line)

    def _show_details(self, word: str, moves: Sequence[int]) -> None:
        if word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= len(moves):
            found = self._scribe.details(self._view, moves[int(word) - 1])
        else:
            found = self._scribe.look_up(self._view, word) if word else None
        self._terminal.say(Text("There is nothing more to say about that.", style="red") if found is None else found)

    async def _send(self, decision: match_pb2.Decision, move: int) -> match_pb2.Update | None:
        """What came of it, where that is what comes next; None when the stream has to tell more before."""
        request = rules_pb2.PlayRequest(
            token=self._seat.token,
            match=self._seat.match,
            seat=self._seat.seat,
            command_id=secrets.token_hex(COMMAND_ID_BYTES),
            decision_id=decision.id,
            move=self._codec.encode_move(move),
            want=WANT_ALL,
        )
        try:
            update: match_pb2.Update = (await call(self._house.rules.Play, request)).update
        except Said as why:
            if why.status not in (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION):
                raise
            self._terminal.say(Text(str(why), style="red"))
            update = (await observe(self._house, self._seat)).update
        else:
            self._answered = decision.id
        if update.number > self._number + 1:
            return None
        if not self._take(update):
            self._look(update)
        return update

    # ------------------------------------------------------------------------------------------------------- the end

    async def _end(self, ending: match_pb2.Ending) -> None:
        self._draw(whole=True)
        self._terminal.say(Rule(style=DIM), score_table(ending.scores, self._cast, final=True))
        self._terminal.say(verdict(ending.scores, self._cast))
        observed = await observe(self._house, self._seat)
        try:
            key = check_deal(
                self._codec,
                self._seat.match,
                self._seat.commit,
                ending,
                observed.seats,
                self._opening,
                self._seat.seat,
                self._seat.nonce,
            )
        except Unfair as why:
            self._terminal.say(Text(f"The deal was NOT fair: {why}.", style="bold red"))
        else:
            self._terminal.say(Text(FAIR.format(key=key[:16]), style="green"))
        await self._show_rating()

    async def _show_rating(self) -> None:
        """What scoring made of it; a match that is not rated has none."""
        result = await result_of(self._house, self._seat.match, RESULT_WAIT_S)
        for line in () if result is None else result.seats:
            if line.score.seat == self._seat.seat and line.HasField("after"):
                change = f"{line.before.ordinal:.1f} → {line.after.ordinal:.1f}" if line.HasField("before") else "new"
                self._terminal.say(Text(f"Your rating: {change}", style=DIM))


def playable_options(options: match_pb2.Options) -> match_pb2.Options:
    """Of a position only its label is told, and views of it are like others as long as its cards are."""
    copy = match_pb2.Options()
    copy.CopyFrom(options)
    copy.position = ""
    return copy
