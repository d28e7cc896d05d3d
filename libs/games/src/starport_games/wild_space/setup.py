"""The first position (rules document, section 3): every random step in one fixed, documented order."""

from __future__ import annotations

from dataclasses import dataclass

from starport_games.kernel.deal import Deal
from starport_games.kernel.effects import PARTLY, Effect
from starport_games.kernel.errors import BadInput
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    E_CAPTAIN,
    E_DEALT,
    E_FILLED,
    E_HOSTILE_SHOWN,
    E_STARTED,
    F_SHIP,
    F_SMUGGLER,
    HAND_DEALT,
    POOL_SLOTS,
    SEATS_MAX,
)
from starport_games.wild_space.state import Player, Smuggler, State

DIFFICULTIES = ("easy", "normal", "hard")
# How many hostile planets of category I, II, III a solo game draws (WS-SOLO-4).
HOSTILE_DRAWN = ((3, 2, 0), (1, 3, 1), (0, 2, 3))
HOSTILE_SHOWN = 2
HOME_PLANETS = 2
TIERS = (3, 6, 9)


@dataclass(frozen=True)
class WildSpaceOptions:
    """What a table may choose."""

    book: Book
    difficulty: str = "normal"  # solo only
    smuggler: str = "player"  # solo only: who moves for the Smuggler, the "player" or an AI "seat" of its own
    first: int | None = None  # the seat that begins (solo: 1 is the Smuggler); None is random


def start(options: WildSpaceOptions, seats: int, deal: Deal) -> State:
    """Deal a game. The order of the random steps is part of docs/protocol.md."""
    _check(options, seats)
    book = options.book
    solo = seats == 1
    state = State(book, seats)
    state.deal = deal
    state.planets = _planets(book, deal)
    captains = book.captains[:]
    deal.shuffle(captains)
    deck = book.crew[:]
    deal.shuffle(deck)
    state.deck = deck
    state.left = len(deck)
    for _ in range(POOL_SLOTS):
        state.pool.append(_top(state))
    for seat in range(seats):
        state.players.append(Player([_top(state) for _ in range(HAND_DEALT)], [captains[seat]]))
    if solo:
        state.players.append(Player([], [captains[1]]))
        state.smuggler = _smuggler(options, deal)
    state.first = deal.below(len(state.players)) if options.first is None else options.first
    state.active = state.first
    state.stack = [F_SMUGGLER if solo and state.first == 1 else F_SHIP]
    return state


def opening(state: State) -> list[Effect]:
    """What set-up brought, as facts; each hand is for its seat alone."""
    facts = [Effect(E_STARTED, -1, [state.first])]
    for seat, player in enumerate(state.players):
        facts.append(Effect(E_CAPTAIN, seat, [player.crew[0]]))
    facts += [Effect(E_FILLED, -1, [slot + 1, card]) for slot, card in enumerate(state.pool)]
    for seat in range(state.seats):
        facts.append(Effect(E_DEALT, seat, state.players[seat].hand[:], PARTLY))
    if state.smuggler is not None:
        facts += [Effect(E_HOSTILE_SHOWN, -1, [hostile]) for hostile in state.smuggler.shown]
    return facts


def _top(state: State) -> int:
    state.left -= 1
    return state.deck[state.left]


def _check(options: WildSpaceOptions, seats: int) -> None:
    book = options.book
    if not 1 <= seats <= SEATS_MAX:
        raise BadInput(f"wild-space has 1 to {SEATS_MAX} seats, not {seats} (WS-SETUP-1)")
    players = max(seats, 2)
    if options.first is not None and not 0 <= options.first < players:
        raise BadInput(f"first: there is no seat {options.first}; write 0 to {players - 1}")
    if len(book.captains) < players:
        raise BadInput(f"set {book.label}: {players} captains are needed, it has {len(book.captains)}")
    cards = POOL_SLOTS + HAND_DEALT * seats
    if len(book.crew) < cards:
        raise BadInput(f"set {book.label}: {cards} crew cards are needed to deal, it has {len(book.crew)}")
    for tier, need in ((0, HOME_PLANETS), *((tier, 1) for tier in TIERS)):
        if book.planet_tier.count(tier) < need:
            raise BadInput(f"set {book.label}: {need} planets of tier {tier or 'home'} are needed")
    if seats == 1:
        for category, need in enumerate(HOSTILE_DRAWN[DIFFICULTIES.index(options.difficulty)], 1):
            if book.hostile_category.count(category) < need:
                raise BadInput(f"set {book.label}: {need} hostile planets of category {'I' * category} are needed")


def _planets(book: Book, deal: Deal) -> list[int]:
    homes = [planet for planet, tier in enumerate(book.planet_tier) if tier == 0]
    if len(homes) > HOME_PLANETS:
        deal.shuffle(homes)
    chosen = homes[:HOME_PLANETS]
    for tier in TIERS:
        of_tier = [planet for planet, number in enumerate(book.planet_tier) if number == tier]
        chosen.append(of_tier[deal.below(len(of_tier))])
    return chosen


def _smuggler(options: WildSpaceOptions, deal: Deal) -> Smuggler:
    level = DIFFICULTIES.index(options.difficulty)
    drawn: list[int] = []
    for category, count in enumerate(HOSTILE_DRAWN[level], 1):
        of_category = [h for h, number in enumerate(options.book.hostile_category) if number == category]
        deal.shuffle(of_category)
        drawn += of_category[:count]
    deal.shuffle(drawn)
    smuggler = Smuggler(level + 1, options.smuggler == "seat")
    smuggler.shown = drawn[:HOSTILE_SHOWN]
    smuggler.loaded = [0] * HOSTILE_SHOWN
    smuggler.hidden = drawn[: HOSTILE_SHOWN - 1 : -1]
    return smuggler
