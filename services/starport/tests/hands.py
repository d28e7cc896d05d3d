"""A scripted person at a terminal, and commands as processes of their own."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.console import Console

from starport_starport.folder import DataFolder
from starport_starport.sessions import Wishes, play
from starport_starport.terminal import Terminal

COMMAND = (sys.executable, "-m", "starport_starport")
PROCESS_S = 40.0
PLAY_S = 40.0
READY = "Starport listens on "


class Typist:
    """Types these lines, then nothing more."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)

    async def line(self) -> str | None:
        await asyncio.sleep(0)
        return next(self._lines, None)


class Screen:
    """What was printed, as text."""

    def __init__(self, lines: Iterable[str], typist: Typist | None = None) -> None:
        self._file = io.StringIO()
        console = Console(file=self._file, width=100, highlight=False, color_system=None, force_terminal=False)
        self.terminal = Terminal(console, typist or Typist(lines))

    @property
    def text(self) -> str:
        return self._file.getvalue()


async def played(folder: Path, lines: Iterable[str], wishes: Wishes | None = None) -> str:
    """One `starport play` in this process."""
    screen = Screen(lines)
    try:
        async with asyncio.timeout(PLAY_S):
            assert await play(wishes or Wishes(name="Ada"), DataFolder(folder), screen.terminal) == 0
    except TimeoutError:
        log = DataFolder(folder).log.read_text()
        raise AssertionError(f"not over after {PLAY_S} s:\n{screen.text[-3000:]}\n{log[-3000:]}") from None
    return screen.text


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STARPORT_")}
    return kept | {"PYTHONUNBUFFERED": "1", "COLUMNS": "100"} | more


@contextmanager
def server(folder: Path, address: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`starport up` in a process of its own, and its address; stopped if the test leaves it running."""
    command = (*COMMAND, "up", "--data", str(folder), "--port", address.rpartition(":")[2] or "0")
    with (
        (folder.parent / "up.log").open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment()) as process,
    ):
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            assert first.startswith(READY), first
            yield process, first.removeprefix(READY).split(",")[0]
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait(PROCESS_S)


def starport(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (*COMMAND, *arguments),
        input=typed,
        capture_output=True,
        text=True,
        timeout=PROCESS_S,
        env=environment(),
        check=False,
    )


def stores_in(folder: Path) -> list[str]:
    """Store processes that work below this folder."""
    found: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile, or is not ours
            where = (process / "cwd").readlink()
            if where.is_relative_to(folder) and "valkey" in (process / "cmdline").read_text():
                found.append(process.name)
    return found
