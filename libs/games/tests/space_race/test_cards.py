"""The shipped cards and the loader: sections 1, 14 and 15 of the rules."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from space_race.table import GAME, PACK, at, line
from starport_games.kernel.errors import BadInput
from starport_games.space_race import codes
from starport_games.space_race.content import SHIPPED, load, read_pack
from starport_games.space_race.pack import CONSTANT_NAMES
from starport_games.space_race.words import KIND_WORDS

TOML = SHIPPED.read_text(encoding="utf-8")


@pytest.mark.rule("SR-COMP-1", "SR-COMP-2", "SR-COMP-3")
def test_the_space_deck_has_its_counts() -> None:
    assert len(PACK.ids) == 72
    counts = {KIND_WORDS[kind]: n for kind, n in Counter(PACK.kind).items()}
    assert counts == {
        "scanner": 9,
        "robot-part": 9,
        "crystal": 9,
        "power-source": 9,
        "loot-carrier": 9,
        "alien-drone": 9,
        "crew": 18,
    }


@pytest.mark.rule("SR-COMP-4", "SR-COMP-5", "SR-COMP-7")
def test_colours_are_spread_evenly_and_only_where_they_belong() -> None:
    for kind in (codes.SCANNER, codes.CRYSTAL, codes.POWER_SOURCE):
        colours = [PACK.colour[card] for card in range(72) if PACK.kind[card] == kind]
        assert sorted(colours) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    for card in range(72):
        has_none = PACK.kind[card] in (codes.LOOT_CARRIER, codes.ALIEN_DRONE, codes.CREW)
        assert (PACK.colour[card] == codes.NONE) == has_none


@pytest.mark.rule("SR-COMP-6")
def test_robot_parts_are_each_piece_in_each_colour_once() -> None:
    parts = [(PACK.piece[i], PACK.colour[i]) for i in range(72) if PACK.kind[i] == codes.ROBOT_PART]
    assert sorted(parts) == [(piece, colour) for piece in range(3) for colour in range(3)]


@pytest.mark.rule("SR-COMP-8", "SR-COMP-9", "SR-COMP-10")
def test_the_other_decks_have_their_counts() -> None:
    assert sorted(PACK.danger_type) == [codes.FLIGHT] * 4 + [codes.FIGHT] * 4
    assert sorted(PACK.damage_kind) == [codes.FIRE] * 14 + [codes.BREACH] * 7 + [codes.INVASION] * 7
    assert len(PACK.ids) + len(PACK.danger_ids) + len(PACK.damage_ids) == 108
    assert PACK.factions == ["ravens", "jackals", "vultures", "wolves"]


@pytest.mark.rule("SR-CONST-1")
def test_the_shipped_constants_are_those_of_section_15() -> None:
    assert dict(zip(CONSTANT_NAMES, PACK.constant, strict=True)) == {
        "rounds": 3,
        "hand": 6,
        "corner-scanner": 2,
        "corner-robot-part": 2,
        "corner-crystal": 1,
        "corner-power-source": 1,
        "robot-bonus": 3,
        "crystal-bonus": 3,
        "crystal-set": 4,
        "power-bonus": 2,
        "loot-most": 5,
        "loot-second": 2,
        "drone-bonus": 3,
        "fuel-most": 5,
        "crew-most": 5,
        "damage-fire": -1,
        "damage-breach": -2,
        "damage-invasion": -3,
    }


@pytest.mark.rule("SR-CONST-1")
def test_another_printing_is_a_change_of_data(tmp_path: Path) -> None:
    text = TOML.replace("crystal-bonus = 3", "crystal-bonus = 9").replace("loot-most = 5", "loot-most = 6")
    path = tmp_path / "printed.toml"
    path.write_text(text.replace('id = "starport"', 'id = "printed"', 1), encoding="utf-8")
    ship = """game: space-race
        pack: printed@1
        seats: 2
        phase: over
        0 up: crystal-01 crystal-02 crystal-03 crystal-04 loot-carrier-01
        """
    state = GAME.read_position(ship.replace("        ", ""), path)
    parts = GAME.score(state)[0].parts
    assert (parts["crystals"], parts["loot"]) == (9, 6)


@pytest.mark.rule("SR-CONTENT-12")
def test_the_shipped_pack_passes_its_own_loader() -> None:
    assert load(SHIPPED).same(PACK)


@pytest.mark.rule("SR-CONTENT-3")
def test_every_card_has_a_name_of_its_own() -> None:
    names = PACK.names + PACK.danger_names + PACK.damage_names
    assert len(set(names)) == 108
    taken_over = {word.replace("-", " ") for word in KIND_WORDS}
    taken_over |= {"fire onboard", "hull breach", "alien invasion", "flight", "fight", "fuel"}
    assert not taken_over & {name.lower() for name in names}


@pytest.mark.rule("SR-CONTENT-4")
def test_cards_of_one_kind_differ_by_colour_and_piece_only() -> None:
    """Two Scanners of one colour are worth the same wherever they are swapped for each other."""
    totals = set()
    for first, second in (("scanner-01", "scanner-02"), ("scanner-02", "scanner-01")):
        state = at(f"""\
            seats: 2
            phase: over
            0 up: {first} power-source-01
            1 up: {second} crystal-01
            """)
        totals.add(tuple(score.total for score in GAME.score(state)))
    assert len(totals) == 1
    with pytest.raises(BadInput, match=r"scanner-01: has no attribute 'vp' \(SR-CONTENT-2\)"):
        read_pack(TOML.replace('id = "scanner-01"', 'id = "scanner-01"\nvp = 4'), "mine.toml")


def broken(old: str, new: str, count: int = 1) -> str:
    """The message about the shipped file after one change."""
    assert old in TOML
    with pytest.raises(BadInput) as caught:
        read_pack(TOML.replace(old, new, count), "mine.toml")
    message = str(caught.value)
    assert "\n" not in message
    return message


def card(id: str) -> str:
    """The text of one card in the shipped file."""
    found = re.search(rf'\[\[\w+\]\]\nid = "{id}"\n(?:.+\n)+', TOML)
    assert found is not None
    return found[0]


@pytest.mark.rule("SR-CONTENT-1")
@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("crew-18", "mine.toml: pack: has 17 crew cards instead of 18 (SR-CONTENT-1, SR-COMP-3)"),
        ("alien-drone-09", "mine.toml: pack: has 8 alien-drone cards instead of 9 (SR-CONTENT-1, SR-COMP-2)"),
        ("flight-3", "mine.toml: pack: has 3 flight cards instead of 4 (SR-CONTENT-1, SR-COMP-8)"),
        ("fire-01", "mine.toml: pack: has 13 fire cards instead of 14 (SR-CONTENT-1, SR-COMP-9)"),
    ],
)
def test_a_missing_card_is_named_by_its_count(id: str, message: str) -> None:
    assert broken(card(id), "") == message


@pytest.mark.rule("SR-CONTENT-1", "SR-COMP-5", "SR-COMP-6")
def test_a_card_of_the_wrong_look_is_named_by_its_count() -> None:
    scanner = card("scanner-01")
    assert broken(scanner, scanner.replace("orange", "green")) == (
        "mine.toml: pack: has 2 orange scanner cards instead of 3 (SR-CONTENT-1, SR-COMP-5)"
    )
    part = card("robot-part-01")
    assert broken(part, part.replace("head", "legs")) == (
        "mine.toml: pack: has 0 orange robot-part head cards instead of 1 (SR-CONTENT-1, SR-COMP-6)"
    )


@pytest.mark.rule("SR-CONTENT-2", "SR-COMP-4", "SR-COMP-7")
@pytest.mark.parametrize(
    ("id", "old", "new", "message"),
    [
        ("crew-02", "crew-02", "crew-01", "crew-01: two cards have this id (SR-CONTENT-2)"),
        (
            "crew-02",
            '"crew-02"',
            "2",
            "space: id '2' must be lower-case letters, digits and '-' (SR-CONTENT-2)",
        ),
        ("crew-02", 'kind = "crew"', 'kind = "cook"', "crew-02: kind must be one of"),
        ("crew-02", 'kind = "crew"', 'kind = "crew"\ncolour = "green"', "(SR-COMP-7)"),
        ("crew-02", 'kind = "crew"', 'kind = "crew"\npiece = "head"', "crew-02: has no attribute 'piece'"),
        ("crystal-01", 'colour = "orange"', "", "crystal-01: colour must be one of orange, green, purple"),
        ("robot-part-01", 'piece = "head"', "", "robot-part-01: piece must be one of head, torso, legs"),
        (
            "fire-01",
            'kind = "fire"',
            'kind = "fire"\nvp = -4',
            "fire-01: has no attribute 'vp' (SR-CONTENT-2)",
        ),
        ("flight-1", 'type = "flight"', "", "flight-1: type must be one of flight, fight"),
        ("flight-1", '"2 wrenches", ', "", "flight-1: needs 4 rows (SR-DANGER-13)"),
        ("flight-1", '"2 wrenches"', '"0 wrenches"', "flight-1: row '0 wrenches' is not 'clear'"),
        ("crew-02", 'name = "Captain Maybe"', "", "crew-02: needs a name, a text (SR-CONTENT-2)"),
    ],
)
def test_attributes_are_complete_and_closed(id: str, old: str, new: str, message: str) -> None:
    text = card(id)
    assert old in text
    found = broken(text, text.replace(old, new))
    assert found.startswith("mine.toml: ")
    assert message in found


@pytest.mark.rule("SR-CONTENT-5")
@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("damage-fire = -1", "damage-fire = 0", "damage-fire must lie from -5 to -1"),
        ("damage-invasion = -3", "damage-invasion = -6", "damage-invasion must lie from -5 to -1"),
        ("damage-fire = -1", "damage-fire = -3", "damage-breach is milder than damage-fire"),
    ],
)
def test_damage_values_are_bounded(old: str, new: str, why: str) -> None:
    assert broken(old, new) == f"mine.toml: constants: {why} (SR-CONTENT-5)"


FLIGHT_2 = 'rows = ["1 wrench", "clear", "1 damage", "2 damage"]'


@pytest.mark.rule("SR-CONTENT-6", "SR-CONTENT-7", "SR-CONTENT-8")
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["clear", "1 wrench", "1 damage", "2 damage"], "a row improves with worse rank (SR-CONTENT-6)"),
        (["1 wrench", "2 damage", "1 damage", "2 damage"], "a row improves with worse rank (SR-CONTENT-6)"),
        (["1 damage", "1 damage", "1 damage", "2 damage"], "row 1 is damage (SR-CONTENT-7)"),
        (["1 wrench", "clear", "clear", "clear"], "row 4 is not damage (SR-CONTENT-7)"),
        (["4 wrenches", "clear", "1 damage", "2 damage"], "more than 3 wrenches or damage (SR-CONTENT-8)"),
        (["1 wrench", "clear", "1 damage", "4 damage"], "more than 3 wrenches or damage (SR-CONTENT-8)"),
    ],
)
def test_rows_keep_their_order_and_size(rows: list[str], message: str) -> None:
    new = "rows = [" + ", ".join(f'"{row}"' for row in rows) + "]"
    found = broken(FLIGHT_2, new)
    assert found.startswith("mine.toml: flight-2: ")
    assert found.endswith(message)


@pytest.mark.rule("SR-CONTENT-9")
def test_only_a_relaxed_pack_may_break_7_and_8() -> None:
    wild = TOML.replace(FLIGHT_2, 'rows = ["9 damage", "9 damage", "9 damage", "9 damage"]')
    with pytest.raises(BadInput, match="SR-CONTENT-7"):
        read_pack(wild, "mine.toml")
    by_argument = read_pack(wild, "mine.toml", relaxed=True)
    by_file = read_pack("relaxed = true\n" + wild, "mine.toml")
    assert by_argument.same(by_file)
    worst = sum(sorted(-min(0, row) for row in PACK.rows)[-9:])  # three seats in each of three rounds
    assert worst <= 27 < len(PACK.damage_ids)


@pytest.mark.rule("SR-CONTENT-10", "SR-CONTENT-11")
def test_the_danger_cards_of_a_type_differ_and_hold_the_example() -> None:
    example = 'rows = ["2 wrenches", "1 damage", "2 damage", "3 damage"]'
    other = 'rows = ["3 wrenches", "1 damage", "2 damage", "3 damage"]'
    assert broken(example, other) == (
        "mine.toml: pack: no flight card has 2 wrenches, 1 damage, 2 damage and a row 4 of 2 or 3 damage "
        "(SR-CONTENT-11)"
    )
    same = re.sub(r'(type = "flight"\n)rows = .*', rf"\1{example}", TOML)
    with pytest.raises(BadInput, match=r"the flight cards need .* three different .*SR-CONTENT-10"):
        read_pack(same, "mine.toml")
    spread = iter(["1 damage", "1 damage", "2 damage", "3 damage"])
    poor = re.sub(
        r'(type = "fight"\n)rows = .*',
        lambda m: f'{m[1]}rows = ["clear", "clear", "clear", "{next(spread)}"]',
        TOML,
    )
    with pytest.raises(BadInput, match=r"no fight card has wrenches in row 1 \(SR-CONTENT-10\)"):
        read_pack(poor, "mine.toml")


@pytest.mark.rule("SR-CONTENT-2", "SR-CONST-1")
def test_constants_are_complete() -> None:
    assert broken("rounds = 3\n", "") == (
        "mine.toml: constants: rounds must be a whole number of at most two digits (SR-CONST-1)"
    )
    assert "unknown constant 'moons' (SR-CONST-1)" in broken("rounds = 3", "rounds = 3\nmoons = 1")
    assert "(SR-SETUP-9)" in broken("rounds = 3", "rounds = 4")
    assert "(SR-DANGER-26)" in broken("rounds = 3", "rounds = 9")


@pytest.mark.rule("SR-SETUP-4", "SR-SETUP-3")
def test_there_are_four_factions() -> None:
    wolves = '[[faction]]\nid = "wolves"\nname = "Wolves"\n'
    assert broken(wolves, "") == "mine.toml: pack: has 3 factions instead of 4 (SR-SETUP-4)"
    assert "(SR-SETUP-3)" in broken(wolves, wolves.replace('"wolves"', '"ravens"'))


def test_a_file_that_is_no_card_file_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^nowhere.toml: cannot be read: .*$"):
        load(tmp_path / "nowhere.toml")
    for data in (b"\xff", b"id = ", b"id = 3", b"space = 1", b"[[space]]\n", b"moon = 1"):
        path = tmp_path / "bad.toml"
        path.write_bytes(data)
        with pytest.raises(BadInput, match=r"^bad.toml: .+$"):
            load(path)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = " + "[\n" * 20_000, "is not TOML: nested too deeply"),
        ("a = " + "9" * 5_000, "line 1 is too long: at most 4000 characters"),
        ("#" * 1048577, "has more than 1048576 bytes"),
        (TOML.replace('kind = "crew"', "kind = 0x" + "f" * 3_900, 1), "crew-01: kind must be one of .*, not this int"),
        (TOML.replace('id = "ravens"', 'id = "a\\nb"', 1), r"'a\\nb': a faction needs an id of its own"),
    ],
)
def test_a_pack_cannot_be_too_much_for_its_reader(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=f"^card file: {why}") as caught:
        read_pack(text, "card file")
    assert "\n" not in str(caught.value)


@pytest.mark.rule("SR-CONTENT-12")
def test_a_pack_with_other_names_and_ids_scores_the_same(tmp_path: Path) -> None:
    """Only attributes count: the same ship with renamed cards has the same points."""
    path = tmp_path / "renamed.toml"
    text = re.sub(r'^name = "(.*)"$', r'name = "not \1"', TOML, flags=re.MULTILINE)
    path.write_text(re.sub(r'^id = "(scanner|crystal)-', r'id = "z\1-', text, flags=re.MULTILINE), "utf-8")
    ship = "game: space-race\nseats: 2\nphase: over\n0 up: {}scanner-01 {}crystal-01 power-source-01\n"
    ours = GAME.read_position(ship.format("", ""))
    theirs = GAME.read_position(ship.format("z", "z"), path)
    assert GAME.score(ours) == GAME.score(theirs)
    assert line(theirs, "0 up") == "zscanner-01 zcrystal-01 power-source-01"
