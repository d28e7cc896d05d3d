"""Says whether compiled extensions can be built here: `python c_compiler.py` prints `compiled` or `pure`."""

from __future__ import annotations

import contextlib
import io
import os
import sysconfig
import tempfile
from pathlib import Path


def can_compile() -> bool:
    """Whether a C file that needs Python's headers compiles; STARPORT_PURE=1 says no."""
    if os.environ.get("STARPORT_PURE", "0") not in ("", "0"):
        return False
    # setuptools brings distutils and chooses the compiler: ask the very code that would build.
    import setuptools  # noqa: F401, I001, PLC0415 - must come before distutils
    from distutils.ccompiler import new_compiler  # noqa: PLC0415
    from distutils.errors import CCompilerError, DistutilsError  # noqa: PLC0415
    from distutils.sysconfig import customize_compiler  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\nint probe(void) { return PY_MAJOR_VERSION; }\n")
        compiler = new_compiler()
        customize_compiler(compiler)
        try:
            compiler.compile([str(source)], output_dir=folder, include_dirs=[sysconfig.get_path("include")])
        except (CCompilerError, DistutilsError, OSError):
            return False
    return True


if __name__ == "__main__":
    print("compiled" if can_compile() else "pure")
