"""The final count (WS-SCORE) and missions (WS-MISS)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starport_games.kernel.contract import SeatScore
from wild_space.table import GAME, Table

SPECIES = ("bear", "rhino", "owl", "lizard", "monkey", "octopus")
OCCUPATIONS = ("military", "pilot", "botanist", "engineer", "programmer", "scientist")
PARTS = ("species", "series", "missions", "robots", "captain")


class Deck:
    """Writes down crews of cards made for the occasion."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def card(self, text: str) -> str:
        self.count += 1
        id = f"q{self.count}"
        self.lines.append(f"card {id}: {text}")
        return id


def count(
    *crews: Sequence[str],
    captains: Sequence[str] = (),
    tokens: Sequence[int] = (),
    hands: Mapping[int, Sequence[str]] | None = None,
    more: str = "",
) -> list[SeatScore]:
    """The score of a finished game with these crews; cards are written by their text."""
    deck = Deck()
    lines = [f"seats: {len(crews)}"]
    for seat, crew in enumerate(crews):
        captain = captains[seat] if seat < len(captains) else "octopus scientist; draw 1"
        deck.lines.append(f"captain k{seat}: {captain}")
        lines.append(f"{seat} captain: k{seat}")
        lines.append(f"{seat} turns: 10")
        lines.append(f"{seat} token: {tokens[seat] if seat < len(tokens) else 0}")
        lines.append(f"{seat} crew: {' '.join(deck.card(text) for text in crew)}")
        lines.append(f"{seat} hand: {' '.join(deck.card(text) for text in (hands or {}).get(seat, ()))}")
    table = Table.load("\n".join([*deck.lines, *lines, more, "stack: over"]))
    assert GAME.over(table.state)
    return GAME.score(table.state)


def part(score: Sequence[SeatScore], name: str, seat: int = 0) -> int:
    return score[seat].parts[name]


def animals(species: str, n: int) -> list[str]:
    return [f"specialist {species} military"] * n


# -- parts


@pytest.mark.rule("WS-SCORE-1")
def test_the_total_is_the_sum_of_five_parts() -> None:
    crew = [f"specialist {name} military" for name in SPECIES] + animals("bear", 3)
    crew += ["robot credits 4", "emissary bear; 2 per robot"]
    score = count(crew, [], captains=["owl pilot; credits 7, draw 1"], tokens=[1])[0]
    # Five bears with the emissary and two owls with the captain.
    assert dict(score.parts) == {"species": 15, "series": 15, "missions": 2, "robots": 4, "captain": 7}
    assert score.total == 15 + 15 + 2 + 4 + 7


@pytest.mark.rule("WS-SCORE-1", "WS-SCORE-14")
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(0, 400))
def test_at_any_time_the_parts_add_up_and_none_is_negative(seed: int, seats: int, moves: int) -> None:
    table = Table.start(seats, f"count {seed}")
    for _ in table.walk(seed, moves):
        pass
    for score in GAME.score(table.state):
        assert score.total == sum(score.parts.values())
        assert min(score.parts.values()) >= 0
        if score.name != "smuggler":
            assert tuple(score.parts) == PARTS


@pytest.mark.rule("WS-SCORE-2")
@pytest.mark.parametrize(("animals_of_it", "credits"), [(0, 0), (1, 0), (2, 0), (3, 5), (4, 10), (5, 15), (9, 35)])
def test_five_credits_for_the_third_and_every_further_animal(animals_of_it: int, credits: int) -> None:
    assert part(count(animals("bear", animals_of_it), []), "species") == credits


@pytest.mark.rule("WS-SCORE-2")
def test_each_species_is_counted_on_its_own() -> None:
    crew = animals("bear", 2) + animals("owl", 2) + animals("rhino", 2)
    assert part(count(crew, []), "species") == 0
    crew = animals("bear", 3) + animals("owl", 4) + animals("rhino", 2)
    assert part(count(crew, []), "species") == 15


@pytest.mark.rule("WS-SCORE-3")
@given(st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_fifteen_credits_for_each_series_of_six_different_species(numbers: list[int]) -> None:
    crew = [text for name, n in zip(SPECIES, numbers, strict=True) for text in animals(name, n)]
    numbers[5] += 1  # the captain, an octopus
    score = count(crew, [])
    assert part(score, "series") == 15 * min(numbers)
    assert part(score, "species") == sum(5 * max(0, n - 2) for n in numbers)


@pytest.mark.rule("WS-SCORE-4")
def test_an_animal_counts_for_species_and_for_series() -> None:
    crew = [text for name in SPECIES[:5] for text in animals(name, 3)] + animals("octopus", 2)
    score = count(crew, [])
    assert part(score, "species") == 30
    assert part(score, "series") == 45


@pytest.mark.rule("WS-SCORE-5")
def test_emissaries_are_animals_of_their_species() -> None:
    emissary = "emissary bear; 1 per 6 robot"
    assert part(count([*animals("bear", 2), emissary], []), "species") == 5
    five = [f"specialist {name} military" for name in SPECIES[1:5]]
    assert part(count([*five, emissary], []), "series") == 15


@pytest.mark.rule("WS-SCORE-6")
def test_the_captain_is_an_animal_of_its_species() -> None:
    assert part(count(animals("owl", 2), [], captains=["owl pilot; draw 1"]), "species") == 5
    assert part(count(animals("owl", 2), [], captains=["bear pilot; draw 1"]), "species") == 0
    five = [f"specialist {name} military" for name in SPECIES[1:]]
    assert part(count(five, [], captains=["bear pilot; draw 1"]), "series") == 15
    assert part(count(five, [], captains=["owl pilot; draw 1"]), "series") == 0


@pytest.mark.rule("WS-SCORE-7")
def test_robots_score_the_credits_printed_on_them_and_nothing_else() -> None:
    score = count(["robot", "robot pilot", "robot credits 4", "robot pilot veteran credits 6"], [])[0]
    assert dict(score.parts) == {"species": 0, "series": 0, "missions": 0, "robots": 10, "captain": 0}
    # They fill no gap in a series and no third place of a species.
    five = [f"specialist {name} military" for name in SPECIES[1:5]]
    assert count([*five, "robot", "robot", "robot"], [])[0].total == 0


@pytest.mark.rule("WS-SCORE-8")
def test_missions_are_summed_over_the_own_emissaries() -> None:
    crew = ["emissary bear; 3 per robot", "emissary owl; 5 per 2 pilot", "emissary owl; 4 for most robot"]
    score = count([*crew, "robot", "robot", "specialist owl pilot", "robot pilot"], ["emissary bear; 3 per robot"])
    assert part(score, "missions") == 3 * 3 + 5 + 4
    assert part(score, "missions", 1) == 0  # and not over those of another seat


@pytest.mark.rule("WS-SCORE-9")
@pytest.mark.parametrize(("token", "credits"), [(0, 0), (1, 0), (2, 4), (3, 4), (4, 13)])
def test_every_credit_square_at_or_left_of_the_token_scores(token: int, credits: int) -> None:
    score = count([], [], captains=["owl pilot; draw 1, credits 4, play any, credits 9"], tokens=[token])
    assert part(score, "captain") == credits


# -- winners


def robots(credits: int, cards: int) -> list[str]:
    """So many credits on so many cards."""
    assert credits <= 6 * cards
    shares = [min(6, max(0, credits - 6 * i)) for i in range(cards)]
    return [f"robot credits {share}" if share else "robot" for share in shares]


def standing(scores: Sequence[SeatScore]) -> list[tuple[int, bool]]:
    return [(score.rank, score.won) for score in scores]


@pytest.mark.rule("WS-SCORE-10")
def test_the_highest_total_wins() -> None:
    scores = count(robots(5, 1), robots(12, 9), robots(11, 2))
    assert [score.total for score in scores] == [5, 12, 11]
    assert standing(scores) == [(3, False), (1, True), (2, False)]


@pytest.mark.rule("WS-SCORE-11")
def test_of_tied_seats_the_one_with_the_fewest_crew_cards_wins() -> None:
    scores = count(robots(12, 4), robots(12, 3), robots(12, 5))
    assert standing(scores) == [(2, False), (1, True), (3, False)]
    # The hand does not count, however large it is.
    scores = count(robots(12, 4), robots(12, 3), hands={1: ["robot"] * 5})
    assert standing(scores) == [(2, False), (1, True)]


@pytest.mark.rule("WS-SCORE-12")
def test_seats_still_tied_share_the_victory() -> None:
    assert standing(count(robots(12, 3), robots(12, 3))) == [(1, True), (1, True)]
    scores = count(robots(12, 3), robots(12, 4), robots(12, 3), robots(6, 1))
    assert standing(scores) == [(1, True), (3, False), (1, True), (4, False)]


@pytest.mark.rule("WS-SCORE-13")
def test_the_worked_example_of_57_credits() -> None:
    crew = [*animals("owl", 4), *animals("bear", 2), *animals("rhino", 1), *animals("lizard", 1)]
    crew += ["specialist octopus engineer", "specialist monkey programmer"]
    crew += ["emissary owl; 4 per 2 engineer", "emissary bear; 4 for most robot"]
    crew += ["robot engineer credits 5", "robot credits 3"]
    captain = "monkey botanist; draw 1, credits 6, play any"
    score = count(crew, ["robot"], captains=[captain], tokens=[2])[0]
    assert dict(score.parts) == {"species": 20, "series": 15, "missions": 8, "robots": 8, "captain": 6}
    assert score.total == 57


@pytest.mark.rule("WS-SCORE-15")
def test_lower_ranks_go_by_total_then_by_fewer_cards_and_full_ties_share_one() -> None:
    scores = count(robots(4, 2), robots(9, 2), robots(4, 1), robots(4, 2), robots(2, 1))
    assert [score.rank for score in scores] == [3, 1, 2, 3, 5]
    assert [score.won for score in scores] == [False, True, False, False, False]


@pytest.mark.rule("WS-SCORE-15")
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), min_size=2, max_size=5))
def test_a_rank_is_one_more_than_the_number_of_better_seats(seats: list[tuple[int, int]]) -> None:
    scores = count(*(robots(credits, cards) for credits, cards in seats))
    keys = [(-credits, cards) for credits, cards in seats]
    assert [score.rank for score in scores] == [1 + sum(other < key for other in keys) for key in keys]
    assert [score.won for score in scores] == [key == min(keys) for key in keys]


# -- missions


@pytest.mark.rule("WS-MISS-1")
@pytest.mark.parametrize(
    ("mission", "crew", "credits"),
    [
        ("5 per 3 botanist", ["specialist bear botanist"] * 2, 0),
        ("5 per 3 botanist", ["specialist bear botanist"] * 3, 5),
        ("5 per 3 botanist", ["specialist bear botanist"] * 5, 5),
        ("5 per 3 botanist", ["specialist bear botanist"] * 4 + ["robot botanist"] * 2, 10),
        ("2 per owl + military", ["specialist owl pilot", "robot military"], 2),
        ("2 per owl + military", ["specialist owl pilot"] * 3 + ["robot military"] * 2, 4),
        ("2 per owl + military", ["specialist owl pilot"] * 3, 0),
        ("3 per 2 robot + owl + medal", ["robot veteran"] * 4 + ["specialist owl pilot"] * 2, 6),
        ("3 per 2 robot + owl + medal", ["robot veteran"] * 3 + ["specialist owl pilot"] * 2, 3),
        ("9 per robot", ["robot"] * 7, 63),
    ],
)
def test_a_mission_per_set_pays_each_complete_copy(mission: str, crew: list[str], credits: int) -> None:
    assert part(count([f"emissary bear; {mission}", *crew], []), "missions") == credits


@pytest.mark.rule("WS-MISS-2")
@pytest.mark.parametrize(
    ("own", "others", "credits"),
    [(2, (1, 1), 6), (2, (2, 0), 0), (2, (0, 2), 0), (2, (1, 3), 0), (1, (0, 0), 6), (5, (4, 4), 6)],
)
def test_a_majority_must_be_strict_over_each_other_seat(own: int, others: tuple[int, int], credits: int) -> None:
    crews = [["emissary bear; 6 for most robot", *["robot"] * own], *(["robot"] * n for n in others)]
    assert part(count(*crews), "missions") == credits


@pytest.mark.rule("WS-MISS-3")
def test_missions_count_the_whole_crew_with_captain_and_their_own_emissary() -> None:
    captain = ["owl pilot; draw 1"]
    assert part(count(["emissary bear; 2 per pilot"], [], captains=captain), "missions") == 2  # captain
    assert part(count(["emissary bear; 2 per owl"], [], captains=captain), "missions") == 2
    assert part(count(["emissary bear; 2 per emissary"], []), "missions") == 2  # the emissary itself
    assert part(count(["emissary bear; 2 per bear"], []), "missions") == 2
    crew = ["emissary bear; 2 per pilot", "specialist owl pilot", "robot pilot", "robot"]
    assert part(count(crew, [], captains=captain), "missions") == 6
    # Also for majorities, on both sides.
    most = ["emissary bear; 5 for most pilot"]
    assert part(count(most, [], captains=captain), "missions") == 5
    assert part(count([*most, "robot pilot"], [], captains=[*captain, *captain]), "missions") == 5
    assert part(count(most, [], captains=[*captain, *captain]), "missions") == 0


@pytest.mark.rule("WS-MISS-4")
def test_both_icons_of_one_card_may_make_one_pair() -> None:
    assert part(count(["emissary bear; 2 per owl + military", "specialist owl military"], []), "missions") == 2
    captain = ["owl military; draw 1"]
    assert part(count(["emissary bear; 2 per owl + military"], [], captains=captain), "missions") == 2
    assert part(count(["emissary bear; 2 per bear + emissary"], []), "missions") == 2


@pytest.mark.rule("WS-MISS-5")
def test_an_icon_is_used_once_in_a_mission_but_by_every_mission() -> None:
    # One pair needs two owls; the same owl cannot stand for both, nor in two pairs.
    assert part(count(["emissary bear; 3 per 2 owl", "specialist owl pilot"], []), "missions") == 0
    assert part(count(["emissary bear; 3 per 2 owl", *["specialist owl pilot"] * 3], []), "missions") == 3
    assert part(count(["emissary bear; 2 per owl + pilot", "specialist owl pilot", "robot pilot"], []), "missions") == 2
    # Two missions that want the same two owls both have them.
    both = ["emissary bear; 3 per 2 owl", "emissary bear; 2 per owl + pilot"]
    assert part(count([*both, *["specialist owl pilot"] * 2], []), "missions") == 3 + 4


@pytest.mark.rule("WS-MISS-6")
def test_two_emissaries_with_the_same_mission_both_score() -> None:
    assert part(count(["emissary bear; 2 per robot"] * 2 + ["robot"] * 3, []), "missions") == 12
    assert part(count(["emissary bear; 6 for most robot"] * 2 + ["robot"], []), "missions") == 12


@pytest.mark.rule("WS-MISS-7")
def test_zero_is_no_majority_over_zero() -> None:
    score = count(["emissary bear; 6 for most robot"], [], [])
    assert part(score, "missions") == 0


@pytest.mark.rule("WS-MISS-8")
@pytest.mark.parametrize("icon", [*SPECIES, *OCCUPATIONS, "specialist", "robot", "emissary", "medal"])
def test_a_mission_may_name_a_species_occupation_class_or_the_medal(icon: str) -> None:
    crew = [f"specialist {name} {job}" for name, job in zip(SPECIES, OCCUPATIONS, strict=True)]
    crew += ["robot veteran", "emissary owl; 1 per 6 medal"]
    have = dict.fromkeys(OCCUPATIONS, 1) | dict.fromkeys(SPECIES, 1)
    have |= {"octopus": 2, "scientist": 2, "owl": 2, "bear": 2}  # with captain and emissaries
    have |= {"specialist": 6, "robot": 1, "emissary": 2, "medal": 1}
    assert part(count([f"emissary bear; 3 per {icon}", *crew], []), "missions") == 3 * have[icon]
    captains = ["octopus scientist; draw 1", "octopus scientist; draw 1"]
    ahead = count([f"emissary bear; 7 for most {icon}", *crew], [], captains=captains)
    assert part(ahead, "missions") == 7


@pytest.mark.rule("WS-MISS-8")
def test_a_captain_is_no_specialist_and_has_no_medal() -> None:
    assert part(count(["emissary bear; 3 per specialist"], []), "missions") == 0
    assert part(count(["emissary bear; 3 per medal"], []), "missions") == 0


@pytest.mark.rule("WS-MISS-9")
def test_removed_emissaries_and_removed_cards_do_not_count() -> None:
    def missions(*moves: str) -> int:
        table = Table.load("""\
            card x1: specialist lizard military; remove -> draw 1
            card m1: emissary bear; 2 per robot
            0 crew: m1 r1 r2 e1
            0 hand: x1
            pool: b2 b3 b4
            pile: b5 b6 b7
            stack: end | play any""")
        table.play("0: play x1", *moves)
        return GAME.score(table.state)[0].parts["missions"]

    assert missions("0: done") == 4 + 4
    assert missions("0: ability pay m1") == 4
    assert missions("0: ability pay r1") == 2 + 2


@pytest.mark.rule("WS-MISS-10")
@pytest.mark.parametrize(
    ("crew", "credits"),
    [("", 5), ("rp", 5), ("rp a1", 0), ("rp a1 a2", 0)],
)
def test_in_the_solo_game_the_smuggler_is_the_other_seat(crew: str, credits: int) -> None:
    # Cards that the Smuggler holds and the player counts: two pilots in the player's crew against these.
    table = Table.load(f"""\
        card m1: emissary bear; 5 for most pilot
        seats: 1
        0 crew: m1 a8 a9
        smuggler crew: {crew}
        hostile shown: hostile-01 hostile-05
        stack: over""")
    assert GAME.score(table.state)[0].parts["missions"] == credits


@pytest.mark.rule("WS-MISS-10")
def test_the_smugglers_captain_counts_against_a_majority() -> None:
    table = Table.load("""\
        card m1: emissary bear; 5 for most scientist
        card s1: specialist bear scientist
        seats: 1
        0 crew: m1 s1
        hostile shown: hostile-01 hostile-05
        stack: over""")
    assert table.captain(1) == "cap-1"  # a scientist too
    assert GAME.score(table.state)[0].parts["missions"] == 0
