"""The worked examples of the rulebooks (WS-EX), each as a position and the moves that the example tells."""

from __future__ import annotations

import pytest

from wild_space.table import GAME, Table

HOMES = ["land H1 left", "land H1 right", "land H2 left", "land H2 right"]
PLANET_3 = ["land P3 left", "land P3 right"]


@pytest.mark.rule("WS-EX-1")
@pytest.mark.parametrize(
    ("planets", "code"),
    [
        ("P3=p3", "FACE_DOWN"),  # as the example draws it
        ("P3=p3 P6=p6 P9=p9", "CREW"),  # and if others had opened the rest
    ],
)
def test_a_crew_of_four_can_land_at_home_and_on_planet_3(planets: str, code: str) -> None:
    table = Table.load(f"planets: {planets}\n0 crew: a1 b1 r1\npool: b2 b3 b4\npile: b5 b6")
    assert len(table.crew()) + 1 == 4  # with the captain
    assert table.legal() == HOMES + PLANET_3
    for sector in ("P6 left", "P6 right", "P9 left", "P9 right"):
        assert table.refused(f"0: land {sector}") == code
    for move in table.legal():
        landed = table.clone()
        landed.play(f"0: {move}")
        assert landed.ships() == [move.removeprefix("land ")]


@pytest.mark.rule("WS-EX-2")
@pytest.mark.parametrize("ship", ["P3.left", "P3.left*"])
def test_of_a_planet_with_an_own_ship_on_the_left_only_the_right_remains(ship: str) -> None:
    table = Table.load(f"""\
        planets: P3=p3
        0 crew: a1 b1 r1
        0 ships: {ship}
        1 ships: P3.right
        pool: b2 b3 b4
        pile: b5 b6""")
    landings = [move for move in table.legal() if move.startswith("land P3")]
    assert landings == ["land P3 right"]
    assert table.refused("0: land P3 left") == "OWN_SHIP"
    assert table.play("0: land P3 right") == ["landed P3 right 0"]
    assert sorted(table.ships()) == sorted(["P3 left" + ship[7:], "P3 right"])
    assert table.ships(1) == ["P3 right"]


@pytest.mark.rule("WS-EX-3")
def test_a_card_from_the_pile_then_a_refresh_then_one_from_the_new_pool() -> None:
    table = Table.load("""\
        0 hand: a1 a2
        pool: b1 b2 b3
        pile: a3 a4 a5 a6 a7 a8
        stack: end | draw 2""")
    assert table.play("0: draw pile") == ["drew-from-pile a3"]
    assert table.hand() == ["a1", "a2", "a3"]
    assert table.pool() == ["b1", "b2", "b3"]  # the pile is not the pool: nothing to replace
    assert table.play("0: refresh a1") == [
        "refreshed a1 b1 b2 b3",
        "pool-filled 1 a4",
        "pool-filled 2 a5",
        "pool-filled 3 a6",
    ]
    assert table.line("stack") == "end | draw 1"  # the second card is still to be drawn
    assert table.answers() == ["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"]
    assert table.play("0: draw pool 2") == ["drew-from-pool 2 a5", "pool-filled 2 a7"]
    assert table.hand() == ["a2", "a3", "a5"]
    assert table.pool() == ["a4", "a7", "a6"]
    assert table.pile() == ["a8"]
    assert table.discard() == ["a1", "b1", "b2", "b3"]
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-EX-4")
def test_three_cards_in_one_turn_from_one_play() -> None:
    table = Table.load("""\
        card x1: specialist monkey botanist; play engineer
        card x2: specialist rhino engineer; discard(any) -> play any
        card x3: emissary monkey; 2 per robot; draw 1
        0 hand: x1 x2 x3 a1 a2
        pool: b2 b3 b4
        pile: b5 b6 b7""")
    assert table.play("0: land H1 right") == ["landed H1 right 0"]  # play any
    told = []
    for answers, move in (
        (["play x1", "play x2", "play x3", "play a1", "play a2", "pass"], "play x1"),
        (["ability", "done"], "ability"),
        (["play x2", "pass"], "play x2"),
        (["ability pay x3", "ability pay a1", "ability pay a2", "done"], "ability pay a1"),
        (["play x3", "play a2", "pass"], "play x3"),
        (["ability", "done"], "ability"),
        (["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"], "draw pool 1"),
        (["end-turn"], "end-turn"),
    ):
        assert table.answers() == answers
        told += [table.play(f"0: {move}")]
    assert told == [
        ["put-into-play x1"],
        ["used-ability x1"],
        ["used-ability x1", "put-into-play x2"],  # at first only its seat heard of it (WS-INFO-15)
        ["used-ability x2", "paid a1"],
        ["put-into-play x3"],
        ["used-ability x3"],
        ["used-ability x3", "drew-from-pool 1 b2", "pool-filled 1 b5"],
        ["ended-turn", "planet-revealed P3 p3"],  # three cards and the captain
    ]
    assert table.crew() == ["x1", "x2", "x3"]
    assert table.hand() == ["a2", "b2"]
    assert table.discard() == ["a1"]
    assert table.turns() == 1


@pytest.mark.rule("WS-EX-5")
def test_a_veteran_robot_moves_the_token_onto_draw_2_and_two_cards_are_drawn() -> None:
    table = Table.load("""\
        captain cx: owl pilot; play any, draw 2, credits 6
        0 captain: cx
        0 token: 1
        0 hand: rv
        pool: b2 b3 b4
        pile: b5 b6 b7
        stack: end | play robot""")
    assert table.play("0: play rv") == ["put-into-play rv", "token-moved 2"]
    assert table.answers() == ["square", "done"]
    table.play("0: square")
    assert table.answers() == ["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"]
    assert table.play("0: draw pool 3", "0: draw pile")[-3:] == [
        "drew-from-pool 3 b4",
        "pool-filled 3 b5",
        "drew-from-pile b6",
    ]
    assert table.hand() == ["b4", "b6"]
    assert table.crew() == ["rv"]
    assert table.token() == 2
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-EX-6")
def test_discard_2_add_2_brings_the_replacement_to_the_smuggler() -> None:
    table = Table.load("""\
        hostile hx: I; discard 2, add 2; add 1; robot
        seats: 1
        active: smuggler
        hostile shown: hx hostile-01
        pool: a1 a2 a3
        pile: b1 b2 b3""")
    assert table.play("0: smuggler-land hx") == [
        "smuggler-landed hx",
        "smuggler-discarded 2 a2",
        "pool-filled 2 b1",
        "smuggler-added 2 b1",
        "pool-filled 2 b2",
    ]
    assert table.discard() == ["a2"]
    assert table.crew(1) == ["b1"]
    assert table.pool() == ["a1", "b2", "a3"]
    assert table.pile() == ["b3"]


@pytest.mark.rule("WS-EX-7")
def test_a_crew_that_counts_57_credits() -> None:
    # The last turn of the match: the captain is the monkey, and the fifth owl is still in hand.
    table = Table.load("""\
        card s1: specialist rhino botanist
        card s2: specialist lizard botanist
        card s3: specialist octopus botanist
        card m1: emissary owl; 4 per 3 botanist
        card m2: emissary bear; 2 per robot
        card y1: robot credits 5
        card y2: robot pilot credits 3
        captain cx: monkey military; draw 1, credits 6, draw 2, credits 9
        0 captain: cx
        0 token: 2
        0 crew: a1 a2 a3 b1 b2 s1 s2 s3 m1 m2 y1 y2
        0 hand: a4 a5
        0 ships: H1.left* H1.right* H2.left* H2.right* P3.left
        0 turns: 9
        1 turns: 10
        planets: P3=p3 P6=p6 P9=p9
        pool: b7 b8 b9""")
    before = GAME.score(table.state)[0]
    assert (before.parts["species"], before.total, before.won) == (10 + 5, 52, False)
    table.play("0: explore P3 left", "0: choose 2", "0: play a4")
    assert table.play("0: end-turn") == ["ended-turn", "game-over"]
    score, other = GAME.score(table.state)
    assert dict(score.parts) == {
        "species": 15 + 5,  # five owls and three bears
        "series": 15,
        "missions": 4 + 4,
        "robots": 8,
        "captain": 6,
    }
    assert (score.total, score.rank, score.won) == (57, 1, True)
    assert (other.total, other.won) == (0, False)
    assert table.hand() == ["a5"]  # a sixth owl, worth nothing there
