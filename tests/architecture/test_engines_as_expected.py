"""The compiled run is compiled and the interpreted run is interpreted, so that nothing is tested twice."""

from __future__ import annotations

import ast
import os
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXPECT = "STARPORT_EXPECT"  # set by the Makefile: compiled | pure


def compiled_modules() -> list[str]:
    """What the COMPILED list of setup.py names; read, not imported, for importing it would build."""
    tree = ast.parse((ROOT / "libs/games/setup.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "COMPILED":
            paths: list[str] = ast.literal_eval(node.value)
            return [path.removesuffix(".py").replace("/", ".") for path in paths]
    raise AssertionError("setup.py has no COMPILED list")


@pytest.mark.parametrize("name", compiled_modules())
def test_module_runs_as_this_run_says(name: str) -> None:
    expected = os.environ.get(EXPECT)
    if expected is None:
        pytest.skip(f"{EXPECT} is not set: this run promises nothing (make test does)")
    assert expected in ("compiled", "pure")
    file = import_module(name).__file__
    assert file is not None
    assert file.endswith(tuple(EXTENSION_SUFFIXES)) == (expected == "compiled"), f"{name} is {file}"


def test_deal_is_among_the_compiled_modules() -> None:
    assert "starport_games.kernel.deal" in compiled_modules()
