"""Options of a table: what they may say, card files and positions of one's own, and one line for what is wrong."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starport.v1 import match_pb2, wild_space_pb2
from starport_games import registry
from starport_games.kernel.contract import Refusal
from starport_games.kernel.deal import Deal, key_of_words
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import LINES_MAX
from starport_wire.codec import BY_FIELD, CODECS_MAX, game_name, make_options, open_codec, seat_count
from starport_wire.common import POSITION_CHARS_MAX

LINE_CHARS_MAX = 400
NOTATION = Path(__file__).parents[3] / "docs" / "notation.md"
RACE = "game: space-race\nseats: 2\n0 hand: x1\n1 hand: crew-03\ncard x1: robot-part green legs\n"


def shipped(package: str) -> str:
    return resources.files(f"starport_games.{package}").joinpath("cards.toml").read_text(encoding="utf-8")


def example() -> str:
    """The position of docs/notation.md, with a card and a captain of its own."""
    found = re.search(r"```position\n(.*?)```", NOTATION.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def told(options: match_pb2.Options) -> str:
    line = refused(options)
    assert line
    return line


def refused(options: match_pb2.Options) -> str:
    """The one line that says what is wrong, or nothing."""
    try:
        open_codec(options)
    except BadInput as why:
        line = str(why)
    else:
        return ""
    assert "\n" not in line
    assert 0 < len(line) <= LINE_CHARS_MAX
    return line


def wild_options(seats: int, **numbers: Any) -> match_pb2.Options:
    return match_pb2.Options(seats=seats, wild_space=wild_space_pb2.WildSpaceOptions(**numbers))


# -- settings


@pytest.mark.parametrize(
    ("game", "seats", "words", "line"),
    [
        ("chess", 2, {}, "there is no game 'chess'; there is wild-space, space-race"),
        ("wild-space", -1, {}, "-1 seats"),
        ("wild-space", 2, {"colour": "red"}, "Wild Space has no setting 'colour'; it has difficulty, smuggler, first"),
        ("wild-space", 1, {"difficulty": "mad"}, "difficulty: 'mad' is not one of easy, normal, hard"),
        ("wild-space", 1, {"smuggler": "nobody"}, "smuggler: 'nobody' is not one of player, seat"),
        ("wild-space", 2, {"first": "9"}, "first: '9' is not one of random, 0, 1, 2, 3, 4"),
        ("space-race", 2, {"auto_ships": "maybe"}, "auto_ships: 'maybe' is not one of on, off"),
    ],
)
def test_settings_that_there_are_not(game: str, seats: int, words: dict[str, str], line: str) -> None:
    with pytest.raises(BadInput) as why:
        make_options(game, seats, words)
    assert str(why.value) == line


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (match_pb2.Options(seats=2), "options without a game; there is wild-space, space-race"),
        (make_options("wild-space", 0), "seats of wild-space is a whole number from 1 to 5, not 0"),
        (make_options("wild-space", 6), "seats of wild-space is a whole number from 1 to 5, not 6"),
        (make_options("space-race", 1), "seats of space-race is a whole number from 2 to 4, not 1"),
        (make_options("wild-space", 2, {"first": "4"}), "first: there is no seat 4; write 0 to 1"),
        (wild_options(1, difficulty=4), "difficulty is a whole number from 0 to 3, not 4"),
        (wild_options(1, smuggler=3), "who moves for the Smuggler is a whole number from"),
        (wild_options(2, first=4_000_000_000), "first: there is no seat 4000000000"),
    ],
)
def test_options_that_no_table_can_have(options: match_pb2.Options, line: str) -> None:
    assert told(options).startswith(line)


def test_settings_are_what_the_game_reads_from_text() -> None:
    for game, seats, words in (
        ("wild-space", 1, {"difficulty": "hard", "smuggler": "seat", "first": "1"}),
        ("wild-space", 3, {"first": "random"}),
        ("wild-space", 2, {"first": "0"}),
        ("space-race", 4, {"auto_ships": "off"}),
        ("space-race", 3, {}),
    ):
        assert open_codec(make_options(game, seats, words)).options == registry.find(game).options(words)


def test_only_a_smuggler_with_its_own_seat_needs_one() -> None:
    assert seat_count(make_options("wild-space", 1, {"smuggler": "seat"})) == 2
    assert seat_count(make_options("wild-space", 1, {"smuggler": "player"})) == 1
    assert seat_count(make_options("wild-space", 1)) == 1
    assert seat_count(make_options("wild-space", 3, {"smuggler": "seat"})) == 3
    assert seat_count(make_options("space-race", 2)) == 2
    assert game_name(make_options("space-race", 2)) == "space-race"


def test_the_schema_has_no_game_without_a_codec() -> None:
    for message, oneof in (("Options", "game"), ("Move", "game"), ("Effect", "fact"), ("State", "game")):
        fields = getattr(match_pb2, message).DESCRIPTOR.oneofs_by_name[oneof].fields
        assert {field.name for field in fields} == set(BY_FIELD)


def test_clock_and_privacy_do_not_make_another_codec() -> None:
    plain = open_codec(make_options("space-race", 3))
    clock = match_pb2.Clock(bank_ms=60_000, free_ms=1_000)
    assert open_codec(make_options("space-race", 3, clock=clock, private=True)) is plain
    assert open_codec(make_options("space-race", 3, {"auto_ships": "off"})) is not plain


def test_codecs_that_are_kept_are_bounded() -> None:
    text = shipped("space_race")
    codecs = [open_codec(make_options("space-race", 2, card_file=f"{text}\n# {i}")) for i in range(CODECS_MAX + 1)]
    again = open_codec(make_options("space-race", 2, card_file=f"{text}\n# 0"))
    assert again is not codecs[0]
    assert again.options.pack.same(codecs[0].options.pack)


# -- card files


@pytest.mark.parametrize(("game", "package"), [("wild-space", "wild_space"), ("space-race", "space_race")])
def test_a_card_file_of_ones_own(game: str, package: str) -> None:
    text = shipped(package).replace('id = "frontier"', 'id = "mine"').replace('id = "starport"', 'id = "mine"', 1)
    codec = open_codec(make_options(game, 2, card_file=text))
    state = codec.first_state(Deal(key_of_words("own")))
    position = codec.game.position_text(state)
    assert "mine@" in position
    message = codec.encode_state(state)
    assert codec.game.same(codec.decode_state(message), state)
    with pytest.raises(BadInput, match=r"^a position of the (set|card file) 'mine@1', not of "):
        open_codec(make_options(game, 2)).decode_state(message)


@pytest.mark.parametrize(
    ("game", "text", "line"),
    [
        ("wild-space", "cards = [", "card file: not a TOML file: "),
        ("wild-space", "x" * 5_000, "card file: line 1 is too long"),
        ("wild-space", "[set]\n" * 200_000, "card file: too big"),
        ("wild-space", "a = " + "[" * 3_000, "card file: not a TOML file: "),
        ("wild-space", '[set]\nid = "mine"\nversion = 1\nname = "Mine"', "card file: planets: 0 of tier home"),
        ("space-race", "cards = [", "card file: is not TOML: "),
        ("space-race", "x" * 5_000, "card file: line 1 is too long"),
        ("space-race", "[set]\n" * 200_000, "card file: has more than 1048576 bytes"),
        ("space-race", "a = " + "[" * 3_000, "card file: is not TOML: nested too deeply"),
        ("space-race", "version = 1", "card file: pack: needs a id, a text"),
    ],
)
def test_faults_of_a_card_file_are_one_line(game: str, text: str, line: str) -> None:
    assert told(make_options(game, 2, card_file=text)).startswith(line)


def test_long_numbers_and_deep_lists_in_a_pack_are_not_printed() -> None:
    text = shipped("space_race")
    for value in ("0x" + "f" * 3_900, "[" * 90 + "]" * 90, "1e5", '"a\\nb"'):
        for key, good in (("kind", '"crew"'), ("id", '"crew-02"'), ("rows", None), ("id", '"ravens"')):
            found = re.search(rf"^{key} = {re.escape(good) if good else '.*'}$", text, re.MULTILINE)
            assert found, key
            told(make_options("space-race", 2, card_file=text.replace(found[0], f"{key} = {value}", 1)))


# -- positions


def test_a_match_from_a_position_with_cards_of_its_own() -> None:
    codec = open_codec(make_options("wild-space", 2, position=example()))
    assert codec.from_position
    state = codec.first_state(Deal(key_of_words("unused")))
    assert codec.opening(state) == []
    play = match_pb2.Move()
    play.wild_space.play.card = "x1"
    effects = codec.game.play(state, 0, codec.decode_move(play))
    assert not isinstance(effects, Refusal)
    assert codec.encode_effect(effects[0]).wild_space.put_into_play.card == "x1"
    message = codec.encode_state(state)
    assert message.wild_space.players[0].captain == "c9"
    assert codec.game.same(codec.decode_state(message), state)
    # Each match has its own copy, and only this table knows the card.
    assert codec.game.same(codec.first_state(Deal(bytes(32))), codec.game.read_position(example()))
    other = open_codec(make_options("wild-space", 2))
    assert isinstance(other.game.play(other.first_state(Deal(bytes(32))), 0, other.decode_move(play)), Refusal)
    with pytest.raises(BadInput, match=r"^there is no card 'c9'$"):
        other.decode_state(message)


def test_a_space_race_from_a_position_with_cards_of_its_own() -> None:
    codec = open_codec(make_options("space-race", 2, position=RACE + "round: 3"))
    state = codec.first_state(Deal(bytes(32)))
    assert codec.opening(state) == []
    effects: Any = codec.game.play(state, 0, codec.game.read_move(state, "pick x1 up"))
    assert codec.encode_effect(effects[0]).space_race.pick_committed.card == "x1"
    assert codec.game.same(codec.decode_state(codec.encode_state(state)), state)


def test_a_position_over_a_card_file_of_ones_own() -> None:
    text = shipped("wild_space").replace('id = "frontier"', 'id = "mine"')
    position = example() + "set: mine@1\n"
    codec = open_codec(make_options("wild-space", 2, card_file=text, position=position))
    assert codec.options.book.label == "mine@1"
    assert told(make_options("wild-space", 2, position=position)).startswith("position:11: set: ")


SOLO = "game: wild-space\nseats: 1\nhostile shown: hostile-01 hostile-02\npool: owl-01 owl-02 owl-03\n"


@pytest.mark.parametrize(
    ("game", "seats", "words", "text", "line"),
    [
        ("wild-space", 3, {}, "game: wild-space\n", "position: it has 2 seats, the options say 3"),
        ("wild-space", 2, {}, "game: space-race\nseats: 2", "position: a position begins with the line"),
        ("wild-space", 2, {}, "tea", "position:1: 'tea' is not a 'key: value' line"),
        ("wild-space", 2, {}, "game: wild-space\nstack: over", "position: the game is over there"),
        ("wild-space", 2, {}, "game: wild-space\ndeal: ?", "position: it has gaps; a match needs a whole position"),
        ("wild-space", 2, {}, "game: wild-space\n1 hand: ?", "position: it has gaps"),
        ("wild-space", 2, {}, "game: wild-space\npile: ?*20", "position: this position does not tell the top card"),
        ("wild-space", 2, {}, example() + "discard: ?*20", "position: it has gaps"),
        ("wild-space", 2, {}, "game: wild-space\nplanets: P3=(?)", "position: it has gaps"),
        ("wild-space", 2, {"first": "1"}, "game: wild-space", "position: player 0 began, the options say 1"),
        ("wild-space", 1, {}, SOLO + "smuggler: seat", "position: its Smuggler is moved by the seat; the options must"),
        ("wild-space", 1, {"difficulty": "easy"}, SOLO, "position: its difficulty is normal, the options say another"),
        ("wild-space", 1, {}, SOLO + "hostile hidden: ?II", "position: it has gaps"),
        ("wild-space", 2, {}, "# tea\n" * (LINES_MAX + 1), "position:4001: too long"),
        ("wild-space", 2, {}, "#" * (POSITION_CHARS_MAX + 1), "position: longer than 200000 characters"),
        ("wild-space", 2, {}, f"game: wild-space\ndeal: sha256 {'0' * 64} {'9' * 30}", "position:2: deal: not a deal"),
        ("space-race", 3, {}, RACE, "position: it has 2 seats, the options say 3"),
        ("space-race", 2, {}, "game: wild-space\nseats: 2", "position:1: game: a position of this game says"),
        ("space-race", 2, {}, "game: space-race\nseats: 2\nphase: over", "position: the game is over there"),
        ("space-race", 2, {}, RACE + "deal: ?", "position: it has gaps; a match needs a whole position"),
    ],
)
def test_positions_that_no_match_can_begin_from(
    game: str, seats: int, words: dict[str, str], text: str, line: str
) -> None:
    assert told(make_options(game, seats, words, position=text)).startswith(line)


def test_a_solo_position_with_a_seat_for_the_smuggler() -> None:
    options = make_options("wild-space", 1, {"smuggler": "seat"}, position=SOLO + "smuggler: seat\ndifficulty: hard")
    codec = open_codec(options)
    assert codec.options.difficulty == "hard"
    assert seat_count(options) == 2


# -- anything else


@pytest.mark.parametrize(("game", "package"), [("wild-space", "wild_space"), ("space-race", "space_race")])
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(chance=st.randoms(use_true_random=False), words=st.text(max_size=20))
def test_spoiled_card_files_and_positions(game: str, package: str, chance: Random, words: str) -> None:
    if chance.random() < 0.5:
        options = make_options(game, 2, card_file=spoiled(chance, shipped(package), words) or "x")
    else:
        good = example() if game == "wild-space" else RACE
        options = make_options(game, 2, position=spoiled(chance, good, words) or "x")
    line = refused(options)
    if line:
        assert line.startswith(("card file", "position"))
        return
    codec = open_codec(options)
    state = codec.first_state(Deal(bytes(32)))
    assert codec.game.same(codec.decode_state(codec.encode_state(state)), state)


def spoiled(chance: Random, text: str, words: str) -> str:
    """The text with a line gone, doubled, or with these words in it."""
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    line = lines[at]
    cut = chance.randint(0, len(line))
    lines[at : at + 1] = chance.choice([[], [line, line], [line[:cut] + words + line[cut:]], [line[:cut]]])
    return "\n".join(lines)
