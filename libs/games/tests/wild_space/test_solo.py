"""The solo game against the Smuggler (WS-SOLO)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starport_games.kernel.contract import SeatScore
from starport_games.kernel.errors import BadInput
from starport_games.wild_space.codes import SHIPS
from starport_games.wild_space.state import Smuggler
from wild_space.table import GAME, Table

SPECIES = ("bear", "rhino", "owl", "lizard", "monkey", "octopus")
HOSTILES = """\
    hostile h1: I; add 1; discard 2, add 2; emissary
    hostile h2: I; discard 1, add 3; add 1, add 1; robot
    hostile h3: II; add 2, discard 2, add 1; add 3; medal, pilot
    hostile h4: III; add 1; add 1; robot, medal, military
    hostile h5: II; add 1; add 1; scientist
    hostile h6: III; add 2; add 2; robot
"""


def solo(text: str) -> Table:
    return Table.load(f"{HOSTILES}    seats: 1\n{text}")


def smuggler_to_move(shown: str = "h1 h2", hidden: str = "h3 h4 h5", more: str = "") -> Table:
    return solo(f"""\
    active: smuggler
    hostile shown: {shown}
    hostile hidden: {hidden}
    pool: a1 a2 a3
    pile: b1 b2 b3 b4 b5
    {more}""")


def smuggler_of(table: Table) -> Smuggler:
    smuggler = table.state.smuggler
    assert smuggler is not None
    return smuggler


def hostile_ids(table: Table, hostiles: list[int]) -> list[str]:
    return [table.state.book.hostile_ids[hostile] for hostile in hostiles]


# -- set-up


@pytest.mark.rule("WS-SOLO-1")
def test_one_seat_is_set_up_as_ever_and_meets_the_smuggler() -> None:
    table = Table.start(1, "solo")
    assert table.state.smuggler is not None
    assert len(table.hand()) == 3
    assert table.crew() == []
    assert (table.token(), table.reserve(), table.turns()) == (0, 5, 0)
    assert len(table.pile()) == 96
    assert table.face_up() == ["H1", "H2"]
    assert [score.name for score in GAME.score(table.state)] == ["seat 0", "smuggler"]
    assert Table.start(2, "solo").state.smuggler is None


@pytest.mark.rule("WS-SOLO-2")
def test_the_smuggler_has_a_captain_and_five_ships_but_no_hand_and_no_token() -> None:
    captains = set()
    for seed in range(60):
        table = Table.start(1, f"captain {seed}")
        assert table.captain(1) != table.captain(0)
        captains.add(table.captain(1))
        assert table.hand(1) == []
        assert table.crew(1) == []
        assert table.reserve(1) == 5
    assert len(captains) == 6  # a random one
    for key in ("hand: a1", "token: 1", "ships: H1.left"):
        with pytest.raises(BadInput, match="WS-SOLO-2"):
            smuggler_to_move(more=f"smuggler {key}")
    # No token either when a veteran joins it.
    table = smuggler_to_move(more="").clone()
    table.state.pool[0] = table.state.book.ids.index("av")
    told = table.play("0: smuggler-land h1")
    assert table.crew(1) == ["av"]
    assert not any(text.startswith("token-moved") for text in told)
    assert table.token(1) == 0


@pytest.mark.rule("WS-SOLO-3")
def test_the_difficulty_is_chosen_before_the_set_up() -> None:
    for level, name in enumerate(("easy", "normal", "hard"), 1):
        table = Table.start(1, "level", GAME.options({"difficulty": name}))
        assert smuggler_of(table).difficulty == level
        assert table.line("difficulty") == name
    with pytest.raises(BadInput, match="difficulty"):
        GAME.options({"difficulty": "brutal"})


@pytest.mark.rule("WS-SOLO-4")
@pytest.mark.parametrize(
    ("difficulty", "categories"),
    [("easy", {1: 3, 2: 2}), ("normal", {1: 1, 2: 3, 3: 1}), ("hard", {2: 2, 3: 3})],
)
def test_five_hostile_planets_are_drawn_by_category(difficulty: str, categories: dict[int, int]) -> None:
    drawn: set[int] = set()
    for seed in range(80):
        table = Table.start(1, f"hostile {seed}", GAME.options({"difficulty": difficulty}))
        smuggler = smuggler_of(table)
        five = smuggler.shown + smuggler.hidden
        assert len(set(five)) == 5
        assert Counter(table.state.book.hostile_category[h] for h in five) == categories
        drawn.update(five)
    category = Table.start(1, "x").state.book.hostile_category
    assert drawn == {h for h, number in enumerate(category) if number in categories}  # at random


@pytest.mark.rule("WS-SOLO-5")
def test_the_five_are_shuffled_and_two_lie_face_up() -> None:
    first: set[int] = set()
    for seed in range(60):
        table = Table.start(1, f"five {seed}", GAME.options({"difficulty": "easy"}))
        smuggler = smuggler_of(table)
        assert (len(smuggler.shown), len(smuggler.hidden), len(smuggler.aside)) == (2, 3, 0)
        assert smuggler.loaded == [0, 0]
        first.add(table.state.book.hostile_category[smuggler.shown[0]])
        seen = GAME.view(table.state, 0)
        assert seen.smuggler is not None
        assert seen.smuggler.shown == smuggler.shown
        assert all(hostile < 0 for hostile in seen.smuggler.hidden)
    assert first == {1, 2}  # not sorted by category


@pytest.mark.rule("WS-SOLO-6")
def test_who_starts_is_random() -> None:
    starts = Counter(Table.start(1, f"start {seed}").line("active") for seed in range(200))
    assert set(starts) == {"0", "smuggler"}
    assert 60 < starts["0"] < 140


@pytest.mark.rule("WS-SOLO-7", "WS-SOLO-24")
@given(st.integers(0, 10**6))
def test_seat_and_smuggler_alternate_until_both_had_ten_turns(seed: int) -> None:
    table = Table.start(1, f"alternate {seed}")
    active = [table.state.active]
    for _, text in table.walk(seed):
        if text.startswith("smuggler-") or text == "end-turn":
            active.append(table.state.active)
            # It ends exactly when the last of the twenty turns is over, never before.
            assert GAME.over(table.state) == (table.turns(0) == table.turns(1) == 10)
    first = active[0]
    assert active[:20] == [first, 1 - first] * 10
    assert (table.turns(0), table.turns(1)) == (10, 10)
    # Five planets, each used twice, filled the Smuggler's ten turns.
    smuggler = smuggler_of(table)
    assert (len(smuggler.shown), len(smuggler.hidden), len(set(smuggler.aside))) == (0, 0, 5)
    assert table.reserve(1) == 0


@pytest.mark.rule("WS-SOLO-8")
def test_the_seats_own_turns_are_those_of_the_game_for_many() -> None:
    text = """\
    card x1: specialist owl military veteran; discard(any) -> play any
    0 crew: a4
    0 hand: x1 a5 a6
    pool: a1 a2 a3
    pile: b1 b2 b3 b4 b5"""
    moves = ["land H1 right", "play x1", "square", "draw pile", "draw pool 2", "ability pay a6", "play a5", "end-turn"]
    alone, together = solo(f"{text}\n    hostile shown: h1 h2"), Table.load(f"{HOSTILES}{text}")
    for move in moves:
        assert alone.legal(0) == together.legal(0)
        assert alone.play(f"0: {move}") == together.play(f"0: {move}")
    assert (alone.hand(), alone.crew()) == (together.hand(), together.crew())
    assert (alone.token(), alone.turns()) == (together.token(), together.turns())
    assert alone.face_up() == together.face_up() == ["H1", "H2", "P3"]
    assert (alone.pool(), alone.pile(), alone.discard()) == (together.pool(), together.pile(), together.discard())


# -- the Smuggler's turn


@pytest.mark.rule("WS-SOLO-9")
def test_the_solo_player_chooses_for_the_smuggler() -> None:
    table = smuggler_to_move("h1 h2*")
    assert table.asked() == 0
    assert table.legal(0) == ["smuggler-land h1", "smuggler-explore h2"]
    for move in table.legal(0):
        table.clone().play(f"0: {move}")


@pytest.mark.rule("WS-SOLO-10")
def test_landing_needs_a_face_up_hostile_planet_without_a_ship() -> None:
    table = smuggler_to_move("h1 h2*")
    assert table.refused("0: smuggler-land h2") == "HOSTILE"  # a ship is there
    assert table.refused("0: smuggler-land h3") == "HOSTILE"  # face down
    table.play("0: smuggler-land h1")
    assert table.line("hostile shown") == "h1* h2*"
    assert table.reserve(1) == SHIPS - 2
    assert table.crew(1) == ["a1"]  # the bottom half: add 1


@pytest.mark.rule("WS-SOLO-11")
def test_exploring_slides_the_ship_of_a_face_up_planet_to_the_top() -> None:
    table = smuggler_to_move("h1 h2*")
    assert table.refused("0: smuggler-explore h1") == "HOSTILE"  # no ship to slide
    assert table.refused("0: smuggler-explore h3") == "HOSTILE"
    table.play("0: smuggler-explore h2")
    assert table.crew(1) == ["a1", "b1"]  # the top half: add 1 twice
    assert table.reserve(1) == SHIPS - 1  # no second ship


@pytest.mark.rule("WS-SOLO-12")
@given(st.integers(0, 10**6))
def test_the_smuggler_always_has_a_move_and_never_a_pass(seed: int) -> None:
    table = Table.start(1, f"mandatory {seed}")
    for _ in table.walk(seed):
        if not GAME.over(table.state) and table.state.active == 1:
            assert table.legal(0)
            assert all(text.startswith(("smuggler-land ", "smuggler-explore ")) for text in table.legal(0))
            assert table.refused("0: pass-turn") == "PHASE"
            assert table.refused("0: pass") == "PHASE"
            assert table.refused("0: end-turn") == "PHASE"


@pytest.mark.rule("WS-SOLO-13")
def test_all_effects_of_the_half_apply_from_left_to_right() -> None:
    table = smuggler_to_move("h3 h2", "")
    told = table.play("0: smuggler-land h3")  # add 2, discard 2, add 1
    assert told == [
        "smuggler-landed h3",
        "smuggler-added 2 a2",
        "pool-filled 2 b1",
        "smuggler-discarded 2 b1",
        "pool-filled 2 b2",
        "smuggler-added 1 a1",
        "pool-filled 1 b3",
    ]
    assert table.crew(1) == ["a2", "a1"]
    assert table.pool() == ["b3", "b2", "a3"]


@pytest.mark.rule("WS-SOLO-14")
@pytest.mark.parametrize("slot", [1, 2, 3])
def test_add_brings_the_card_of_that_slot_into_the_smugglers_crew(slot: int) -> None:
    table = smuggler_to_move("hx h2", more=f"hostile hx: I; add {slot}; add 1; robot")
    table.play("0: smuggler-land hx")
    assert table.crew(1) == [f"a{slot}"]
    assert table.discard() == []


@pytest.mark.rule("WS-SOLO-15")
@pytest.mark.parametrize("slot", [1, 2, 3])
def test_discard_sends_the_card_of_that_slot_to_the_discard_pile(slot: int) -> None:
    table = smuggler_to_move("hx h2", more=f"hostile hx: I; discard {slot}; add 1; robot")
    table.play("0: smuggler-land hx")
    assert table.crew(1) == []
    assert table.discard() == [f"a{slot}"]


@pytest.mark.rule("WS-SOLO-16")
def test_the_slot_is_refilled_before_the_next_effect() -> None:
    table = smuggler_to_move("h1* h2")
    table.play("0: smuggler-explore h1")  # discard 2, add 2
    assert table.discard() == ["a2"]
    assert table.crew(1) == ["b1"]  # the replacement, and not a2
    assert table.pool() == ["a1", "b2", "a3"]


@pytest.mark.rule("WS-SOLO-17")
def test_an_effect_on_an_empty_slot_does_nothing() -> None:
    table = solo("""\
    active: smuggler
    hostile shown: h3 h2
    pool: a1 - -""")
    told = table.play("0: smuggler-land h3")  # add 2, discard 2, add 1
    assert told == ["smuggler-landed h3", "smuggler-added 1 a1"]
    assert table.crew(1) == ["a1"]
    assert table.pool() == ["-", "-", "-"]
    assert table.turns(1) == 1


@pytest.mark.rule("WS-SOLO-18")
def test_the_discard_pile_is_reshuffled_in_the_middle_of_the_effects() -> None:
    table = solo("""\
    active: smuggler
    hostile shown: h1* h2
    pool: a1 a2 a3
    pile: b1""")
    told = table.play("0: smuggler-explore h1")  # discard 2, add 2
    # b1 replaces a2 and empties the pile, so that the discarded a2 is the new pile, and fills slot 2 again.
    assert told[1:] == [
        "smuggler-discarded 2 a2",
        "pool-filled 2 b1",
        "reshuffled 1",
        "smuggler-added 2 b1",
        "pool-filled 2 a2",
    ]
    assert table.pool() == ["a1", "a2", "a3"]
    assert (table.pile(), table.discard()) == ([], [])


@pytest.mark.rule("WS-SOLO-19")
def test_cards_of_the_smuggler_trigger_nothing() -> None:
    table = solo("""\
    card x1: specialist owl military veteran; draw 2
    card x2: specialist owl military veteran; discard(any) -> play any
    active: smuggler
    hostile shown: h2* h1
    0 hand: a4
    pool: x1 a2 a3
    pile: x2 b1 b2 b3""")
    told = table.play("0: smuggler-explore h2")  # add 1 twice
    assert table.crew(1) == ["x1", "x2"]
    assert not [text for text in told if text.startswith(("token", "used", "paid"))]
    assert table.token(1) == 0
    assert table.discard() == []
    assert table.state.active == 0  # the turn is over, nothing was asked
    assert "land H1 left" in table.legal(0)


@pytest.mark.rule("WS-SOLO-20")
def test_the_smugglers_crew_reveals_no_planets() -> None:
    crew = "b6 b7 b8 b9 r1 r2 r3 rp rv e1 e2 e3"
    table = smuggler_to_move(more=f"smuggler crew: {crew}")
    told = table.play("0: smuggler-land h1")
    assert len(table.crew(1)) == 13
    assert table.face_up() == ["H1", "H2"]
    assert not any(text.startswith("planet-revealed") for text in told)


@pytest.mark.rule("WS-SOLO-21")
def test_the_solo_player_can_do_nothing_else_in_the_smugglers_turn() -> None:
    table = smuggler_to_move(more="0 hand: a4 a5\n    0 ships: H1.left")
    for move in ("refresh a4", "land H2 left", "explore H1 left", "draw pile", "play a4", "end-turn", "pass-turn"):
        assert table.refused(f"0: {move}") == "PHASE"
    own_seat = smuggler_to_move(more="0 hand: a4 a5\n    smuggler: seat")
    assert own_seat.asked() == 1
    assert own_seat.refused("0: refresh a4") == "SEAT"
    assert own_seat.legal(0) == []
    assert own_seat.legal(1) == ["smuggler-land h1", "smuggler-land h2"]


@pytest.mark.rule("WS-SOLO-22")
def test_after_an_explore_the_planet_is_set_aside_and_the_next_one_revealed() -> None:
    table = smuggler_to_move("h1* h2*")
    told = table.play("0: smuggler-explore h1")
    assert told[-1] == "hostile-shown h3"
    assert table.line("hostile shown") == "h3 h2*"
    assert table.line("hostile hidden") == "h4 h5"
    assert table.line("hostile aside") == "h1"
    assert table.reserve(1) == SHIPS - 2  # the ship stays with the planet
    last = smuggler_to_move("h1* h2*", "")
    told = last.play("0: smuggler-explore h1")
    assert not any(text.startswith("hostile-shown") for text in told)
    assert last.line("hostile shown") == "h2*"
    landing = smuggler_to_move()
    landing.play("0: smuggler-land h1")
    assert landing.line("hostile aside") == ""


@pytest.mark.rule("WS-SOLO-23")
def test_set_aside_planets_remain_inspectable() -> None:
    table = smuggler_to_move("h1* h2*")
    table.play("0: smuggler-explore h1")
    for viewer in (0, -1):
        seen = GAME.view(table.state, viewer)
        assert seen.smuggler is not None
        assert hostile_ids(table, seen.smuggler.aside) == ["h1"]


# -- the count


def smuggler_score(crew: str, aside: str = "h1 h2 h3 h4 h5", more: str = "") -> SeatScore:
    table = solo(f"""\
    smuggler crew: {crew}
    hostile aside: {aside}
    stack: over
    {more}""")
    score = GAME.score(table.state)[1]
    assert score.name == "smuggler"
    return score


ANIMALS = "\n".join(f"    card z{i}: specialist {name} botanist" for i, name in enumerate(SPECIES)).strip()


@pytest.mark.rule("WS-SOLO-25")
def test_the_smuggler_scores_species_and_series_with_captain_and_emissaries() -> None:
    # Its captain is a monkey; three emissaries are rhinos.
    assert smuggler_score("e1 e2 e3").parts["species"] == 5
    assert smuggler_score("e1 e2 z1", more=ANIMALS).parts["species"] == 5
    score = smuggler_score("z0 z2 z3 z5 e1", more=ANIMALS)
    assert score.parts["series"] == 15  # monkey: the captain; rhino: the emissary
    assert smuggler_score("z0 z2 z3 z5", more=ANIMALS).parts["series"] == 0
    assert smuggler_score("b1 b2 b3 b4").parts["species"] == 10


@pytest.mark.rule("WS-SOLO-26")
def test_the_smuggler_scores_the_credits_on_its_robots() -> None:
    robots = "card y1: robot credits 4\n    card y2: robot pilot credits 6"
    score = smuggler_score("y1 y2 r1", "", robots)
    assert score.parts["robots"] == 10
    assert score.total == 10


@pytest.mark.rule("WS-SOLO-27")
@pytest.mark.parametrize(
    ("icons", "credits"),
    [
        ("emissary", 2),
        ("robot", 3),
        ("medal", 2),
        ("pilot", 3),  # a1, av and the robot rp
        ("scientist", 1),  # the captain
        ("military", 0),
        ("robot, medal, scientist", 6),
    ],
)
def test_each_icon_of_the_hostile_planets_pays_for_each_card_that_has_it(icons: str, credits: int) -> None:
    planet = f"hostile hx: I; add 1; add 1; {icons}"
    score = smuggler_score("e1 e2 r1 rp rv a1 av", "hx", planet)
    assert score.parts["hostile"] == credits


@pytest.mark.rule("WS-SOLO-27", "WS-SOLO-28")
def test_icons_of_all_five_planets_count_and_repeated_ones_again_each() -> None:
    # h1 emissary, h2 robot, h3 medal pilot, h4 robot medal military, h5 scientist
    assert smuggler_score("r1 r2").parts["hostile"] == 2 + 2 + 1
    assert smuggler_score("rv").parts["hostile"] == (1 + 1) + (1 + 1) + 1
    assert smuggler_score("e1").parts["hostile"] == 1 + 1
    assert smuggler_score("a1").parts["hostile"] == 1 + 1
    # Also for occupations, on two planets or twice on one.
    twice = "hostile hx: II; add 1; add 1; pilot, pilot\n    hostile hy: II; add 1; add 1; pilot"
    assert smuggler_score("a1 rp", "hx hy", twice).parts["hostile"] == 2 * 3


@pytest.mark.rule("WS-SOLO-29")
def test_the_smuggler_ignores_missions_and_the_captains_track() -> None:
    table = solo("""\
    card m1: emissary bear; 9 per emissary
    card m2: emissary owl; 9 for most robot
    captain cap-t: owl military; credits 9
    smuggler captain: cap-t
    smuggler crew: m1 m2 r1 rv
    stack: over""")
    score = GAME.score(table.state)[1]
    assert set(score.parts) == {"species", "series", "robots", "hostile"}
    assert score.total == 0


@pytest.mark.rule("WS-SOLO-30")
@pytest.mark.parametrize(("mine", "theirs", "won"), [(4, 3, True), (4, 4, False), (3, 4, False)])
def test_the_solo_player_wins_only_with_strictly_more(mine: int, theirs: int, won: bool) -> None:
    # The player's crew is the smaller one: that helps nobody here.
    table = solo(f"""\
    card y1: robot credits {mine}
    card y2: robot credits {theirs}
    0 crew: y1
    smuggler crew: y2 r1 r2
    stack: over""")
    player, smuggler = GAME.score(table.state)
    assert (player.total, smuggler.total) == (mine, theirs)
    assert player.won is won
    assert smuggler.won is not won


@pytest.mark.rule("WS-SOLO-31")
def test_the_smugglers_captain_gains_like_any_crew_card() -> None:
    # cap-1 is a monkey scientist, and h5 shows a scientist.
    assert smuggler_score("").parts["hostile"] == 1
    assert smuggler_score("z5", more="card z5: specialist bear scientist").parts["hostile"] == 2
    monkeys = "card z4: specialist monkey botanist\n    card z6: specialist monkey botanist"
    assert smuggler_score("z4 z6", more=monkeys).parts["species"] == 5
