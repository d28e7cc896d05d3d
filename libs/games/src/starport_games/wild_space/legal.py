"""What may be answered at the open decision: the exact list, and for any other move the reason why not."""

from __future__ import annotations

from typing import Final

from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    DISCARD,
    EMPTY,
    F_ACTION,
    F_DRAW,
    F_END,
    F_PLAY,
    F_SHIP,
    F_SMUGGLER,
    F_TAKE,
    F_TRIGGERS,
    M_ABILITY,
    M_CHOOSE,
    M_DONE,
    M_DRAW_PILE,
    M_DRAW_POOL,
    M_END_TURN,
    M_EXPLORE,
    M_LAND,
    M_PASS,
    M_PASS_TURN,
    M_PLAY,
    M_REFRESH,
    M_SMUGGLER_EXPLORE,
    M_SMUGGLER_LAND,
    M_SQUARE,
    M_TAKE_PILE,
    M_TAKE_POOL,
    MOVE_KINDS,
    OWN,
    PLAY,
    POOL_SLOTS,
    R_CARD,
    R_CONDITION,
    R_CREW,
    R_EXPLORED,
    R_FACE_DOWN,
    R_FILTER,
    R_HOSTILE,
    R_MALFORMED,
    R_MUST_MOVE,
    R_NO_SHIP,
    R_NONE,
    R_NOT_LANDED,
    R_OPTION,
    R_OVER,
    R_OWN_SHIP,
    R_PAYMENT,
    R_PHASE,
    R_SEAT,
    R_SOURCE,
    R_TRIGGER,
    SECTORS,
)
from starport_games.wild_space.state import Player, State

PLACE_NUMBERS: Final = [0, 0, 3, 6, 9]

# Which parts a move of each kind may carry: 1 a card, 2 a number, 4 a condition.
MOVE_PARTS: Final = [0, 7, 2, 0, 2, 0, 2, 1, 0, 0, 2, 1, 0, 0, 0, 1, 1, 1]
# The frame in which a move of each kind is an answer; refresh (0) has its own rule.
MOVE_FRAME: Final = [
    0,
    F_SHIP,
    F_SHIP,
    F_SHIP,
    F_ACTION,
    F_DRAW,
    F_DRAW,
    F_PLAY,
    0,
    F_TAKE,
    F_TAKE,
    F_TRIGGERS,
    F_TRIGGERS,
    F_TRIGGERS,
    F_END,
    0,
    F_SMUGGLER,
    F_SMUGGLER,
]


def drawable(state: State) -> bool:
    """Whether a card lies in the draw pile or the pool."""
    if state.left > 0:
        return True
    pool = state.pool
    return pool[0] != EMPTY or pool[1] != EMPTY or pool[2] != EMPTY


def holds(book: Book, cards: list[int], which: int) -> bool:
    match = book.match
    for card in cards:
        if match[card] >> which & 1:
            return True
    return False


def possible(state: State, player: Player, effect: int) -> bool:
    """WS-TERM-16."""
    if effect & 3 == PLAY:
        return holds(state.book, player.hand, effect >> 5)
    return drawable(state)


def met(book: Book, player: Player, condition: int, card: int) -> bool:
    """Whether this condition can be fulfilled now, for a landing (card -1) or for the ability of a card in play."""
    kind = condition & 3
    if kind == DISCARD:
        return holds(book, player.hand, condition >> 2)
    if kind == OWN:
        match = book.match
        which = condition >> 2
        for other in player.crew:
            if other != card and match[other] >> which & 1:
                return True
        return False
    removable = len(player.crew) - 1
    return removable > 1 or (removable == 1 and player.crew[1] != card)


def pays(book: Book, player: Player, condition: int, card: int, payment: int) -> bool:
    """Whether exactly this payment (-1 for none) fulfils a condition that can be met."""
    kind = condition & 3
    if condition == 0 or kind == OWN:
        return payment < 0
    if payment < 0:
        return False
    if kind == DISCARD:
        return payment in player.hand and bool(book.match[payment] >> (condition >> 2) & 1)
    return payment != card and payment != player.crew[0] and payment in player.crew


def add_payments(book: Book, player: Player, condition: int, card: int, move: int, moves: list[int]) -> None:
    """One move for every way to fulfil a condition that can be met."""
    kind = condition & 3
    if condition == 0 or kind == OWN:
        moves.append(move)
        return
    if kind == DISCARD:
        match = book.match
        which = condition >> 2
        for paid in player.hand:
            if match[paid] >> which & 1:
                moves.append(move | (paid + 1) << 5)
        return
    for i in range(1, len(player.crew)):
        if player.crew[i] != card:
            moves.append(move | (player.crew[i] + 1) << 5)


def ability_usable(state: State, player: Player, card: int) -> bool:
    """WS-ABIL-7, for an ability that is still open."""
    book = state.book
    condition = book.condition[card]
    if condition == 0:
        return possible(state, player, book.effect[card])
    if not met(book, player, condition, card):
        return False
    return condition & 3 != OWN or possible(state, player, book.effect[card])


def void(state: State, player: Player, frame: int) -> bool:
    """Whether a frame asks nothing (19.1)."""
    kind = frame & 15
    if kind == F_DRAW:
        return not drawable(state)
    if kind == F_PLAY:
        return not holds(state.book, player.hand, frame >> 4 & 15)
    if kind == F_TRIGGERS:
        square = frame >> 17
        if square != 0 and possible(state, player, square):
            return False
        return not (frame >> 16 & 1 and ability_usable(state, player, frame >> 4 & 4095))
    if kind == F_TAKE:
        return not drawable(state)
    if kind == F_ACTION:
        return not possible(state, player, frame >> 4 & 511) and not possible(state, player, frame >> 13 & 511)
    return False


def _ship_moves(state: State, player: Player, moves: list[int]) -> None:
    book = state.book
    used = player.landed | player.explored
    if player.reserve > 0:
        size = len(player.crew)
        for place in range(5):
            if not state.faceup >> place & 1 or size < PLACE_NUMBERS[place]:
                continue
            for sector in range(place * 2, place * 2 + 2):
                if used >> sector & 1:
                    continue
                conditions = book.sector_conditions[state.planets[place] * 2 + (sector & 1)]
                move = M_LAND | sector << 17
                count = len(conditions)
                if count == 0:
                    moves.append(move)
                for i in range(count):
                    if met(book, player, conditions[i], -1):
                        # With a single condition the listed form leaves its number out (WS-LAND-17).
                        number = i + 1 if count > 1 else 0
                        add_payments(book, player, conditions[i], -1, move | number << 25, moves)
    if player.landed != 0:
        for sector in range(SECTORS):
            if player.landed >> sector & 1:
                moves.append(M_EXPLORE | sector << 17)


def _source_moves(state: State, pile: int, slot: int, moves: list[int]) -> None:
    if state.left > 0:
        moves.append(pile)
    pool = state.pool
    for i in range(POOL_SLOTS):
        if pool[i] != EMPTY:
            moves.append(slot | (i + 1) << 17)


def _smuggler_moves(state: State, moves: list[int]) -> None:
    smuggler = state.smuggler
    if smuggler is None:
        return
    for i in range(len(smuggler.shown)):
        kind = M_SMUGGLER_EXPLORE if smuggler.loaded[i] else M_SMUGGLER_LAND
        moves.append(kind | (smuggler.shown[i] + 1) << 5)


def _trigger_moves(state: State, player: Player, frame: int, moves: list[int]) -> None:
    card = frame >> 4 & 4095
    if frame >> 16 & 1 and ability_usable(state, player, card):
        add_payments(state.book, player, state.book.condition[card], card, M_ABILITY, moves)
    square = frame >> 17
    if square != 0 and possible(state, player, square):
        moves.append(M_SQUARE)
    moves.append(M_DONE)


def legal(state: State, seat: int) -> list[int]:
    """Every accepted answer of this seat: first the decision's own in printed order, then the refreshes."""
    moves: list[int] = []
    if len(state.stack) == 0 or seat != state.decider() or seat < 0:
        return moves
    frame = state.stack[-1]
    kind = frame & 15
    if kind == F_SMUGGLER:
        _smuggler_moves(state, moves)
        return moves
    player = state.players[seat]
    if kind == F_DRAW:
        _source_moves(state, M_DRAW_PILE, M_DRAW_POOL, moves)
    elif kind == F_PLAY:
        match = state.book.match
        which = frame >> 4 & 15
        for card in player.hand:
            if match[card] >> which & 1:
                moves.append(M_PLAY | (card + 1) << 5)
        moves.append(M_PASS)
    elif kind == F_TRIGGERS:
        _trigger_moves(state, player, frame, moves)
    elif kind == F_END:
        moves.append(M_END_TURN)
    elif kind == F_SHIP:
        _ship_moves(state, player, moves)
        if len(moves) == 0:
            moves.append(M_PASS_TURN)
    elif kind == F_TAKE:
        _source_moves(state, M_TAKE_PILE, M_TAKE_POOL, moves)
        moves.append(M_PASS)
    elif kind == F_ACTION:
        if possible(state, player, frame >> 4 & 511):
            moves.append(M_CHOOSE | 1 << 17)
        if possible(state, player, frame >> 13 & 511):
            moves.append(M_CHOOSE | 2 << 17)
    for card in player.hand:
        moves.append(M_REFRESH | (card + 1) << 5)
    return moves


def why_not(state: State, seat: int, move: int) -> int:
    """R_NONE when the move is accepted, else the first refusal that holds, in the order of 19.4."""
    if state.over():
        return R_OVER
    kind = move & 31
    if move < 0 or kind < 1 or kind > MOVE_KINDS or move >> 29 != 0:
        return R_MALFORMED
    parts = MOVE_PARTS[kind]
    number = move >> 17 & 255
    if (
        (parts & 1 == 0 and move >> 5 & 4095 != 0)
        or (parts & 2 == 0 and number != 0)
        or (parts & 4 == 0 and move >> 25 != 0)
        or (kind <= M_EXPLORE and number >= SECTORS)
    ):
        return R_MALFORMED
    if seat != state.decider() or seat < 0:
        return R_SEAT
    if len(state.stack) == 0:
        return R_PHASE
    frame = state.stack[-1]
    open_kind = frame & 15
    card = (move >> 5 & 4095) - 1
    if kind == M_REFRESH:
        if open_kind == F_SMUGGLER:
            return R_PHASE
        return R_NONE if card in state.players[seat].hand else R_CARD
    if kind == M_PASS:
        return R_NONE if open_kind == F_PLAY or open_kind == F_TAKE else R_PHASE
    if open_kind != MOVE_FRAME[kind]:
        return R_PHASE
    if open_kind == F_SMUGGLER:
        return _why_not_smuggler(state, kind, card)
    player = state.players[seat]
    if open_kind == F_SHIP:
        return _why_not_ship(state, player, kind, move)
    if open_kind == F_TRIGGERS:
        return _why_not_trigger(state, player, kind, frame, card)
    if kind == M_PLAY:
        if card not in player.hand:
            return R_CARD
        return R_NONE if state.book.match[card] >> (frame >> 4 & 15) & 1 else R_FILTER
    if kind == M_CHOOSE:
        if number < 1 or number > 2:
            return R_OPTION
        option = frame >> 4 & 511 if number == 1 else frame >> 13 & 511
        return R_NONE if possible(state, player, option) else R_OPTION
    if kind == M_DRAW_PILE or kind == M_TAKE_PILE:
        return R_NONE if state.left > 0 else R_SOURCE
    if kind == M_DRAW_POOL or kind == M_TAKE_POOL:
        if number < 1 or number > POOL_SLOTS or state.pool[number - 1] == EMPTY:
            return R_SOURCE
    return R_NONE


def _why_not_smuggler(state: State, kind: int, hostile: int) -> int:
    smuggler = state.smuggler
    if smuggler is None or hostile not in smuggler.shown:
        return R_HOSTILE
    loaded = smuggler.loaded[smuggler.shown.index(hostile)]
    return R_NONE if bool(loaded) == (kind == M_SMUGGLER_EXPLORE) else R_HOSTILE


def _why_not_ship(state: State, player: Player, kind: int, move: int) -> int:
    if kind == M_PASS_TURN:
        moves: list[int] = []
        _ship_moves(state, player, moves)
        return R_NONE if len(moves) == 0 else R_MUST_MOVE
    sector = move >> 17 & 255
    bit = 1 << sector
    if kind == M_EXPLORE:
        if player.explored & bit:
            return R_EXPLORED
        return R_NONE if player.landed & bit else R_NOT_LANDED
    place = sector >> 1
    if player.reserve == 0:
        return R_NO_SHIP
    if not state.faceup >> place & 1:
        return R_FACE_DOWN
    if len(player.crew) < PLACE_NUMBERS[place]:
        return R_CREW
    if (player.landed | player.explored) & bit:
        return R_OWN_SHIP
    conditions = state.book.sector_conditions[state.planets[place] * 2 + (sector & 1)]
    named = move >> 25 & 15
    if named == 0 and len(conditions) == 1:
        named = 1
    if named > len(conditions) or (named == 0 and len(conditions) > 1):
        return R_CONDITION
    condition = conditions[named - 1] if named > 0 else 0
    if condition != 0 and not met(state.book, player, condition, -1):
        return R_CONDITION
    payment = (move >> 5 & 4095) - 1
    return R_NONE if pays(state.book, player, condition, -1, payment) else R_PAYMENT


def _why_not_trigger(state: State, player: Player, kind: int, frame: int, payment: int) -> int:
    if kind == M_DONE:
        return R_NONE
    if kind == M_SQUARE:
        square = frame >> 17
        return R_NONE if square != 0 and possible(state, player, square) else R_TRIGGER
    card = frame >> 4 & 4095
    if not frame >> 16 & 1 or not ability_usable(state, player, card):
        return R_TRIGGER
    return R_NONE if pays(state.book, player, state.book.condition[card], card, payment) else R_PAYMENT
