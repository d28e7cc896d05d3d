"""The questions of the game: who is asked, what is legal, why an answer is refused, what the default is."""

from __future__ import annotations

from starport_games.kernel.effects import HIDDEN
from starport_games.kernel.errors import GapError
from starport_games.space_race.codes import (
    BID,
    BID_MAX,
    BREACH,
    C_DAMAGE,
    COUNT_BITS,
    DAMAGES,
    DOWN,
    F_BID,
    F_CARD,
    F_MALFORMED,
    F_OVER,
    F_PHASE,
    F_REPAIR,
    F_SEAT,
    F_SHIP,
    FACTIONS,
    FINE,
    FIRE,
    FLIGHT,
    INVASION,
    M_BID,
    M_PICK,
    M_REPAIR,
    M_SHIP,
    NONE,
    OVER,
    PICK,
    REPAIR,
    SHIPS,
    UP,
    bid_move,
    move_kind,
    move_value,
    pick_move,
    picked_card,
    repair_count,
    repair_move,
    ship_move,
)
from starport_games.space_race.state import State


def rank_of(bids: list[int], seat: int) -> int:
    """1 for the highest bid; equal bids share a rank and none is skipped after them (SR-DANGER-9 to 12)."""
    rank = 1
    mine = bids[seat]
    for i in range(len(bids)):
        bid = bids[i]
        if bid > mine and bids.index(bid) == i:  # count each higher bid once
            rank += 1
    return rank


def row_of(state: State, seat: int) -> int:
    """What the revealed Danger card does to this seat: wrenches above 0, damage below."""
    return state.pack.row(state.danger, rank_of(state.bids, seat))


def holding(state: State, seat: int) -> int:
    """How much this seat has of what the revealed Danger card calls for (SR-DANGER-2)."""
    if state.pack.danger_type[state.danger] == FLIGHT:
        return len(state.fuel[seat])
    return len(state.crew[seat])


def damage_total(state: State, seat: int) -> int:
    at = seat * DAMAGES
    damage = state.damage
    return damage[at] + damage[at + 1] + damage[at + 2]


def must_choose_repair(state: State, seat: int) -> bool:
    """More Damage than wrenches, and not all of one kind (SR-DANGER-17)."""
    row = row_of(state, seat)
    if row <= 0:
        return False
    total = damage_total(state, seat)
    if total <= row:
        return False
    at = seat * DAMAGES
    for i in range(DAMAGES):
        if state.damage[at + i] == total:
            return False
    return True


def waits_for(state: State, seat: int) -> bool:
    """Whether this seat is asked and has not answered yet (SR-DEC-5)."""
    phase = state.phase
    if phase == PICK:
        return state.answers[seat] == NONE
    if phase == BID:
        return state.answers[seat] == NONE and holding(state, seat) > 0
    if phase == REPAIR:
        return state.answers[seat] == NONE and must_choose_repair(state, seat)
    if phase == SHIPS:
        return state.cockpits[seat] == NONE and (seat == 0 or state.cockpits[seat - 1] != NONE)
    return False


def open_seats(state: State) -> list[int]:
    seats: list[int] = []
    for seat in range(state.seats):
        if waits_for(state, seat):
            seats.append(seat)
    return seats


def waiting(state: State) -> int:
    """How many seats are still to answer."""
    count = 0
    for seat in range(state.seats):
        if waits_for(state, seat):
            count += 1
    return count


def known_hand(state: State, seat: int) -> list[int]:
    hand = state.hands[seat]
    if hand and hand[0] == HIDDEN:
        raise GapError(f"this position does not tell the hand of seat {seat}")
    return hand


def legal(state: State, seat: int) -> list[int]:
    """Every answer that would be accepted from this seat now."""
    moves: list[int] = []
    if seat < 0 or seat >= state.seats or not waits_for(state, seat):
        return moves
    phase = state.phase
    if phase == PICK:
        for card in known_hand(state, seat):
            moves.append(pick_move(card, UP))
            moves.append(pick_move(card, DOWN))
    elif phase == BID:
        for count in range(holding(state, seat) + 1):
            moves.append(bid_move(count))
    elif phase == REPAIR:
        legal_repairs(state, seat, moves)
    else:
        for cockpit in range(FACTIONS):
            for engine in range(FACTIONS):
                if cockpit not in state.cockpits and engine not in state.engines:
                    moves.append(ship_move(cockpit, engine))
    return moves


def legal_repairs(state: State, seat: int, moves: list[int]) -> None:
    wrenches = row_of(state, seat)
    at = seat * DAMAGES
    for fire in range(min(wrenches, state.damage[at + FIRE]) + 1):
        for breach in range(min(wrenches - fire, state.damage[at + BREACH]) + 1):
            invasion = wrenches - fire - breach
            if invasion <= state.damage[at + INVASION]:
                moves.append(repair_move(fire, breach, invasion))


def malformed(state: State, move: int) -> bool:
    """Whether this number packs no move of the game at all."""
    if move < 0:
        return True
    kind = move_kind(move)
    value = move_value(move)
    if kind == M_PICK:
        return value >> 1 > len(state.pack.ids)
    if kind == M_BID:
        return value > BID_MAX
    if kind == M_SHIP:
        return value >= FACTIONS * FACTIONS
    if kind == M_REPAIR:
        return value >> (COUNT_BITS * DAMAGES) != 0
    return True


def fault(state: State, seat: int, move: int) -> int:
    """FINE, or the first reason to refuse this answer."""
    phase = state.phase
    if phase == OVER:
        return F_OVER
    if malformed(state, move):
        return F_MALFORMED
    if seat < 0 or seat >= state.seats or not waits_for(state, seat):
        return F_SEAT
    kind = move_kind(move)
    value = move_value(move)
    if kind == M_PICK and phase == PICK:
        return FINE if picked_card(move) in known_hand(state, seat) else F_CARD
    if kind == M_BID and phase == BID:
        return FINE if value <= holding(state, seat) else F_BID
    if kind == M_SHIP and phase == SHIPS:
        taken = value // FACTIONS in state.cockpits or value % FACTIONS in state.engines
        return F_SHIP if taken else FINE
    if kind == M_REPAIR and phase == REPAIR:
        return FINE if fits_damage(state, seat, move) else F_REPAIR
    return F_PHASE


def fits_damage(state: State, seat: int, move: int) -> bool:
    """Whether a repair takes exactly the wrenches, from Damage that is there (SR-DEC-4)."""
    left = row_of(state, seat)
    for i in range(DAMAGES):
        count = repair_count(move, i)
        if count > state.damage[seat * DAMAGES + i]:
            return False
        left -= count
    return left == 0


def default(state: State, seat: int) -> int:
    """The answer for a seat that is absent (section 10)."""
    if seat < 0 or seat >= state.seats or not waits_for(state, seat):
        raise ValueError(f"seat {seat} is not asked")
    phase = state.phase
    if phase == PICK:
        return pick_move(min(known_hand(state, seat)), DOWN)
    if phase == BID:
        return bid_move(0)
    if phase == REPAIR:
        return default_repair(state, seat)
    cockpit = 0
    while cockpit in state.cockpits:
        cockpit += 1
    engine = 0
    while engine in state.engines:
        engine += 1
    return ship_move(cockpit, engine)


def default_repair(state: State, seat: int) -> int:
    """The most negative first; of equal values Alien Invasion, Hull Breach, Fire Onboard."""
    left = row_of(state, seat)
    counts = [0, 0, 0]
    while left > 0:
        best = NONE
        for kind in range(DAMAGES - 1, -1, -1):
            if counts[kind] < state.damage[seat * DAMAGES + kind]:
                value = state.pack.constant[C_DAMAGE + kind]
                if best == NONE or value < state.pack.constant[C_DAMAGE + best]:
                    best = kind
        counts[best] += 1
        left -= 1
    return repair_move(counts[FIRE], counts[BREACH], counts[INVASION])
