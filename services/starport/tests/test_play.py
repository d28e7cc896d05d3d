"""`starport play` by a scripted person, in this process, through the real services."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import chain, repeat
from pathlib import Path

import pytest

from services.starport.tests.hands import PLAY_S, Screen, Typist, played, stores_in
from starport_games.wild_space import content
from starport_starport import client
from starport_starport.client import connected, new_match, sign_in
from starport_starport.folder import DataFolder
from starport_starport.playing import Match
from starport_starport.problems import Problem
from starport_starport.sessions import Wishes, play
from starport_starport.world import Listening, open_world
from starport_wire.codec import make_options

ALWAYS_THE_FIRST = list(repeat("1", 2000))
LIKE_THE_BOT = list(repeat("a", 2000))
SHIPPED_CARDS = Path(content.__file__).with_name("cards.toml")


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(name="Ada"),
        Wishes(name="Ada", difficulty="hard", smuggler="seat"),
        Wishes("space-race", 2, name="Ada"),
        Wishes("wild-space", 3, "random", name="Ada"),
    ],
    ids=["solo", "smuggler-seat", "space-race", "three-seats"],
)
async def test_a_match_to_its_end(tmp_path: Path, wishes: Wishes) -> None:
    text = await played(tmp_path / "data", ALWAYS_THE_FIRST, wishes)
    assert "Final score" in text
    assert "The deal was fair" in text
    assert " won" in text
    assert "That is no answer" not in text
    assert stores_in(tmp_path) == []


async def test_the_bots_suggestion_plays_a_match(tmp_path: Path) -> None:
    text = await played(tmp_path / "data", LIKE_THE_BOT, Wishes("space-race", 4, name="Ada"))
    assert "Final score" in text


async def test_everything_but_an_answer_loses_nothing(tmp_path: Path) -> None:
    asked = [
        "",
        "99",
        "-1",
        "1 2",
        "\x1b[A",
        "land H1",
        "½",
        "x" * 5000,
        "h",
        "t",
        "s",
        "l",
        "?1",
        "?99",
        "?lantern",
        "?",
    ]
    text = await played(tmp_path / "data", [*asked, "?nobody of this name", "q"])
    assert text.count("That is no answer") == 8
    assert text.count("There is nothing more to say") == 2
    assert "The score as it stands" in text
    assert "Ten turns each" in text  # the rules
    assert text.count("→") < 20  # nothing was played
    assert "The match waits for you" in text
    again = await played(tmp_path / "data", ["", "q"])
    assert "turn 1 of 10" in again


async def test_a_match_goes_on_after_leaving(tmp_path: Path) -> None:
    first = await played(tmp_path / "data", ["1", "1", "1", "q"])
    assert "The match waits for you" in first
    second = await played(tmp_path / "data", chain(["what", "1"], ALWAYS_THE_FIRST))
    assert "You have an unfinished match" in second
    assert "Type a number from 1 to 1, or n." in second
    assert "Back at the table" in second
    assert "The deal was fair" in second  # the promise is that of the table, so it survives leaving
    third = await played(tmp_path / "data", ["q"])
    assert "unfinished" not in third


async def test_a_new_match_beside_unfinished_ones(tmp_path: Path) -> None:
    await played(tmp_path / "data", ["q"])
    await played(tmp_path / "data", ["n", "q"], Wishes("space-race", 3, name="Ada"))
    text = await played(tmp_path / "data", ["2", "q"])
    assert "1 Space Race, 3 seats, round 1 of 3, pick 1 of 6" in text
    assert "2 Wild Space, solo, turn 1 of 10" in text
    assert "Lanternrest" in text
    anew = await played(tmp_path / "data", ["q"], Wishes(name="Ada", anew=True))
    assert "unfinished" not in anew


async def test_the_end_of_input_leaves(tmp_path: Path) -> None:
    assert "The match waits for you" in await played(tmp_path / "data", [])
    with pytest.raises(Problem, match="--new"):
        await play(Wishes(name="Ada"), DataFolder(tmp_path / "data"), Screen([]).terminal)


async def test_players_are_remembered_by_name(tmp_path: Path) -> None:
    await played(tmp_path / "data", ["q"], Wishes(name="Ada"))
    assert "Welcome, Grace" in await played(tmp_path / "data", ["q"], Wishes(name="Grace"))
    assert "unfinished" in await played(tmp_path / "data", ["", "q"], Wishes())  # the last one was Grace
    assert "unfinished" in await played(tmp_path / "data", ["", "q"], Wishes(name="ada"))


class Restarting(Typist):
    """Stops the server before one of its answers, and starts it again a little later."""

    def __init__(self, before: int, stop: Callable[[], Awaitable[None]], start: Callable[[], Awaitable[None]]) -> None:
        super().__init__(ALWAYS_THE_FIRST)
        self._before = before
        self._stop = stop
        self._start = start
        self.restarts: list[asyncio.Task[None]] = []

    async def line(self) -> str | None:
        self._before -= 1
        if self._before == 0:
            await self._stop()
            self.restarts.append(asyncio.create_task(self._later()))
        return await super().line()

    async def _later(self) -> None:
        await asyncio.sleep(0.5)
        await self._start()


async def test_a_server_that_restarts_is_waited_for(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    async with AsyncExitStack() as outer:
        worlds = AsyncExitStack()
        outer.push_async_callback(worlds.aclose)
        world = await worlds.enter_async_context(open_world(folder))
        port = int(world.address.rpartition(":")[2])

        async def start() -> None:
            await worlds.enter_async_context(open_world(folder, Listening(port=port)))

        house = await outer.enter_async_context(connected(world.address))
        me = await sign_in(house, folder, "local", "Ada")
        seat = await new_match(house, me, make_options("wild-space", 2), ["greedy"], b"mine")
        typist = Restarting(5, worlds.aclose, start)
        screen = Screen([], typist=typist)
        async with asyncio.timeout(PLAY_S):
            assert await Match(house, seat, screen.terminal).play()
        await asyncio.gather(*typist.restarts)
    assert len(typist.restarts) == 1
    assert "The deal was fair" in screen.text  # not one update was missed


async def test_a_server_that_stays_away_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "AWAY_S", 0.5)
    folder = DataFolder(tmp_path / "data")
    async with AsyncExitStack() as outer:
        worlds = AsyncExitStack()
        outer.push_async_callback(worlds.aclose)
        world = await worlds.enter_async_context(open_world(folder))
        house = await outer.enter_async_context(connected(world.address))
        me = await sign_in(house, folder, "local", "Ada")
        seat = await new_match(house, me, make_options("wild-space", 2), ["greedy"], b"mine")

        async def never() -> None:
            return

        screen = Screen([], typist=Restarting(2, worlds.aclose, never))
        with pytest.raises(Problem, match="does not answer any more"):
            await Match(house, seat, screen.terminal).play()


async def test_cards_of_ones_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(SHIPPED_CARDS.read_text().replace('"frontier"', '"mine"', 1).replace("Lanternrest", "My Own Moon"))
    text = await played(tmp_path / "data", ["1", "q"], Wishes(name="Ada", seats=2, card_file=mine))
    assert "My Own Moon" in text
    again = await played(tmp_path / "data", chain([""], ALWAYS_THE_FIRST))
    assert "My Own Moon" in again
    assert "The deal was fair" in again


async def test_no_screen_shows_what_the_seat_must_not_know(tmp_path: Path) -> None:
    """Only gaps are known of others' hands, so nothing of them can be drawn."""
    text = await played(tmp_path / "data", ["l", "q"], Wishes("wild-space", 2, name="Ada", nonce="tuesday"))
    told = [line for line in text.splitlines() if "Greedy bot got" in line]
    assert all("Captain" in line for line in told)
