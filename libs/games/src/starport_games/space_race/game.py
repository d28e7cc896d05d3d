"""Space Race behind the game contract.

The rules document gives no codes for refusals; these are ours, tested in this order:

OVER       the game is over
MALFORMED  the number packs no move of this game
SEAT       the seat is not asked, or has answered already
PHASE      a move for another question than the one that is open
SHIP       the cockpit or the engine is taken
CARD       the card is not in the seat's hand; whether it exists elsewhere is not told
BID        more than the seat holds
REPAIR     not exactly the wrenches, or Damage that the seat does not have
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from starport_games.kernel.contract import Decider, Duty, Refusal, SeatScore
from starport_games.kernel.deal import Deal
from starport_games.kernel.digests import digest
from starport_games.kernel.effects import Effect
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.space_race import evolve, facts, flow, moves, notation, reading, rules, scoring, views
from starport_games.space_race.codes import FINE, OVER, SEATS_MAX, SEATS_MIN
from starport_games.space_race.content import load, shipped_pack
from starport_games.space_race.pack import Pack
from starport_games.space_race.state import State

# By the numbers of codes.py. The words are fixed, so that a refusal tells nothing about the position.
REFUSALS = (
    Refusal("", ""),
    Refusal("OVER", "the game is over"),
    Refusal("MALFORMED", "this is no move of Space Race"),
    Refusal("SEAT", "this seat is not asked for an answer now"),
    Refusal("PHASE", "this answers another question than the one that is open"),
    Refusal("SHIP", "this cockpit or this engine is taken"),
    Refusal("CARD", "this card is not in your hand"),
    Refusal("BID", "you have not got that many to bid"),
    Refusal("REPAIR", "remove exactly as many Damage cards as you have wrenches, of kinds that you have"),
)
SWITCH = {"on": True, "off": False}


@dataclass(frozen=True)
class SpaceRaceOptions:
    """What a table agrees on before the game."""

    pack: Pack
    auto_ships: bool = True


class SpaceRace:
    """The Game of contract.py; stateless."""

    name = notation.GAME_NAME
    title = "Space Race"
    seat_counts = range(SEATS_MIN, SEATS_MAX + 1)

    def options(self, settings: Mapping[str, str], content_path: Path | None = None) -> SpaceRaceOptions:
        for key in settings:
            if key != "auto_ships":
                raise BadInput(f"Space Race has no setting {clip(key)}; it has auto_ships")
        auto = settings.get("auto_ships", "on")
        if auto not in SWITCH:
            raise BadInput(f"auto_ships is on or off, not {clip(auto)}")
        return SpaceRaceOptions(pack_of(content_path), SWITCH[auto])

    def start(self, options: SpaceRaceOptions, seats: int, deal: Deal) -> State:
        if seats not in self.seat_counts:
            raise BadInput(f"Space Race has {SEATS_MIN} to {SEATS_MAX} seats, not {seats}")
        return flow.begin(options.pack, seats, deal, options.auto_ships)

    def opening(self, state: State) -> list[Effect]:
        return flow.opening(state)

    def fold(self, options: SpaceRaceOptions, effects: list[Effect]) -> State:
        """The position that a log's facts lead to, from the opening on."""
        return evolve.fold(options.pack, effects)

    def deciders(self, state: State) -> Sequence[Decider]:
        return tuple(Decider(seat, Duty.MUST) for seat in rules.open_seats(state))

    def legal(self, state: State, seat: int) -> list[int]:
        return rules.legal(state, seat)

    def play(self, state: State, seat: int, move: int) -> list[Effect] | Refusal:
        fault = rules.fault(state, seat, move)
        if fault != FINE:
            return REFUSALS[fault]
        told: list[Effect] = []
        flow.commit(state, seat, move, told)
        return told

    def step(self, state: State, seat: int, move: int) -> None:
        flow.commit(state, seat, move, None)

    def over(self, state: State) -> bool:
        return state.phase == OVER

    def view(self, state: State, viewer: int) -> State:
        return views.view(state, viewer)

    def score(self, state: State) -> list[SeatScore]:
        counts = [scoring.count_seat(state, seat) for seat in range(state.seats)]
        totals = [parts[scoring.TOTAL] for parts in counts]
        lines: list[SeatScore] = []
        for seat, parts in enumerate(counts):
            named = dict(zip(scoring.PART_NAMES, parts, strict=True))
            total = named.pop("total")
            rank = 1 + sum(other > total for other in totals)
            lines.append(SeatScore(seat, f"seat {seat}", named, total, rank, self.over(state) and rank == 1))
        return lines

    def default(self, state: State, seat: int) -> int:
        return rules.default(state, seat)

    def digest(self, state: State) -> str:
        content = "\n".join([self.name, state.pack.label, *notation.definitions(state.pack)])
        return digest(content, state.deal, state.numbers())

    def clone(self, state: State) -> State:
        return state.clone()

    def same(self, state: State, other: State) -> bool:
        return state.same(other)

    def canonical(self, state: State, move: int) -> int:
        return move

    def move_space(self, state: State) -> Iterator[int]:
        return moves.move_space(state)

    def move_text(self, state: State, move: int) -> str:
        return moves.move_text(state, move)

    def read_move(self, state: State, text: str) -> int:
        return moves.read_move(state.pack, text)

    def effect_text(self, state: State, effect: Effect) -> str:
        return facts.effect_text(state.pack, effect)

    def position_text(self, state: State) -> str:
        return notation.position_text(state)

    def read_position(self, text: str, content_path: Path | None = None, where: str = "position") -> State:
        return reading.read_position(text, pack_of(content_path), where)


def pack_of(content_path: Path | None) -> Pack:
    return shipped_pack() if content_path is None else load(content_path)
