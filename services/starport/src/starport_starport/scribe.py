"""What a game needs to be shown in a terminal: its table, its questions and its news, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import RenderableType
from rich.text import Text

from starport.v1 import match_pb2
from starport_games.kernel.effects import Effect

SEAT_STYLES = ("bold cyan", "bold yellow", "bold magenta", "bold green", "bold red")
DIM = "dim"


@dataclass(frozen=True, slots=True)
class Cast:
    """Who sits where, and as whom we look; a spectator looks as None."""

    names: tuple[str, ...]
    own: int | None

    def name(self, seat: int) -> str:
        """As part of a table."""
        return "you" if seat == self.own else self.names[seat]

    def subject(self, seat: int) -> Text:
        """At the beginning of a sentence."""
        name = self.name(seat)
        return Text(name[:1].upper() + name[1:], style=self.style(seat))

    def style(self, seat: int) -> str:
        return SEAT_STYLES[seat % len(SEAT_STYLES)]


@dataclass(frozen=True, slots=True)
class News:
    """One fact in words, without its subject. Small ones are told in the log only."""

    words: str
    seat: int | None = None
    small: bool = False


class Scribe(Protocol):
    """Turns views of one table into what a person reads. Never gets more than a view."""

    def table(self, view: Any, cast: Cast) -> RenderableType: ...

    def question(self, view: Any, cast: Cast) -> str:
        """What the own seat is asked."""

    def menu(self, view: Any, moves: Sequence[int]) -> RenderableType:
        """The answers, numbered from 1 in the given order."""

    def move_words(self, view: Any, move: int) -> str: ...

    def details(self, view: Any, move: int) -> RenderableType | None:
        """Everything about the card or planet that an answer is about."""

    def look_up(self, view: Any, words: str) -> RenderableType | None:
        """The same for a card or planet by its name or id."""

    def news(self, view: Any, effect: Effect, cast: Cast) -> News | None: ...

    def progress(self, view: Any) -> tuple[int, int, str]:
        """How far the match is: steps done, steps in all, and the same in words."""

    def rules(self) -> RenderableType:
        """The game in a few lines."""


def cast_of(seats: Sequence[match_pb2.SeatPlan], options: match_pb2.Options, own: int | None) -> Cast:
    """Names for all seats: people by theirs, bots numbered where there are several."""
    bots = sum(plan.kind == match_pb2.SEAT_KIND_HOUSE for plan in seats)
    names: list[str] = []
    seen = 0
    for plan in seats:
        if plan.kind != match_pb2.SEAT_KIND_HOUSE:
            names.append(plain(plan.name) or "a player")
            continue
        seen += 1
        names.append(f"{plan.bot} bot" if bots == 1 else f"{plan.bot} {seen}")
    if options.HasField("wild_space") and options.seats == 1:
        names[1:] = ["the Smuggler"]  # with a seat of its own or without
    return Cast(tuple(names), own)


def plain(text: str) -> str:
    """A name of others without anything that a terminal would obey."""
    return "".join(character for character in text if character.isprintable())


def paragraphs(text: str) -> Text:
    """Paragraphs of a longer text, each as one bullet that the terminal may break."""
    return Text("\n".join(f"• {' '.join(paragraph.split())}" for paragraph in text.strip().split("\n\n")))


def told(news: Sequence[News], cast: Cast) -> Text:
    """Several facts as a short story: one line for each run of facts about the same seat."""
    lines: list[Text] = []
    parts: list[tuple[str, int]] = []
    seat: int | None = None

    def close() -> None:
        if parts:
            words = " · ".join(text if times == 1 else f"{text} ×{times}" for text, times in parts)
            if seat is None:
                lines.append(Text(words[:1].upper() + words[1:]))
            else:
                lines.append(Text.assemble(cast.subject(seat), " ", words))
        parts.clear()

    for item in news:
        if item.seat != seat:
            close()
            seat = item.seat
        if parts and parts[-1][0] == item.words:
            parts[-1] = (item.words, parts[-1][1] + 1)
        else:
            parts.append((item.words, 1))
    close()
    return Text("\n").join(lines)
