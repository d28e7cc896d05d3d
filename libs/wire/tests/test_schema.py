"""The schema itself: clean, explained, complete, and readable by everyone who could read the last committed one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from starport.v1 import space_race_pb2, wild_space_pb2
from starport_games.space_race import facts as race_facts
from starport_games.wild_space import grammar
from starport_games.wild_space import moves as wild_moves

ROOT = Path(__file__).parents[3]
PROTO = ROOT / "proto"
FILES = sorted(PROTO.rglob("*.proto"))
GAME_FILES = ("wild_space.proto", "space_race.proto")
BUF = Path(sys.executable).parent / "buf"
BASE = os.environ.get("STARPORT_SCHEMA_BASE", "HEAD")  # a release may be named here, to compare with that
RUN_S_MAX = 120


def buf(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BUF_CACHE_DIR": str(tmp_path / "cache")}
    return subprocess.run(
        [BUF, *arguments], cwd=PROTO, env=environment, capture_output=True, text=True, timeout=RUN_S_MAX, check=False
    )


def committed(tmp_path: Path) -> Path:
    """The schema of the base commit; where there is none yet, or no repository at all, the one that is here.

    `git archive` asks nothing of the repository but that commit: shallow clones and work trees will do.
    """
    archive = subprocess.run(
        ["git", "archive", BASE, "proto"],  # noqa: S607 - the git that the developer uses
        cwd=ROOT,
        capture_output=True,
        timeout=RUN_S_MAX,
        check=False,
    )
    if archive.returncode:
        return PROTO
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        tar.extractall(tmp_path / "committed", filter="data")
    return tmp_path / "committed" / "proto"


def test_buf_has_nothing_to_say(tmp_path: Path) -> None:
    told = buf(tmp_path, "lint")
    assert told.returncode == 0, told.stdout + told.stderr


def test_nothing_that_was_committed_is_broken(tmp_path: Path) -> None:
    told = buf(tmp_path, "breaking", ".", "--against", str(committed(tmp_path)))
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_comparison_would_notice(tmp_path: Path) -> None:
    """A test that compares with itself by mistake would be green for ever."""
    older = tmp_path / "older"
    shutil.copytree(committed(tmp_path), older)
    match = older / "starport" / "v1" / "match.proto"
    match.write_text(match.read_text(encoding="utf-8").replace("uint32 seats = 3;", "string seats = 3;"))
    told = buf(tmp_path, "breaking", ".", "--against", str(older))
    assert told.returncode != 0
    assert 'Field "3"' in told.stdout


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_opens_with_what_it_is_for(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("// ")
    assert len(first) > 20


@pytest.mark.parametrize("name", GAME_FILES)
def test_game_files_speak_to_bot_authors(name: str) -> None:
    text = (PROTO / "starport" / "v1" / name).read_text(encoding="utf-8")
    assert "For bot authors: docs/rules/" in text
    assert "(a gap)" in text
    for message in ("Move", "Fact", "State"):
        assert re.search(rf"^// .*\nmessage \w+{message} \{{", text, re.MULTILINE), f"{message} is not explained"


def test_every_fact_of_the_engines_has_a_message() -> None:
    wild = [name.replace("-", "_") for name, *_ in wild_moves.FACTS]
    assert [field.name for field in wild_space_pb2.WildSpaceFact.DESCRIPTOR.fields] == wild
    race = [re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name, _ in race_facts.FACTS]
    assert [field.name for field in space_race_pb2.SpaceRaceFact.DESCRIPTOR.fields] == race


def test_filters_are_those_of_the_grammar() -> None:
    names = [f"CARD_FILTER_{word.replace('-', '_').upper()}" for word in grammar.FILTERS]
    assert wild_space_pb2.CardFilter.keys() == ["CARD_FILTER_UNSPECIFIED", *names]


@pytest.mark.slow
def test_a_wheel_contains_the_generated_code(tmp_path: Path) -> None:
    """Built from a copy, as from a fresh clone: no generated code and no build folders."""
    shutil.copytree(PROTO, tmp_path / "proto")
    leave_out = shutil.ignore_patterns("starport", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "libs" / "wire", tmp_path / "libs" / "wire", ignore=leave_out)
    command = ["pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [sys.executable, "-m", *command, "--wheel-dir", tmp_path / "dist", tmp_path / "libs" / "wire"],
        check=True,
        timeout=RUN_S_MAX,
    )
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
    for path in FILES:
        generated = f"starport/v1/{path.stem}_pb2"
        assert {f"{generated}.py", f"{generated}.pyi", f"{generated}_grpc.py"} <= names
    assert {"starport/v1/py.typed", "starport_wire/codec.py", "starport_wire/wild_space/game.py"} <= names


def test_the_readme_runs() -> None:
    text = (ROOT / "libs" / "wire" / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    subprocess.run([sys.executable, "-c", code], check=True, timeout=RUN_S_MAX)
