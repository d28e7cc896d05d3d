"""Shares long work out among processes, and shows a person at a terminal how far it has come."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def share_out(work: Callable[[T], R], tasks: Sequence[T], workers: int) -> Iterator[tuple[T, R]]:
    """Each task with what came of it, as soon as it is done; with several workers that may be in any order."""
    if workers <= 1:
        for task in tasks:
            yield task, work(task)
        return
    # Spawned, not forked: the same on every system, and no worker inherits what the caller had open.
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupts)
    try:
        futures = {pool.submit(work, task): task for task in tasks}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:  # also when the caller stops early, or on Ctrl-C
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of the terminal; the parent alone answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def progress(text: str) -> None:
    """One line on standard error that the next call writes over; an empty text clears it."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()
