"""The greedy bot of Space Race: one look at each answer, from what its seat sees.

A ship is summed up in a few numbers, its worth in points is a guess of what it will count at the end, and a move is
worth what it adds to the own ship and takes from the others'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starport_games.kernel.deal import Deal
from starport_games.kernel.effects import HIDDEN
from starport_games.space_race.codes import (
    ALIEN_DRONE,
    BID,
    C_CREW,
    C_CRYSTAL,
    C_CRYSTAL_SET,
    C_DAMAGE,
    C_DRONE,
    C_FUEL,
    C_HAND,
    C_LOOT_MOST,
    C_LOOT_SECOND,
    C_POWER,
    C_ROBOT,
    C_ROUNDS,
    COLOURS,
    COMPONENTS,
    CREW,
    CRYSTAL,
    DAMAGES,
    FLIGHT,
    FRONTS,
    LOOT_CARRIER,
    NONE,
    PICK,
    PIECES,
    POWER_SOURCE,
    REPAIR,
    ROBOT_PART,
    SCANNER,
    UP,
    move_value,
    picked_card,
    picked_face,
)
from starport_games.space_race.pack import Pack
from starport_games.space_race.rules import default_repair, holding, rank_of
from starport_games.space_race.state import State

SAMPLES: Final = 48  # guesses of what the others bid
DAMAGE_MEAN: Final = -1.75  # points of a Damage card that is yet to be drawn
SCAN: Final = 0.6  # points; knowing the danger of this round, when it is not known yet
HOPE: Final = 0.5  # how much of a bonus a half-finished set or a lead is worth that can still be finished or lost
NEED: Final = 1.1  # points of each of the first cards that a coming danger may ask for
NEED_CARDS: Final = 4  # past these, more Fuel or Crew saves from nothing


class Ship:
    """What one seat has, as far as points go."""

    __slots__ = ("corner", "crew", "damage", "fuel", "kinds", "pieces", "sources", "tops")

    def __init__(self, state: State, seat: int) -> None:
        constant = state.pack.constant
        self.corner = 0
        self.kinds = [0] * FRONTS
        self.pieces = [0] * PIECES
        self.tops = [NONE] * COMPONENTS
        self.sources = [0] * COLOURS
        for card in state.up[seat]:
            self.add(state.pack, card)
        self.fuel = len(state.fuel[seat])
        self.crew = len(state.crew[seat])
        self.damage: float = sum(state.damage[seat * DAMAGES + i] * constant[C_DAMAGE + i] for i in range(DAMAGES))

    def add(self, pack: Pack, card: int) -> None:
        kind = pack.kind[card]
        self.corner += pack.corner(card)
        self.kinds[kind] += 1
        if kind < COMPONENTS:
            self.tops[kind] = pack.colour[card]
        if kind == ROBOT_PART:
            self.pieces[pack.piece[card]] += 1
        elif kind == POWER_SOURCE:
            self.sources[pack.colour[card]] += 1

    def play(self, pack: Pack, card: int, face: int) -> None:
        if face != UP:
            self.fuel += 1
        elif pack.kind[card] == CREW:
            self.crew += 1
        else:
            self.add(pack, card)


class Table:
    """Every ship, and how much of the game is still to come."""

    def __init__(self, state: State) -> None:
        constant = state.pack.constant
        self.constant = constant
        self.ships = [Ship(state, seat) for seat in range(state.seats)]
        picks = constant[C_HAND]
        rounds_after = constant[C_ROUNDS] - state.round
        self.picks_left = rounds_after * picks + (picks - state.pick if state.phase == PICK else 0)
        self.open = self.picks_left / (constant[C_ROUNDS] * picks)  # 1 at the beginning, 0 when only bids are left
        self.flights, self.fights = dangers_to_come(state)

    def margin(self, seat: int) -> float:
        """The seat's worth beside the mean of the others'."""
        worths = [self.worth(i) for i in range(len(self.ships))]
        mine = worths.pop(seat)
        return mine - sum(worths) / len(worths)

    def worth(self, seat: int) -> float:
        ship, constant = self.ships[seat], self.constant
        others = [other for other in self.ships if other is not ship]
        worth = float(ship.corner + ship.damage)
        worth += constant[C_ROBOT] * self._sets(sorted(ship.pieces))
        crystals, size = ship.kinds[CRYSTAL], constant[C_CRYSTAL_SET]
        worth += constant[C_CRYSTAL] * (crystals // size + HOPE * self._late() * (crystals % size) / size)
        worth += constant[C_POWER] * self._power(ship)
        worth += self._loot(ship.kinds[LOOT_CARRIER], [other.kinds[LOOT_CARRIER] for other in others])
        for other in others:
            lead = ship.kinds[ALIEN_DRONE] - other.kinds[ALIEN_DRONE]
            worth += constant[C_DRONE] * self._chance(lead - 0.5)
        worth += constant[C_FUEL] * self._most(ship.fuel, [other.fuel for other in others])
        worth += constant[C_CREW] * self._most(ship.crew, [other.crew for other in others])
        worth += NEED * self.flights * min(ship.fuel, NEED_CARDS) + NEED * self.fights * min(ship.crew, NEED_CARDS)
        return worth

    def _late(self) -> float:
        """Whether anything half-finished can still be finished."""
        return 1.0 if self.picks_left > 0 else 0.0

    def _sets(self, pieces: list[int]) -> float:
        """Robots, and the pieces of the next one."""
        robots = pieces[0]
        begun = sum(count > robots for count in pieces)
        return robots + HOPE * self._late() * begun / PIECES

    def _power(self, ship: Ship) -> float:
        """Pairs that match now; a top may change, and a source may still find its colour."""
        pairs = sum(ship.sources[colour] for colour in ship.tops if colour != NONE)
        return pairs + HOPE * self.open * sum(ship.sources)

    def _loot(self, mine: int, others: Sequence[int]) -> float:
        if mine == 0:
            return 0.0
        most, second = self.constant[C_LOOT_MOST], self.constant[C_LOOT_SECOND]
        return second + (most - second) * self._chance(mine - max(others))

    def _most(self, mine: int, others: Sequence[int]) -> float:
        return 0.0 if mine == 0 else self._chance(mine - max(others))

    def _chance(self, lead: float) -> float:
        """How likely a lead of so many cards lasts; a tie is shared, so it counts as one."""
        if self.picks_left == 0:
            return 1.0 if lead >= 0 else 0.0
        spread = 1.0 + 4.0 * self.open
        return min(1.0, max(0.0, 0.5 + (lead + 0.25) / (2.0 * spread)))


def dangers_to_come(state: State) -> tuple[float, float]:
    """How many more dangers will probably ask for Fuel, and for Crew."""
    pack = state.pack
    rounds = state.pack.constant[C_ROUNDS] - state.round
    gone = {*state.danger_gone, state.danger}
    types = [type for card, type in enumerate(pack.danger_type) if card not in gone]
    flight = types.count(FLIGHT) / len(types) if types else 0.0
    flights, fights = rounds * flight, rounds * (1.0 - flight)
    if state.phase == PICK:  # the danger of this round is still ahead
        known = [card for card in state.scanned if card not in (NONE, HIDDEN)]
        if known:
            flight = 1.0 if pack.danger_type[known[0]] == FLIGHT else 0.0
        flights, fights = flights + flight, fights + 1.0 - flight
    return flights, fights


def pick_worth(state: State, seat: int, move: int) -> float:
    card, face = picked_card(move), picked_face(move)
    table = Table(state)
    table.ships[seat].play(state.pack, card, face)
    worth = table.margin(seat)
    if face == UP and state.pack.kind[card] == SCANNER and state.scanned[seat] == NONE:
        worth += SCAN
    return worth


def bid_worths(state: State, seat: int, bids: Sequence[int], chance: Deal) -> list[float]:
    """What each bid leads to in the mean, when the others may bid anything they have."""
    totals = [0.0] * len(bids)
    most = [holding(state, other) for other in range(state.seats)]
    for _ in range(SAMPLES):
        guess = [chance.below(count + 1) for count in most]
        for i, bid in enumerate(bids):
            guess[seat] = bid
            totals[i] += outcome(state, seat, guess)
    return totals


def outcome(state: State, seat: int, bids: list[int]) -> float:
    """The seat's margin when these bids are revealed."""
    table = Table(state)
    flight = state.pack.danger_type[state.danger] == FLIGHT
    for other, ship in enumerate(table.ships):
        row = state.pack.row(state.danger, rank_of(bids, other))
        ship.damage += round_effect(state, other, row)
        if flight:
            ship.fuel -= bids[other]
        else:
            ship.crew -= bids[other]
    return table.margin(seat)


def round_effect(state: State, seat: int, row: int) -> float:
    """Points that a row of the Danger card brings or costs."""
    if row <= 0:
        return -row * DAMAGE_MEAN
    saved = 0.0
    for kind in sorted(range(DAMAGES), key=lambda kind: state.pack.constant[C_DAMAGE + kind]):
        count = min(row, state.damage[seat * DAMAGES + kind])
        saved -= count * state.pack.constant[C_DAMAGE + kind]
        row -= count
    return saved


def choose(state: State, seat: int, moves: Sequence[int], chance: Deal) -> int:
    """The bot's answer; `chance` guesses the others' bids and settles equal worth."""
    if len(moves) == 1:
        return moves[0]
    if state.phase == REPAIR:
        return default_repair(state, seat)  # the most negative first is the best there is
    if state.phase == PICK:
        worths = [pick_worth(state, seat, move) for move in moves]
    elif state.phase == BID:
        worths = bid_worths(state, seat, [move_value(move) for move in moves], chance)
    else:
        worths = [0.0] * len(moves)  # ships are a matter of taste
    top = max(worths)
    best = [move for move, worth in zip(moves, worths, strict=True) if worth == top]
    return best[chance.below(len(best))]
