"""Where the services of this process write their log while a person plays: into a file, not over the table."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from starport_chassis import Settings, configure_logging
from starport_starport.problems import Problem


@contextmanager
def logs_in(path: Path) -> Iterator[None]:
    """The log of this run; the one before is overwritten."""
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as why:
        raise Problem(f"{path}: cannot be written: {why.strerror}; name another folder with --data") from None
    handlers, level = logging.root.handlers[:], logging.root.level
    with file:
        configure_logging(Settings(), file)
        try:
            yield
        finally:
            logging.captureWarnings(False)
            logging.root.handlers[:] = handlers
            logging.root.setLevel(level)
            structlog.reset_defaults()
