"""Puts the generated code of the schema into wheels and editable installs; pyproject.toml says the rest."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # build front ends do not put the project's folder there

from generate import OUT, generate, schema, stale  # noqa: E402 - found by the line above

# Before setup(), which looks for packages. A source distribution has no schema, but the code that was made from it.
if schema():
    if stale():
        generate()
elif not (OUT / "starport" / "v1").is_dir():
    sys.exit("starport-wire: no schema in ../../proto and no generated code: build from the whole repository")

setup()
