"""Card files: what is accepted, and the one line that tells what is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starport_games.kernel.errors import BadInput
from starport_games.wild_space import content
from starport_games.wild_space.content import load
from starport_games.wild_space.grammar import (
    CATEGORIES,
    CLASSES,
    FILTERS,
    HOSTILE_ICONS,
    ICONS,
    OCCUPATIONS,
    POSSESSIONS,
    SPECIES,
    TIERS,
    Ability,
    Card,
    Condition,
    ConditionKind,
    Credits,
    Effect,
    EffectKind,
    GrammarError,
    Hostile,
    HostileStep,
    Majority,
    PerSet,
    Planet,
    Sector,
)
from starport_games.wild_space.inline import Definition, card_definition, read_card_definition

SHIPPED_TEXT = (resources.files("starport_games.wild_space") / "cards.toml").read_text("utf-8")

SMALL = """
[set]
id = "mine"
version = 7
name = "Mine"

[[specialist]]
id = "owl-03"
name = "A"
species = "owl"
occupation = "pilot"
ability = "draw 2"

[[robot]]
id = "robot-1"
name = "B"
occupation = "pilot"
credits = 2

[[emissary]]
id = "bear-e"
name = "C"
species = "bear"
mission = "5 per 3 botanist"

[[captain]]
id = "captain-1"
name = "D"
species = "owl"
occupation = "pilot"
track = ["draw 2", "credits 6"]

[[hostile]]
id = "hostile-1"
name = "E"
category = "I"
bottom = ["add 1"]
top = ["add 1"]
icons = ["robot"]
""" + "".join(
    f"""
[[planet]]
id = "p{n}"
name = "P{n}"
tier = "{tier}"
left = {{ conditions = ["own(robot)"], options = ["draw 2"] }}
right = {{ options = ["play any"] }}
"""
    for n, tier in enumerate(("home", "home", "3", "6", "9"))
)


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(data: str | bytes) -> Path:
        path = tmp_path / "cards.toml"
        path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        return path

    return write


Written = Callable[[str | bytes], Path]


def refusal(path: Path, *, strict: bool | None = None) -> str:
    """The line without the file's name; it always begins with it and is never two lines."""
    with pytest.raises(BadInput) as caught:
        load(path, strict=strict)
    line = str(caught.value)
    assert line.startswith(f"{path}: ")
    assert "\n" not in line
    assert len(line) < 600
    return line.removeprefix(f"{path}: ")


def test_the_shipped_set_is_read_once() -> None:
    assert load(None) is load(None)
    assert load(None) == load(None, strict=False)


def test_a_copy_of_the_shipped_file_is_the_shipped_set(written: Written) -> None:
    assert load(written(SHIPPED_TEXT), strict=True) == load(None)
    assert load(written(b"\xef\xbb\xbf" + SHIPPED_TEXT.encode())) == load(None)  # as some editors begin a file
    assert load(written(SHIPPED_TEXT.replace("\n", "\r\n"))) == load(None)


@pytest.mark.rule("WS-DECK-27")
def test_any_set_of_the_grammar_is_accepted(written: Written) -> None:
    cards = load(written(SMALL))
    assert cards.label == "mine@7"
    assert cards.cards[0] == Card(
        "owl-03", "A", "specialist", "owl", "pilot", ability=Ability(Effect(EffectKind.DRAW, 2))
    )
    twin = SMALL[SMALL.index("[[specialist]]") : SMALL.index("[[robot]]")].replace("owl-03", "owl-04")
    assert len(load(written(SMALL + twin)).cards) == 5  # a repeated card
    assert refusal(written(SMALL), strict=True).startswith("set: WS-DECK-1: ")


@pytest.mark.rule("WS-DECK-24", "WS-DECK-26", "WS-DECK-27")
def test_what_binds_every_set(written: Written) -> None:
    cycle = SMALL.replace('ability = "draw 2"', 'ability = "remove -> take"')
    assert refusal(written(cycle)).startswith("owl-03: WS-DECK-24: remove -> take: no card may")
    assert refusal(written(SMALL.replace('"p3"', '"owl-03"'))) == "owl-03: WS-DECK-26: the id stands twice"
    assert refusal(written(SMALL.replace('"p3"', '"P3"'))).startswith("'P3': WS-DECK-26: is no id: ")
    assert refusal(written(SMALL.replace("version = 7", "version = 0"))).startswith("set: WS-DECK-26: ")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('ability = "draw 2"', 'ability = "drow 2"', "card owl-03: ability: 'drow 2' is no effect; write "),
        (
            'ability = "draw 2"',
            'ability = "draw 6"',
            "card owl-03: ability: the number of cards drawn must be ",
        ),
        (
            'ability = "draw 2"',
            'ability = "discard(cat) -> take"',
            "card owl-03: ability: 'cat' is no filter; ",
        ),
        (
            'ability = "draw 2"',
            "ability = 2",
            "card owl-03: ability: a number has the wrong type; write ability =",
        ),
        ('ability = "draw 2"', "ability = true", "card owl-03: ability: true has the wrong type; "),
        (
            'ability = "draw 2"',
            "ability = 2020-01-01",
            "card owl-03: ability: a date or time has the wrong type; ",
        ),
        ('ability = "draw 2"', f'ability = "{"x" * 300}"', "card owl-03: ability: 'xxx"),
        (
            'ability = "draw 2"',
            'abilty = "draw 2"',
            "card owl-03: 'abilty': unknown key; the keys here are: ",
        ),
        ('ability = "draw 2"', '"a\\nb" = 1', "card owl-03: 'a\\nb': unknown key; "),
        ('ability = "draw 2"', "veteran = 1", "card owl-03: veteran: a number has the wrong type; "),
        ('species = "owl"\n', "", "card owl-03: species: is missing; write species = "),
        (
            'species = "owl"',
            'species = "cat"',
            "card owl-03: species: 'cat' is no species; write one of: bear",
        ),
        ('occupation = "pilot"', 'occupation = "cook"', "card owl-03: occupation: 'cook' is no occupation; "),
        ('name = "A"', 'name = ""', "card owl-03: name: '' must be 1 to 60 printable characters"),
        ('name = "A"', 'name = "a\\nb"', "card owl-03: name: 'a\\nb' must be 1 to 60 printable characters"),
        ('name = "A"', "", "card owl-03: name: is missing; "),
        ('id = "owl-03"\n', "", "specialist number 1: id: is missing; "),
        ("credits = 2", "credits = 7", "card robot-1: credits: a robot has 0 to 6 credits, not '7'"),
        ("credits = 2", "credits = true", "card robot-1: credits: true has the wrong type; "),
        ("credits = 2", "credits = 0x" + "f" * 3900, "card robot-1: credits: the number is too big; "),
        ("version = 7", "version = 0x" + "f" * 3900, "set: version: the number is too big; "),
        ('mission = "5 per 3 botanist"', "", "card bear-e: mission: is missing; "),
        (
            'mission = "5 per 3 botanist"',
            'mission = "5 per 7 owl"',
            "card bear-e: mission: a number of icons ",
        ),
        ('"credits 6"', '"credits 13"', "card captain-1: track: the credits of a square must be "),
        ('["draw 2", "credits 6"]', "[]", "card captain-1: track: 1 to 6 squares are needed, not 0"),
        ('["draw 2", "credits 6"]', "[1]", "card captain-1: track: must be a list of at most 16 texts; "),
        ('["draw 2", "credits 6"]', '"draw 2"', "card captain-1: track: 'draw 2' has the wrong type; "),
        ('category = "I"', 'category = "IV"', "hostile hostile-1: category: 'IV' is no category; "),
        ('bottom = ["add 1"]', 'bottom = ["add 4"]', "hostile hostile-1: bottom: a pool slot must be "),
        ('icons = ["robot"]', 'icons = ["owl"]', "hostile hostile-1: icons: 'owl' is no icon; "),
        ('tier = "home"', 'tier = "4"', "planet p0: tier: '4' is no tier; write one of: home, 3, 6, 9"),
        ('tier = "3"', "tier = 3", "planet p2: tier: a number has the wrong type; write tier = "),
        ('options = ["draw 2"]', 'options = ["drow"]', "planet p0: left: 'drow' is no effect; "),
        ('options = ["draw 2"]', "options = []", "planet p0: left: 1 to 2 options are needed, not 0"),
        ('options = ["draw 2"]', "x = []", "planet p0: left: options: is missing; "),
        ('options = ["draw 2"]', 'options = ["draw 2"], x = 1', "planet p0: left: 'x': unknown key; "),
        ('["own(robot)"]', '["own(veteran)"]', "planet p0: left: 'veteran' is no possession; "),
        (
            'right = { options = ["play any"] }',
            "right = 3",
            "planet p0: right: a number has the wrong type; ",
        ),
        ('tier = "3"', 'tier = "6"', "planets: 0 of tier 3; a game needs at least 1"),
        ('tier = "home"', 'tier = "3"', "planets: 1 of tier home; a game needs at least 2"),
        ("[[specialist]]", "[[specialst]]", "'specialst': unknown key; the keys here are: "),
        ("[set]", "[sett]", "set: is missing; write set = "),
        ("[set]", "set = 1\n[x]", "set: a number has the wrong type; "),
        ('name = "Mine"', 'name = "Mine"\nauthor = "me"', "set: 'author': unknown key; "),
        ("version = 7", 'version = "7"', "set: version: '7' has the wrong type; write version = 1"),
        ("[set]", "specialist = 3\n[set]", "not a TOML file: "),  # the tables below declare it again
    ],
)
def test_one_line_for_a_bad_file(written: Written, old: str, new: str, line: str) -> None:
    assert old in SMALL
    assert refusal(written(SMALL.replace(old, new, 1))).startswith(line)


def test_syntax_errors_name_the_line(written: Written) -> None:
    assert "(at line 3, column " in refusal(written("\n[set]\nid = owl\n"))
    assert refusal(written("[set")).startswith("not a TOML file: ")
    assert refusal(written("")).startswith("set: is missing; ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = " + "[\n" * 20_000, "not a TOML file: "),
        ("a = " + "9" * 3_990, "set: is missing; "),
        ("a = " + "9" * 5_000, "line 1 is too long: "),
        ("set" + ".a" * 1_900 + " = 1", "set: id: is missing; "),
        ("set.id" + ".a" * 1_900 + " = 1", "set: id: a table has the wrong type; "),
        (
            "specialist = 3\n[set]\nid = 'a'\nversion = 1\nname = 'a'",
            "specialist: a number has the wrong type; ",
        ),
        ("specialist = [3]\n[set]\nid = 'a'\nversion = 1\nname = 'a'", "specialist: number 1 is no table; "),
        ("#" * content.FILE_BYTES_MAX + "#", "too big: a card file has at most 1048576 bytes"),
        (SMALL + "[[robot]]\n" * 4_000, "4010 cards and planets; at most 4000"),
    ],
)
def test_limits(written: Written, text: str, line: str) -> None:
    assert refusal(written(text)).startswith(line)


def test_a_set_from_text_is_the_set_of_the_file(written: Written) -> None:
    assert content.load_text(SMALL, "card file") == load(written(SMALL))
    assert content.load_text("\ufeff" + SMALL, "card file") == load(written(SMALL))
    for text in ("[set", "", "a = " + "9" * 5_000, "#" * content.FILE_BYTES_MAX + "#", SMALL + "moon = 1"):
        with pytest.raises(BadInput) as caught:
            content.load_text(text, "card file")
        assert str(caught.value) == f"card file: {refusal(written(text))}"


def test_files_that_cannot_be_read(tmp_path: Path, written: Written) -> None:
    assert refusal(tmp_path / "none.toml") == "cannot be read: No such file or directory"
    assert refusal(tmp_path) == "is a directory, not a card file"
    assert refusal(written(b"name = '\xff'")) == "not UTF-8 text: byte 8 cannot be read"
    assert refusal(tmp_path / ("x" * 400)) == "cannot be read: File name too long"
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == "is not a regular file"
    with pytest.raises(BadInput, match=r"^a\?b: is no file name$"):
        load(Path("a\0b"))


# One-line definitions, as in position files.

IDS = st.from_regex(r"[a-z][a-z0-9-]{0,39}", fullmatch=True)
species, occupations = st.sampled_from(SPECIES), st.sampled_from(OCCUPATIONS)


def plays(most: int) -> st.SearchStrategy[Effect]:
    return st.builds(Effect, st.just(EffectKind.PLAY), st.integers(1, most), st.sampled_from(FILTERS))


def effects(plays_most: int) -> st.SearchStrategy[Effect]:
    draws = st.builds(Effect, st.just(EffectKind.DRAW), st.integers(1, 5))
    return st.one_of(draws, plays(plays_most), st.just(Effect(EffectKind.TAKE)))


discards = st.sampled_from([word for word in FILTERS if word != "robot-or-emissary"])
conditions = st.one_of(
    st.just(Condition(ConditionKind.REMOVE)),
    st.builds(Condition, st.just(ConditionKind.DISCARD), discards),
    st.builds(Condition, st.just(ConditionKind.OWN), st.sampled_from(POSSESSIONS)),
)


def ends(ability: Ability) -> bool:
    removes = ability.condition is not None and ability.condition.kind is ConditionKind.REMOVE
    return not (removes and ability.effect.kind is EffectKind.TAKE)


abilities = st.none() | st.builds(Ability, effects(1), st.none() | conditions).filter(ends)
icon_sets = st.lists(st.sampled_from(ICONS), min_size=1, max_size=6)
missions = st.builds(Majority, st.sampled_from(ICONS), st.integers(1, 9)) | st.builds(
    PerSet, icon_sets.map(lambda icons: tuple(sorted(icons, key=ICONS.index))), st.integers(1, 9)
)
squares = effects(2) | st.builds(Credits, st.integers(1, 12))
sectors = st.builds(
    Sector,
    st.lists(conditions, max_size=2).map(tuple),
    st.lists(effects(2), min_size=1, max_size=2).map(tuple),
)
hostile_steps = st.lists(st.builds(HostileStep, st.booleans(), st.integers(1, 3)), min_size=1, max_size=3).map(tuple)
hostile_icons = st.lists(st.sampled_from(HOSTILE_ICONS), min_size=1, max_size=3).map(tuple)


@st.composite
def definitions(draw: st.DrawFn) -> Definition:
    id = draw(IDS)
    match draw(st.sampled_from((*CLASSES, "captain", "planet", "hostile"))):
        case "specialist":
            veteran = draw(st.booleans())
            return Card(id, id, "specialist", draw(species), draw(occupations), veteran, ability=draw(abilities))
        case "robot":
            occupation = draw(st.none() | occupations)
            veteran, credits = draw(st.booleans()), draw(st.integers(0, 6))
            return Card(id, id, "robot", None, occupation, veteran, credits, draw(abilities))
        case "emissary":
            return Card(id, id, "emissary", draw(species), ability=draw(abilities), mission=draw(missions))
        case "captain":
            track = tuple(draw(st.lists(squares, min_size=1, max_size=6)))
            return Card(id, id, "captain", draw(species), draw(occupations), track=track)
        case "planet":
            return Planet(id, id, draw(st.sampled_from(TIERS)), draw(sectors), draw(sectors))
    category = draw(st.sampled_from(CATEGORIES))
    return Hostile(id, id, category, draw(hostile_steps), draw(hostile_steps), draw(hostile_icons))


@given(definitions())
def test_definitions_round_trip(thing: Definition) -> None:
    kind, text = card_definition(thing)
    assert read_card_definition(kind, thing.id, text) == thing


@given(st.sampled_from(["card", "captain", "planet", "hostile"]), st.text(max_size=80))
def test_other_text_is_refused_with_a_sentence(kind: str, text: str) -> None:
    with pytest.raises(GrammarError) as caught:
        read_card_definition(kind, "x1", text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("card", "specialist owl pilot veteran; discard(any) -> play any"),
        ("card", "robot pilot veteran credits 3; draw 1"),
        ("card", "robot"),
        ("card", "robot credits 6"),
        ("card", "emissary bear; 5 per botanist + botanist + botanist; draw 1"),
        ("captain", "owl pilot; draw 2, play any, credits 6"),
        ("planet", "3; [discard(any) | own(robot)] draw 4; play any / draw 2"),
        ("hostile", "II; discard 3, add 1; add 2, add 2; robot, botanist"),
    ],
)
def test_samples_are_written_as_they_are_read(kind: str, text: str) -> None:
    assert card_definition(read_card_definition(kind, "x1", text)) == (kind, text)


@pytest.mark.parametrize(
    ("kind", "id", "text", "why"),
    [
        ("card", "X1", "robot", "'X1' is no id: "),
        ("thing", "x1", "robot", "'thing' is nothing that can be defined; "),
        ("card", "x1", "robot; draw 1; draw 2", "a card has at most one ability"),
        ("card", "x1", "robot; remove -> take", "WS-DECK-24"),
        ("card", "x1", "robot cook", "'cook' is no occupation"),
        ("card", "x1", "robot credits 7", "a robot has 0 to 6 credits, not '7'"),
        ("card", "x1", "robot pilot draw 1", "'robot pilot draw 1' is no robot; "),
        ("card", "x1", "emissary bear", "'emissary bear' is no crew card; "),
        ("card", "x1", "specialist owl", "'specialist owl' is no crew card; "),
        ("card", "x1", "specialist owl pilot;", "'' is no effect; "),
        ("captain", "x1", "owl pilot", "is no captain; "),
        ("captain", "x1", "owl pilot; draw 1" + ", draw 1" * 6, "1 to 6 squares are needed, not 7"),
        ("planet", "x1", "3; draw 2", "is no planet; "),
        ("planet", "x1", "3; [own(robot) draw 2; draw 1", "lacks its ']'"),
        ("planet", "x1", "3; [] draw 2; draw 1", "'' is no condition"),
        ("hostile", "x1", "II; add 1; add 2", "is no hostile planet; "),
        ("hostile", "x1", "II; add 1; add 2; owl", "'owl' is no icon"),
        ("hostile", "x1", "II; add 1; add 2; robot" + " " * 400, "is too long"),
    ],
)
def test_wrong_definitions(kind: str, id: str, text: str, why: str) -> None:
    with pytest.raises(GrammarError) as caught:
        read_card_definition(kind, id, text)
    assert why in str(caught.value)
