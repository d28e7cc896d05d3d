"""The terminal: output through rich, and lines from the keyboard without blocking the services in this process."""

from __future__ import annotations

import asyncio
import os
from typing import Protocol

from rich.console import Console, RenderableType
from rich.text import Text

STDIN = 0
READ_BYTES = 4096
LINE_CHARS_MAX = 1000  # longer lines are cut; nobody types them


class Keyboard(Protocol):
    async def line(self) -> str | None:
        """The next line without its end; None when nothing more will come."""


class Stdin:
    """Standard input, a terminal, a pipe or a file. Waiting for a line can be cancelled and loses nothing."""

    def __init__(self, descriptor: int = STDIN) -> None:
        self._descriptor = descriptor
        self._waiting = b""
        self._ended = False

    async def line(self) -> str | None:
        while b"\n" not in self._waiting and not self._ended:
            await self._readable()
            try:
                data = os.read(self._descriptor, READ_BYTES)
            except OSError:  # closed, or its terminal is gone
                data = b""
            self._ended = not data
            self._waiting += data
            if len(self._waiting) > READ_BYTES * LINE_CHARS_MAX:
                self._waiting = self._waiting[-READ_BYTES:]
        if not self._waiting:
            return None
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line.decode(errors="replace").strip()[:LINE_CHARS_MAX]

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        try:
            loop.add_reader(self._descriptor, ready.set)
        except OSError:  # a file, or nothing at all: reading does not wait
            return
        try:
            await ready.wait()
        finally:
            loop.remove_reader(self._descriptor)


class Terminal:
    """What a person sees and types."""

    def __init__(self, console: Console, keyboard: Keyboard) -> None:
        self.console = console
        self._keyboard = keyboard

    @property
    def lively(self) -> bool:
        """Whether screens may be drawn over each other; otherwise everything is printed once, for pipes and logs."""
        return self.console.is_terminal and not self.console.is_dumb_terminal

    def say(self, *things: RenderableType) -> None:
        for thing in things:
            self.console.print(Text(thing) if isinstance(thing, str) else thing, highlight=False)

    def fresh(self) -> None:
        if self.lively:
            self.console.clear()

    async def ask(self, prompt: str) -> str | None:
        self.console.print(Text(f"{prompt} ", style="bold"), end="")
        self.console.file.flush()
        line = await self._keyboard.line()
        if line is None or not self.lively:
            self.console.print()  # nobody's Enter ended the prompt's line
        return line


def open_terminal() -> Terminal:
    """Colours where standard output is a terminal and NO_COLOR does not forbid them."""
    return Terminal(Console(highlight=False, soft_wrap=False), Stdin())
