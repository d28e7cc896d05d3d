"""The games import only the standard library; import-linter cannot say "nothing else", so this does."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "libs/games/src"
FILES = sorted(path.relative_to(SRC).as_posix() for path in SRC.rglob("*.py"))


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "starport_games" if node.level else node.module or ""


def foreign(source: str) -> list[str]:
    tops = {name.partition(".")[0] for name in imported(source)}
    return sorted(tops - sys.stdlib_module_names - {"starport_games"})


@pytest.mark.parametrize("file", FILES)
def test_imports_only_the_standard_library(file: str) -> None:
    assert foreign((SRC / file).read_text(encoding="utf-8")) == []


def test_a_foreign_import_is_seen() -> None:
    source = "import json\ndef f():\n    from mypy_extensions import i64\nfrom . import kernel\n"
    assert foreign(source) == ["mypy_extensions"]
