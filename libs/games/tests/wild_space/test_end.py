"""The end of a turn and the end of the game: sections 15 and 16 of the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starport_games.kernel.contract import Refusal
from wild_space.table import GAME, OPTIONS, Table
from wild_space.walks import busy

STOCK = """\
pool: a1 a2 a3
pile: a4 a5 a6 a7 a8 a9
"""
NUMBERS = {"P3": 3, "P6": 6, "P9": 9}
CREW = ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "r1", "r2", "r3"]
ALL_HOME = "H1.left* H1.right* H2.left* H2.right*"
HOSTILES = "".join(f"hostile h{n}: I; add 1; discard 2; robot\n" for n in range(1, 6))
SOLO = HOSTILES + "seats: 1\nhostile shown: h1 h2\nhostile hidden: h3 h4 h5\n"


def crew(size: int, seat: int = 0) -> str:
    """A crew line that makes this size, the captain being one of it."""
    return f"{seat} crew: {' '.join(CREW[: size - 1])}\n"


def down(table: Table) -> list[str]:
    return [place for place in NUMBERS if place not in table.face_up()]


def revealed(told: list[str]) -> list[str]:
    """The places whose planets these facts turned, in order."""
    return [fact.split()[1] for fact in told if fact.startswith("planet-revealed")]


# -- the end of a turn


@pytest.mark.rule("WS-EOT-1", "WS-EOT-2")
@pytest.mark.parametrize("size", range(1, 13))
def test_each_planet_whose_number_the_crew_reaches_is_turned(size: int) -> None:
    table = Table.load(crew(size) + "stack: end\n" + STOCK)
    assert down(table) == ["P3", "P6", "P9"]
    told = table.play("0: end-turn")
    turned = [place for place, number in NUMBERS.items() if number <= size]
    assert revealed(told) == turned
    assert table.face_up() == ["H1", "H2", *turned]


@pytest.mark.rule("WS-EOT-1")
@pytest.mark.parametrize(("place", "number"), NUMBERS.items())
@pytest.mark.parametrize("kind", ["b", "r", "e"])
def test_cards_of_every_class_and_the_captain_count(place: str, number: int, kind: str) -> None:
    text = {"b": "specialist bear pilot", "r": "robot", "e": "emissary bear; 1 per robot"}[kind]
    cards = [f"x{n}" for n in range(number - 1)]
    lines = "".join(f"card {card}: {text}\n" for card in cards)
    enough = Table.load(lines + f"0 crew: {' '.join(cards)}\nstack: end\n" + STOCK)
    enough.play("0: end-turn")
    assert place in enough.face_up()
    few = Table.load(lines + f"0 crew: {' '.join(cards[1:])}\n0 hand: {cards[0]} b9\nstack: end\n" + STOCK)
    few.play("0: end-turn")
    assert place not in few.face_up()  # the hand is no crew


@pytest.mark.rule("WS-EOT-2")
@pytest.mark.parametrize("up", [[], ["P3"], ["P6"], ["P9"], ["P3", "P9"]])
def test_several_planets_are_turned_in_one_end_of_turn(up: list[str]) -> None:
    planets = "planets: " + " ".join(f"{place}={place.lower()}" for place in up) + "\n"
    table = Table.load(planets + crew(9) + "stack: end\n" + STOCK)
    assert revealed(table.play("0: end-turn")) == [place for place in NUMBERS if place not in up]
    assert down(table) == []


@pytest.mark.rule("WS-EOT-3")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_only_the_seat_whose_turn_ends_is_examined(seats: int) -> None:
    for big in range(seats):
        for ending in range(seats):
            head = f"seats: {seats}\nactive: {ending}\nstack: end\n"
            table = Table.load(head + crew(9, big) + STOCK)
            table.play(f"{ending}: end-turn")
            assert down(table) == ([] if big == ending else ["P3", "P6", "P9"])


@pytest.mark.rule("WS-EOT-3")
def test_crews_are_not_added_up_and_the_smuggler_is_not_examined() -> None:
    table = Table.load("0 crew: b1\n1 crew: b2\nstack: end\n" + STOCK)
    table.play("0: end-turn")
    assert down(table) == ["P3", "P6", "P9"]
    solo = Table.load(SOLO + f"smuggler crew: {' '.join(CREW[:9])}\nstack: end\n" + STOCK)
    solo.play("0: end-turn")
    assert down(solo) == ["P3", "P6", "P9"]
    solo.play("0: smuggler-land h1")
    assert down(solo) == ["P3", "P6", "P9"]


@pytest.mark.rule("WS-EOT-4")
def test_reaching_the_number_in_the_middle_of_a_turn_reveals_nothing_yet() -> None:
    table = Table.load("0 crew: b1\n0 hand: b2 b3\n" + STOCK)
    for move in ("land H1 right", "play b2", "refresh b3"):
        told = table.play(f"0: {move}")
        assert (revealed(told), down(table)) == ([], ["P3", "P6", "P9"])
    assert len(table.crew()) + 1 == 3
    assert revealed(table.play("0: end-turn")) == ["P3"]


@pytest.mark.rule("WS-EOT-4")
def test_dropping_below_the_number_before_the_end_means_no_reveal() -> None:
    card = "card x: specialist owl pilot; remove -> draw 1\n"
    table = Table.load(card + "0 crew: b1\n0 hand: x\nstack: end | play any\n" + STOCK)
    table.play("0: play x")
    assert len(table.crew()) + 1 == 3
    kept = table.clone()
    kept.play("0: done")
    assert revealed(kept.play("0: end-turn")) == ["P3"]
    table.play("0: ability pay b1", "0: draw pile")
    assert len(table.crew()) + 1 == 2
    assert (revealed(table.play("0: end-turn")), down(table)) == ([], ["P3", "P6", "P9"])


@pytest.mark.rule("WS-EOT-4")
def test_a_passed_turn_reveals_at_its_end_only() -> None:
    table = Table.load(f"0 ships: {ALL_HOME}\n" + crew(3) + STOCK)
    assert revealed(table.play("0: pass-turn")) == []
    assert down(table) == ["P3", "P6", "P9"]
    assert revealed(table.play("0: end-turn")) == ["P3"]


@pytest.mark.rule("WS-EOT-1", "WS-EOT-3", "WS-EOT-4", "WS-EOT-5")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_in_whole_games_planets_turn_at_the_end_of_turns_and_never_back(seed: int, seats: int) -> None:
    table = Table.start(seats, f"reveals {seed}")
    before = table.face_up()
    for seat, move, told in busy(table, seed):
        if move == "end-turn":
            size = 1 + len(table.crew(seat))
            due = [place for place, number in NUMBERS.items() if number <= size and place not in before]
            assert revealed(told) == due
        else:
            assert revealed(told) == []
            due = []
        assert set(table.face_up()) == {*before, *due}
        before = table.face_up()


def test_whole_games_do_turn_planets() -> None:
    games = [Table.start(3, f"reveals {seed}") for seed in range(10)]
    turned = sum(len(revealed(told)) for seed, table in enumerate(games) for _, _, told in busy(table, seed))
    assert turned > 15  # otherwise the test above would prove little


@pytest.mark.rule("WS-EOT-5")
def test_a_planet_stays_face_up_when_every_crew_is_too_small() -> None:
    shrink = "planet q3: 3; [remove] draw 1; draw 1\nplanets: P3=q3 P6=p6 P9=p9\n"
    table = Table.load(shrink + "0 crew: b1 b2\n" + STOCK)
    table.play("0: land P3 left pay b1", "0: draw pile", "0: end-turn")
    assert len(table.crew()) + 1 == 2
    assert down(table) == []
    table.play("1: land H1 left")
    table.finish_turn()
    assert down(table) == []


@pytest.mark.rule("WS-EOT-6")
def test_a_revealed_planet_is_open_from_the_next_turn_to_every_crew_that_is_large_enough() -> None:
    crews = "0 crew: b1\n1 crew: b2 b3\n2 crew: b4\n3 crew: b5 b6 b7\n0 hand: b8\n"
    table = Table.load("seats: 4\n" + crews + STOCK)
    assert table.refused("0: land P3 left") == "FACE_DOWN"
    table.play("0: land H1 right", "0: play b8")
    assert table.refused("0: land P3 left") == "PHASE"  # not in this turn, whatever the crew
    table.play("0: end-turn")
    for seat, opens in ((1, True), (2, False), (3, True), (0, True)):
        assert table.asked() == seat
        listed = [text for text in table.legal() if "P3" in text]
        assert listed == (["land P3 left", "land P3 right"] if opens else [])
        if opens:
            table.play(f"{seat}: land P3 left")
        else:
            assert table.refused(f"{seat}: land P3 left") == "CREW"  # that crew is only two
            table.play(f"{seat}: land H1 left")
        table.finish_turn()


@pytest.mark.rule("WS-EOT-7")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_then_the_next_seat_has_its_turn(seats: int) -> None:
    for ending in range(seats):
        table = Table.load(f"seats: {seats}\nactive: {ending}\nstack: end\n" + STOCK)
        told = table.play(f"{ending}: end-turn")
        assert "game-over" not in told
        assert table.asked() == (ending + 1) % seats
        assert table.line("stack") == "ship"
        assert [table.turns(seat) for seat in range(seats)] == [int(seat == ending) for seat in range(seats)]


@pytest.mark.rule("WS-EOT-7")
def test_planets_are_turned_before_the_next_turn_or_the_end() -> None:
    table = Table.load(crew(6) + "stack: end\n1 crew: r1 r2\n" + STOCK)
    table.play("0: end-turn")
    assert "land P3 left" in table.legal(1)  # the very next decision sees them
    last = Table.load(crew(9) + "0 turns: 9\n1 turns: 10\nstack: end\n" + STOCK)
    told = last.play("0: end-turn")
    assert (revealed(told), down(last)) == (["P3", "P6", "P9"], [])
    assert GAME.over(last.state)
    assert told.index("game-over") > max(told.index(fact) for fact in told if fact.startswith("planet-revealed"))


# -- the end of the game


@pytest.mark.rule("WS-END-1")
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_the_game_ends_with_the_last_tenth_turn(seats: int) -> None:
    players = max(seats, 2)  # in the solo game the Smuggler has ten turns too
    for first in range(players):
        table = Table.start(seats, f"ends {first}", replace(OPTIONS, first=first))
        ended = 0
        for _, move, told in busy(table, first):
            ended += move == "end-turn" or move.startswith("smuggler-")
            assert GAME.over(table.state) == (ended == 10 * players) == ("game-over" in told)
            if not GAME.over(table.state):
                assert table.legal()
        assert [table.turns(player) for player in range(players)] == [10] * players
        assert [score.won for score in GAME.score(table.state)].count(True) >= 1


@pytest.mark.rule("WS-END-1")
def test_the_end_waits_for_the_seat_that_comes_last() -> None:
    for first, last in ((0, 2), (1, 0), (2, 1)):
        turns = "".join(f"{seat} turns: 9\n" for seat in range(3))
        table = Table.load(f"seats: 3\nfirst: {first}\n{turns}0 ships: H1.left\n1 ships: H1.left\n2 ships: H1.left\n")
        order = []
        while table.asked() >= 0:
            order.append(table.asked())
            table.play(f"{table.asked()}: explore H1 left")
            assert not GAME.over(table.state)  # the last turn is complete only when it is ended
            table.finish_turn()
        assert order == [first, (first + 1) % 3, last]


@pytest.mark.rule("WS-END-1")
@pytest.mark.parametrize(
    ("seat_turns", "smuggler_turns", "active"), [(9, 10, "0"), (10, 9, "smuggler"), (9, 9, "0"), (9, 9, "smuggler")]
)
def test_the_solo_game_ends_when_both_have_had_ten_turns(seat_turns: int, smuggler_turns: int, active: str) -> None:
    table = Table.load(
        f"{SOLO}active: {active}\n0 turns: {seat_turns}\nsmuggler turns: {smuggler_turns}\n0 ships: H1.left\n{STOCK}"
    )
    order = []
    while table.asked() >= 0:
        smugglers = table.legal()[0].startswith("smuggler-")
        order.append("smuggler" if smugglers else "0")
        if smugglers:
            table.play(f"0: {table.legal()[0]}")
        else:
            table.play("0: explore H1 left")
            table.finish_turn()
    assert len(order) == 20 - seat_turns - smuggler_turns
    assert order[0] == active
    assert (table.turns(0), table.turns(1)) == (10, 10)


@pytest.mark.rule("WS-END-2")
@pytest.mark.parametrize("seats", [1, 2, 5])
def test_no_move_is_accepted_after_the_end(seats: int) -> None:
    table = Table.start(seats, "closed")
    played: set[str] = set()
    for _, text, _ in busy(table, 5):
        played.add(text)
    assert GAME.deciders(table.state) == ()
    before = table.text()
    for seat in range(seats):
        assert table.legal(seat) == []
        for text in played:  # each of them was a good move once
            assert table.refused(f"{seat}: {text}") == "OVER"
        for move in GAME.move_space(table.state):
            answer = GAME.play(table.state, seat, move)
            assert isinstance(answer, Refusal)
            assert answer.code == "OVER"
    assert table.text() == before


@pytest.mark.rule("WS-END-3")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_lost_uses_of_ships_do_not_prolong_the_game(seats: int) -> None:
    table = Table.load(f"seats: {seats}\n")  # no cards at all: nobody ever gets past the home planets
    passed = dict.fromkeys(range(seats), 0)
    turns = 0
    while table.asked() >= 0:
        seat = table.asked()
        passed[seat] += table.legal() == ["pass-turn"]
        table.play(f"{seat}: {table.legal()[0]}", f"{seat}: end-turn")
        turns += 1
    assert turns == 10 * seats
    for seat in range(seats):
        # Four ships make eight moves; the fifth never left, and its two are lost.
        assert (passed[seat], table.reserve(seat), table.turns(seat)) == (2, 1, 10)
        assert len([ship for ship in table.ships(seat) if ship.endswith("*")]) == 4


@pytest.mark.rule("WS-END-3")
def test_a_ship_that_is_still_to_explore_is_lost_too() -> None:
    table = Table.load("0 turns: 9\n1 turns: 10\n0 ships: H1.left H1.right H2.left*\n" + STOCK)
    table.play("0: explore H1 left")
    table.finish_turn()
    assert GAME.over(table.state)
    assert (table.reserve(), table.ships()) == (2, ["H1 right", "H1 left*", "H2 left*"])


RICH = "card x1: robot credits 6\ncard x2: emissary owl; 9 per owl\ncard x3: robot pilot veteran credits 6\n"


@pytest.mark.rule("WS-END-4")
@pytest.mark.parametrize("hand", ["x1", "x2", "x3", "a4 a5 a6", "x1 x2 x3 a4 a5 b4 b5 r1 rp rv e2 e3"])
def test_cards_left_in_hand_are_worth_nothing(hand: str) -> None:
    owned = RICH + "card m: emissary owl; 3 for most pilot\n0 crew: a1 a2 m r2\n1 crew: b1 b2 e1 r3\n"
    over = "0 turns: 10\n1 turns: 10\nstack: over\n"
    bare = GAME.score(Table.load(owned + over).state)
    assert [line.total for line in bare] == [8, 2]  # five for three owls and three for the most pilots; two for a robot
    for seat in (0, 1):
        assert GAME.score(Table.load(f"{owned}{over}{seat} hand: {hand}\n").state) == bare


@pytest.mark.rule("WS-END-4")
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_no_hand_changes_the_count_of_a_finished_game(seed: int, seats: int) -> None:
    table = Table.start(seats, f"hands {seed}")
    for _ in busy(table, seed):
        pass
    score = GAME.score(table.state)
    for seat in range(seats):
        emptied, filled = table.clone(), table.clone()
        emptied.state.players[seat].hand = []
        filled.state.players[seat].hand = filled.state.deck[: filled.state.left] + filled.state.discard
        assert GAME.score(emptied.state) == GAME.score(filled.state) == score
