"""The commands as a person runs them: what they print, and one clear line for whatever is wrong."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from starport_games.cli import main

DOCS = Path(__file__).resolve().parents[3] / "docs"
SHORT = "game: wild-space\nseats: 2\n0 hand: owl-01\npool: owl-02 owl-03 owl-04\npile: owl-05 owl-06\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    told = capsys.readouterr()
    return code, told.out, told.err


def example(page: str, kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE)
    assert found, f"{page} has no example of {kind}"
    return found[1]


def test_the_example_of_the_docs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where, moves = tmp_path / "p.txt", tmp_path / "m.txt"
    where.write_text(example("notation.md", "position"))
    moves.write_text(example("notation.md", "moves"))
    code, out, _ = run(capsys, "position", str(where), "--moves", str(moves))
    assert code == 0
    assert out.startswith(example("notation.md", "output"))
    assert "stack: end | triggers x1 square draw 2" in out
    assert "0: square" in out
    assert "seat 0: 5 (species 5," in out


def test_json_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where, moves = tmp_path / "p.txt", tmp_path / "m.txt"
    where.write_text(example("notation.md", "position"))
    moves.write_text(example("notation.md", "moves"))
    _, out, _ = run(capsys, "position", str(where), "--moves", str(moves), "--json")
    told = json.loads(out)
    assert [answer.get("code") for answer in told["moves"]] == [
        "CARD",
        "SEAT",
        None,
        "PAYMENT",
        None,
        "SOURCE",
        None,
    ]
    assert told["moves"][2]["effects"] == ["0: put-into-play x1", "0: token-moved 1"]
    assert told["deciders"] == [{"seat": 0, "duty": "must"}]
    assert "square" in told["legal"]["0"]
    assert told["score"][0]["parts"]["species"] == 5
    where.write_text(told["position"])
    _, again, _ = run(capsys, "position", str(where), "--json")
    assert json.loads(again)["position"] == told["position"]


def test_a_view_hides_and_goes_in_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = tmp_path / "p.txt"
    where.write_text(SHORT)
    _, out, _ = run(capsys, "position", str(where), "--view", "1", "--json")
    told = json.loads(out)
    assert "0 hand: ?\n" in told["position"]
    assert "stack: ?" in told["position"]
    assert told["legal"] == {}
    where.write_text(told["position"])
    _, again, _ = run(capsys, "position", str(where), "--json")
    assert json.loads(again)["position"] == told["position"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SHORT.encode())))
    code, out, _ = run(capsys, "position", "-")
    assert code == 0
    assert "0: land H1 left\n" in out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no 'game:' line"),
        ("hello", "p.txt:1: 'hello' is not a 'key: value' line"),
        ("game: chess", "p.txt:1: game: there is no game 'chess'"),
        ("seats: 2\ngame: wild-space", "begins with the line 'game: wild-space'"),
        (SHORT + "seats: 3", "p.txt:6: seats stands twice"),
        (SHORT + "colour: red", "p.txt:6: unknown key 'colour'"),
        (SHORT + "1 hand: owl-01", "p.txt:6: 1 hand: owl-01 lies in '0 hand' already"),
        (SHORT + "1 hand: nobody", "p.txt:6: 1 hand: the set has no card 'nobody'"),
        (SHORT + "1 token: 99", "p.txt:6: 1 token: '99' is not a whole number from 0 to"),
        (SHORT + "1 ships: P3", "p.txt:6: 1 ships: 'P3' is no ship"),
        (SHORT + "1 captain: owl-09", "p.txt:6: 1 captain: owl-09 is no captain"),
        (SHORT + "planets: P3=six-1", "p.txt:6: planets: six-1 is no planet of tier 3"),
        (SHORT + "stack: play any", "p.txt:6: stack: a stack begins with ship, end, smuggler or over"),
        (SHORT + "stack: end | dance", "p.txt:6: stack: 'dance' is no frame"),
        (SHORT + "deal: dice", "p.txt:6: deal: not a deal generator"),
        (SHORT + "set: mine@3", "p.txt:6: set: the cards at hand are frontier@1"),
        (SHORT + "card x1: specialist owl owl", "p.txt:6: card x1:"),
        (SHORT + "card x1: specialist owl pilot; remove -> take", "p.txt:6: card x1:"),
        (SHORT + "hostile shown: hostile-01", "p.txt:6: unknown key 'hostile shown'"),
        ("game: wild-space\nseats: 9", "p.txt:2: seats: '9' is not a whole number from 1 to 5"),
        ("game: wild-space\nseats: 1\nactive: smuggler", "the smuggler cannot move"),
        ("  indented", "needs a 'key: value' line above"),
    ],
)
def test_bad_positions(text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = tmp_path / "p.txt"
    where.write_text(text)
    code, out, err = run(capsys, "position", str(where))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert why in err


def test_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "latin"
    broken.write_bytes(b"game: \xff")
    for name, why in (
        (str(tmp_path / "none"), "cannot be read"),
        (str(tmp_path), "not a file"),
        (str(broken), "UTF-8"),
    ):
        code, _, err = run(capsys, "position", name)
        assert code == 2
        assert err.count("\n") == 1
        assert why in err


@pytest.mark.parametrize(
    ("moves", "code", "why"),
    [
        ("fly away", "MALFORMED", "'fly away' is no move"),
        ("land P3", "MALFORMED", "is no move"),
        ("land H1 top", "MALFORMED", "there is no sector 'top'"),
        ("draw pool two", "MALFORMED", "not a whole number"),
        ("7: end-turn", "SEAT", "no decision"),
        ("play " + "x" * 500, "MALFORMED", "at most"),
    ],
)
def test_bad_moves_are_refusals(
    moves: str, code: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, lines = tmp_path / "p.txt", tmp_path / "m.txt"
    where.write_text(SHORT)
    lines.write_text(moves)
    _, out, _ = run(capsys, "position", str(where), "--moves", str(lines), "--json")
    answer = json.loads(out)["moves"][0]
    assert answer["code"] == code
    assert why in answer["why"]


def test_moves_after_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where, lines = tmp_path / "p.txt", tmp_path / "m.txt"
    where.write_text(SHORT + "stack: over")
    lines.write_text("end-turn\n0: nonsense\n1: end-turn")
    _, out, _ = run(capsys, "position", str(where), "--moves", str(lines), "--json")
    assert [answer["code"] for answer in json.loads(out)["moves"]] == ["OVER"] * 3


def test_a_seat_is_needed_when_several_are_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, dealt, _ = run(capsys, "new", "--game", "space-race", "--seats", "2")
    where, lines = tmp_path / "p.txt", tmp_path / "m.txt"
    where.write_text(dealt)
    lines.write_text("bid 3")
    code, _, err = run(capsys, "position", str(where), "--moves", str(lines))
    assert code == 2
    assert "seats 0, 1 are asked at once" in err


def test_a_gap_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where, lines = tmp_path / "p.txt", tmp_path / "m.txt"
    where.write_text(SHORT.replace("pile: owl-05 owl-06", "pile: ?*2") + "stack: end | draw 1")
    lines.write_text("draw pile")
    code, _, err = run(capsys, "position", str(where), "--moves", str(lines))
    assert code == 2
    assert "draw pile: this position does not tell" in err


@pytest.mark.parametrize("game", ["wild-space", "space-race"])
def test_new_is_a_position(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, dealt, _ = run(capsys, "new", "--game", game, "--seats", "2", "--seed", "tuesday")
    assert code == 0
    where = tmp_path / "p.txt"
    where.write_text(dealt)
    _, out, _ = run(capsys, "position", str(where))
    assert dealt in out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--seats", "6"], "1 to 5 seats"),
        (["--option", "difficulty=brutal"], "difficulty: 'brutal'"),
        (["--option", "colour=red"], "no setting 'colour'"),
        (["--option", "first"], "KEY=VALUE"),
        (["--set", "missing.toml"], "missing.toml"),
        (["--game", "space-race", "--seats", "5"], "2 to 4 seats"),
    ],
)
def test_bad_tables(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "new", *arguments)
    assert code == 2
    assert err.count("\n") == 1
    assert why in err


def test_a_set_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = Path(sys.modules["starport_games.cli"].__file__ or "").parent / "wild_space" / "cards.toml"
    mine = tmp_path / "mine.toml"
    mine.write_text(shipped.read_text().replace('id = "frontier"', 'id = "mine"', 1))
    code, dealt, _ = run(capsys, "new", "--set", str(mine))
    assert code == 0
    assert "set: mine@1" in dealt
    where = tmp_path / "p.txt"
    where.write_text(dealt)
    assert run(capsys, "position", str(where))[0] == 2
    assert run(capsys, "position", str(where), "--set", str(mine))[0] == 0


def test_validate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "validate")[0] == 0
    assert run(capsys, "validate", "--game", "space-race")[0] == 0
    broken = tmp_path / "broken.toml"
    broken.write_text("[set")
    code, out, _ = run(capsys, "validate", str(broken))
    assert code == 1
    assert "broken.toml" in out


def answers(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, moves: str = "") -> tuple[int, str, str]:
    where, played = tmp_path / "p.txt", tmp_path / "m.txt"
    where.write_text(text)
    played.write_text(moves)
    return run(capsys, "position", str(where), "--moves", str(played))


def test_a_smuggler_without_planets_has_no_turns_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "game: wild-space\nseats: 1\nactive: smuggler\nhostile shown: hostile-01*\npool: owl-01 owl-02 owl-03\n"
    text += "0 ships: H1.left* H1.right* H2.left* H2.right* P3.left*\n"
    code, out, _ = answers(capsys, tmp_path, text, "smuggler-explore hostile-01\n")
    assert code == 0
    assert "active: 0" in out
    code, out, _ = answers(
        capsys, tmp_path, text + "0 turns: 9\n", "smuggler-explore hostile-01\npass-turn\nend-turn\n"
    )
    assert code == 0
    assert "# the game is over" in out


def test_six_hostile_planets_are_one_too_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    planets = " ".join(f"hostile-{n:02}" for n in range(1, 7))
    code, _, err = answers(capsys, tmp_path, f"game: wild-space\nseats: 1\nhostile shown: {planets}\n")
    assert code == 2
    assert err.count("\n") == 1
    assert "at most 5 hostile planets" in err


def test_an_unknown_hand_has_no_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "game: wild-space\nseats: 2\n0 hand: ?*3\npool: owl-02 owl-03 owl-04\npile: owl-05 owl-06\n"
    code, out, _ = answers(capsys, tmp_path, text)
    assert code == 0
    assert "# legal answers of seat 0: 0" in out
    code, _, err = answers(capsys, tmp_path, text + "stack: end\n")
    assert code == 2
    assert "the hand of the active player has gaps" in err


def test_a_turn_that_passes_to_an_unknown_hand_asks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answers(capsys, tmp_path, SHORT + "1 hand: ?*2\nstack: end\n", "end-turn\n")
    assert code == 0
    assert "active: 1" in out
    assert "# legal answers of seat 1: 0" in out
