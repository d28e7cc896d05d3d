"""Every position, answer and fact of whole matches can be shown, at every width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from starport.v1 import match_pb2
from starport_games.kernel.deal import KEY_BYTES, Deal
from starport_games.kernel.effects import SPECTATOR, Effect, shown
from starport_smuggler.bots import random_bot
from starport_starport.scribe import Cast, cast_of, told
from starport_starport.scribes import ALL, open_scribe
from starport_wire.codec import BY_NAME, make_options, open_codec, seat_count

TABLES = [("wild-space", 1, {"smuggler": "seat"}), ("wild-space", 5, {}), ("space-race", 4, {"auto_ships": "off"})]


def lines_of(thing: object, width: int) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(thing)
    return file.getvalue().splitlines()


def test_every_game_has_a_scribe() -> None:
    assert set(ALL) == set(BY_NAME)


@pytest.mark.parametrize(("game", "seats", "settings"), TABLES)
def test_a_whole_match_in_words(game: str, seats: int, settings: dict[str, str]) -> None:
    options = make_options(game, seats, settings)
    codec, scribe = open_codec(options), open_scribe(options)
    plans = [match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_HOUSE, bot="random") for _ in range(seat_count(options))]
    state = codec.first_state(Deal(bytes(KEY_BYTES)))
    chance = Deal(bytes(range(KEY_BYTES)))
    facts: list[Effect] = codec.opening(state)
    last = -1
    while not codec.game.over(state):
        seat = codec.game.deciders(state)[0].seat
        cast = cast_of(plans, options, seat)
        view = codec.decode_state(codec.encode_state(codec.game.view(state, seat)))
        moves = codec.game.legal(view, seat)
        assert scribe.question(view, cast)
        menu = "\n".join(lines_of(scribe.menu(view, moves), 100))
        assert all(str(number) in menu for number in range(1, len(moves) + 1))
        assert all(scribe.move_words(view, move) for move in moves)
        for move in moves:
            scribe.details(view, move)
        check_progress(scribe.progress(view))
        if seat != last:
            for width in (60, 80, 140):
                assert max(map(len, lines_of(scribe.table(view, cast), width))) <= width
        for viewer in (seat, SPECTATOR):
            news = [scribe.news(view, fact, cast) for fact in shown(facts, viewer)]
            lines_of(told([item for item in news if item is not None], cast), 80)
        last = seat
        played = codec.game.play(state, seat, random_bot(codec.game, view, seat, moves, chance))
        assert isinstance(played, list)
        facts = played
    over = codec.decode_state(codec.encode_state(codec.game.view(state, SPECTATOR)))
    assert lines_of(scribe.table(over, cast_of(plans, options, None)), 100)
    done, total, _ = scribe.progress(over)
    assert done == total


def check_progress(progress: tuple[int, int, str]) -> None:
    done, total, words = progress
    assert 0 <= done < total
    assert words


def test_names_of_others_cannot_command_the_terminal() -> None:
    plans = [match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER, name="E\x1b[2Jve\n[bold]")] * 2
    cast = cast_of(plans, make_options("space-race", 2), 0)
    assert cast.names == ("E[2Jve[bold]", "E[2Jve[bold]")
    assert cast.name(0) == "you"
    assert cast.subject(1).plain == "E[2Jve[bold]"


def test_bots_are_numbered_only_where_there_are_several() -> None:
    bot = match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_HOUSE, bot="greedy")
    ada = match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER, name="Ada")
    assert cast_of([ada, bot], make_options("space-race", 2), 0) == Cast(("Ada", "greedy bot"), 0)
    assert cast_of([ada, bot, bot], make_options("space-race", 3), 0).names == ("Ada", "greedy 1", "greedy 2")
    assert cast_of([ada], make_options("wild-space", 1), 0).names == ("Ada", "the Smuggler")
