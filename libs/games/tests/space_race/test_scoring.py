"""The count and the end of the game: sections 8, 9 and 16 of the rules."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from space_race.table import GAME, asked, at, do, finished, line, names, start, told
from starport_games.kernel.effects import shown

EXAMPLE = """\
seats: 2
phase: over
0 up: scanner-04 scanner-07 robot-part-01 robot-part-05 crystal-04 crystal-05 crystal-06 crystal-07
  crystal-01 power-source-07 power-source-04 loot-carrier-01 alien-drone-01 alien-drone-02
0 crew: crew-01
0 fuel: crew-02 crew-03 crew-04
0 damage: fire 1
1 up: loot-carrier-02 loot-carrier-03
1 crew: crew-05
1 fuel: crew-06
"""
# Cards given by their attributes alone, so that no test here depends on an id of the shipped pack.
CARDS = """\
card s-o: scanner orange
card s-g: scanner green
card s-p: scanner purple
card h-o: robot-part orange head
card h-g: robot-part green head
card t-o: robot-part orange torso
card t-g: robot-part green torso
card l-g: robot-part green legs
card l-p: robot-part purple legs
card c-o1: crystal orange
card c-o2: crystal orange
card c-g1: crystal green
card c-g2: crystal green
card c-p1: crystal purple
card p-o1: power-source orange
card p-o2: power-source orange
card p-g: power-source green
card p-p: power-source purple
"""


def parts(ship: str, more: str = "") -> Mapping[str, int]:
    """The count of seat 0 with these cards face up."""
    return GAME.score(at(f"{CARDS}seats: 2\nphase: over\n0 up: {ship}\n{more}"))[0].parts


def pile(kind: str, counts: list[int]) -> str:
    """Lines that give each seat so many cards of a kind."""
    lines = [f"seats: {len(counts)}", "phase: over"]
    zone = {"crew": "crew", "fuel": "fuel"}.get(kind, "up")
    number = 0
    defined: list[str] = []
    for seat, count in enumerate(counts):
        cards = [f"x{number + i:02d}" for i in range(count)]
        number += count
        defined += [f"card {card}: {'crew' if kind == 'fuel' else kind}" for card in cards]
        lines.append(f"{seat} {zone}: {' '.join(cards)}")
    return "\n".join(defined + lines)


def points(kind: str, part: str, counts: list[int]) -> list[int]:
    return [score.parts[part] for score in GAME.score(at(pile(kind, counts)))]


@pytest.mark.rule("SR-SCORE-23", "SR-END-1")
def test_the_worked_example() -> None:
    first, second = GAME.score(at(EXAMPLE))
    assert first.parts == {
        "corner": 15,
        "robots": 0,
        "crystals": 3,
        "power": 4,
        "loot": 2,
        "drones": 3,
        "fuel": 5,
        "crew": 5,
        "damage": -1,
    }
    assert first.total == 36
    assert {part: n for part, n in second.parts.items() if n} == {"loot": 5, "crew": 5}
    assert second.total == 10
    assert (first.won, first.rank, second.won, second.rank) == (True, 1, False, 2)


@pytest.mark.rule("SR-SCORE-1")
def test_the_count_is_a_fact_once_after_the_third_danger_phase() -> None:
    state, log = finished("count", 3)
    facts = names(log)
    assert facts.count("GameScored") == 3
    assert facts.index("GameScored") > max(i for i, name in enumerate(facts) if name == "RoundEnded")
    scored = [effect.values for effect in log if names([effect]) == ["GameScored"]]
    assert [values[-1] for values in scored] == [score.total for score in GAME.score(state)]


@pytest.mark.rule("SR-SCORE-2", "SR-PLACE-8")
def test_only_face_up_cards_score_for_their_fronts() -> None:
    state = at("seats: 2\nphase: over\n0 fuel: scanner-01 crystal-01 power-source-01 alien-drone-01 loot-carrier-01")
    assert {part: n for part, n in GAME.score(state)[0].parts.items() if n} == {"fuel": 5}


@pytest.mark.rule("SR-SCORE-3")
@pytest.mark.parametrize(
    ("ship", "corner"),
    [
        ("s-o", 2),
        ("s-o s-g s-p", 6),
        ("h-o", 2),
        ("c-o1", 1),
        ("p-o1 p-o2", 2),
        ("loot-carrier-01 alien-drone-01", 0),
        ("s-o h-o c-o1 p-g", 6),
    ],
)
def test_corner_points(ship: str, corner: int) -> None:
    assert parts(ship)["corner"] == corner
    assert parts(ship, "0 crew: crew-01")["corner"] == corner


@pytest.mark.rule("SR-SCORE-4", "SR-SCORE-5")
@pytest.mark.parametrize(
    ("ship", "robots"),
    [
        ("h-o t-g l-p", 3),
        ("h-o t-o", 0),
        ("h-o h-g t-o t-g l-g", 3),
        ("h-o h-g t-o t-g l-g l-p", 6),
        ("l-g l-p", 0),
    ],
)
def test_robots(ship: str, robots: int) -> None:
    assert parts(ship)["robots"] == robots


@pytest.mark.rule("SR-SCORE-6", "SR-SCORE-7")
@pytest.mark.parametrize(("count", "points"), [(0, 0), (3, 0), (4, 3), (7, 3), (8, 6), (9, 6)])
def test_crystals(count: int, points: int) -> None:
    same = "\n".join(f"card y{i}: crystal green" for i in range(count))
    cards = " ".join(f"y{i}" for i in range(count))
    state = at(f"{same}\nseats: 2\nphase: over\n0 up: {cards}")
    assert GAME.score(state)[0].parts["crystals"] == points
    assert parts("c-o1 c-g1 c-p1 c-g2")["crystals"] == 3


@pytest.mark.rule("SR-SCORE-8", "SR-SCORE-9")
@pytest.mark.parametrize(
    ("ship", "power"),
    [
        ("p-o1", 0),  # no stack, no top card
        ("p-o1 s-o", 2),
        ("p-o1 s-o h-o", 4),
        ("p-o1 s-o h-o c-o1", 6),
        ("p-o1 p-o2 s-o h-o c-o1", 12),  # the covered Power Source scores like the uppermost
        ("p-o1 p-g s-o h-g c-o1", 6),
        ("s-o s-g p-o1", 0),  # orange is covered
        ("s-g s-o p-o1", 2),
        ("p-p s-o h-o c-o1", 0),
        ("p-o1 loot-carrier-01", 0),
    ],
)
def test_power(ship: str, power: int) -> None:
    assert parts(ship)["power"] == power


@pytest.mark.rule("SR-SCORE-10", "SR-SCORE-11", "SR-SCORE-12", "SR-SCORE-13", "SR-SCORE-14")
@pytest.mark.parametrize(
    ("counts", "loot"),
    [
        ([3, 2, 1, 0], [5, 2, 0, 0]),
        ([3, 3, 1, 1], [5, 5, 2, 2]),
        ([2, 2, 2], [5, 5, 5]),
        ([4, 0], [5, 0]),
        ([0, 0, 0], [0, 0, 0]),
        ([1, 3, 3, 2], [0, 5, 5, 2]),
        ([9, 1], [5, 2]),  # once per seat, not per card
    ],
)
def test_loot(counts: list[int], loot: list[int]) -> None:
    assert points("loot-carrier", "loot", counts) == loot


@pytest.mark.rule("SR-SCORE-15")
@pytest.mark.parametrize(
    ("counts", "drones"),
    [([2, 1, 1, 0], [9, 3, 3, 0]), ([1, 1], [0, 0]), ([0, 0, 0, 4], [0, 0, 0, 9]), ([3, 3, 0], [3, 3, 0])],
)
def test_drones(counts: list[int], drones: list[int]) -> None:
    assert points("alien-drone", "drones", counts) == drones


@pytest.mark.rule("SR-SCORE-16", "SR-SCORE-17", "SR-SCORE-18")
@pytest.mark.parametrize("resource", ["fuel", "crew"])
@pytest.mark.parametrize(
    ("counts", "most"),
    [([3, 1], [5, 0]), ([2, 2, 1], [5, 5, 0]), ([0, 0], [0, 0]), ([0, 1, 1, 1], [0, 5, 5, 5])],
)
def test_most_fuel_and_most_crew(resource: str, counts: list[int], most: list[int]) -> None:
    assert points(resource, resource, counts) == most


@pytest.mark.rule("SR-SCORE-19", "SR-SCORE-21", "SR-SCORE-22")
def test_damage_costs_its_value_and_a_total_has_no_floor() -> None:
    state = at("seats: 2\nphase: over\n0 damage: fire 2 breach 3 invasion 1")
    score = GAME.score(state)[0]
    assert score.parts["damage"] == score.total == -11
    assert GAME.score(at("seats: 2\nphase: over\n0 damage: fire 1"))[0].total == -1
    assert GAME.score(at("seats: 2\nphase: over\n0 damage: breach 1"))[0].total == -2
    assert GAME.score(at("seats: 2\nphase: over\n0 damage: invasion 1"))[0].total == -3
    other = at("constant damage-breach: -5\nseats: 2\nphase: over\n0 damage: breach 1")
    assert GAME.score(other)[0].total == -5


@pytest.mark.rule("SR-SCORE-20")
@pytest.mark.parametrize("kind", ["fire", "breach", "invasion"])
def test_the_kind_of_damage_changes_no_answer_and_no_other_points(kind: str) -> None:
    text = "seats: 2\nround: 3\nphase: bid\ndanger: flight-3\n0 fuel: crew-01 crew-02\n1 fuel: crew-03\n"
    hurt, sound = at(f"{text}0 damage: {kind} 3"), at(text)
    assert GAME.legal(hurt, 0) == GAME.legal(sound, 0)
    do(hurt, "0 bid 2", "1 bid 1")
    do(sound, "0 bid 2", "1 bid 1")
    assert line(hurt, "0 fuel") == line(sound, "0 fuel")
    assert {**GAME.score(hurt)[0].parts, "damage": 0} == {**GAME.score(sound)[0].parts, "damage": 0}


@pytest.mark.rule("SR-SCORE-23")
@given(st.text(min_size=1, max_size=8), st.integers(2, 4))
def test_the_total_is_the_sum_of_the_nine_parts(seed: str, seats: int) -> None:
    state, _ = finished(seed, seats)
    for score in GAME.score(state):
        assert list(score.parts) == [
            *("corner", "robots", "crystals", "power", "loot", "drones", "fuel", "crew", "damage"),
        ]
        assert sum(score.parts.values()) == score.total


@pytest.mark.rule("SR-END-1", "SR-END-2")
def test_the_highest_total_wins_and_ties_win_together() -> None:
    """Fuel for seats 0 and 2 (5 each); seat 1 has a Scanner (2)."""
    state = at("seats: 3\nphase: over\n0 fuel: crew-01\n1 up: scanner-01\n2 fuel: crew-02")
    assert [(score.total, score.rank, score.won) for score in GAME.score(state)] == [
        (5, 1, True),
        (2, 3, False),
        (5, 1, True),
    ]


@pytest.mark.rule("SR-END-1", "SR-END-2")
def test_the_last_fact_names_the_winners() -> None:
    state = at("""\
        seats: 3
        round: 3
        phase: bid
        danger: fight-3
        0 crew: crew-01
        1 up: scanner-01
        2 up: scanner-02
        0 damage: invasion 1
        """)
    effects = do(state, "0 bid 0")
    assert told(state, shown(effects, -1), "GameEnded") == ["winner 0 1 2"]


@pytest.mark.rule("SR-END-3")
def test_after_the_end_everything_is_open() -> None:
    state, _ = finished("end", 3)
    for viewer in (0, 1, 2, -1):
        assert GAME.view(state, viewer).same(state)
    assert "?" not in GAME.position_text(GAME.view(state, -1))


@pytest.mark.rule("SR-END-4")
def test_a_seat_that_left_is_played_by_defaults_to_the_end() -> None:
    for options_seed in ("gone", "gone too"):
        state = start(options_seed, 4)
        decisions = 0
        while not GAME.over(state):
            for seat in asked(state):
                GAME.step(state, seat, GAME.default(state, seat))
                decisions += 1
        assert decisions >= 18 * 4
        assert [len(fuel) for fuel in state.fuel] == [18] * 4
