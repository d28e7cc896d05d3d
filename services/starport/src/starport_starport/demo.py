"""`starport demo`: one whole match of house bots through the real services, on a folder that is gone afterwards."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from starport.v1 import match_pb2, rules_pb2
from starport_chassis import ServiceTokens
from starport_games.kernel.effects import Effect
from starport_starport.client import House, call, connected, follow, result_of
from starport_starport.fairness import Unfair, check_deal
from starport_starport.folder import DataFolder
from starport_starport.logs import logs_in
from starport_starport.problems import Problem
from starport_starport.scores import score_table, verdict
from starport_starport.scribe import DIM, News, cast_of, told
from starport_starport.scribes import open_scribe
from starport_starport.terminal import Terminal
from starport_starport.world import World, open_world
from starport_wire.codec import game_name, open_codec, seat_count

DEMO_LIMIT_S = 120.0  # a match of bots takes a few seconds
RESULT_WAIT_S = 10.0


async def demo(options: match_pb2.Options, bot: str, terminal: Terminal) -> int:
    try:
        async with asyncio.timeout(DEMO_LIMIT_S):
            with tempfile.TemporaryDirectory(prefix="starport-demo-") as name:
                folder = DataFolder(Path(name))
                with logs_in(folder.log):
                    async with open_world(folder) as world, connected(world.address) as house:
                        await show_match(world, house, options, bot, terminal)
    except TimeoutError:
        raise Problem(f"the match was not over after {DEMO_LIMIT_S:g} s; is this machine very busy?") from None
    return 0


async def show_match(world: World, house: House, options: match_pb2.Options, bot: str, terminal: Terminal) -> None:
    match, commit, plans = await begin(world, house, options, bot)
    watched = Watched(options, plans, terminal)
    ending = await watched.watch(house, match)
    result = await result_of(house, match, RESULT_WAIT_S)
    if result is None:
        raise Problem(f"scoring had no result {RESULT_WAIT_S:g} s after the end of the match")
    scores = [line.score for line in result.seats]
    terminal.say(score_table(scores, watched.cast, final=True), verdict(scores, watched.cast))
    seconds = (result.ended_ms - result.started_ms) / 1000
    terminal.say(Text(f"Result of scoring: {result.game}, match {result.match}, {seconds:.1f} s.", style=DIM))
    seats = (await call(house.rules.Observe, rules_pb2.ObserveRequest(match=match))).seats
    try:
        key = check_deal(watched.codec, match, commit, ending, seats, watched.opening, None, None)
    except Unfair as why:
        raise Problem(f"the deal was not fair: {why}") from None
    terminal.say(Text(f"The deal was fair: recomputed from the revealed secret (key {key[:16]}…).", style="green"))


async def begin(
    world: World, house: House, options: match_pb2.Options, bot: str
) -> tuple[str, bytes, list[match_pb2.SeatPlan]]:
    """At a table of the lobby its host plays; a match without any player is begun as the lobby begins one."""
    token = ServiceTokens(world.service_key).mint("lobby")
    prepared = await call(house.rules.Prepare, rules_pb2.PrepareRequest(token=token))
    plans = [match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_HOUSE, bot=bot) for _ in range(seat_count(options))]
    start = rules_pb2.StartRequest(token=token, match=prepared.match, options=options, seats=plans)
    await call(house.rules.Start, start)
    return prepared.match, prepared.commit, plans


class Watched:
    """A match as a spectator sees it."""

    def __init__(self, options: match_pb2.Options, plans: list[match_pb2.SeatPlan], terminal: Terminal) -> None:
        self.codec = open_codec(options)
        self.cast = cast_of(plans, options, None)
        self.opening: list[Effect] = []
        self._scribe = open_scribe(options)
        self._title = f"{self.codec.game.title}: {', '.join(self.cast.names)}"
        self._terminal = terminal
        self._game = game_name(options)
        self._story: list[News] = []

    async def watch(self, house: House, match: str) -> match_pb2.Ending:
        async with aclosing(follow(house, match, None, "")) as updates:
            return await self._until_end(updates)

    async def _until_end(self, updates: AsyncIterator[match_pb2.Update]) -> match_pb2.Ending:
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[where]}"),
            TimeElapsedColumn(),
        )
        self._terminal.say(Text(self._title, style="bold"))
        with Progress(*columns, console=self._terminal.console) as progress:
            bar = progress.add_task(self._game, where="")
            async for update in updates:
                if update.number == 1:
                    self.opening = [self.codec.decode_effect(effect) for effect in update.effects]
                if update.HasField("view"):
                    view = self.codec.decode_state(update.view)
                    done, total, where = self._scribe.progress(view)
                    progress.update(bar, completed=done, total=total, where=where)
                    self._tell(view, update, progress)
                if update.HasField("ending"):
                    progress.console.print(told(self._story, self.cast))
                    return update.ending
        raise Problem("the stream of the match broke off")

    def _tell(self, view: Any, update: match_pb2.Update, progress: Progress) -> None:
        """A line whenever somebody else begins to act."""
        for effect in update.effects:
            news = self._scribe.news(view, self.codec.decode_effect(effect), self.cast)
            if news is None or news.small:
                continue
            if self._story and self._story[-1].seat != news.seat:
                progress.console.print(told(self._story, self.cast))
                self._story.clear()
            self._story.append(news)
