"""Veterans and the captain's track (WS-VET)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starport_games.kernel.errors import BadInput
from wild_space.table import GAME, Table

PILES = "pool: b2 b3 b4\n    pile: b5 b6 b7 b8 b9"


def on_track(squares: str, rest: str, stack: str = "end | play any") -> Table:
    """A seat whose captain has this track."""
    return Table.load(f"""\
    card v1: specialist owl military veteran
    card v2: specialist owl military veteran
    card v3: robot veteran
    card w1: specialist owl military veteran; play any
    card x1: specialist owl military; remove -> draw 1
    card x2: specialist owl military; play any
    captain cap-t: lizard botanist; {squares}
    0 captain: cap-t
    {PILES}
    stack: {stack}
    {rest}""")


@pytest.mark.rule("WS-VET-1")
@pytest.mark.parametrize("veteran", ["v1", "v3"])
def test_a_veteran_from_the_hand_moves_the_token_at_once(veteran: str) -> None:
    table = on_track("draw 1, draw 2", f"0 hand: {veteran} a1")
    told = table.play(f"0: play {veteran}")
    assert told == [f"put-into-play {veteran}", "token-moved 1"]
    assert table.token() == 1
    table.play("0: done")
    assert table.token() == 1  # the move is not part of what may be declined


@pytest.mark.rule("WS-VET-1")
def test_veterans_move_the_token_wherever_they_come_from() -> None:
    # By take, from an ability, from a square; other cards never move it.
    taken = on_track("draw 1, draw 2", "", "end | take")
    taken.play("0: take pool 1")
    assert taken.token() == 0
    blind = Table.load("pool: b2 b3 b4\npile: av b5\nstack: end | take")
    blind.play("0: take pile")
    assert blind.token() == 1
    by_ability = on_track("draw 1, draw 2", "0 hand: x2 v1")
    by_ability.play("0: play x2")
    assert by_ability.token() == 0
    by_ability.play("0: ability", "0: play v1")
    assert by_ability.token() == 1
    by_square = on_track("play any, draw 2", "0 hand: v1 v2")
    by_square.play("0: play v1", "0: square", "0: play v2")
    assert by_square.token() == 2
    by_sector = Table.load("0 hand: av\npool: b2 b3 b4\npile: b5 b6")
    by_sector.play("0: land H1 right", "0: play av")
    assert by_sector.token() == 1
    assert by_sector.token(1) == 0


@pytest.mark.rule("WS-VET-2")
@pytest.mark.parametrize(
    ("token", "answers"),
    [
        (0, ["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"]),
        (1, ["play a1", "pass"]),
        (2, ["take pile", "take pool 1", "take pool 2", "take pool 3", "pass"]),
    ],
)
def test_the_square_that_is_reached_offers_its_effect(token: int, answers: list[str]) -> None:
    table = on_track("draw 2, play pilot, take", f"0 token: {token}\n    0 hand: v1 a1 b1")
    table.play("0: play v1")
    assert table.token() == token + 1
    assert table.answers() == ["square", "done"]
    table.play("0: square")
    assert table.answers() == answers


@pytest.mark.rule("WS-VET-3")
def test_the_square_may_be_declined() -> None:
    table = on_track("draw 2, draw 1", "0 hand: v1")
    table.play("0: play v1", "0: done")
    assert table.hand() == []
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-VET-4")
def test_the_seat_decides_whether_ability_or_square_comes_first() -> None:
    for first, second in (("ability", "square"), ("square", "ability")):
        table = on_track("play any, draw 2", "0 hand: w1 a1 a2 a3")
        table.play("0: play w1")
        assert table.answers() == ["ability", "square", "done"]
        table.play(f"0: {first}", "0: play a1")
        assert table.answers() == [second, "done"]
        table.play(f"0: {second}", "0: play a2")
        assert table.answers() == ["end-turn"]
        assert table.hand() == ["a3"]


@pytest.mark.rule("WS-VET-4")
def test_the_second_is_judged_anew_after_the_first_is_completely_resolved() -> None:
    # The first effect plays the last hand card, so that the second has nothing left to play.
    table = on_track("play any, draw 2", "0 hand: w1 a1")
    table.play("0: play w1", "0: square", "0: play a1")
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-VET-5")
def test_a_pending_square_is_the_one_its_own_veteran_reached() -> None:
    table = on_track("draw 1, draw 4, draw 3", "0 hand: w1 v1")
    table.play("0: play w1", "0: ability", "0: play v1")
    assert table.token() == 2
    table.play("0: square")
    assert table.line("stack").endswith("draw 4 by square v1")
    table.play("0: draw pile", "0: draw pile", "0: draw pile", "0: draw pile")
    assert table.answers() == ["square", "done"]  # still that of w1, two squares back by now
    table.play("0: square")
    assert table.line("stack").endswith("| draw 1 by square w1")
    assert table.token() == 2


@pytest.mark.rule("WS-VET-6")
def test_a_credit_square_offers_nothing_now() -> None:
    table = on_track("credits 5, draw 2", "0 hand: v1 v2", "end | play any x2")
    told = table.play("0: play v1")
    assert told == ["put-into-play v1", "token-moved 1"]
    assert table.line("stack") == "end | play any"
    table.play("0: play v2")
    assert table.answers() == ["square", "done"]
    alone = on_track("credits 5", "0 hand: w1 a1")
    alone.play("0: play w1")
    assert alone.answers() == ["ability", "done"]
    assert alone.refused("0: square") == "TRIGGER"


@pytest.mark.rule("WS-VET-7")
def test_at_the_last_square_further_veterans_move_and_trigger_nothing() -> None:
    table = on_track("draw 1, draw 2", "0 token: 2\n    0 hand: v1 w1 a1", "end | play any x2")
    told = table.play("0: play v1")
    assert told == ["put-into-play v1"]
    assert table.token() == 2
    assert table.line("stack") == "end | play any"
    table.play("0: play w1")
    assert table.answers() == ["ability", "done"]  # its own ability works as ever
    assert table.refused("0: square") == "TRIGGER"


@pytest.mark.rule("WS-VET-8")
def test_removing_a_veteran_does_not_move_the_token() -> None:
    table = on_track("draw 1, draw 2, draw 3", "0 token: 2\n    0 crew: v1 v2\n    0 hand: x1")
    told = table.play("0: play x1", "0: ability pay v1")
    assert told == ["put-into-play x1", "used-ability x1", "removed v1"]
    assert table.token() == 2
    assert table.crew() == ["v2", "x1"]


@pytest.mark.rule("WS-VET-9")
def test_a_veteran_put_into_play_again_moves_the_token_again() -> None:
    table = Table.load("""\
        card x1: specialist owl military; remove -> draw 1
        0 hand: av x1
        stack: end | play any | play any | play any""")
    table.play("0: play av")
    assert table.token() == 1
    table.play("0: play x1", "0: ability pay av", "0: draw pool 1", "0: play av")
    assert table.crew() == ["x1", "av"]
    assert table.token() == 2


@pytest.mark.rule("WS-VET-10")
def test_a_square_may_bring_a_veteran_that_moves_the_token_on() -> None:
    table = on_track("play any, play any, draw 2", "0 hand: v1 v2 v3")
    table.play("0: play v1", "0: square", "0: play v2")
    assert table.token() == 2
    assert table.answers() == ["square", "done"]
    table.play("0: square", "0: play v3")
    assert table.token() == 3
    assert table.answers() == ["square", "done"]
    table.play("0: square", "0: draw pile", "0: draw pile")
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-VET-11")
def test_a_pending_square_survives_the_removal_of_its_veteran() -> None:
    table = on_track("draw 2, draw 1", "0 hand: w1 x1")
    table.play("0: play w1", "0: ability", "0: play x1", "0: ability pay w1", "0: draw pile")
    assert table.crew() == ["x1"]
    assert table.answers() == ["square", "done"]
    table.play("0: square", "0: draw pile", "0: draw pile")
    assert table.hand() == ["b5", "b6", "b7"]
    # An ability that was still open went with the card; the square beside it did not.
    beside = on_track(
        "draw 2, play any", "0 crew: w1 x1", "end | triggers w1 ability square draw 2 | triggers x1 ability"
    )
    beside.play("0: ability pay w1", "0: draw pile")
    assert beside.answers() == ["square", "done"]


@pytest.mark.rule("WS-VET-12")
def test_squares_have_no_conditions() -> None:
    for square in ("discard(any) -> draw 2", "own(robot) -> draw 2", "[own(robot)] draw 2"):
        with pytest.raises(BadInput):
            Table.load(f"captain cap-t: lizard botanist; {square}")
    table = on_track("draw 2, draw 1", "0 hand: v1")
    table.play("0: play v1", "0: square")  # free with an empty hand and nothing but itself in the crew
    assert table.discard() == []
    assert table.refused("0: ability") == "PHASE"


@pytest.mark.rule("WS-VET-13")
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_the_token_never_moves_backwards_and_never_past_the_track(seed: int, seats: int) -> None:
    table = Table.start(seats, f"token {seed}")
    book = table.state.book
    before = [0] * len(table.state.players)
    for _ in table.walk(seed, 150):
        for seat, player in enumerate(table.state.players):
            assert before[seat] <= player.token <= len(book.track[player.crew[0]])
            before[seat] = player.token


@pytest.mark.rule("WS-VET-14")
@pytest.mark.parametrize(
    ("square", "rest", "usable"),
    [
        ("draw 1", "pool: b2 b3 b4\n    pile: b5", True),
        ("draw 1", "pool: b2", True),
        ("draw 1", "", False),
        ("take", "pool: b2", True),
        ("take", "", False),
        ("play robot", "0 hand: av r1", True),
        ("play robot", "0 hand: av a1", False),
        ("play veteran", "0 hand: av a1", False),  # the one that earned it has left the hand
        ("play any", "0 hand: av a1", True),
    ],
)
def test_a_square_is_usable_when_its_effect_is_possible(square: str, rest: str, usable: bool) -> None:
    hand = "" if "0 hand" in rest else "0 hand: av\n    "
    table = Table.load(f"""\
    captain cap-t: lizard botanist; {square}
    0 captain: cap-t
    {hand}{rest}
    stack: end | play any""")
    table.play("0: play av")
    assert table.token() == 1
    assert table.answers() == (["square", "done"] if usable else ["end-turn"])
    assert GAME.default(table.state, 0) in GAME.legal(table.state, 0)
