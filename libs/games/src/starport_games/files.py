"""Reads text that a person names on the command line; every fault is one clear line."""

from __future__ import annotations

import sys
from pathlib import Path

from starport_games.kernel.errors import BadInput

FILE_BYTES_MAX = 1 << 20


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`."""
    where = label(name)
    try:
        raw = sys.stdin.buffer.read(FILE_BYTES_MAX + 1) if name == "-" else _read_file(Path(name))
    except (OSError, ValueError) as why:
        reason = why.strerror if isinstance(why, OSError) and why.strerror else str(why)
        raise BadInput(f"{where}: cannot be read: {reason}") from None
    if len(raw) > FILE_BYTES_MAX:
        raise BadInput(f"{where}: larger than {FILE_BYTES_MAX} bytes")
    try:
        return raw.decode()
    except UnicodeDecodeError as why:
        raise BadInput(f"{where}: not UTF-8 text (byte {why.start})") from None


def label(name: str) -> str:
    return "standard input" if name == "-" else name


def _read_file(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise ValueError("it is not a file")
    with path.open("rb") as file:
        return file.read(FILE_BYTES_MAX + 1)
