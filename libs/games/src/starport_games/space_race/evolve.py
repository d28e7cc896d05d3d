"""The only place where a position changes: each fact of the log turns one position into the next."""

from __future__ import annotations

from typing import Final

from starport_games.kernel.deal import WORD_BITS, WORD_MASK, Deal, QuickDeal
from starport_games.kernel.effects import Effect
from starport_games.space_race.codes import (
    BID,
    BID_COMMITTED,
    BIDS_DISCARDED,
    BIDS_REVEALED,
    COIN_FLIPPED,
    CREW,
    DAMAGE_DECK_REBUILT,
    DAMAGE_DRAWN,
    DAMAGE_REMOVED,
    DAMAGES,
    DANGER_PEEKED,
    DANGER_REVEALED,
    DOWN,
    FLIGHT,
    GAME_CREATED,
    GAME_ENDED,
    HANDS_DEALT,
    HANDS_PASSED,
    LEFT,
    NONE,
    OVER,
    PICK,
    PICK_COMMITTED,
    PICKS_REVEALED,
    RANKS_ASSIGNED,
    REPAIR,
    REPAIR_COMMITTED,
    ROUND_ENDED,
    ROUND_STARTED,
    SHIP_CHOSEN,
    bid_move,
    pick_move,
    repair_move,
)
from starport_games.space_race.pack import Pack
from starport_games.space_race.state import State, blank

KEY_WORDS: Final = 8
SHA: Final = 0
QUICK: Final = 1


def fold(pack: Pack, effects: list[Effect]) -> State:
    """The position that a whole log leads to; draws no random number (SR-EVT-2)."""
    if not effects or effects[0].kind != GAME_CREATED:
        raise ValueError("a log of Space Race begins with GameCreated")
    state = blank(pack, effects[0].values[0])
    for effect in effects:
        evolve(state, effect)
    return state


def evolve(state: State, effect: Effect) -> None:
    """Let one fact happen. It was decided before: nothing is checked and nothing is drawn here."""
    kind = effect.kind
    seat = effect.seat
    values = effect.values
    if kind == PICK_COMMITTED:
        state.answers[seat] = pick_move(values[0], values[1])
    elif kind == PICKS_REVEALED:
        lay(state, seat, values[0], values[1])
    elif kind == HANDS_PASSED:
        if state.pick != values[0]:  # the first of these facts moves all hands at once (SR-DRAFT-10)
            pass_hands(state, values[0])
    elif kind == BID_COMMITTED:
        state.answers[seat] = bid_move(values[0])
    elif kind == REPAIR_COMMITTED:
        state.answers[seat] = repair_move(values[0], values[1], values[2])
    elif kind == DANGER_PEEKED:
        scanned = state.scanned[:]
        scanned[seat] = values[0]
        state.scanned = scanned
    elif kind == HANDS_DEALT:
        state.hands[seat] = values[:]
        state.space_at += len(values)
    elif kind < HANDS_DEALT or kind == COIN_FLIPPED:
        evolve_start(state, effect)
    else:
        evolve_danger(state, effect)


def evolve_start(state: State, effect: Effect) -> None:
    kind = effect.kind
    values = effect.values
    if kind == GAME_CREATED:
        create(state, values)
    elif kind == SHIP_CHOSEN:
        cockpits = state.cockpits[:]
        cockpits[effect.seat] = values[0]
        state.cockpits = cockpits
        engines = state.engines[:]
        engines[effect.seat] = values[1]
        state.engines = engines
    elif kind == ROUND_STARTED:
        state.round = values[0]
        state.pick = 1
        state.phase = PICK
    elif kind == COIN_FLIPPED:
        state.coin = values[0]
        move_deal(state, values[1])


def evolve_danger(state: State, effect: Effect) -> None:
    kind = effect.kind
    seat = effect.seat
    values = effect.values
    if kind == DANGER_REVEALED:
        state.danger = values[0]
        state.danger_at += 1
        state.scanned = [NONE] * state.seats
        state.phase = BID
        state.pick = 0
    elif kind == BIDS_REVEALED:
        state.bids = values[:]
        state.answers = [NONE] * state.seats
    elif kind == RANKS_ASSIGNED:
        state.phase = REPAIR  # ranks follow from the bids, so they need no place of their own
    elif kind == DAMAGE_REMOVED:
        damage = state.damage[:]
        gone = state.damage_gone[:]
        for i in range(DAMAGES):
            damage[seat * DAMAGES + i] -= values[i]
            gone[i] += values[i]
        state.damage = damage
        state.damage_gone = gone
        state.answers[seat] = NONE
    elif kind == DAMAGE_DRAWN:
        damage = state.damage[:]
        for drawn in values:
            damage[seat * DAMAGES + drawn] += 1
        state.damage = damage
        state.damage_at += len(values)
    elif kind == DAMAGE_DECK_REBUILT:
        state.damage_deck = values[1:]
        state.damage_at = 0
        state.damage_gone = [0] * DAMAGES
        move_deal(state, values[0])
    elif kind == BIDS_DISCARDED:
        discard(state, seat, values[0], len(values) - 1)
    elif kind == ROUND_ENDED:
        state.danger_gone = [*state.danger_gone, state.danger]
        state.danger = NONE
        state.bids = [NONE] * state.seats
    elif kind == GAME_ENDED:
        state.phase = OVER


def lay(state: State, seat: int, face: int, card: int) -> None:
    """A card leaves the hand for its place in the ship (SR-PLACE-1 to 6)."""
    hand = state.hands[seat][:]
    hand.remove(card)
    state.hands[seat] = hand
    state.answers[seat] = NONE
    if face == DOWN:
        state.fuel[seat] = state.fuel[seat] + [card]
    elif state.pack.kind[card] == CREW:
        state.crew[seat] = state.crew[seat] + [card]
    else:
        state.up[seat] = state.up[seat] + [card]


def pass_hands(state: State, pick: int) -> None:
    count = state.seats
    hands = state.hands
    away = 1 if state.coin == LEFT else count - 1
    passed = hands[:]
    for seat in range(count):
        passed[(seat + away) % count] = hands[seat]
    state.hands = passed
    state.pick = pick


def discard(state: State, seat: int, resource: int, count: int) -> None:
    """The longest-held cards go first (SR-DANGER-25)."""
    if resource == FLIGHT:
        held = state.fuel[seat]
        state.fuel_gone = state.fuel_gone + held[:count]
        state.fuel[seat] = held[count:]
    else:
        held = state.crew[seat]
        state.crew_gone = state.crew_gone + held[:count]
        state.crew[seat] = held[count:]


def move_deal(state: State, at: int) -> None:
    """Put the generator where the fact says it stood; a live game's generator stands there already."""
    deal = state.deal
    if deal is None or deal.at == at:
        return
    if isinstance(deal, QuickDeal):  # cannot jump
        while deal.at < at:
            deal.word()
    else:
        deal.at = at


def deal_numbers(deal: Deal, at: int) -> list[int]:
    """A generator as numbers of GameCreated."""
    if isinstance(deal, QuickDeal):
        return [QUICK, deal.at, deal.a, deal.b, deal.c, deal.count]
    key = int.from_bytes(deal.key, "big")
    numbers = [SHA, at]
    for i in range(KEY_WORDS):
        numbers.append((key >> (WORD_BITS * (KEY_WORDS - 1 - i))) & WORD_MASK)
    return numbers


def deal_of_numbers(numbers: list[int]) -> Deal:
    if numbers[0] == QUICK:
        quick = QuickDeal(0)
        quick.at = numbers[1]
        quick.a = numbers[2]
        quick.b = numbers[3]
        quick.c = numbers[4]
        quick.count = numbers[5]
        return quick
    key = 0
    for i in range(KEY_WORDS):
        key = (key << WORD_BITS) | numbers[2 + i]
    return Deal(key.to_bytes(KEY_WORDS * 4, "big"), numbers[1])


def create(state: State, values: list[int]) -> None:
    """GameCreated: seats, then four counted lists: generator, Space, Danger and Damage deck."""
    at = 1
    lists: list[list[int]] = []
    for _ in range(4):
        count = values[at]
        lists.append(values[at + 1 : at + 1 + count])
        at += 1 + count
    state.deal = deal_of_numbers(lists[0])
    state.space_deck = lists[1]
    state.danger_deck = lists[2]
    state.damage_deck = lists[3]
