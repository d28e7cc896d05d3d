"""What a move does: the decision-stack machine (rules document, section 19). Every move here is known to be legal."""

from __future__ import annotations

from typing import Final

from starport_games.kernel.effects import OTHERS, OWNER, PARTLY, PUBLIC, Effect
from starport_games.kernel.errors import GapError
from starport_games.wild_space.codes import (
    BY_ABILITY,
    BY_CHOICE,
    BY_SQUARE,
    DRAW,
    E_CHOSE,
    E_DREW_PILE,
    E_DREW_POOL,
    E_ENDED_TURN,
    E_EXPLORED,
    E_FILLED,
    E_GAVE_UP,
    E_HOSTILE_SHOWN,
    E_LANDED,
    E_OVER,
    E_PAID,
    E_PASSED_TURN,
    E_PUT,
    E_REFRESHED,
    E_REMOVED,
    E_RESHUFFLED,
    E_REVEALED,
    E_SMUGGLER_ADDED,
    E_SMUGGLER_DISCARDED,
    E_SMUGGLER_EXPLORED,
    E_SMUGGLER_LANDED,
    E_TOKEN,
    E_TOOK_PILE,
    E_TOOK_POOL,
    E_USED_ABILITY,
    E_USED_SQUARE,
    EMPTY,
    F_ACTION,
    F_DRAW,
    F_END,
    F_OVER,
    F_PLAY,
    F_SHIP,
    F_SMUGGLER,
    F_TAKE,
    F_TRIGGERS,
    HIDDEN,
    M_ABILITY,
    M_CHOOSE,
    M_DRAW_PILE,
    M_DRAW_POOL,
    M_END_TURN,
    M_EXPLORE,
    M_LAND,
    M_PASS_TURN,
    M_PLAY,
    M_REFRESH,
    M_SMUGGLER_LAND,
    M_SQUARE,
    M_TAKE_PILE,
    M_TAKE_POOL,
    PLAY,
    POOL_SLOTS,
    REMOVE,
    TURNS,
)
from starport_games.wild_space.legal import PLACE_NUMBERS, void
from starport_games.wild_space.state import Player, State

# Exploring always offers `draw 3` or `play any` (WS-EXPL-4), as effect codes.
EXPLORE_FRAME: Final = F_ACTION | (DRAW | 3 << 2) << 4 | (PLAY | 1 << 2) << 13
ORIGIN_BITS: Final = 0x3FFF << 12


def tell(state: State, kind: int, values: list[int], sight: int = PUBLIC) -> None:
    facts = state.facts
    if facts is not None:
        facts.append(Effect(kind, state.active, values, sight))


# -- piles


def _reshuffle(state: State) -> None:
    deal = state.deal
    if deal is None:
        raise GapError("this position does not tell the generator, and the discard pile must be shuffled")
    pile = state.discard
    state.discard = []
    deal.shuffle(pile)
    state.deck = pile
    state.left = len(pile)
    if state.facts is not None:
        tell(state, E_RESHUFFLED, [len(pile)])


def settle_piles(state: State) -> None:
    """WS-PILE-1 to -5: reshuffle as soon as the pile is empty, fill empty slots leftmost first."""
    pool = state.pool
    while True:
        if state.left == 0:
            if len(state.discard) == 0:
                return
            _reshuffle(state)
        slot = 0
        while slot < POOL_SLOTS and pool[slot] != EMPTY:
            slot += 1
        if slot == POOL_SLOTS:
            return
        card = _pop(state)
        pool[slot] = card
        if state.facts is not None:
            tell(state, E_FILLED, [slot + 1, card])


def _pop(state: State) -> int:
    card = state.deck[state.left - 1]
    if card < 0:
        raise GapError("this position does not tell the top card of the draw pile")
    state.left -= 1
    return card


# -- frames


def settle_frames(state: State) -> None:
    """Void frames are popped until a decision arises (WS-DEC-6)."""
    stack = state.stack
    player = state.players[state.active]
    while void(state, player, stack[-1]):
        stack.pop()


def push_effect(state: State, effect: int, origin: int) -> None:
    kind = effect & 3
    if kind == DRAW:
        state.stack.append(F_DRAW | (effect >> 2 & 7) << 8 | origin)
    elif kind == PLAY:
        state.stack.append(F_PLAY | (effect >> 5) << 4 | (effect >> 2 & 7) << 8 | origin)
    else:
        state.stack.append(F_TAKE | origin)


def _use_one(state: State) -> None:
    """One card of a draw or play frame is used up; with the last one the frame goes."""
    frame = state.stack[-1]
    if frame >> 8 & 15 <= 1:
        state.stack.pop()
    else:
        state.stack[-1] = frame - (1 << 8)


def _declare(state: State) -> None:
    """The first card that a choice, ability or square moves makes it known to the others (WS-INFO-15)."""
    frame = state.stack[-1]
    origin = frame >> 12 & 3
    if origin == 0:
        return
    if state.facts is not None:
        argument = frame >> 14 & 4095
        if origin == BY_CHOICE:
            tell(state, E_CHOSE, [argument], OTHERS)
        elif origin == BY_ABILITY:
            tell(state, E_USED_ABILITY, [argument], OTHERS)
        else:
            tell(state, E_USED_SQUARE, [argument], OTHERS)
    state.stack[-1] = frame & ~ORIGIN_BITS


# -- cards


def _leave_crew(state: State, player: Player, card: int) -> None:
    """A removed card loses an ability it has not used yet, wherever its frame lies (WS-ABIL-12)."""
    player.crew.remove(card)
    stack = state.stack
    for i in range(len(stack)):
        frame = stack[i]
        if frame & 15 == F_TRIGGERS and frame >> 4 & 4095 == card:
            stack[i] = frame & ~(1 << 16)


def _pay(state: State, player: Player, condition: int, payment: int) -> None:
    if payment < 0:
        return
    if condition & 3 == REMOVE:
        _leave_crew(state, player, payment)
        tell(state, E_REMOVED, [payment])
    else:
        player.hand.remove(payment)
        tell(state, E_PAID, [payment])
    state.discard.append(payment)
    settle_piles(state)


def _put(state: State, player: Player, card: int) -> None:
    """A card joins the crew, moves the token if it is a veteran, and opens its triggers."""
    book = state.book
    player.crew.append(card)
    if state.facts is not None:
        tell(state, E_PUT, [card])
    square = 0
    if book.veteran[card]:
        track = book.track[player.crew[0]]
        if player.token < len(track):
            square = track[player.token]
            player.token += 1
            if state.facts is not None:
                tell(state, E_TOKEN, [player.token])
            if square < 0:  # credits: they count at the end and offer nothing now
                square = 0
    ability = 1 if book.effect[card] != 0 else 0
    if ability or square != 0:
        state.stack.append(F_TRIGGERS | card << 4 | ability << 16 | square << 17)


def _from_pool(state: State, slot: int) -> int:
    card = state.pool[slot]
    state.pool[slot] = EMPTY
    return card


def _draw(state: State, player: Player, kind: int, slot: int) -> None:
    _declare(state)
    _use_one(state)
    if kind == M_DRAW_PILE:
        card = _pop(state)
        if state.facts is not None:
            tell(state, E_DREW_PILE, [card], PARTLY)
    else:
        card = _from_pool(state, slot)
        if state.facts is not None:
            tell(state, E_DREW_POOL, [slot + 1, card])
    player.hand.append(card)
    settle_piles(state)


def _take(state: State, player: Player, kind: int, slot: int) -> None:
    _declare(state)
    state.stack.pop()
    if kind == M_TAKE_PILE:
        card = _pop(state)
        tell(state, E_TOOK_PILE, [card])
    else:
        card = _from_pool(state, slot)
        tell(state, E_TOOK_POOL, [slot + 1, card])
    settle_piles(state)
    _put(state, player, card)


def _refresh(state: State, player: Player, card: int) -> None:
    player.hand.remove(card)
    gone = [card]
    for slot in range(POOL_SLOTS):
        if state.pool[slot] != EMPTY:
            gone.append(_from_pool(state, slot))
    state.discard.extend(gone)
    tell(state, E_REFRESHED, gone)
    settle_piles(state)


# -- ships and turns


def _land(state: State, player: Player, move: int) -> None:
    sector = move >> 17 & 255
    index = state.planets[sector >> 1] * 2 + (sector & 1)
    conditions = state.book.sector_conditions[index]
    named = move >> 25 & 15
    if named == 0 and len(conditions) == 1:
        named = 1
    tell(state, E_LANDED, [sector, named])
    if named > 0:
        _pay(state, player, conditions[named - 1], (move >> 5 & 4095) - 1)
    player.reserve -= 1
    player.landed |= 1 << sector
    state.stack[0] = F_END
    options = state.book.sector_options[index]
    if len(options) == 1:
        push_effect(state, options[0], 0)
    else:
        state.stack.append(F_ACTION | options[0] << 4 | options[1] << 13)


def _explore(state: State, player: Player, sector: int) -> None:
    tell(state, E_EXPLORED, [sector])
    player.landed &= ~(1 << sector)
    player.explored |= 1 << sector
    state.stack[0] = F_END
    state.stack.append(EXPLORE_FRAME)


def begin_turn(state: State) -> None:
    """The next player in order that still has turns, or the end of the game."""
    count = len(state.players)
    smuggler = state.smuggler
    for step in range(1, count + 1):
        nxt = (state.active + step) % count
        if state.players[nxt].turns >= TURNS:
            continue
        if smuggler is None or nxt == 0:
            # A view goes on to its own next turn at most: what another seat answers depends on its hand.
            state.stack = [] if HIDDEN in state.players[nxt].hand else [F_SHIP]
        elif len(smuggler.shown) > 0:
            state.stack = [F_SMUGGLER]
        else:  # only in a position that somebody wrote: five planets last for all ten turns (WS-SOLO-24)
            continue
        state.active = nxt
        return
    state.stack = [F_OVER]
    tell(state, E_OVER, [])


def _end_turn(state: State, player: Player) -> None:
    tell(state, E_ENDED_TURN, [])
    player.turns += 1
    size = len(player.crew)
    for place in range(2, 5):
        if not state.faceup >> place & 1 and size >= PLACE_NUMBERS[place]:
            planet = state.planets[place]
            if planet < 0:
                raise GapError("this position does not tell which planet lies face down")
            state.faceup |= 1 << place
            tell(state, E_REVEALED, [place, planet])
    begin_turn(state)


def _smuggler_move(state: State, kind: int, hostile: int) -> None:
    smuggler = state.smuggler
    if smuggler is None:
        raise RuntimeError("a Smuggler move outside the solo game")
    player = state.players[1]
    at = smuggler.shown.index(hostile)
    if kind == M_SMUGGLER_LAND:
        player.reserve -= 1
        smuggler.loaded[at] = 1
        tell(state, E_SMUGGLER_LANDED, [hostile])
        _smuggler_effects(state, player, hostile * 2)
    else:
        tell(state, E_SMUGGLER_EXPLORED, [hostile])
        _smuggler_effects(state, player, hostile * 2 + 1)
        smuggler.aside.append(hostile)
        if len(smuggler.hidden) > 0:
            revealed = smuggler.hidden.pop()
            if revealed < 0:
                raise GapError("this position does not tell the next hostile planet")
            smuggler.shown[at] = revealed
            smuggler.loaded[at] = 0
            tell(state, E_HOSTILE_SHOWN, [revealed])
        else:
            smuggler.shown.pop(at)
            smuggler.loaded.pop(at)
    player.turns += 1
    begin_turn(state)


def _smuggler_effects(state: State, player: Player, half: int) -> None:
    """Printed order, left to right; the slot is refilled after each single effect (WS-SOLO-13, -16)."""
    for step in state.book.hostile_steps[half]:
        slot = step & 3
        if state.pool[slot] == EMPTY:
            continue
        card = _from_pool(state, slot)
        if step & 4:
            player.crew.append(card)
            tell(state, E_SMUGGLER_ADDED, [slot + 1, card])
        else:
            state.discard.append(card)
            tell(state, E_SMUGGLER_DISCARDED, [slot + 1, card])
        settle_piles(state)


# -- the machine


def apply(state: State, move: int) -> None:
    """Carry out a legal move of the seat that has the decision, up to the next decision."""
    kind = move & 31
    if kind >= M_SMUGGLER_LAND:
        _smuggler_move(state, kind, (move >> 5 & 4095) - 1)
        return
    if kind == M_END_TURN:
        _end_turn(state, state.players[state.active])
        return
    player = state.players[state.active]
    card = (move >> 5 & 4095) - 1
    if kind == M_DRAW_PILE or kind == M_DRAW_POOL:
        _draw(state, player, kind, (move >> 17 & 255) - 1)
    elif kind == M_REFRESH:
        _refresh(state, player, card)
    elif kind == M_PLAY:
        _declare(state)
        _use_one(state)
        player.hand.remove(card)
        _put(state, player, card)
    elif kind == M_ABILITY or kind == M_SQUARE:
        _trigger(state, player, kind, card)
    elif kind == M_LAND:
        _land(state, player, move)
    elif kind == M_EXPLORE:
        _explore(state, player, move >> 17 & 255)
    elif kind == M_CHOOSE:
        _choose(state, move >> 17 & 255)
    elif kind == M_TAKE_PILE or kind == M_TAKE_POOL:
        _take(state, player, kind, (move >> 17 & 255) - 1)
    elif kind == M_PASS_TURN:
        state.stack[0] = F_END
        tell(state, E_PASSED_TURN, [])
    else:  # pass, done: the others must not hear of a question that was declined
        state.stack.pop()
        tell(state, E_GAVE_UP, [], OWNER)
    settle_frames(state)


def _choose(state: State, number: int) -> None:
    frame = state.stack.pop()
    tell(state, E_CHOSE, [number], OWNER)
    option = frame >> 4 & 511 if number == 1 else frame >> 13 & 511
    push_effect(state, option, BY_CHOICE << 12 | number << 14)


def _trigger(state: State, player: Player, kind: int, payment: int) -> None:
    frame = state.stack[-1]
    card = frame >> 4 & 4095
    if kind == M_SQUARE:
        state.stack[-1] = frame & 0x1FFFF
        tell(state, E_USED_SQUARE, [card], OWNER)
        push_effect(state, frame >> 17, BY_SQUARE << 12 | card << 14)
        return
    state.stack[-1] = frame & ~(1 << 16)
    if payment >= 0:  # a price is seen by all, and so is what it is paid for
        tell(state, E_USED_ABILITY, [card])
        _pay(state, player, state.book.condition[card], payment)
        push_effect(state, state.book.effect[card], 0)
    else:
        tell(state, E_USED_ABILITY, [card], OWNER)
        push_effect(state, state.book.effect[card], BY_ABILITY << 12 | card << 14)
