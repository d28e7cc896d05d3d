"""Turns, landing and exploring: sections 4 to 6 of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wild_space.table import Table

STOCK = """\
pool: a1 a2 a3
pile: a4 a5 a6 a7 a8 a9
"""
ALL_HOME = "H1.left* H1.right* H2.left* H2.right*"


@pytest.mark.rule("WS-TURN-1")
def test_the_first_seat_begins_and_turns_pass_clockwise() -> None:
    table = Table.load("seats: 3\nfirst: 1\n" + STOCK)
    order = []
    for _ in range(5):
        seat = table.asked()
        order.append(seat)
        table.play(f"{seat}: land H2 {'right' if table.ships(seat) else 'left'}")
        table.finish_turn()
    assert order == [1, 2, 0, 1, 2]


@pytest.mark.rule("WS-TURN-2")
def test_a_turn_is_one_ship_move_then_its_action_then_the_end() -> None:
    table = Table.load("0 ships: H2.left\n0 hand: b1\n" + STOCK)
    for early in ("draw pile", "draw pool 1", "play b1", "choose 1", "end-turn"):
        assert table.refused(f"0: {early}") == "PHASE"
    table.play("0: land H1 left")
    for wrong in ("land H1 right", "explore H2 left", "pass-turn", "play b1", "end-turn"):
        assert table.refused(f"0: {wrong}") == "PHASE"
    table.play("0: draw pile", "0: draw pile")
    assert table.answers() == ["end-turn"]
    for late in ("land H1 right", "explore H2 left", "draw pile", "play b1"):
        assert table.refused(f"0: {late}") == "PHASE"
    table.play("0: end-turn")
    assert (table.asked(), table.turns(0), table.turns(1)) == (1, 1, 0)


@pytest.mark.rule("WS-TURN-3")
def test_a_ship_move_lands_or_explores() -> None:
    table = Table.load("0 ships: H1.left\n0 hand: b1\n" + STOCK)
    assert table.answers() == ["land H1 right", "land H2 left", "land H2 right", "explore H1 left"]


@pytest.mark.rule("WS-TURN-4", "WS-LAND-2")
def test_without_a_ship_in_reserve_one_can_only_explore() -> None:
    ships = "0 ships: H1.left H1.right H2.left* H2.right* P3.left\n"
    table = Table.load("planets: P3=p3\n0 crew: b1 b2\n" + ships + STOCK)
    assert table.reserve() == 0
    assert table.answers() == ["explore H1 left", "explore H1 right", "explore P3 left"]
    assert table.refused("0: land P3 right") == "NO_SHIP"
    one_left = Table.load("planets: P3=p3\n0 crew: b1 b2\n" + ships.replace(" P3.left", "") + STOCK)
    assert one_left.reserve() == 1
    one_left.play("0: land P3 right")
    assert one_left.reserve() == 0


@pytest.mark.rule("WS-TURN-5")
def test_landings_and_explorations_mix_freely() -> None:
    table = Table.load("1 turns: 10\n" + STOCK)  # the other seat is through, so seat 0 goes on alone
    for move in ("land H1 left", "explore H1 left", "land H1 right", "land H2 left", "explore H2 left"):
        assert move in table.legal()
        table.play(f"0: {move}")
        table.finish_turn()
    assert table.ships() == ["H1 right", "H1 left*", "H2 left*"]
    assert table.reserve() == 2


@pytest.mark.rule("WS-TURN-6")
def test_one_ship_moves_in_a_turn_and_not_twice() -> None:
    table = Table.load("0 ships: H2.left\n0 hand: b1\n" + STOCK)
    table.play("0: land H1 right")
    for _ in range(2):  # during the action, and after it
        assert table.refused("0: explore H1 right") == "PHASE"
        assert table.refused("0: explore H2 left") == "PHASE"
        assert table.refused("0: land H1 left") == "PHASE"
        if "pass" in table.legal():
            table.play("0: pass")
    assert table.ships() == ["H1 right", "H2 left"]
    table.play("0: end-turn")
    assert table.ships() == ["H1 right", "H2 left"]


@pytest.mark.rule("WS-TURN-7")
@pytest.mark.parametrize(
    "rest",
    [
        "0 crew: b1 b2",  # enough for the 3, but it lies face down
        "0 crew: b1\nplanets: P3=p3",  # the 3 is open, but the crew too small
        "planet q3: 3; [discard(any)] draw 2; [own(robot)] draw 2\n0 crew: b1 b2\nplanets: P3=q3",
    ],
)
def test_a_seat_that_cannot_move_a_ship_passes_its_turn(rest: str) -> None:
    table = Table.load(f"0 ships: {ALL_HOME}\n0 turns: 4\n{rest}\n{STOCK}")
    assert table.legal() == ["pass-turn"]
    table.play("0: pass-turn")
    assert table.reserve() == 1
    assert table.legal() == ["end-turn"]  # no action
    table.play("0: end-turn")
    assert table.turns() == 5
    assert table.ships() == ["H1 left*", "H1 right*", "H2 left*", "H2 right*"]
    assert (table.hand(), table.pile()) == ([], ["a4", "a5", "a6", "a7", "a8", "a9"])


@pytest.mark.rule("WS-TURN-8")
def test_the_turn_cannot_be_passed_while_a_ship_can_move() -> None:
    assert Table.load(STOCK).refused("0: pass-turn") == "MUST_MOVE"
    only_explore = Table.load("0 ships: H1.left H1.right* H2.left* H2.right*\n" + STOCK)
    assert only_explore.legal() == ["explore H1 left"]
    assert only_explore.refused("0: pass-turn") == "MUST_MOVE"
    only_paid = "planet q3: 3; [discard(any)] draw 2; [own(robot)] draw 2\n0 crew: b1 b2\nplanets: P3=q3\n"
    table = Table.load(f"0 ships: {ALL_HOME}\n0 hand: b3\n" + only_paid + STOCK)
    assert table.answers() == ["land P3 left pay b3"]
    assert table.refused("0: pass-turn") == "MUST_MOVE"


@pytest.mark.rule("WS-TURN-9")
def test_a_turn_ends_only_when_that_is_said() -> None:
    table = Table.load("0 hand: b1 b2\n" + STOCK)
    table.play("0: land H2 left")
    assert table.refused("0: end-turn") == "PHASE"  # a draw is left to resolve
    table.play("0: draw pile")
    assert (table.asked(), table.turns()) == (0, 0)
    table.play("0: refresh b1", "0: refresh b2")
    assert (table.asked(), table.turns(), table.answers()) == (0, 0, ["end-turn"])
    table.play("0: refresh a4")
    assert table.legal() == ["end-turn"]  # still asked, though nothing else can be answered
    table.play("0: end-turn")
    assert (table.asked(), table.turns()) == (1, 1)


@pytest.mark.rule("WS-TURN-10", "WS-TURN-11")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_ten_turns_each_and_nobody_else_decides_in_them(seed: int, seats: int) -> None:
    table = Table.start(seats, f"turns {seed}")
    taken: list[int] = []
    owner = table.asked()
    for seat, move in table.walk(seed):
        assert seat == owner, f"seat {seat} decided in the turn of {owner}"
        if move == "end-turn":
            taken.append(seat)
            owner = (owner + 1) % seats
        if table.asked() >= 0:
            assert table.asked() == owner
            assert all(not table.legal(other) for other in range(seats) if other != owner)
            assert table.refused(f"{(owner + 1) % seats}: end-turn") == "SEAT"
    assert [taken.count(seat) for seat in range(seats)] == [10] * seats
    assert [table.turns(seat) for seat in range(seats)] == [10] * seats


# -- landing


@pytest.mark.rule("WS-LAND-1")
def test_landing_moves_a_ship_from_the_reserve_to_the_bottom_of_a_sector() -> None:
    table = Table.load(STOCK)
    told = table.play("0: land H2 right")
    assert told[0] == "landed H2 right 0"
    assert (table.reserve(), table.ships()) == (4, ["H2 right"])
    assert (table.reserve(1), table.ships(1)) == (5, [])


@pytest.mark.rule("WS-LAND-3")
@pytest.mark.parametrize("place", ["P3", "P6", "P9"])
def test_no_landing_on_a_planet_that_lies_face_down(place: str) -> None:
    crew = "0 crew: b1 b2 b3 b4 b5 b6 b7 b8 b9\n"
    table = Table.load(crew + STOCK)
    assert table.refused(f"0: land {place} left") == "FACE_DOWN"
    assert not any(place in text for text in table.legal())
    Table.load(f"planets: {place}={place.lower()}\n{crew}{STOCK}").play(f"0: land {place} left")


@pytest.mark.rule("WS-LAND-4", "WS-LAND-5")
@pytest.mark.parametrize(("place", "number"), [("P3", 3), ("P6", 6), ("P9", 9)])
def test_the_crew_with_its_captain_must_reach_the_number_of_the_planet(place: str, number: int) -> None:
    planets = "planets: P3=p3 P6=p6 P9=p9\n"
    for cards in range(10):
        crew = "0 crew: " + " ".join(f"b{i}" for i in range(1, cards + 1)) + "\n"
        table = Table.load(planets + crew + "0 hand: a9\npool: a1 a2 a3\npile: a4")
        listed = [text for text in table.legal() if place in text]
        if cards + 1 >= number:  # the captain is one of them
            assert listed == [f"land {place} left", f"land {place} right"]
            table.play(f"0: land {place} left")
        else:
            assert listed == []
            assert table.refused(f"0: land {place} left") == "CREW"


@pytest.mark.rule("WS-LAND-6")
def test_home_planets_are_open_to_a_captain_alone() -> None:
    table = Table.load(STOCK)
    assert table.crew() == []
    assert table.legal() == ["land H1 left", "land H1 right", "land H2 left", "land H2 right"]
    for text in table.legal():
        table.clone().play(f"0: {text}")


@pytest.mark.rule("WS-LAND-7")
def test_no_second_ship_in_a_sector_that_one_of_ours_uses_or_used() -> None:
    table = Table.load("planets: P3=p3\n0 crew: b1 b2\n0 ships: H1.left H2.right* P3.left P3.right*\n" + STOCK)
    for sector in ("H1 left", "H2 right", "P3 left", "P3 right"):
        assert table.refused(f"0: land {sector}") == "OWN_SHIP"
    assert [text for text in table.legal() if text.startswith("land")] == ["land H1 right", "land H2 left"]


@pytest.mark.rule("WS-LAND-8")
def test_ships_of_others_do_not_block() -> None:
    table = Table.load("seats: 3\n1 ships: H1.left H1.right*\n2 ships: H1.left* H1.right\n" + STOCK)
    table.clone().play("0: land H1 right")
    table.play("0: land H1 left")
    assert [table.ships(seat) for seat in range(3)] == [
        ["H1 left"],
        ["H1 left", "H1 right*"],
        ["H1 right", "H1 left*"],
    ]


@pytest.mark.rule("WS-LAND-9")
def test_both_sectors_of_a_planet_may_be_ours() -> None:
    table = Table.load("0 ships: H1.right\n" + STOCK)
    table.play("0: land H1 left")
    assert table.ships() == ["H1 left", "H1 right"]


CONDITIONS = """\
planet q3: 3; [discard(any) | own(robot)] draw 2; [discard(robot) | discard(emissary)] play any
planets: P3=q3
"""


@pytest.mark.rule("WS-LAND-10")
def test_one_of_the_conditions_is_fulfilled_and_only_that_one_is_paid() -> None:
    table = Table.load(CONDITIONS + "0 crew: r1 b1\n0 hand: r2 e1\n" + STOCK)
    assert [text for text in table.legal() if "P3" in text] == [
        "land P3 left cond 1 pay r2",
        "land P3 left cond 1 pay e1",
        "land P3 left cond 2",
        "land P3 right cond 1 pay r2",
        "land P3 right cond 2 pay e1",
    ]
    paid = table.clone()
    paid.play("0: land P3 left cond 1 pay r2")
    assert (paid.hand(), paid.crew(), paid.discard()) == (["e1"], ["r1", "b1"], ["r2"])
    owned = table.clone()
    owned.play("0: land P3 left cond 2")
    assert (owned.hand(), owned.crew(), owned.discard()) == (["r2", "e1"], ["r1", "b1"], [])
    other = table.clone()
    other.play("0: land P3 right cond 2 pay e1")
    assert (other.hand(), other.discard()) == (["r2"], ["e1"])
    neither = Table.load(CONDITIONS + "0 crew: b2 b1\n0 hand: a9\npool: a1 a2 a3\npile: a4")
    assert neither.refused("0: land P3 right cond 1 pay a9") == "CONDITION"
    assert neither.refused("0: land P3 right cond 2 pay a9") == "CONDITION"
    assert neither.refused("0: land P3 left cond 2") == "CONDITION"


@pytest.mark.rule("WS-LAND-11")
def test_the_cost_is_paid_before_the_action_starts() -> None:
    costly = "planet q3: 3; [discard(any)] play any; [discard(any)] draw 2\nplanets: P3=q3\n0 crew: b1 b2\n"
    table = Table.load(costly + "0 hand: a9 b9\npool: a1 a2 a3\npile: a4 a5 a6")
    told = table.play("0: land P3 left pay a9")
    assert told == ["landed P3 left 1", "paid a9"]
    assert (table.hand(), table.discard()) == (["b9"], ["a9"])
    assert table.answers() == ["play b9", "pass"]  # what was paid is gone when the action asks
    # With both piles empty the payment is what there is to draw.
    empty = Table.load(costly + "0 hand: a9")
    empty.play("0: land P3 right pay a9")
    assert (empty.pool(), empty.answers()) == (["a9", "-", "-"], ["draw pool 1"])


@pytest.mark.rule("WS-LAND-12")
def test_the_cost_may_bring_the_crew_below_the_number() -> None:
    table = Table.load("planet q3: 3; [remove] draw 1; draw 1\nplanets: P3=q3\n0 crew: b1 b2\n" + STOCK)
    table.play("0: land P3 left pay b1")
    assert (table.crew(), table.discard(), table.ships()) == (["b2"], ["b1"], ["P3 left"])
    small = Table.load("planet q3: 3; [remove] draw 1; draw 1\nplanets: P3=q3\n0 crew: b1\n" + STOCK)
    assert small.refused("0: land P3 left pay b1") == "CREW"


@pytest.mark.rule("WS-LAND-13")
@pytest.mark.parametrize(("sector", "stock"), [("H1 right", STOCK), ("H1 left", ""), ("H2 right", "")])
def test_landing_is_legal_where_the_action_can_do_nothing(sector: str, stock: str) -> None:
    table = Table.load(stock)  # an empty hand, and without stock also nothing to draw
    assert f"land {sector}" in table.legal()
    table.play(f"0: land {sector}")
    assert (table.ships(), table.legal()) == ([sector], ["end-turn"])


@pytest.mark.rule("WS-LAND-14")
def test_a_cost_is_not_returned() -> None:
    costly = "planet q3: 3; [discard(any)] play any; [discard(any)] play robot\nplanets: P3=q3\n0 crew: b1 b2\n"
    nothing = Table.load(costly + "0 hand: a9\npool: a1 a2 a3\npile: a4 a5")
    nothing.play("0: land P3 left pay a9", "0: end-turn")
    assert (nothing.hand(), nothing.discard()) == ([], ["a9"])
    declined = Table.load(costly + "0 hand: a9 b9\npool: a1 a2 a3\npile: a4 a5")
    declined.play("0: land P3 left pay a9", "0: pass", "0: end-turn")
    assert (declined.hand(), declined.discard()) == (["b9"], ["a9"])


@pytest.mark.rule("WS-LAND-15")
def test_a_ship_stays_when_the_crew_shrinks() -> None:
    shrink = "planet q3: 3; [remove] draw 1; [remove] play any\nplanets: P3=q3 P6=p6\n"
    table = Table.load(shrink + "0 ships: P3.left P6.left P6.right*\n0 crew: b1 b2 b3\n1 turns: 10\n" + STOCK)
    table.play("0: land P3 right pay b1", "0: end-turn")
    assert len(table.crew()) + 1 == 3  # below the 6 where two ships are
    assert table.ships() == ["P3 left", "P3 right", "P6 left", "P6 right*"]
    assert table.reserve() == 1
    table.play("0: explore P6 left")  # and it is as good as any other
    assert table.ships() == ["P3 left", "P3 right", "P6 left*", "P6 right*"]


@pytest.mark.rule("WS-LAND-16")
@pytest.mark.parametrize(
    ("position", "move", "code"),
    [
        ("0 ships: H1.left H1.right H2.left H2.right P3.left", "land P3 right pay a9", "NO_SHIP"),
        ("planets: P3=(q3)", "land P3 right pay a9", "FACE_DOWN"),
        ("0 crew: b1", "land P3 right pay a9", "CREW"),
        ("0 ships: P3.right", "land P3 right pay a9", "OWN_SHIP"),
        ("0 hand: b9", "land P3 left pay b9", "CONDITION"),
        ("", "land P3 right", "PAYMENT"),
        ("", "land P3 right pay b9", "PAYMENT"),
        ("", "land P3 left pay b9", "PAYMENT"),
        ("", "land H1 left pay a9", "PAYMENT"),
        ("", "land H1 left cond 1 pay a9", "CONDITION"),
    ],
)
def test_a_refused_landing_changes_nothing(position: str, move: str, code: str) -> None:
    defaults = {"0 crew": "b1 b2", "0 hand": "a9", "planets": "P3=q3"}
    defaults.update([(position.partition(": ")[0], position.partition(": ")[2])] if position else [])
    lines = "\n".join(f"{key}: {value}" for key, value in defaults.items())
    table = Table.load(f"planet q3: 3; [discard(pilot)] draw 2; [discard(any)] draw 2\n{lines}\n{STOCK[:15]}")
    before = (table.hand(), table.crew(), table.ships(), table.reserve(), table.discard())
    assert table.refused(f"0: {move}") == code  # compares the whole position too
    assert (table.hand(), table.crew(), table.ships(), table.reserve(), table.discard()) == before


@pytest.mark.rule("WS-LAND-17")
def test_conditions_count_from_one_and_a_lone_one_needs_no_number() -> None:
    cards = "0 crew: r1 b1\n0 hand: r2 e1\n"
    two = Table.load(CONDITIONS + cards + STOCK)
    for vague in ("land P3 left", "land P3 left pay r2", "land P3 left cond 0", "land P3 left cond 3 pay r2"):
        assert two.refused(f"0: {vague}") == "CONDITION"
    assert two.refused("0: land P3 right cond 1 pay e1") == "PAYMENT"  # 1 asks for a robot
    two.clone().play("0: land P3 right cond 1 pay r2")
    two.clone().play("0: land P3 right cond 2 pay e1")
    one = Table.load("planet q3: 3; [discard(any)] draw 2; draw 2\nplanets: P3=q3\n" + cards + STOCK)
    named, bare = one.clone(), one.clone()
    assert named.play("0: land P3 left cond 1 pay r2") == bare.play("0: land P3 left pay r2")
    assert named.text() == bare.text()
    assert one.refused("0: land P3 left cond 2 pay r2") == "CONDITION"
    assert one.refused("0: land P3 right cond 1") == "CONDITION"  # none is printed there


# -- exploring


@pytest.mark.rule("WS-EXPL-1")
def test_exploring_moves_an_own_landed_ship_to_the_top_of_its_sector() -> None:
    table = Table.load("0 ships: H1.left H2.right\n1 ships: H1.right\n" + STOCK)
    assert table.refused("0: explore H1 right") == "NOT_LANDED"  # only another seat's ship is there
    assert table.refused("0: explore H2 left") == "NOT_LANDED"
    told = table.play("0: explore H2 right")
    assert told[0] == "explored H2 right"
    assert (table.ships(), table.reserve()) == (["H1 left", "H2 right*"], 3)
    assert table.ships(1) == ["H1 right"]


@pytest.mark.rule("WS-EXPL-2")
def test_an_explored_ship_is_never_used_again() -> None:
    table = Table.load("0 ships: H1.left* H2.right\n" + STOCK)
    assert table.refused("0: explore H1 left") == "EXPLORED"
    assert table.answers() == ["land H1 right", "land H2 left", "explore H2 right"]


@pytest.mark.rule("WS-EXPL-3")
def test_exploring_checks_neither_the_condition_nor_the_crew() -> None:
    table = Table.load(
        "planet q3: 3; [discard(any)] draw 2; [own(robot) | remove] draw 2\nplanets: P3=q3 P9=p9\n"
        "0 ships: P3.left P3.right P9.left\n" + STOCK
    )
    assert (table.crew(), table.hand()) == ([], [])
    assert [text for text in table.legal() if text.startswith("explore")] == [
        "explore P3 left",
        "explore P3 right",
        "explore P9 left",
    ]
    for sector in ("P3 left", "P3 right", "P9 left"):
        again = table.clone()
        again.play(f"0: explore {sector}")
        assert again.discard() == []


@pytest.mark.rule("WS-EXPL-4")
@pytest.mark.parametrize("sector", ["H1 left", "H1 right", "P3 left", "P3 right"])
def test_every_exploration_offers_three_cards_or_one_play(sector: str) -> None:
    ship = sector.replace(" ", ".")
    start = Table.load(
        f"planet q3: 3; [remove] draw 5; play robot x2 / take\nplanets: P3=q3\n0 ships: {ship}\n0 hand: b1 e1\n{STOCK}"
    )
    start.play(f"0: explore {sector}")
    assert start.answers() == ["choose 1", "choose 2"]
    drawing = start.clone()
    drawing.play("0: choose 1", "0: draw pile", "0: draw pool 2", "0: draw pile")
    assert drawing.hand() == ["b1", "e1", "a4", "a2", "a6"]
    assert drawing.answers() == ["end-turn"]
    playing = start.clone()
    playing.play("0: choose 2")
    assert playing.answers() == ["play b1", "play e1", "pass"]
    playing.play("0: play e1")
    assert (playing.crew(), playing.answers()) == (["e1"], ["end-turn"])
