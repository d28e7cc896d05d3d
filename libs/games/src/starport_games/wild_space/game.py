"""Wild Space behind the game contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from starport_games.kernel.contract import Decider, Refusal, SeatScore
from starport_games.kernel.deal import Deal
from starport_games.kernel.digests import digest
from starport_games.kernel.effects import Effect
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.wild_space import (
    absent,
    content,
    legal,
    moves,
    notation,
    reading,
    scoring,
    setup,
    turn,
    views,
)
from starport_games.wild_space.codes import SEATS_MAX
from starport_games.wild_space.setup import DIFFICULTIES, WildSpaceOptions
from starport_games.wild_space.state import State
from starport_games.wild_space.tables import book_of

# By the numbers of codes.py. The words are fixed, so that a refusal tells nothing about the position (WS-INFO-16).
REFUSALS = (
    Refusal("", ""),
    Refusal("OVER", "the game is over"),
    Refusal("MALFORMED", "this is no move of Wild Space, or names no planet or sector"),
    Refusal("SEAT", "this seat has no decision to make now"),
    Refusal("PHASE", "the open decision has no such answer"),
    Refusal("NO_SHIP", "no ship is left in reserve"),
    Refusal("FACE_DOWN", "the planet lies face down"),
    Refusal("CREW", "the crew is too small for this planet"),
    Refusal("OWN_SHIP", "a ship of yours is or was in this sector"),
    Refusal("CONDITION", "this condition is not met or not printed, or there are two and none is named"),
    Refusal("PAYMENT", "the payment is missing, not asked for, or does not match"),
    Refusal("NOT_LANDED", "you have no landed ship there"),
    Refusal("EXPLORED", "your ship there has explored already"),
    Refusal("MUST_MOVE", "a ship can be moved, so the turn cannot be passed"),
    Refusal("OPTION", "there is no such option, or it is not possible now"),
    Refusal("SOURCE", "there is no card to be had there"),
    Refusal("CARD", "this card is not in your hand"),
    Refusal("FILTER", "this card does not match what may be played"),
    Refusal("TRIGGER", "this is not open or cannot be used now"),
    Refusal("HOSTILE", "no such hostile planet is open to this move"),
)
PARTS = ("species", "series", "missions", "robots", "captain", "hostile")
SEAT_PARTS = PARTS[:5]
SMUGGLER_PARTS = ("species", "series", "robots", "hostile")
# One shared answer per seat: asking who decides must cost nothing.
DECIDERS: tuple[tuple[Decider, ...], ...] = tuple((Decider(seat),) for seat in range(SEATS_MAX))
SETTINGS = ("difficulty", "smuggler", "first")


class WildSpace:
    """The Game of contract.py; stateless."""

    name = notation.GAME_NAME
    title = "Wild Space"
    seat_counts = range(1, SEATS_MAX + 1)

    def options(self, settings: Mapping[str, str], content_path: Path | None = None) -> WildSpaceOptions:
        for key in settings:
            if key not in SETTINGS:
                raise BadInput(f"Wild Space has no setting {clip(key)}; it has {', '.join(SETTINGS)}")
        difficulty = _one_of(settings, "difficulty", DIFFICULTIES, "normal")
        smuggler = _one_of(settings, "smuggler", ("player", "seat"), "player")
        first = _one_of(settings, "first", ("random", *(str(seat) for seat in range(SEATS_MAX))), "random")
        book = book_of(content.load(content_path))
        return WildSpaceOptions(book, difficulty, smuggler, None if first == "random" else int(first))

    def start(self, options: WildSpaceOptions, seats: int, deal: Deal) -> State:
        return setup.start(options, seats, deal)

    def opening(self, state: State) -> list[Effect]:
        return setup.opening(state)

    def deciders(self, state: State) -> Sequence[Decider]:
        seat = state.decider()
        return DECIDERS[seat] if seat >= 0 else ()

    def legal(self, state: State, seat: int) -> list[int]:
        return legal.legal(state, seat)

    def play(self, state: State, seat: int, move: int) -> list[Effect] | Refusal:
        refusal = legal.why_not(state, seat, move)
        if refusal:
            return REFUSALS[refusal]
        facts: list[Effect] = []
        state.facts = facts
        try:
            turn.apply(state, move)
        finally:
            state.facts = None
        return facts

    def step(self, state: State, seat: int, move: int) -> None:
        turn.apply(state, move)

    def over(self, state: State) -> bool:
        return state.over()

    def view(self, state: State, viewer: int) -> State:
        return views.view(state, viewer)

    def score(self, state: State) -> list[SeatScore]:
        counts = scoring.parts(state)
        totals = [sum(parts) for parts in counts]
        ranks = scoring.ranks(state, totals)
        lines: list[SeatScore] = []
        for seat, name in enumerate(notation.player_names(state.seats)):
            smuggler = name == "smuggler"
            named = dict(zip(PARTS, counts[seat], strict=True))
            parts = {part: named[part] for part in (SMUGGLER_PARTS if smuggler else SEAT_PARTS)}
            label = name if smuggler else f"seat {name}"
            won = state.over() and ranks[seat] == 1
            lines.append(SeatScore(seat, label, parts, totals[seat], ranks[seat], won))
        return lines

    def default(self, state: State, seat: int) -> int:
        return absent.default(state, seat)

    def digest(self, state: State) -> str:
        book = state.book
        return digest("\n".join([self.name, book.label, *book.definitions]), state.deal, state.numbers())

    def clone(self, state: State) -> State:
        return state.clone()

    def same(self, state: State, other: State) -> bool:
        return state.same(other)

    def canonical(self, state: State, move: int) -> int:
        return moves.canonical(state, move)

    def move_space(self, state: State) -> Iterator[int]:
        return moves.move_space(state)

    def move_text(self, state: State, move: int) -> str:
        return moves.move_text(state.book, move)

    def read_move(self, state: State, text: str) -> int:
        return moves.read_move(state.book, text)

    def effect_text(self, state: State, effect: Effect) -> str:
        return moves.effect_text(state.book, effect)

    def position_text(self, state: State) -> str:
        return notation.position_text(state)

    def read_position(self, text: str, content_path: Path | None = None, where: str = "position") -> State:
        return reading.read_position(text, content.load(content_path), where)


def _one_of(settings: Mapping[str, str], key: str, allowed: tuple[str, ...], default: str) -> str:
    value = settings.get(key, default)
    if value not in allowed:
        raise BadInput(f"{key}: {clip(value)} is not one of {', '.join(allowed)}")
    return value
