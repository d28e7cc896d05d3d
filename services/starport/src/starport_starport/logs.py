"""Where the services of this process write their log: standard error of `up`, a file while a person plays."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import structlog

from starport_chassis import CannotStart, Settings, configure_logging, load
from starport_starport.problems import Problem

LOG_BYTES_MAX = 10 * 1024 * 1024


@contextmanager
def logs_on(stream: TextIO) -> Iterator[None]:
    """Level and format as the environment says (STARPORT_LOG_LEVEL, STARPORT_LOG_FORMAT)."""
    try:
        settings = load(Settings)
    except CannotStart as why:
        raise Problem(str(why), why.exit_code) from None
    handlers, level = logging.root.handlers[:], logging.root.level
    configure_logging(settings, stream)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
        structlog.reset_defaults()


@contextmanager
def logs_in(path: Path) -> Iterator[None]:
    """Into a file, not over the table; it begins anew when it has grown big."""
    try:
        big = path.exists() and path.stat().st_size > LOG_BYTES_MAX
        file = path.open("w" if big else "a", encoding="utf-8")
    except OSError as why:
        raise Problem(f"{path}: cannot be written: {why.strerror}; name another folder with --data") from None
    with file, logs_on(file):
        yield
