"""Generates the Python code of the schema (proto/) with its types, into libs/wire/src/starport/v1."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROTO = HERE.parents[1] / "proto"
OUT = HERE / "src"
WORK = HERE / "build" / "generated"  # complete before it takes the place of the old code
TOOLS = ("mypy", "mypy_grpc")


def generate() -> None:
    """Anew, whatever was there before."""
    # Imported late: this module also tells whether there is anything to generate, and then the tools may be missing.
    import grpc_tools  # noqa: PLC0415
    from grpc_tools import protoc  # noqa: PLC0415

    files = schema()
    if not files:
        sys.exit(f"generate.py: no .proto files in {PROTO}")
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    code = protoc.main(
        [
            "protoc",
            f"--proto_path={PROTO}",
            f"--proto_path={Path(grpc_tools.__file__).parent / '_proto'}",
            f"--python_out={WORK}",
            f"--grpc_python_out={WORK}",
            *(f"--plugin=protoc-gen-{tool}={plugin(tool)}" for tool in TOOLS),
            *(f"--{tool}_out=quiet:{WORK}" for tool in TOOLS),
            *(str(path.relative_to(PROTO)) for path in files),
        ]
    )
    if code:
        sys.exit(f"generate.py: protoc failed with {code}")
    for package in (WORK / "starport", WORK / "starport" / "v1"):
        (package / "__init__.py").write_text("")
        (package / "py.typed").write_text("")
    shutil.rmtree(OUT / "starport", ignore_errors=True)
    shutil.move(WORK / "starport", OUT / "starport")


def schema() -> list[Path]:
    return sorted(PROTO.rglob("*.proto"))


def plugin(tool: str) -> str:
    """Isolated builds have their scripts on PATH, a venv may be used without being activated."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(f"protoc-gen-{tool}", path=os.pathsep.join([beside, os.environ.get("PATH", "")]))
    if found is None:
        sys.exit(f"generate.py: there is no protoc-gen-{tool}; install mypy-protobuf")
    return found


def stale() -> bool:
    """Whether the schema is newer than its code."""
    made = OUT / "starport" / "v1" / "py.typed"
    written = [path.stat().st_mtime for path in (*schema(), Path(__file__))]
    return not made.is_file() or max(written) > made.stat().st_mtime


if __name__ == "__main__":
    generate()
