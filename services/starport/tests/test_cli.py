"""What is wrong on the command line is told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from starport_starport.cli import command

FREE_PORT_NOBODY_HAS = "127.0.0.1:1"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("play --seats 9", "from 1 to 5, not 9"),
        ("play --seats many", "--seats"),
        ("play --game chess", "'chess' is not one of"),
        ("play --bot clever", "'clever' is not one of"),
        ("play --game space-race --seats 1", "from 2 to 4, not 1"),
        ("play --game space-race --difficulty hard", "--difficulty is for Wild Space with one seat"),
        ("play --seats 2 --smuggler seat", "--smuggler is for Wild Space with one seat"),
        ("play --difficulty brutal", "'brutal' is not one of"),
        ("play --set {tmp}/none.toml", "none.toml: cannot be read: No such file"),
        ("play --set {tmp}", "cannot be read: Is a directory"),
        ("play --set {tmp}/bad.toml", "bad.toml: card file: not a TOML file"),
        ("play --set {tmp}/bytes.toml", "is not UTF-8"),
        ("play --set {tmp}/big.toml", "at most 131072 bytes"),
        ("play --seed-nonce " + "x" * 65, "--seed-nonce: at most 64 bytes"),
        (f"play --server {FREE_PORT_NOBODY_HAS}", "no Starport answers at 127.0.0.1:1"),
        ("play --server nonsense", "no Starport answers at nonsense"),
        ("play --data {tmp}/bad.toml", "cannot be the data folder: File exists"),
        ("play --name A --data {tmp}/data", "a name has 2 to 24 characters"),
        ("play --verbose", "No such option: --verbose"),
        ("up --port 99999", "less than or equal to 65535"),
        ("up --host nonsense.invalid --data {tmp}/data", "cannot listen on nonsense.invalid"),
        ("demo --seats 0", "from 1 to 5, not 0"),
        ("dance", "No such command 'dance'"),
    ],
)
def test_bad_options(arguments: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.toml").write_text("[set")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "big.toml").write_text("#" * 200_000)
    code = command(arguments.format(tmp=tmp_path).split())
    told = capfd.readouterr()
    lines = [line for line in told.err.splitlines() if not line.startswith("{")]  # services log, people read the rest
    assert code in (1, 2)
    assert len(lines) == 1, told.err
    assert lines[0].startswith("starport: ")
    assert says in lines[0]
    assert told.out == ""


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["--help"]) == 0
    assert "play" in capsys.readouterr().out
    assert command(["play", "--help"]) == 0
    assert "--seed-nonce" in capsys.readouterr().out
    assert command(["version"]) == 0
    assert capsys.readouterr().out[0].isdigit()


def test_no_command_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert command([]) == 2
    told = capsys.readouterr()
    assert "demo" in told.out
    assert told.err == ""
