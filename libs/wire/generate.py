"""Generates the Python code of the schema (proto/) with its types, into libs/wire/src/starport/v1."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import grpc_tools
from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
PROTO = HERE.parents[1] / "proto"
OUT = HERE / "src"


def generate() -> None:
    files = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    if not files:
        sys.exit(f"generate.py: no .proto files in {PROTO}")
    shutil.rmtree(OUT / "starport", ignore_errors=True)
    code = protoc.main(
        [
            "protoc",
            f"--proto_path={PROTO}",
            f"--proto_path={Path(grpc_tools.__file__).parent / '_proto'}",
            f"--python_out={OUT}",
            f"--grpc_python_out={OUT}",
            f"--mypy_out=quiet:{OUT}",
            f"--mypy_grpc_out=quiet:{OUT}",
            f"--plugin=protoc-gen-mypy={Path(sys.executable).parent / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={Path(sys.executable).parent / 'protoc-gen-mypy_grpc'}",
            *files,
        ]
    )
    if code:
        sys.exit(f"generate.py: protoc failed with {code}")
    for package in (OUT / "starport", OUT / "starport" / "v1"):
        (package / "__init__.py").write_text("")
        (package / "py.typed").write_text("")


if __name__ == "__main__":
    generate()
