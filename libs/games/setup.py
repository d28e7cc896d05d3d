"""Compiles the engines with mypyc where a C compiler is at hand; otherwise they run interpreted."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # build front ends do not put the project's folder there

from c_compiler import can_compile  # noqa: E402 - found by the line above

# The inner loops, and only they: a compiled class cannot be subclassed or patched by interpreted code.
COMPILED = [
    "starport_games/kernel/deal.py",
    "starport_games/kernel/digests.py",
    "starport_games/kernel/effects.py",
    "starport_games/space_race/codes.py",
    "starport_games/space_race/evolve.py",
    "starport_games/space_race/flow.py",
    "starport_games/space_race/pack.py",
    "starport_games/space_race/playout.py",
    "starport_games/space_race/rules.py",
    "starport_games/space_race/scoring.py",
    "starport_games/space_race/state.py",
    "starport_games/space_race/views.py",
    "starport_games/wild_space/absent.py",
    "starport_games/wild_space/baseline.py",
    "starport_games/wild_space/book.py",
    "starport_games/wild_space/codes.py",
    "starport_games/wild_space/legal.py",
    "starport_games/wild_space/playout.py",
    "starport_games/wild_space/scoring.py",
    "starport_games/wild_space/state.py",
    "starport_games/wild_space/turn.py",
    "starport_games/wild_space/views.py",
    "starport_games/wild_space/worth.py",
]


def extensions() -> list[Extension]:
    missing = [path for path in COMPILED if not (HERE / "src" / path).is_file()]
    if missing:
        sys.exit(f"setup.py: COMPILED lists files that do not exist: {', '.join(missing)}")
    if not can_compile():
        print("starport-games: no C compiler (or STARPORT_PURE=1): installing pure Python", file=sys.stderr)
        return []
    from mypyc.build import mypycify  # noqa: PLC0415 - a pure build must not need it

    os.chdir(HERE)
    os.environ["MYPYPATH"] = "src"  # the types of the whole package, wherever the build was started
    options = ["--config-file=", "--strict", "--explicit-package-bases", "--follow-imports=silent"]
    return mypycify(
        [*options, *(f"src/{path}" for path in COMPILED)],
        opt_level="3",
        group_name="starport_games",  # without it the shared library is named after a hash of the list
    )


setup(ext_modules=extensions())
