"""The shipped card set keeps every constraint of 23.2, and the validator sees each one broken."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from starport_games.wild_space.content import load
from starport_games.wild_space.grammar import (
    Card,
    CardSet,
    Hostile,
    Majority,
    Planet,
    Sector,
    read_ability,
    read_condition,
    read_effect,
    read_hostile_step,
    read_mission,
    read_square,
)
from starport_games.wild_space.validate import Problem, check, main_lines

SHIPPED = load(None)
CREW = {card.id: card for card in SHIPPED.cards}
PLANETS = {planet.id: planet for planet in SHIPPED.planets}
HOSTILES = {hostile.id: hostile for hostile in SHIPPED.hostiles}


def crew(*changed: Card) -> CardSet:
    new = {card.id: card for card in changed}
    return replace(SHIPPED, cards=tuple(new.get(card.id, card) for card in SHIPPED.cards))


def planets(*changed: Planet) -> CardSet:
    new = {planet.id: planet for planet in changed}
    return replace(SHIPPED, planets=tuple(new.get(planet.id, planet) for planet in SHIPPED.planets))


def hostiles(*changed: Hostile) -> CardSet:
    new = {hostile.id: hostile for hostile in changed}
    return replace(SHIPPED, hostiles=tuple(new.get(hostile.id, hostile) for hostile in SHIPPED.hostiles))


def able(id: str, ability: str) -> Card:
    return replace(CREW[id], ability=read_ability(ability))


def half(options: str, conditions: str = "") -> Sector:
    return Sector(
        tuple(read_condition(text) for text in conditions.split("|") if text),
        tuple(read_effect(text) for text in options.split("/")),
    )


def broken(cards: CardSet) -> dict[str, set[str]]:
    """The subjects of the problems by constraint; every problem is one line."""
    found: dict[str, set[str]] = {}
    for problem in check(cards):
        assert "\n" not in str(problem)
        found.setdefault(problem.rule, set()).add(problem.subject)
    return found


def test_the_shipped_set_is_good() -> None:
    assert check(SHIPPED) == []
    assert SHIPPED.label == "frontier@1"
    assert main_lines(None) == (True, ["cards.toml: ok (108 crew cards, 10 planets, 12 hostile planets)"])


@pytest.mark.rule("WS-DECK-1")
def test_counts() -> None:
    extra = replace(PLANETS["three-2"], id="three-4", name="Extra", right=half("play any/draw 1"))
    assert broken(replace(SHIPPED, planets=(*SHIPPED.planets, extra))) == {"WS-DECK-1": {"set"}}
    assert "WS-DECK-1" in broken(replace(SHIPPED, cards=SHIPPED.cards[1:]))
    assert "WS-DECK-1" in broken(replace(SHIPPED, hostiles=SHIPPED.hostiles[1:]))


@pytest.mark.rule("WS-DECK-2")
def test_ten_of_each_species_and_occupation() -> None:
    found = broken(crew(replace(CREW["bear-06"], species="owl")))
    assert set(found) == {"WS-DECK-2", "WS-DECK-3"}  # the matrix sums to these counts
    assert "WS-DECK-2" in broken(crew(replace(CREW["bear-01"], occupation="pilot")))


@pytest.mark.rule("WS-DECK-3")
def test_matrix_of_species_and_occupations() -> None:
    one, other = CREW["bear-01"], CREW["rhino-03"]
    swapped = crew(replace(one, occupation=other.occupation), replace(other, occupation=one.occupation))
    assert broken(swapped) == {"WS-DECK-3": {"set"}}


@pytest.mark.rule("WS-DECK-4")
def test_captains_are_the_diagonal() -> None:
    owl, bear = CREW["captain-owl"], CREW["captain-bear"]
    swapped = crew(replace(owl, occupation=bear.occupation), replace(bear, occupation=owl.occupation))
    assert broken(swapped) == {"WS-DECK-4": {"captain-owl", "captain-bear"}}
    twice = crew(replace(owl, species="bear", occupation="military"))
    assert broken(twice) == {"WS-DECK-4": {"captain-owl"}}


@pytest.mark.rule("WS-DECK-5")
def test_emissaries_per_species() -> None:
    assert broken(crew(replace(CREW["owl-e1"], species="bear"))) == {"WS-DECK-5": {"set"}}


@pytest.mark.rule("WS-DECK-6")
def test_occupations_of_robots() -> None:
    assert broken(crew(replace(CREW["robot-14"], occupation="scientist"))) == {
        "WS-DECK-6": {"set"},
        "WS-DECK-23": {"robot-14"},
    }
    assert broken(crew(replace(CREW["robot-15"], occupation="pilot"))) == {"WS-DECK-6": {"set"}}


@pytest.mark.rule("WS-DECK-7")
@pytest.mark.parametrize("id", ["bear-01", "robot-15", "owl-e1", "captain-owl"])
def test_veterans(id: str) -> None:
    found = broken(crew(replace(CREW[id], veteran=True)))
    assert found == {"WS-DECK-7": {id if CREW[id].cls in ("emissary", "captain") else "set"}}


@pytest.mark.rule("WS-DECK-7")
def test_veteran_robots_with_an_occupation() -> None:
    changed = [replace(CREW[f"robot-{n:02d}"], veteran=n in (1, 2, 3, 4, 5, 6)) for n in range(1, 19)]
    assert broken(crew(*changed)) == {"WS-DECK-7": {"set"}}


@pytest.mark.rule("WS-DECK-8")
def test_half_of_the_veterans_have_an_ability() -> None:
    veterans = [card for card in SHIPPED.cards if card.veteran and card.cls == "specialist"]
    found = broken(crew(*(replace(card, ability=None) for card in veterans)))
    assert found["WS-DECK-8"] == {"set"}
    assert "WS-DECK-9" in found  # the table has eight without ability, so 8 cannot break alone


@pytest.mark.rule("WS-DECK-9")
def test_table_of_specialists() -> None:
    assert broken(crew(able("owl-05", "draw 2"))) == {"WS-DECK-9": {"set"}}
    assert broken(crew(able("owl-05", "draw 5"))) == {"WS-DECK-9": {"set", "owl-05"}}


@pytest.mark.rule("WS-DECK-9")
def test_spread_of_abilities() -> None:
    one, other = CREW["bear-01"], CREW["bear-02"]
    swapped = crew(replace(one, ability=other.ability), replace(other, ability=one.ability))
    assert check(swapped) == [Problem("WS-DECK-9", "set", "0 pilot specialists without ability, not 1 to 2")]


@pytest.mark.rule("WS-DECK-10")
def test_own_occupation_is_never_named() -> None:
    one, other = CREW["bear-01"], CREW["rhino-10"]
    swapped = crew(replace(one, ability=other.ability), replace(other, ability=one.ability))
    assert broken(swapped) == {"WS-DECK-10": {"bear-01"}}
    assert [str(problem) for problem in check(swapped)] == [
        "bear-01: WS-DECK-10: 'play military' names its own occupation"
    ]
    robot = crew(able("robot-02", "own(military) -> play any"))
    assert broken(robot)["WS-DECK-10"] == {"robot-02"}


@pytest.mark.rule("WS-DECK-11")
@pytest.mark.parametrize(
    ("id", "ability"),
    [
        ("rhino-10", "play pilot"),
        ("bear-08", "own(military) -> draw 2"),
        ("owl-03", "discard(engineer) -> play any"),
    ],
)
def test_occupations_are_named_equally_often(id: str, ability: str) -> None:
    found = broken(crew(able(id, ability)))
    assert found == {"WS-DECK-11": {"set"}, "WS-DECK-19": {"set"}}  # the lost name stood there only


@pytest.mark.rule("WS-DECK-12")
def test_table_of_robots() -> None:
    assert broken(crew(replace(CREW["robot-15"], credits=6))) == {"WS-DECK-12": {"set", "robot-15"}}
    assert "robot-15" in broken(crew(able("robot-15", "draw 1")))["WS-DECK-12"]
    assert "robot-10" in broken(crew(replace(CREW["robot-10"], ability=None)))["WS-DECK-12"]
    assert broken(crew(replace(CREW["robot-15"], credits=3))) == {"WS-DECK-12": {"set"}}


@pytest.mark.rule("WS-DECK-13")
@pytest.mark.parametrize(
    ("id", "mission", "subjects"),
    [
        ("bear-e1", "6 per 3 programmer", {"set", "bear-e1"}),
        ("bear-e1", "5 per programmer + programmer + pilot", {"set", "bear-e1"}),
        ("bear-e1", "5 per 3 pilot", {"set"}),
        ("bear-e2", "2 per bear + engineer", {"set"}),
        ("bear-e2", "2 per owl + pilot", {"set"}),
        ("bear-e3", "3 per 2 pilot", {"set"}),
        ("rhino-e3", "5 for most botanist", {"set"}),
        ("bear-e4", "6 for most medal", {"set"}),
    ],
)
def test_missions_of_emissaries(id: str, mission: str, subjects: set[str]) -> None:
    assert broken(crew(replace(CREW[id], mission=read_mission(mission)))) == {"WS-DECK-13": subjects}


@pytest.mark.rule("WS-DECK-13")
def test_abilities_of_emissaries() -> None:
    assert broken(crew(replace(CREW["bear-e1"], ability=None))) == {"WS-DECK-13": {"set"}}
    assert broken(crew(able("bear-e1", "draw 3"))) == {"WS-DECK-13": {"set", "bear-e1"}}


@pytest.mark.rule("WS-DECK-14")
@pytest.mark.parametrize(
    "track",
    [
        "draw 1, credits 4",
        "draw 1, draw 1, draw 1",
        "draw 1, credits 3, credits 3",
        "draw 1, draw 1, credits 2",
        "draw 1, draw 1, credits 11",
        "play any, take, credits 5",
        "draw 1, play any x2, credits 5",
        "draw 1, draw 1, draw 1, draw 1, credits 7",
        "draw 2, draw 2, credits 6, play any",
    ],
)
def test_tracks_of_captains(track: str) -> None:
    squares = tuple(read_square(text) for text in track.split(","))
    assert broken(crew(replace(CREW["captain-owl"], track=squares))) == {"WS-DECK-14": {"captain-owl"}}


@pytest.mark.rule("WS-DECK-15")
def test_home_sectors_have_no_condition() -> None:
    changed = planets(replace(PLANETS["home-2"], left=half("draw 2", "discard(any)")))
    assert broken(changed) == {"WS-DECK-15": {"home-2"}}


@pytest.mark.rule("WS-DECK-16")
@pytest.mark.parametrize(
    ("id", "side", "options", "conditions"),
    [
        ("home-1", "left", "draw 3", ""),
        ("home-1", "right", "take", ""),
        ("home-1", "right", "play any x2", ""),
        ("three-1", "left", "draw 5", "discard(any)"),
        ("three-2", "left", "draw 4", "own(robot)|own(emissary)"),
        ("three-2", "left", "draw 4", "own(robot)|discard(any)"),
        ("three-3", "right", "take", "own(robot)|discard(robot)"),
        ("three-2", "right", "play any x2", "discard(any)"),
        ("six-1", "left", "play any/draw 5", "discard(any)"),
        ("six-2", "right", "play any x2", "discard(robot)|own(emissary)"),
        ("nine-1", "left", "play any x2", ""),
    ],
)
def test_what_sectors_may_offer(id: str, side: str, options: str, conditions: str) -> None:
    sector = half(options, conditions)
    planet = PLANETS[id]
    changed = replace(planet, left=sector) if side == "left" else replace(planet, right=sector)
    assert broken(planets(changed)) == {"WS-DECK-16": {id}}


@pytest.mark.rule("WS-DECK-17")
def test_every_planet_draws_and_plays() -> None:
    assert broken(planets(replace(PLANETS["three-2"], right=half("draw 1")))) == {"WS-DECK-17": {"three-2"}}
    assert broken(planets(replace(PLANETS["six-2"], left=half("take")))) == {"WS-DECK-17": {"six-2"}}


@pytest.mark.rule("WS-DECK-18")
def test_enough_sectors_with_a_condition() -> None:
    changed = planets(
        replace(PLANETS["three-1"], left=half("draw 3")),
        replace(PLANETS["six-1"], left=half("play any/draw 4")),
        replace(PLANETS["six-3"], right=half("draw 4")),
        replace(PLANETS["nine-2"], right=half("play specialist")),
    )
    assert broken(changed) == {"WS-DECK-18": {"set"}}


@pytest.mark.rule("WS-DECK-18")
def test_enough_sectors_with_alternatives() -> None:
    one_condition = planets(
        replace(PLANETS["three-3"], right=half("take", "discard(robot)")),
        replace(PLANETS["six-2"], right=half("play any x2", "discard(robot)")),
    )
    assert broken(one_condition) == {"WS-DECK-18": {"set"}}
    one_option = planets(
        replace(PLANETS["home-2"], right=half("play specialist")),
        replace(PLANETS["nine-2"], left=half("draw 4")),
    )
    assert broken(one_option) == {"WS-DECK-18": {"set"}}


@pytest.mark.rule("WS-DECK-19")
def test_every_symbol_is_in_use() -> None:
    no_remove = crew(able("monkey-06", "own(programmer) -> play any"), able("octopus-08", "draw 1"))
    assert "WS-DECK-19" in broken(no_remove)
    no_veteran = crew(able("monkey-01", "play robot"))
    found = [problem for problem in check(no_veteran) if problem.rule == "WS-DECK-19"]
    assert found == [Problem("WS-DECK-19", "set", "'play veteran' stands on no card and no sector")]


@pytest.mark.rule("WS-DECK-19")
def test_a_planet_may_keep_a_symbol_alive() -> None:
    without = able("octopus-07", "play robot")
    changed = crew(without)  # three-1 still plays a robot or an emissary
    assert set(broken(changed)) == {"WS-DECK-9"}
    silent = replace(PLANETS["three-1"], right=half("play robot/draw 2"))
    assert set(broken(replace(changed, planets=planets(silent).planets))) == {"WS-DECK-9", "WS-DECK-19"}


@pytest.mark.rule("WS-DECK-20")
def test_hostile_planets_by_category() -> None:
    more = replace(HOSTILES["hostile-01"], top=(read_hostile_step("add 2"), read_hostile_step("add 3")))
    assert broken(hostiles(more)) == {"WS-DECK-20": {"hostile-01"}}
    fewer = replace(HOSTILES["hostile-10"], bottom=(read_hostile_step("add 1"),))
    assert broken(hostiles(fewer)) == {"WS-DECK-20": {"hostile-10"}}
    icons = replace(HOSTILES["hostile-04"], icons=("military", "pilot"))
    assert broken(hostiles(icons)) == {"WS-DECK-20": {"hostile-04"}}
    icons = replace(HOSTILES["hostile-09"], icons=("programmer",))
    assert broken(hostiles(icons)) == {"WS-DECK-20": {"hostile-09"}}


@pytest.mark.rule("WS-DECK-21")
def test_two_effects_on_a_slot_in_each_category() -> None:
    apart = replace(HOSTILES["hostile-06"], top=(read_hostile_step("add 2"), read_hostile_step("add 3")))
    assert broken(hostiles(apart)) == {"WS-DECK-21": {"set"}}


@pytest.mark.rule("WS-DECK-22")
def test_icons_over_all_hostile_planets() -> None:
    no_pilot = replace(HOSTILES["hostile-05"], icons=("emissary", "military"))
    assert broken(hostiles(no_pilot)) == {"WS-DECK-22": {"set"}}
    medals = replace(HOSTILES["hostile-06"], icons=("medal",))
    assert broken(hostiles(medals)) == {"WS-DECK-22": {"set"}}


@pytest.mark.rule("WS-DECK-23")
def test_no_two_are_the_same() -> None:
    one, other = CREW["bear-01"], CREW["monkey-06"]
    swapped = crew(replace(one, ability=other.ability), replace(other, ability=one.ability))
    assert broken(swapped) == {"WS-DECK-23": {"monkey-07"}}
    twin = replace(PLANETS["three-2"], id="three-1", name="Twin")
    assert broken(planets(twin))["WS-DECK-23"] == {"three-2"}
    hostile = replace(HOSTILES["hostile-12"], id="hostile-11", name="Twin")
    assert broken(hostiles(hostile))["WS-DECK-23"] == {"hostile-12"}


@pytest.mark.rule("WS-DECK-24")
def test_no_card_removes_and_takes() -> None:
    found = broken(crew(able("monkey-06", "remove -> take")))
    assert found["WS-DECK-24"] == {"monkey-06"}
    assert set(found) == {"WS-DECK-9", "WS-DECK-24"}  # the table has no such row either


@pytest.mark.rule("WS-DECK-25")
def test_names() -> None:
    """That they are original is reviewed by people; the machine sees that each has one of its own."""
    assert broken(crew(replace(CREW["owl-03"], name=" "))) == {"WS-DECK-25": {"owl-03"}}
    same = crew(replace(CREW["owl-03"], name=CREW["owl-02"].name.upper()))
    assert broken(same) == {"WS-DECK-25": {"owl-03"}}
    planet = planets(replace(PLANETS["six-1"], name=HOSTILES["hostile-01"].name))
    assert broken(planet) == {"WS-DECK-25": {"hostile-01"}}


@pytest.mark.rule("WS-DECK-26")
def test_ids_and_version() -> None:
    def renamed(id: str) -> CardSet:
        new = [replace(planet, id=id) if planet.id == "six-1" else planet for planet in SHIPPED.planets]
        return replace(SHIPPED, planets=tuple(new))

    assert broken(renamed("owl-03")) == {"WS-DECK-26": {"owl-03"}}  # unique over all kinds
    for bad in ("", "Owl", "3owl", "owl_3", "owl 3", "o" * 41, "owl\n"):
        assert set(broken(renamed(bad))) == {"WS-DECK-26"}
    assert broken(replace(SHIPPED, version=0)) == {"WS-DECK-26": {"set"}}
    assert broken(replace(SHIPPED, id="My Set")) == {"WS-DECK-26": {"set"}}


def test_lines_for_the_command(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = (resources.files("starport_games.wild_space") / "cards.toml").read_text("utf-8")
    file.write_text(text, "utf-8")
    assert main_lines(file) == (True, [f"{file}: ok (108 crew cards, 10 planets, 12 hostile planets)"])
    file.write_text(text.replace('"play military"', '"play scientist"'), "utf-8")
    good, lines = main_lines(file)
    assert not good
    assert lines[0] == f"{file}: rhino-10: WS-DECK-10: 'play scientist' names its own occupation"
    file.write_text(text.replace('"play military"', '"remove -> take"'), "utf-8")
    assert any(line.startswith(f"{file}: rhino-10: WS-DECK-24: ") for line in main_lines(file)[1])
    assert main_lines(tmp_path) == (False, [f"{tmp_path}: is a directory, not a card file"])


def test_a_mission_without_a_row_is_named() -> None:
    card = replace(CREW["owl-e4"], mission=Majority("specialist", 6))
    assert broken(crew(card))["WS-DECK-13"] == {"set", "owl-e4"}
