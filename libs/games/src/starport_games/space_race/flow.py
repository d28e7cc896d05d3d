"""How a game runs: each answer is turned into facts, chance is drawn here, and `evolve` lets them happen."""

from __future__ import annotations

from typing import Final

from starport_games.kernel.deal import Deal
from starport_games.kernel.effects import PARTLY, PUBLIC, Effect
from starport_games.kernel.errors import GapError
from starport_games.space_race.codes import (
    BID,
    BID_COMMITTED,
    BIDS_DISCARDED,
    BIDS_REVEALED,
    C_HAND,
    C_ROUNDS,
    COIN_FLIPPED,
    DAMAGE_DECK_REBUILT,
    DAMAGE_DRAWN,
    DAMAGE_REMOVED,
    DAMAGES,
    DANGER_PEEKED,
    DANGER_REVEALED,
    DOWN,
    FACTIONS,
    FLIGHT,
    GAME_CREATED,
    GAME_ENDED,
    GAME_SCORED,
    HANDS_DEALT,
    HANDS_PASSED,
    LEFT,
    NONE,
    PICK,
    PICK_COMMITTED,
    PICKS_REVEALED,
    RANKS_ASSIGNED,
    REPAIR_COMMITTED,
    ROUND_ENDED,
    ROUND_STARTED,
    SCANNER,
    SEATS_MAX,
    SEATS_MIN,
    SHIP_CHOSEN,
    SHIPS,
    UP,
    move_value,
    picked_card,
    picked_face,
    repair_count,
)
from starport_games.space_race.evolve import deal_numbers, evolve, fold
from starport_games.space_race.pack import Pack
from starport_games.space_race.rules import damage_total, rank_of, row_of, waiting
from starport_games.space_race.scoring import TOTAL, count_seat, winners
from starport_games.space_race.state import State, blank

NOT_FIRST: Final = "only the first position of a game has an opening"


def tell(state: State, facts: list[Effect] | None, effect: Effect) -> None:
    evolve(state, effect)
    if facts is not None:
        facts.append(effect)


def begin(pack: Pack, seats: int, deal: Deal, auto_ships: bool) -> State:
    """The first position; shuffles Space, Danger and Damage in this order (SR-SETUP-10)."""
    if seats < SEATS_MIN or seats > SEATS_MAX:
        raise ValueError(f"Space Race has {SEATS_MIN} to {SEATS_MAX} seats, not {seats}")
    space = list(range(len(pack.ids)))
    deal.shuffle(space)
    danger = list(range(len(pack.danger_ids)))
    deal.shuffle(danger)
    damage = pack.damage_kind[:]
    deal.shuffle(damage)
    state = blank(pack, seats)
    state.space_deck = space
    state.danger_deck = danger
    state.damage_deck = damage
    state.deal = deal
    if auto_ships:
        for seat in range(seats):
            tell(state, None, Effect(SHIP_CHOSEN, seat, [seat, seat]))
        start_round(state, None)
    return state


def opening(state: State) -> list[Effect]:
    """The facts that lead to a first position, read back from it."""
    deal = state.deal
    dealt = state.phase == PICK and state.round == 1 and state.pick == 1
    unchosen = state.phase == SHIPS and state.cockpits[0] == NONE
    if deal is None or not (dealt or unchosen) or waiting(state) != (state.seats if dealt else 1):
        raise ValueError(NOT_FIRST)
    space: list[int] = []
    for hand in state.hands:
        space += hand
    space += state.space_deck[state.space_at :]
    values = [state.seats]
    at = deal.at - 1 if dealt else deal.at  # a flip of the coin uses exactly one word
    add_counted(values, deal_numbers(deal, max(at, 0)))
    add_counted(values, space)
    add_counted(values, state.danger_deck[state.danger_at :])
    add_counted(values, state.damage_deck[state.damage_at :])
    facts = [Effect(GAME_CREATED, NONE, values, PARTLY, 1)]
    if dealt:
        for seat in range(state.seats):
            facts.append(Effect(SHIP_CHOSEN, seat, [state.cockpits[seat], state.engines[seat]]))
        facts.append(Effect(ROUND_STARTED, NONE, [1]))
        for seat in range(state.seats):
            facts.append(Effect(HANDS_DEALT, seat, state.hands[seat][:], PARTLY))
        facts.append(Effect(COIN_FLIPPED, NONE, [state.coin, deal.at], PARTLY, 1))
    if not fold(state.pack, facts).same(state):
        raise ValueError(NOT_FIRST)
    return facts


def add_counted(values: list[int], more: list[int]) -> None:
    values.append(len(more))
    values += more


def commit(state: State, seat: int, move: int, facts: list[Effect] | None) -> None:
    """Take a legal answer, and when it was the last that was waited for, run on to the next question."""
    phase = state.phase
    if phase == SHIPS:
        last = seat == state.seats - 1
    else:
        last = waiting(state) == 1
    if last and state.deal is None:
        raise GapError("what follows this answer is not known from a view")
    value = move_value(move)
    if phase == PICK:
        picked = [picked_card(move), picked_face(move)]
        tell(state, facts, Effect(PICK_COMMITTED, seat, picked, PARTLY))
        if last:
            reveal_picks(state, facts)
    elif phase == BID:
        tell(state, facts, Effect(BID_COMMITTED, seat, [value], PARTLY))
        if last:
            reveal_bids(state, facts)
    elif phase == SHIPS:
        tell(state, facts, Effect(SHIP_CHOSEN, seat, [value // FACTIONS, value % FACTIONS]))
        if last:
            start_round(state, facts)
    else:
        tell(state, facts, Effect(REPAIR_COMMITTED, seat, repair_counts(move), PARTLY))
        if last:
            settle(state, facts)


def repair_counts(move: int) -> list[int]:
    return [repair_count(move, 0), repair_count(move, 1), repair_count(move, 2)]


def generator(state: State) -> Deal:
    deal = state.deal
    if deal is None:
        raise GapError("a view has no generator")
    return deal


def start_round(state: State, facts: list[Effect] | None) -> None:
    """Deal six cards to each seat in turn, then flip the coin (SR-DRAFT-1 to 3)."""
    tell(state, facts, Effect(ROUND_STARTED, NONE, [state.round + 1]))
    size = state.pack.constant[C_HAND]
    for seat in range(state.seats):
        hand = state.space_deck[state.space_at : state.space_at + size]
        tell(state, facts, Effect(HANDS_DEALT, seat, hand, PARTLY))
    deal = generator(state)
    face = deal.below(2)
    # Where the generator stands is the host's own: it could tell something about the shuffles.
    tell(state, facts, Effect(COIN_FLIPPED, NONE, [face, deal.at], PARTLY, 1))


def reveal_picks(state: State, facts: list[Effect] | None) -> None:
    """Place every card, then grant the looks, then pass the hands (SR-DRAFT-9)."""
    lookers: list[int] = []
    for seat in range(state.seats):
        card = picked_card(state.answers[seat])
        face = picked_face(state.answers[seat])
        sight = PARTLY if face == DOWN else PUBLIC
        tell(state, facts, Effect(PICKS_REVEALED, seat, [face, card], sight, 1 if face == DOWN else 0))
        if face == UP and state.pack.kind[card] == SCANNER:
            lookers.append(seat)
    for seat in lookers:
        tell(state, facts, Effect(DANGER_PEEKED, seat, [state.danger_deck[state.danger_at]], PARTLY))
    if state.pick == state.pack.constant[C_HAND]:
        reveal_danger(state, facts)
        return
    away = 1 if state.coin == LEFT else state.seats - 1
    pick = state.pick + 1
    hands = state.hands
    for seat in range(state.seats):
        source = (seat - away) % state.seats
        tell(state, facts, Effect(HANDS_PASSED, seat, [pick, source] + hands[source], PARTLY, 2))


def reveal_danger(state: State, facts: list[Effect] | None) -> None:
    tell(state, facts, Effect(DANGER_REVEALED, NONE, [state.danger_deck[state.danger_at]]))
    if waiting(state) == 0:  # nobody holds what is called for (SR-DANGER-7)
        reveal_bids(state, facts)


def reveal_bids(state: State, facts: list[Effect] | None) -> None:
    bids: list[int] = []
    ranks: list[int] = []
    for answer in state.answers:
        bids.append(0 if answer == NONE else move_value(answer))
    tell(state, facts, Effect(BIDS_REVEALED, NONE, bids))
    for seat in range(state.seats):
        ranks.append(rank_of(bids, seat))
    tell(state, facts, Effect(RANKS_ASSIGNED, NONE, ranks))
    if waiting(state) == 0:
        settle(state, facts)


def settle(state: State, facts: list[Effect] | None) -> None:
    """Results and clean-up: all removals before any draw, draws in seat order (SR-DANGER-21)."""
    for seat in range(state.seats):
        wrenches = row_of(state, seat)
        if wrenches > 0 and damage_total(state, seat) > 0:
            tell(state, facts, Effect(DAMAGE_REMOVED, seat, removal(state, seat, wrenches)))
    for seat in range(state.seats):
        row = row_of(state, seat)
        if row < 0:
            draw_damage(state, seat, -row, facts)
    discard_bids(state, facts)
    tell(state, facts, Effect(ROUND_ENDED, NONE, [state.round]))
    if state.round < state.pack.constant[C_ROUNDS]:
        start_round(state, facts)
    else:
        end(state, facts)


def removal(state: State, seat: int, wrenches: int) -> list[int]:
    """What the seat chose, or the only thing it could have chosen."""
    if state.answers[seat] != NONE:
        return repair_counts(state.answers[seat])
    counts: list[int] = []
    for i in range(DAMAGES):  # either all of it goes, or there is but one kind
        counts.append(min(wrenches, state.damage[seat * DAMAGES + i]))
    return counts


def draw_damage(state: State, seat: int, count: int, facts: list[Effect] | None) -> None:
    """Draw from the Damage deck, rebuilding it from the discards when it is empty (SR-DANGER-22)."""
    left = count
    while left > 0:
        at = state.damage_at
        drawn = state.damage_deck[at : at + left]
        if drawn:
            tell(state, facts, Effect(DAMAGE_DRAWN, seat, drawn))
            left -= len(drawn)
        elif sum(state.damage_gone) > 0:
            rebuild_damage(state, facts)
        else:
            return


def rebuild_damage(state: State, facts: list[Effect] | None) -> None:
    deck: list[int] = []
    for kind in range(DAMAGES):
        for _ in range(state.damage_gone[kind]):
            deck.append(kind)
    deal = generator(state)
    deal.shuffle(deck)
    tell(state, facts, Effect(DAMAGE_DECK_REBUILT, NONE, [deal.at, *deck], PARTLY, 0))


def discard_bids(state: State, facts: list[Effect] | None) -> None:
    """Every card bid is lost, Fuel face down and Crew face up (SR-DANGER-23, 24)."""
    resource = state.pack.danger_type[state.danger]
    for seat in range(state.seats):
        bid = state.bids[seat]
        if bid > 0:
            if resource == FLIGHT:
                lost = [resource, *state.fuel[seat][:bid]]
                tell(state, facts, Effect(BIDS_DISCARDED, seat, lost, PARTLY, 1))
            else:
                lost = [resource, *state.crew[seat][:bid]]
                tell(state, facts, Effect(BIDS_DISCARDED, seat, lost))


def end(state: State, facts: list[Effect] | None) -> None:
    totals: list[int] = []
    for seat in range(state.seats):
        parts = count_seat(state, seat)
        totals.append(parts[TOTAL])
        tell(state, facts, Effect(GAME_SCORED, seat, parts))
    tell(state, facts, Effect(GAME_ENDED, NONE, winners(totals)))
