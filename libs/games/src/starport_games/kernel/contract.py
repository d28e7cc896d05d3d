"""The game contract: what a game must offer so that people, bots, hosts and tests can use it without knowing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from starport_games.kernel.deal import Deal
from starport_games.kernel.effects import Effect

S = TypeVar("S")
O = TypeVar("O")


class Duty(Enum):
    """Whether the match waits for a seat."""

    MUST = "must"  # the match stands still until this seat answers
    MAY = "may"  # the seat may act, others need not wait


class Decider(NamedTuple):
    """A seat that can answer now. Several at once is normal: their choices are simultaneous and secret."""

    seat: int
    duty: Duty = Duty.MUST


@dataclass(frozen=True)
class Refusal:
    """Why a move was not accepted: a code of the rules document and a sentence for people."""

    code: str
    why: str


@dataclass(frozen=True)
class SeatScore:
    """One line of the final count."""

    seat: int
    name: str  # "seat 0", "smuggler"
    parts: Mapping[str, int]
    total: int
    rank: int  # 1 is best; equal seats share it
    won: bool


class Game(Protocol[S, O]):
    """A game is a stateless object of functions over its own State. Moves are plain ints (see `move_text`)."""

    name: str  # "wild-space"; what the `game:` line of a position says
    title: str  # for people
    seat_counts: range

    def options(self, settings: Mapping[str, str], content_path: Path | None = None) -> O:
        """The options of a table from text settings, with the card file of the table; BadInput names what is wrong."""

    def start(self, options: O, seats: int, deal: Deal) -> S:
        """The first position. Uses `deal` from now on as the match's own generator."""

    def opening(self, state: S) -> list[Effect]:
        """The facts of the set-up, for the log's first record."""

    def deciders(self, state: S) -> Sequence[Decider]:
        """The exact set of seats that can answer now; empty when the game is over."""

    def legal(self, state: S, seat: int) -> list[int]:
        """Every move that would be accepted from this seat now, and no other."""

    def play(self, state: S, seat: int, move: int) -> list[Effect] | Refusal:
        """Change the state, or refuse and leave everything as it was, generator included."""

    def step(self, state: S, seat: int, move: int) -> None:
        """`play` for search: no check and no effects, for moves taken from `legal`."""

    def over(self, state: S) -> bool: ...

    def view(self, state: S, viewer: int) -> S:
        """The one exit for secrets: the same shape with gaps. Viewer is a seat or SPECTATOR."""

    def score(self, state: S) -> list[SeatScore]:
        """The count as it stands, with its parts."""

    def default(self, state: S, seat: int) -> int:
        """The answer given for a seat that is absent."""

    def digest(self, state: S) -> str:
        """SHA-256 of the whole position; salted by the generator's key, so it tells nobody a hand."""

    def clone(self, state: S) -> S: ...

    def same(self, state: S, other: S) -> bool:
        """Equal in everything that can ever matter, the generator included."""

    def canonical(self, state: S, move: int) -> int:
        """The form in which `legal` lists a move that may be written in more than one way."""

    def move_space(self, state: S) -> Iterator[int]:
        """Every move that could ever be written down, legal or not; for tests that must miss nothing."""

    def move_text(self, state: S, move: int) -> str: ...

    def read_move(self, state: S, text: str) -> int:
        """BadInput if this is no move of the game at all; anything else is for `play` to judge."""

    def effect_text(self, state: S, effect: Effect) -> str: ...

    def position_text(self, state: S) -> str: ...

    def read_position(self, text: str, content_path: Path | None = None, where: str = "position") -> S: ...
