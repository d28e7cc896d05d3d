"""What the words of the rules mean: section 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starport_games.kernel.errors import BadInput
from starport_games.wild_space.content import load
from wild_space.table import GAME, OPTIONS, Table
from wild_space.walks import busy

SPECIES = ("bear", "rhino", "owl", "lizard", "monkey", "octopus")
OCCUPATIONS = ("military", "pilot", "botanist", "engineer", "programmer", "scientist")
CLASSES = ("specialist", "robot", "emissary")
ICONS = (*SPECIES, *OCCUPATIONS, *CLASSES, "medal")
PLACES = ("H1", "H2", "P3", "P6", "P9")
IDLE = "1 per 6 emissary"  # a mission that never pays here
STOCK = """\
pool: a4 a5 a6
pile: a7 a8
"""
CARD_FILE = (resources.files("starport_games.wild_space") / "cards.toml").read_text("utf-8")


def icons(cards: Sequence[str], captain: str = "octopus scientist; draw 1", more: str = "") -> list[str]:
    """The icons that missions find in a crew of these cards under this captain, each as often as it is counted."""
    names = [f"x{number}" for number in range(len(cards))]
    lines = [f"card {name}: {text}" for name, text in zip(names, cards, strict=True)]
    lines += [f"captain cx: {captain}", "0 captain: cx", f"0 crew: {' '.join([*names, 'w'])}", more]
    found: list[str] = []
    for icon in ICONS:
        table = Table.load("\n".join([f"card w: emissary rhino; 1 per {icon}", *lines]))
        # The emissary that counts is a rhino and an emissary itself.
        found += [icon] * (GAME.score(table.state)[0].parts["missions"] - (icon in ("rhino", "emissary")))
    return found


CAPTAIN_ICONS = ["octopus", "scientist"]  # of the captain that `icons` takes unless told


def matching(filter_word: str, cards: str) -> list[str]:
    """Which of these cards, all in hand, may be played where this filter is asked for."""
    table = Table.load(f"0 hand: {cards}\nstack: end | play {filter_word}\n{STOCK}")
    return [text.removeprefix("play ") for text in table.answers() if text.startswith("play ")]


def accepted(tmp_path: Path, kind: str, **fields: str) -> bool:
    """Whether a card file may contain such a thing; fields are in the words of TOML."""
    lines = [f"[[{kind}]]", 'id = "newcomer"', 'name = "Newcomer"', *(f"{key} = {fields[key]}" for key in fields)]
    path = tmp_path / "cards.toml"
    path.write_text("\n".join([CARD_FILE, *lines, ""]), encoding="utf-8")
    why = ""
    try:
        assert "newcomer" in [card.id for card in load(path).cards]
    except BadInput as error:
        why = str(error)
    assert not why or " card newcomer: " in why  # refused for this card, not for anything else
    return not why


def definable(line: str) -> bool:
    """Whether a position may have this line, which comes after the cards of the table."""
    why = ""
    try:
        Table.load(line)
    except BadInput as error:
        why = str(error)
    assert not why or f" {line.splitlines()[-1].partition(':')[0]}: " in why
    return not why


# -- seats and crews


@pytest.mark.rule("WS-TERM-1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_seats_count_from_zero_and_clockwise_wraps_round(seats: int) -> None:
    for first in range(seats):
        table = Table.start(seats, "round", replace(OPTIONS, first=first))
        order = [table.asked()]
        for seat, move, _ in busy(table, first):
            assert 0 <= seat < seats
            if move == "end-turn" and table.asked() >= 0:
                order.append(table.asked())
        assert order == [(first + turn) % seats for turn in range(10 * seats)]
        assert [score.seat for score in GAME.score(table.state)] == list(range(seats))
    table = Table.start(seats, "round")
    for nobody in (-1, seats):
        assert table.refused(f"{nobody}: end-turn") == "SEAT"


REMOVERS = """\
card d1: specialist owl pilot; remove -> play any
card d2: robot; remove -> draw 3
card d3: specialist bear engineer veteran; remove -> play any
card d4: robot veteran; remove -> draw 2
card d5: specialist owl pilot; play any
card d6: robot; play any
planet q3: 3; [remove] play any x2; play any
planets: P3=q3 P6=p6 P9=p9
pool: a1 d1 d2
pile: d3 d4 b3 b4 a4 a5 a6 b5 a7 b6 e3 d5 d6 a8 b7 b8
0 hand: b1 r1 a2
1 hand: b2 e2 a3
0 crew: r2
1 crew: e1
"""
SIZED = {"P3 right": 3, "P6 right": 6, "P9 right": 9}


@pytest.mark.rule("WS-TERM-2")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_crew_is_the_captain_with_what_was_put_into_play_and_not_removed(seed: int) -> None:
    table = Table.load(REMOVERS)
    crews = [[table.captain(0), "r2"], [table.captain(1), "e1"]]
    for seat, _, told in busy(table, seed):
        for what, _, card in (fact.partition(" ") for fact in told):
            if what == "put-into-play":
                crews[seat].append(card)
            elif what == "removed":
                crews[seat].remove(card)
        assert [[table.captain(each), *table.crew(each)] for each in (0, 1)] == crews
        asked = table.asked()
        if asked >= 0 and table.line("stack") == "ship" and table.reserve(asked):
            # What is asked of the crew's size is asked of the number of those cards.
            for sector, number in SIZED.items():
                if sector not in " ".join(table.ships(asked)):
                    assert (f"land {sector}" in table.legal()) == (len(crews[asked]) >= number)


def test_the_walk_above_removes_cards_and_reaches_every_size() -> None:
    removed = 0
    sizes: set[int] = set()
    for seed in range(20):
        table = Table.load(REMOVERS)
        for _, _, told in busy(table, seed):
            removed += any(fact.startswith("removed") for fact in told)
            sizes.add(1 + len(table.crew()))
    assert removed > 20
    assert {2, 3, 5, 6, 8, 9} <= sizes


@pytest.mark.rule("WS-TERM-2")
def test_only_cards_in_play_count_for_the_size() -> None:
    elsewhere = "planets: P3=p3\n0 hand: b2 b3 b4\n1 crew: b5 b6\ndiscard: b7 b8\n0 ships: H1.left\n0 token: 2\n"
    assert Table.load(elsewhere + "0 crew: b1\n" + STOCK).refused("0: land P3 left") == "CREW"
    Table.load(elsewhere + "0 crew: b1 r1\n" + STOCK).play("0: land P3 left")


# -- classes and icons


@pytest.mark.rule("WS-TERM-3")
def test_each_card_has_one_class_and_a_captain_is_none_of_the_others() -> None:
    cards = {"specialist": "owl pilot", "robot": "pilot", "emissary": f"owl; {IDLE}"}
    for cls, rest in cards.items():
        found = icons([f"{cls} {rest}"])
        assert [icon for icon in found if icon in CLASSES] == [cls]
    assert [icon for icon in icons([]) if icon in CLASSES] == []  # nothing but the captain
    assert matching("specialist", "a1 r1 e1 av rv") == ["a1", "av"]
    assert matching("robot", "a1 r1 e1 av rv") == ["r1", "rv"]
    assert matching("emissary", "a1 r1 e1 av rv") == ["e1"]
    alone = "planet q: home; [own(robot)] draw 1; [own(emissary)] draw 1\nplanets: H1=q\n" + STOCK
    for side in ("left", "right"):
        assert Table.load(alone).refused(f"0: land H1 {side}") == "CONDITION"


@pytest.mark.rule("WS-TERM-3")
def test_the_shipped_cards_are_of_the_four_classes_and_captains_are_kept_apart() -> None:
    cards = load().cards
    assert {card.cls for card in cards} == {*CLASSES, "captain"}
    assert {card.id for card in cards if card.cls == "captain"} == {OPTIONS.book.ids[c] for c in OPTIONS.book.captains}
    for place in ("0 hand", "0 crew", "pool", "pile", "discard"):
        assert definable(f"{place}: a1")
        assert not definable(f"captain cx: owl pilot; draw 1\n{place}: cx")  # a captain is no crew card
    assert not definable("0 captain: a1")  # nor a crew card a captain


@pytest.mark.rule("WS-TERM-4")
@pytest.mark.parametrize("species", SPECIES)
def test_specialists_emissaries_and_the_captain_are_animals_and_robots_are_not(species: str) -> None:
    other = SPECIES[SPECIES.index(species) - 1]

    def credits(third: str, captain: str = other) -> int:
        """For the species of a crew that holds two of these animals without the third card."""
        cards = [f"specialist {species} pilot", f"specialist {species} pilot", third]
        lines = "".join(f"card x{number}: {text}\n" for number, text in enumerate(cards))
        head = f"captain cx: {captain} pilot; draw 1\n0 captain: cx\n0 crew: x0 x1 x2\n"
        return GAME.score(Table.load(lines + head).state)[0].parts["species"]

    assert credits(f"specialist {species} engineer") == 5
    assert credits(f"emissary {species}; {IDLE}") == 5
    assert credits("robot", captain=species) == 5
    for robot in ("robot", "robot pilot", "robot pilot veteran credits 3"):
        assert credits(robot) == 0
    assert credits(f"specialist {other} pilot") == 0


@pytest.mark.rule("WS-TERM-5")
@pytest.mark.parametrize("species", SPECIES)
@pytest.mark.parametrize("occupation", OCCUPATIONS)
def test_a_captain_counts_with_its_species_and_its_occupation(species: str, occupation: str) -> None:
    captain = f"{species} {occupation}; draw 1, credits 2"
    assert icons([], captain) == [species, occupation]
    sector = f"planet q: home; [own({occupation})] draw 1; draw 1\nplanets: H1=q\n"
    Table.load(f"captain cx: {captain}\n0 captain: cx\n{sector}{STOCK}").play("0: land H1 left")
    others = (
        f"captain cx: {captain}\ncaptain cy: {SPECIES[0]} {OCCUPATIONS[OCCUPATIONS.index(occupation) - 1]}; draw 1\n"
    )
    theirs = Table.load(f"{others}0 captain: cy\n1 captain: cx\n{sector}{STOCK}")
    assert theirs.refused("0: land H1 left") == "CONDITION"


@pytest.mark.rule("WS-TERM-5")
def test_a_captain_has_exactly_one_species_and_one_occupation(tmp_path: Path) -> None:
    assert definable("captain cx: owl pilot; draw 1")
    for head in ("owl", "pilot", "", "owl bear", "pilot engineer", "owl bear pilot", "owl pilot engineer"):
        assert not definable(f"captain cx: {head}; draw 1")
    track = '["draw 1"]'
    assert accepted(tmp_path, "captain", species='"owl"', occupation='"pilot"', track=track)
    assert not accepted(tmp_path, "captain", species='"owl"', track=track)
    assert not accepted(tmp_path, "captain", occupation='"pilot"', track=track)


@pytest.mark.rule("WS-TERM-6")
def test_an_emissary_has_a_species_but_no_occupation_and_no_medal(tmp_path: Path) -> None:
    for species in SPECIES:
        assert sorted(icons([f"emissary {species}; {IDLE}"])) == sorted([species, "emissary", *CAPTAIN_ICONS])
    for word in (*OCCUPATIONS, "veteran"):
        assert matching(word, "e1 e2") == []
        assert not definable(f"card x: emissary owl {word}; {IDLE}")
        assert not definable(f"card x: emissary {word}; {IDLE}")
    assert not definable(f"card x: emissary; {IDLE}")
    good = {"species": '"owl"', "mission": f'"{IDLE}"'}
    assert accepted(tmp_path, "emissary", **good)
    assert not accepted(tmp_path, "emissary", mission=good["mission"])
    assert not accepted(tmp_path, "emissary", **good, occupation='"pilot"')
    assert not accepted(tmp_path, "emissary", **good, veteran="true")


@pytest.mark.rule("WS-TERM-7")
def test_a_specialist_has_one_species_and_one_occupation(tmp_path: Path) -> None:
    for species, occupation in zip(SPECIES, OCCUPATIONS, strict=True):
        found = icons([f"specialist {species} {occupation}"])
        assert sorted(found) == sorted([species, occupation, "specialist", *CAPTAIN_ICONS])
    for words in ("", "owl", "pilot", "owl owl", "pilot pilot", "owl bear pilot", "owl pilot engineer"):
        assert not definable(f"card x: specialist {words}")
    assert accepted(tmp_path, "specialist", species='"owl"', occupation='"pilot"')
    assert not accepted(tmp_path, "specialist", species='"owl"')
    assert not accepted(tmp_path, "specialist", occupation='"pilot"')


@pytest.mark.rule("WS-TERM-8")
def test_a_robot_has_no_species_and_at_most_one_occupation(tmp_path: Path) -> None:
    assert sorted(icons(["robot"])) == sorted(["robot", *CAPTAIN_ICONS])
    for occupation in OCCUPATIONS:
        assert sorted(icons([f"robot {occupation}"])) == sorted([occupation, "robot", *CAPTAIN_ICONS])
    for words in ("owl", "owl pilot", "pilot owl", "pilot engineer"):
        assert not definable(f"card x: robot {words}")
    assert accepted(tmp_path, "robot")
    assert accepted(tmp_path, "robot", occupation='"pilot"')
    assert not accepted(tmp_path, "robot", species='"owl"')
    robots = [card for card in load().cards if card.cls == "robot"]
    assert sum(card.occupation is not None for card in robots) * 2 > len(robots)  # most have one


@pytest.mark.rule("WS-TERM-9")
@pytest.mark.parametrize("kind", ["specialist", "robot", "emissary", "captain"])
def test_no_card_has_two_species_or_two_occupations(tmp_path: Path, kind: str) -> None:
    good = {
        "specialist": {"species": '"owl"', "occupation": '"pilot"'},
        "robot": {"occupation": '"pilot"'},
        "emissary": {"species": '"owl"', "mission": f'"{IDLE}"'},
        "captain": {"species": '"owl"', "occupation": '"pilot"', "track": '["draw 1"]'},
    }[kind]
    assert accepted(tmp_path, kind, **good)
    twos = {"species": ("owl", "bear"), "occupation": ("pilot", "engineer")}
    for field, (one, two) in twos.items():
        for both in (f'["{one}", "{two}"]', f'"{one} {two}"', f'"{one}, {two}"', f'"{one}+{two}"'):
            assert not accepted(tmp_path, kind, **{**good, field: both})


@pytest.mark.rule("WS-TERM-10")
def test_veterans_are_the_specialists_and_robots_with_a_medal(tmp_path: Path) -> None:
    cards = {"specialist owl pilot": 0, "robot pilot": 0, "specialist owl pilot veteran": 1, "robot veteran": 1}
    for text, medals in cards.items():
        assert icons([text]).count("medal") == medals
    assert matching("veteran", "a1 av b1 bv r1 rp rv e1") == ["av", "bv", "rv"]
    assert accepted(tmp_path, "specialist", species='"owl"', occupation='"pilot"', veteran="true")
    assert accepted(tmp_path, "robot", veteran="true")


@pytest.mark.rule("WS-TERM-10")
def test_a_captain_is_no_veteran(tmp_path: Path) -> None:
    assert "medal" not in icons([])
    most = "card m: emissary rhino; 6 for most medal\n0 crew: m\n"
    assert GAME.score(Table.load(most).state)[0].parts["missions"] == 0
    assert not definable("captain cx: owl pilot veteran; draw 1")
    fields = {"species": '"owl"', "occupation": '"pilot"', "track": '["draw 1"]'}
    assert accepted(tmp_path, "captain", **fields)
    assert not accepted(tmp_path, "captain", **fields, veteran="true")


@pytest.mark.rule("WS-TERM-11")
def test_icons_inside_abilities_missions_tracks_and_sectors_are_not_counted() -> None:
    plain = ["specialist owl pilot", "robot engineer", "robot veteran", f"emissary bear; {IDLE}"]
    wanted = ["owl", "pilot", "specialist", "engineer", "robot", "robot", "medal", "bear", "emissary", *CAPTAIN_ICONS]
    assert sorted(icons(plain)) == sorted(wanted)
    noisy = [
        "specialist owl pilot; discard(veteran) -> play military",
        "robot engineer; own(emissary) -> play robot-or-emissary",
        "robot veteran; own(botanist) -> play specialist",
        "emissary bear; 1 per lizard + monkey + programmer + medal + 2 specialist; discard(robot) -> play veteran",
    ]
    captain = "octopus scientist; play military, play veteran, play robot, play specialist, play emissary"
    sectors = (
        "planet q3: 3; [discard(veteran) | own(military)] play pilot; [own(robot)] play emissary\nplanets: P3=q3\n"
        "0 ships: P3.left* P3.right\n0 token: 4\n"
    )
    assert sorted(icons(noisy, captain, sectors)) == sorted(wanted)


@pytest.mark.rule("WS-TERM-11")
@given(
    st.lists(st.tuples(st.sampled_from(SPECIES), st.sampled_from(OCCUPATIONS), st.booleans()), max_size=4),
    st.lists(st.tuples(st.sampled_from(["", *OCCUPATIONS]), st.booleans()), max_size=4),
    st.sampled_from(ICONS),
)
@settings(max_examples=60, deadline=None)
def test_what_a_mission_counts_is_printed_on_the_cards(
    specialists: list[tuple[str, str, bool]], robots: list[tuple[str, bool]], icon: str
) -> None:
    medal = {True: " veteran", False: ""}
    cards = [f"specialist {species} {occupation}{medal[star]}" for species, occupation, star in specialists]
    cards += [f"robot {occupation}{medal[star]}" for occupation, star in robots]
    lines = "".join(f"card x{number}: {text}\n" for number, text in enumerate(cards))
    crew = " ".join(f"x{number}" for number in range(len(cards)))
    table = Table.load(f"{lines}card w: emissary rhino; 1 per {icon}\n0 crew: {crew} w\n")  # under a lizard botanist
    words = " ".join([*cards, "emissary rhino", "lizard botanist"]).replace("veteran", "medal").split()
    assert GAME.score(table.state)[0].parts["missions"] == words.count(icon)


# -- pool, ships and sectors


@pytest.mark.rule("WS-TERM-12")
def test_the_pool_is_three_slots_counted_from_the_left() -> None:
    for verb, stack in (("draw", "draw 1"), ("take", "take")):
        table = Table.load(f"{STOCK}stack: end | {stack}\n")
        assert table.line("pool") == "a4 a5 a6"
        for slot, card in enumerate(["a4", "a5", "a6"], 1):
            again = table.clone()
            again.play(f"0: {verb} pool {slot}")
            assert (again.hand() or again.crew()) == [card]
        for none in (0, 4, 5):
            assert table.refused(f"0: {verb} pool {none}") == "SOURCE"
    assert not definable("pool: a1 a2 a3 a4")
    for seats in range(1, 6):
        assert len(Table.start(seats, "slots").pool()) == 3


@pytest.mark.rule("WS-TERM-13")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_a_ship_goes_from_the_reserve_to_a_landing_to_an_exploration(seed: int, seats: int) -> None:
    table = Table.start(seats, f"ships {seed}")
    before = [(table.reserve(seat), set(table.ships(seat))) for seat in range(seats)]
    for mover, move, _ in busy(table, seed):
        after = [(table.reserve(seat), set(table.ships(seat))) for seat in range(seats)]
        for seat, ((reserve, ships), (reserve_now, ships_now)) in enumerate(zip(before, after, strict=True)):
            sector = " ".join(move.split()[1:3])
            if seat == mover and move.startswith("land "):
                assert (reserve_now, ships_now) == (reserve - 1, ships | {sector})
            elif seat == mover and move.startswith("explore "):
                assert sector in ships
                assert (reserve_now, ships_now) == (reserve, (ships - {sector}) | {f"{sector}*"})
            else:
                assert (reserve_now, ships_now) == (reserve, ships)
            assert reserve_now + len(ships_now) == 5
        before = after


@pytest.mark.rule("WS-TERM-13")
def test_no_ship_skips_a_state_or_goes_back() -> None:
    table = Table.load("0 ships: H1.left H2.left*\n" + STOCK)
    assert table.refused("0: explore H1 right") == "NOT_LANDED"  # a ship in reserve has not landed
    assert table.refused("0: land H1 left") == "OWN_SHIP"
    assert table.refused("0: land H2 left") == "OWN_SHIP"
    assert table.refused("0: explore H2 left") == "EXPLORED"
    assert not definable("0 ships: H1.left H1.left*")  # nor is it in two of them


@pytest.mark.rule("WS-TERM-14")
@pytest.mark.parametrize("place", PLACES)
def test_a_sector_is_the_left_or_the_right_half_of_a_planet(place: str) -> None:
    tier = "home" if place.startswith("H") else place[1:]
    crew = "0 crew: b1 b2 b3 b4 b5 b6 b7 b8\n0 hand: r1\n"
    table = Table.load(f"planet q: {tier}; draw 1; play any\nplanets: {place}=q\n{crew}{STOCK}")
    left, right = table.clone(), table.clone()
    left.play(f"0: land {place} left")
    assert (left.ships(), left.answers()[0]) == ([f"{place} left"], "draw pile")
    right.play(f"0: land {place} right")
    assert (right.ships(), right.answers()[0]) == ([f"{place} right"], "play r1")
    assert [text for text in table.legal() if place in text] == [f"land {place} left", f"land {place} right"]
    for halves in ("draw 1", "draw 1; draw 1; draw 1"):
        assert not definable(f"planet q: {tier}; {halves}")


@pytest.mark.rule("WS-TERM-14")
def test_five_planets_make_ten_sectors() -> None:
    crew = "0 crew: b1 b2 b3 b4 b5 b6 b7 b8\nplanets: P3=p3 P6=p6 P9=p9\n"
    assert Table.load(crew + STOCK).legal() == [
        f"land {place} {side}" for place in PLACES for side in ("left", "right")
    ]


# -- conditions and effects

COSTS = [*(f"discard({word})" for word in ("any", *CLASSES, "veteran", *OCCUPATIONS)), "remove"]
POSSESSIONS = [f"own({word})" for word in ("robot", "emissary", *OCCUPATIONS)]


@pytest.mark.rule("WS-TERM-15")
@pytest.mark.parametrize("condition", [*COSTS, *POSSESSIONS])
def test_a_condition_is_a_cost_or_a_possession(condition: str) -> None:
    """One of everything in hand and in the crew: a cost takes exactly one card, a possession takes none."""
    texts = [f"specialist owl {occupation} veteran" for occupation in OCCUPATIONS] + ["robot", f"emissary owl; {IDLE}"]
    cards = "".join(f"card h{n}: {text}\ncard c{n}: {text}\n" for n, text in enumerate(texts))
    hand, crew = ([f"{where}{n}" for n in range(len(texts))] for where in "hc")
    head = f"planet q: home; [{condition}] draw 1; draw 1\nplanets: H1=q\n"
    table = Table.load(f"{cards}{head}0 hand: {' '.join(hand)}\n0 crew: {' '.join(crew)}\n{STOCK}")
    landings = [text for text in table.legal() if text.startswith("land H1 left")]
    assert landings
    for landing in landings:
        done = table.clone()
        done.play(f"0: {landing}")
        spent = sorted({*hand, *crew} - {*done.hand(), *done.crew()})
        assert done.discard() == spent
        assert len(spent) == (1 if condition in COSTS else 0)
    if condition in COSTS:
        assert table.refused("0: land H1 left") == "PAYMENT"
    else:
        assert landings == ["land H1 left"]
        assert table.refused("0: land H1 left pay h0") == "PAYMENT"


@pytest.mark.rule("WS-TERM-15")
@pytest.mark.parametrize("words", ["own(any)", "own(specialist)", "own(owl)", "discard(owl)", "pay 2", "keep(any)", ""])
def test_there_are_no_other_conditions(words: str) -> None:
    assert definable("planet q: home; [remove] draw 1; draw 1")
    assert not definable(f"planet q: home; [{words}] draw 1; draw 1")
    assert not definable(f"card x: robot; {words} -> draw 1")


FILTERS = {
    "any": ["a9", "av", "r1", "rp", "rv", "e1"],
    "specialist": ["a9", "av"],
    "robot": ["r1", "rp", "rv"],
    "emissary": ["e1"],
    "robot-or-emissary": ["r1", "rp", "rv", "e1"],
    "veteran": ["av", "rv"],
    "pilot": ["a9", "av", "rp"],
    "engineer": [],
}


def possible(effect: str, hand: str, rest: str) -> bool:
    """Whether an effect is offered: as an option beside one that is never possible here, as a square, as an ability."""
    sector = Table.load(f"planet q: home; {effect} / play military; draw 1\nplanets: H1=q\n0 hand: {hand}\n{rest}")
    sector.play("0: land H1 left")
    square = Table.load(
        f"captain cq: owl scientist; {effect}\n0 captain: cq\n0 hand: bv {hand}\n{rest}stack: end | play any\n"
    )
    square.play("0: play bv")
    ability = Table.load(f"card x: robot; {effect}\n0 hand: x {hand}\n{rest}stack: end | play any\n")
    ability.play("0: play x")
    offered = ["choose 1" in sector.answers(), "square" in square.answers(), "ability" in ability.answers()]
    assert len(set(offered)) == 1, offered
    if not offered[0]:
        assert sector.answers() == square.answers() == ability.answers() == ["end-turn"]
    return offered[0]


@pytest.mark.rule("WS-TERM-16")
@pytest.mark.parametrize("effect", ["draw 1", "draw 5", "take"])
def test_drawing_is_possible_while_a_card_lies_in_the_pile_or_the_pool(effect: str) -> None:
    assert possible(effect, "", STOCK)
    for pool in ("a1 - -", "- a1 -", "- - a1"):
        assert possible(effect, "", f"pool: {pool}\n")
    # Cards in hands and crews cannot be drawn.
    assert not possible(effect, "b1", "0 crew: b2 b3\n1 hand: b4 b5\n1 crew: b6\n")


@pytest.mark.rule("WS-TERM-16")
@pytest.mark.parametrize(("filter_word", "matches"), FILTERS.items())
def test_playing_is_possible_with_a_matching_card_in_hand(filter_word: str, matches: list[str]) -> None:
    for card in FILTERS["any"]:
        for stock in ("", STOCK):
            assert possible(f"play {filter_word}", card, stock) == (card in matches)
    everything = " ".join(FILTERS["any"])
    for elsewhere in ("0 crew", "1 hand", "1 crew", "discard", "pile"):
        assert not possible(f"play {filter_word}", "", f"{elsewhere}: {everything}\n")


@pytest.mark.rule("WS-TERM-16")
def test_credits_are_never_possible_and_act_at_the_count_only() -> None:
    track = "captain cq: owl scientist; credits 5, draw 1\n0 captain: cq\n0 hand: av bv b1\nstack: end | play any x2\n"
    table = Table.load(track + STOCK)
    before = GAME.score(table.state)[0].parts["captain"]
    table.play("0: play av")
    assert table.answers() == ["play bv", "play b1", "pass"]  # nothing is asked about the square
    assert table.refused("0: square") == "PHASE"
    assert (before, GAME.score(table.state)[0].parts["captain"]) == (0, 5)
    table.play("0: play bv")
    assert table.answers() == ["square", "done"]
    for line in ("planet q: home; credits 3; draw 1", "card x: robot; credits 3"):
        assert not definable(line)  # nor does anything else offer them
