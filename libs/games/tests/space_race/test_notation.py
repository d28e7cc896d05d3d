"""Positions and moves as text, and the worked example of docs/notation-space-race.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from space_race.table import CHOOSE, GAME, OPTIONS, at, do, line, play_out, start
from starport_games.kernel.deal import Deal
from starport_games.kernel.effects import HIDDEN, Effect
from starport_games.kernel.errors import BadInput
from starport_games.space_race.codes import GAME_SCORED, pick_move
from starport_games.space_race.state import State

DOCUMENT = next(
    path for up in Path(__file__).parents if (path := up / "docs" / "notation-space-race.md").is_file()
).read_text(encoding="utf-8")


def round_trip(state: State) -> None:
    text = GAME.position_text(state)
    back = GAME.read_position(text)
    assert back.same(state)
    assert GAME.position_text(back) == text


@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans())
@settings(max_examples=25)
def test_every_position_and_every_view_of_a_game_can_be_written_and_read(seed: int, seats: int, choose: bool) -> None:
    state = start(str(seed), seats, CHOOSE if choose else OPTIONS)
    round_trip(state)
    for seat, _, _ in play_out(state, seed):
        round_trip(state)
        for viewer in (seat, -1):
            round_trip(GAME.view(state, viewer))


@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=10)
def test_every_move_can_be_written_and_read(seed: int, seats: int) -> None:
    state = start(str(seed), seats)
    for move in GAME.move_space(state):
        assert GAME.read_move(state, GAME.move_text(state, move)) == move
    for _, move, _ in play_out(state, seed):
        assert GAME.read_move(state, GAME.move_text(state, move)) == move


def test_a_position_may_define_cards_that_no_file_has() -> None:
    state = at("""\
        constant damage-fire: -4
        constant hand: 2
        card x1: robot-part green legs
        card zz-top: crew
        danger d9: fight; 9 wrenches; clear; clear; 28 damage
        seats: 2
        round: 3
        0 hand: x1
        1 hand: zz-top
        0 damage: fire 1
        danger deck: d9
        """)
    round_trip(state)
    round_trip(GAME.view(state, 0))
    assert state.pick == 2
    assert GAME.score(state)[0].total == -4
    do(state, "0 pick x1 up", "1 pick zz-top up")
    round_trip(state)
    assert line(state, "danger") == "d9"
    assert line(state, "card x1") == "robot-part green legs"
    assert line(state, "danger d9") == "fight; 9 wrenches; clear; clear; 28 damage"
    assert line(state, "constant damage-fire") == "-4"


def test_lines_left_out_have_defaults() -> None:
    state = at("seats: 2\n0 hand: crew-01\n1 hand: crew-02\n0 scanned: flight-2\n")
    assert (state.round, state.pick, line(state, "phase"), line(state, "coin")) == (1, 6, "pick", "left")
    assert line(state, "1 ship") == "jackals jackals"
    assert len(state.space_deck) == 70
    assert (line(state, "danger deck") or "").split()[:2] == ["flight-2", "fight-1"]
    assert len(state.damage_deck) == 28
    assert line(state, "deal") == f"sha256 {'0' * 64} 0"
    fuller = at("seats: 3\n0 hand: crew-01\n1 hand: crew-02\n2 hand: crew-03\n1 ship: ravens wolves\n")
    assert [line(fuller, f"{seat} ship") for seat in range(3)] == [
        "jackals ravens",
        "ravens wolves",
        "vultures jackals",
    ]


def test_a_position_with_gaps_has_no_generator() -> None:
    view = "seats: 2\n0 hand: crew-01\n1 hand: ?\nspace deck: ?x60\ndanger deck: ?x3\ndamage deck: ?x9\n"
    assert at(view).deal is None
    assert at(view).space_deck == [HIDDEN] * 60
    with pytest.raises(BadInput, match="a position with gaps has no generator"):
        at(view + f"deal: {Deal(bytes(32)).text()}\n")
    with pytest.raises(BadInput, match="must say what its decks are"):
        at("seats: 2\n0 hand: crew-01\n1 hand: ?\n")


HANDS = "seats: 2\n0 hand: crew-01\n1 hand: crew-02\n"
BIDS = "seats: 2\nround: 3\nphase: bid\ndanger: flight-1\n0 fuel: crew-01\n1 fuel: crew-02\n"
DW = "danger dw: flight; 1 wrench; clear; clear; clear\nseats: 2\nround: 3\nphase: repair\ndanger: dw\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("round: 1", "position: a position needs a 'seats' line"),
        ("seats: 5", "position:2: seats: '5' is not a whole number from 2 to 4"),
        ("seats: 2\nmoon: 1", "position:3: unknown key 'moon'"),
        (HANDS + "2 hand: crew-03", "position:5: unknown key '2 hand'"),
        (HANDS + "seats: 2", "position:5: seats stands twice"),
        (HANDS + "0 up: crystal-99", "position:5: 0 up: there is no card 'crystal-99' for this line"),
        (HANDS + "1 fuel: crew-01", "position:5: 1 fuel: crew-01 lies in 0 hand already"),
        (HANDS + "0 fuel: crystal-01 crystal-01", "position:5: 0 fuel: crystal-01 lies in 0 fuel already"),
        (HANDS + "space deck: crew-01", "position:5: space deck: crew-01 lies in 0 hand already"),
        (HANDS + "0 up: crew-03", "position:5: 0 up: crew-03 is Crew and has a line of its own"),
        (HANDS + "0 crew: crystal-01", "position:5: 0 crew: crystal-01 is no Crew card"),
        (HANDS + "0 up: ?", "position:5: 0 up: there is no card '?' for this line"),
        (HANDS + "round: 4", "position:5: round: '4' is not a whole number from 1 to 3"),
        (HANDS + "pick: 2", "position:5: pick: with hands of 1 cards this is pick 6"),
        (HANDS + "phase: tea", "position:5: phase: 'tea' is not one of ships, pick, bid, repair, over"),
        (HANDS + "phase: bid\ndanger: flight-1", "position:5: phase: hands and picks belong to"),
        (HANDS + "coin: edge", "position:5: coin: 'edge' is not one of left, right"),
        (HANDS + "pack: other@9", "position:5: pack: this position is not for the card file starport@1"),
        (HANDS + "danger: flight-1", "position:5: danger: one Danger card lies revealed in the bid"),
        (HANDS + "0 damage: fire", "position:5: 0 damage: 'fire': write <kind> <n> pairs"),
        (HANDS + "0 damage: fire 1 fire 2", "position:5: 0 damage: 'fire 1 fire 2': 'fire' is not"),
        (HANDS + "0 damage: fire -1", "position:5: 0 damage: 'fire -1': '-1' is not a whole"),
        (HANDS + "0 damage: fire 15", "position: damage deck: 1 more fire than the card file has"),
        (HANDS + "damage deck: ash", "position:5: damage deck: 'ash' is not one of fire, breach, invasion"),
        (HANDS + "damage deck: ?x29", "position:5: damage deck: more Damage cards than the card file has"),
        (HANDS + "0 ship: ravens", "position:5: 0 ship: write a cockpit and an engine"),
        (
            HANDS + "0 ship: ravens ravens\n1 ship: wolves ravens",
            "position:6: 1 ship: another seat has this piece",
        ),
        (HANDS + "0 bid: 1", "position:5: 0 bid: bids lie open in the repair phase only"),
        (HANDS + "0 scanned: moon", "position:5: 0 scanned: there is no Danger card 'moon'"),
        (
            HANDS + "0 scanned: flight-1\ndanger deck: fight-1 flight-1 fight-2",
            "position:6: danger deck: a scanned card is the top card",
        ),
        (HANDS + "0 answer: pick crew-02 up", "position:5: 0 answer: 'pick crew-02 up' is no legal"),
        (HANDS + "0 answer: bid 1", "position:5: 0 answer: 'bid 1' is no legal answer here"),
        (HANDS + "0 answer: dance", "position:5: 0 answer: 'dance' is no move; write pick <card> up|down"),
        (
            HANDS + "0 answer: pick crew-01 up\n1 answer: pick crew-02 up",
            "position: phase: nobody is left to answer",
        ),
        (HANDS + "space deck: crystal-01", "position:5: space deck: has 1 cards, the rounds to come need 24"),
        (HANDS + "danger deck: flight-1", "position:5: danger deck: has 1 cards, 3 are still needed"),
        (HANDS + "deal: md5 1", "position:5: deal: not a deal generator: 'md5 1'"),
        ("seats: 2\n0 hand: crew-01\n1 hand: crew-02 crew-03", "position:3: 0 hand: all hands have"),
        ("seats: 2", "position: 0 hand: a hand has 1 to 6 cards in the pick phase"),
        ("seats: 2\nphase: ships\ncoin: left", "position:4: coin: the coin is flipped after the ships"),
        ("seats: 2\nphase: ships\n1 ship: ravens ravens", "position:3: phase: ships are chosen"),
        ("seats: 2\nphase: over\nround: 2", "position:4: round: the game is over after round 3"),
        ("seats: 2\nphase: over\n0 answer: bid 0", "position:4: 0 answer: this seat is not asked"),
        (BIDS + "0 answer: bid 2", "position:8: 0 answer: 'bid 2' is no legal answer here"),
        (BIDS + "0 scanned: fight-1", "position:8: 0 scanned: looks last until the Danger card is revealed"),
        (DW + "0 bid: 1", "position:7: 0 bid: '1' is not a whole number from 0 to 0"),
        (DW + "0 damage: fire 2", "position:5: phase: nobody is left to answer"),
        (HANDS + "card crew-01: crew", "position:5: card crew-01: a card has this id already"),
        (HANDS + "card deck: crew", "position:5: card deck: 'deck' is no id"),
        (HANDS + "card x: crew green", "position:5: card x: a crew has 0 attributes"),
        (HANDS + "card x: robot-part green arm", "position:5: card x: 'arm' is not one of head, torso, legs"),
        (HANDS + "card x: moon", "position:5: card x: begin with one of scanner, robot-part"),
        (HANDS + "danger d: flight; clear", "position:5: danger d: write flight or fight and 4 rows"),
        (HANDS + "danger d: flight; 0 damage", "position:5: danger d: row '0 damage' is not 'clear'"),
        (HANDS + "constant moons: 3", "position:5: constant moons: is none of rounds, hand"),
        (HANDS + "constant rounds: 0", "position:5: constant rounds: must be at least 1"),
        (HANDS + "constant robot-bonus: many", "position:5: constant robot-bonus: 'many' is not"),
    ],
)
def test_a_bad_position_is_told_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        at(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_another_game_s_position_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^here:1: game: a position of this game says 'game: space-race'$"):
        GAME.read_position("game: chess\nseats: 2", where="here")


@given(st.text(max_size=80))
def test_no_text_makes_the_reader_crash(text: str) -> None:
    """Any text is a position or a move, or BadInput in one line; every other exception fails the test."""
    complaints: list[str] = []
    for prefix in ("", "game: space-race\nseats: 2\n", "game: space-race\n" + HANDS + "0 "):
        try:
            GAME.read_position(prefix + text)
        except BadInput as why:
            complaints.append(str(why))
    try:
        GAME.read_move(start("x", 2), text)
    except BadInput as why:
        complaints.append(str(why))
    assert not any("\n" in complaint for complaint in complaints)


@pytest.mark.parametrize(
    "text",
    [
        *("", "pass", "pick", "pick crew-01", "pick crew-01 sideways", "pick CREW up"),
        *("bid", "bid -1", "bid x", "bid 10000", "bid ٣"),
        *("repair", "repair fire", "repair fire 32", "repair ice 1", "repair fire 1 fire 1"),
        *("ship ravens", "ship ravens moon"),
    ],
)
def test_what_is_no_move_is_told_in_one_line(text: str) -> None:
    with pytest.raises(BadInput, match=re.escape(repr(text))):
        GAME.read_move(start("x", 2), text)


def test_a_number_that_packs_no_move_has_no_text() -> None:
    with pytest.raises(ValueError, match="is no move"):
        GAME.move_text(start("x", 2), pick_move(72, 0))


def test_a_score_of_minus_two_is_not_taken_for_a_gap() -> None:
    effect = Effect(GAME_SCORED, 0, [0, 0, 0, 0, 0, 0, 0, 0, -2, -2])
    assert GAME.effect_text(start("x", 2), effect).endswith("damage -2, total -2")


def test_the_worked_example_of_the_document_runs() -> None:
    position, moves, after = re.findall(r"```text\n(.*?)```", DOCUMENT, flags=re.DOTALL)[-3:]
    state = GAME.read_position(position)
    do(state, *moves.splitlines())
    expected = GAME.read_position(after)
    assert GAME.position_text(state) == GAME.position_text(expected)
    totals = [int(number) for number in re.findall(r"total (-?\d+)", DOCUMENT)]
    assert [score.total for score in GAME.score(state)] == totals


def test_the_document_names_every_line_and_every_refusal() -> None:
    for key in ("game", "pack", "seats", "round", "pick", "phase", "coin", "danger", "deal"):
        assert f"`{key}:" in DOCUMENT
    for key in ("ship", "hand", "up", "fuel", "crew", "damage", "bid", "answer", "scanned"):
        assert f"`0 {key}:" in DOCUMENT
    for code in ("OVER", "MALFORMED", "SEAT", "PHASE", "SHIP", "CARD", "BID", "REPAIR"):
        assert f"| {code} " in DOCUMENT
