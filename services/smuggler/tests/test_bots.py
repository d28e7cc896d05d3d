"""The bots on the library: legal from views alone, and good enough to be an opponent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from starport_games.kernel.contract import SeatScore
from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.registry import find as find_game
from starport_games.space_race.codes import BID, FLIGHT, PICK, REPAIR, move_value
from starport_games.space_race.rules import holding
from starport_games.wild_space import baseline
from starport_smuggler import bots, race_bot

MATCHES = 60


def play(
    game_name: str, players: Sequence[str], seed: int, settings: Mapping[str, str] | None = None
) -> list[SeatScore]:
    """A match of these bots; each sees its own view only, and answers with a legal move."""
    game = find_game(game_name)
    seats = len(players) - (1 if (settings or {}).get("smuggler") == "seat" else 0)
    state = game.start(game.options(settings or {}), seats, Deal(key_of_words(f"bots {seed}")))
    chance = QuickDeal(seed)
    while not game.over(state):
        seat = game.deciders(state)[0].seat
        view = game.view(state, seat)
        legal = game.legal(view, seat)
        move = bots.find(players[seat])(game, view, seat, legal, chance)
        assert move in legal
        game.step(state, seat, move)
    return game.score(state)


def wins(game_name: str, seats: int) -> float:
    """The share of matches that one greedy bot wins among random ones; a shared win is shared."""
    won = 0.0
    for seed in range(MATCHES):
        seat = seed % seats
        score = play(game_name, ["greedy" if i == seat else "random" for i in range(seats)], seed)
        winners = [line.seat for line in score if line.won]
        won += (seat in winners) / len(winners)
    return won / MATCHES


@pytest.mark.parametrize(
    ("game", "seats"), [("space-race", 2), ("space-race", 4), ("wild-space", 2), ("wild-space", 5)]
)
def test_greedy_beats_random_clearly(game: str, seats: int) -> None:
    assert wins(game, seats) > 0.9


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_plays_space_race_with_chosen_ships(seats: int) -> None:
    play("space-race", ["greedy"] * seats, 1, {"auto_ships": "off"})


def test_greedy_smuggler_gains_more_than_a_random_one() -> None:
    totals = {"greedy": 0, "random": 0}
    for bot in totals:
        for seed in range(MATCHES):
            totals[bot] += play("wild-space", ["greedy", bot], seed, {"smuggler": "seat"})[1].total
    assert totals["greedy"] > totals["random"] + MATCHES


def test_the_smuggler_s_seat_takes_what_the_solo_player_would_not() -> None:
    game = find_game("wild-space")
    chance = QuickDeal(3)
    differed = 0
    for seed in range(20):
        state = game.start(game.options({"smuggler": "seat"}), 1, Deal(key_of_words(f"smuggler {seed}")))
        while not game.over(state):
            seat = game.deciders(state)[0].seat
            view = game.view(state, seat)
            legal = game.legal(view, seat)
            move = bots.greedy_bot(game, view, seat, legal, chance)
            if seat == 1:
                gains = {each: -baseline.smuggler_worth(view, view.smuggler, each) for each in legal}
                assert gains[move] == max(gains.values())
                differed += gains[move] > min(gains.values())
            game.step(state, seat, move)
    assert differed > 20


def test_where_the_solo_player_chooses_for_the_smuggler_it_is_harmed() -> None:
    game = find_game("wild-space")
    chance = QuickDeal(3)
    asked = 0
    state = game.start(game.options({}), 1, Deal(key_of_words("rulebook")))
    while not game.over(state):
        view = game.view(state, 0)
        legal = game.legal(view, 0)
        move = bots.greedy_bot(game, view, 0, legal, chance)
        if view.active == 1:
            worths = {each: baseline.smuggler_worth(view, view.smuggler, each) for each in legal}
            assert worths[move] == max(worths.values())
            asked += 1
        game.step(state, 0, move)
    assert asked


def test_race_bot_repairs_the_worst_and_never_bids_in_vain() -> None:
    """Over many matches: a repair removes the worst damage; one card is enough where the other seat holds none."""
    game = find_game("space-race")
    repairs = bids = 0
    for seed in range(MATCHES):
        state = game.start(game.options({}), 2, Deal(key_of_words(f"repairs {seed}")))
        chance = QuickDeal(seed)
        while not game.over(state):
            seat = game.deciders(state)[0].seat
            view = game.view(state, seat)
            legal = game.legal(view, seat)
            move = bots.greedy_bot(game, view, seat, legal, chance)
            if view.phase == REPAIR:
                repairs += 1
                assert move == game.default(view, seat)
            if view.phase == BID and holding(view, 1 - seat) == 0:
                bids += 1
                assert move_value(move) <= 1
            game.step(state, seat, move)
    assert repairs + bids > 0


def test_a_scanned_danger_changes_what_is_worth_having() -> None:
    game = find_game("space-race")
    state = game.start(game.options({}), 2, Deal(key_of_words("scan")))
    view = game.view(state, 0)
    assert view.phase == PICK
    blind = race_bot.dangers_to_come(view)
    for card, type in enumerate(view.pack.danger_type):
        seen = game.clone(view)
        seen.scanned = [card, -1]
        flights, fights = race_bot.dangers_to_come(seen)
        assert (flights > blind[0]) == (type == FLIGHT)
        assert flights + fights == pytest.approx(3.0)


def test_the_worth_of_a_finished_ship_is_its_count() -> None:
    """With nothing left to come, the guess is exact."""
    game = find_game("space-race")
    for seed in range(20):
        state = game.start(game.options({}), 2, Deal(key_of_words(f"count {seed}")))
        chance = QuickDeal(seed)
        while not game.over(state):
            for decider in game.deciders(state):
                legal = game.legal(state, decider.seat)
                game.step(state, decider.seat, legal[chance.below(len(legal))])
                if game.over(state):
                    break
        table = race_bot.Table(state)
        for line in game.score(state):
            assert table.worth(line.seat) == pytest.approx(line.total)


def test_an_unknown_bot_is_greedy() -> None:
    assert bots.find("grandmaster") is bots.find("greedy")
    assert bots.find("random") is bots.random_bot
