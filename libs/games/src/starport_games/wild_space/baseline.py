"""The baseline bot: one greedy look at each answer. It measures the card set, see docs/balance.md.

It reads only what its seat knows, so it answers a view like the position; it never removes a card of its own crew.
"""

from __future__ import annotations

from typing import Final

from starport_games.kernel.deal import Deal
from starport_games.wild_space.codes import (
    DRAW,
    EMPTY,
    F_DRAW,
    F_TAKE,
    M_ABILITY,
    M_CHOOSE,
    M_DRAW_PILE,
    M_DRAW_POOL,
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
)
from starport_games.wild_space.legal import legal
from starport_games.wild_space.playout import DECISIONS_MAX
from starport_games.wild_space.scoring import SPECIES_COUNT, icon_counts
from starport_games.wild_space.state import Smuggler, State
from starport_games.wild_space.turn import apply
from starport_games.wild_space.worth import (
    DEPTH,
    FRESH,
    NEVER,
    PILE,
    SERIES,
    Mind,
    effect_worth,
    has_icon,
    hold_worth,
    hope,
    play_worth,
)

EXPLORED: Final = [DRAW | 3 << 2, PLAY | 1 << 2]  # what every exploration offers (WS-EXPL-4)
EXPLORE_FIRST: Final = 4  # new sectors become better with time, explorations do not
DRAW_FIRST: Final = 1000  # what is played next can then be chosen from more
REFRESH_TO_DRAW: Final = 5  # a card that is only drawn must gain so many times what the refresh costs
SMUGGLED: Final = [14, 26, 50]  # an animal for the Smuggler, by how many of its species it has
HOSTILE_ICON: Final = 10


def options_worth(mind: Mind, options: list[int], used: list[int]) -> int:
    best = 0
    for option in options:
        best = max(best, effect_worth(mind, option, used, DEPTH))
    return best


def land_worth(state: State, mind: Mind, move: int) -> int:
    sector = move >> 17 & 255
    options = state.book.sector_options[state.planets[sector >> 1] * 2 + (sector & 1)]
    paid = (move >> 5 & 4095) - 1
    if paid < 0:
        return options_worth(mind, options, [])
    if paid in mind.player.crew:
        return NEVER
    return options_worth(mind, options, [paid]) - hold_worth(mind, paid)


def refresh_worth(mind: Mind, frame: int, paid: int) -> int:
    """The pool is refreshed only when the next card may come from it."""
    if frame & 15 == F_TAKE:
        return FRESH - hold_worth(mind, paid)
    if frame & 15 == F_DRAW:
        return FRESH - REFRESH_TO_DRAW * hold_worth(mind, paid)
    return NEVER


def ability_worth(mind: Mind, card: int, paid: int) -> int:
    book = mind.book
    if book.condition[card] & 3 == REMOVE:
        return NEVER
    effect = book.effect[card]
    if paid >= 0:
        return effect_worth(mind, effect, [paid], DEPTH) - hold_worth(mind, paid)
    return effect_worth(mind, effect, [], DEPTH) + (DRAW_FIRST if effect & 3 == DRAW else 0)


def answer_worth(state: State, mind: Mind, move: int) -> int:
    """Answers of the same decision can be compared by it; passing and the like are worth 0."""
    kind = move & 31
    frame = state.stack[-1]
    card = (move >> 5 & 4095) - 1
    number = move >> 17 & 255
    if kind == M_PLAY:
        return play_worth(mind, card, [], DEPTH)
    if kind == M_DRAW_POOL:
        return hope(mind, mind.pool[number - 1])
    if kind == M_TAKE_POOL:
        return play_worth(mind, mind.pool[number - 1], [], DEPTH - 1)
    if kind == M_DRAW_PILE or kind == M_TAKE_PILE:
        return PILE
    if kind == M_LAND:
        return land_worth(state, mind, move)
    if kind == M_EXPLORE:
        return options_worth(mind, EXPLORED, []) + EXPLORE_FIRST
    if kind == M_CHOOSE:
        return effect_worth(mind, frame >> 4 & 511 if number == 1 else frame >> 13 & 511, [], DEPTH)
    if kind == M_SQUARE:
        square = frame >> 17
        return effect_worth(mind, square, [], DEPTH) + (DRAW_FIRST if square & 3 == DRAW else 0)
    if kind == M_ABILITY:
        return ability_worth(mind, frame >> 4 & 4095, card)
    if kind == M_REFRESH:
        return refresh_worth(mind, frame, card)
    return 0


def smuggler_worth(state: State, smuggler: Smuggler, move: int) -> int:
    """Minus what the Smuggler gains, as far as the pool tells."""
    book = state.book
    counts = icon_counts(book, state.players[1].crew)
    fewest = min(counts[:SPECIES_COUNT])
    hostile = (move >> 5 & 4095) - 1
    half = 0 if move & 31 == M_SMUGGLER_LAND else 1
    gone = [False] * POOL_SLOTS
    gain = 0
    for step in book.hostile_steps[hostile * 2 + half]:
        slot = step & 3
        card = state.pool[slot]
        if step & 4:
            if gone[slot] or card == EMPTY:
                gain += PILE
            else:
                gain += 10 * book.credits[card]
                species = book.species[card]
                if species >= 0:
                    gain += SMUGGLED[min(counts[species], 2)]
                    if counts[species] == fewest:
                        gain += SERIES[counts[:SPECIES_COUNT].count(fewest)]
                for planet in smuggler.shown + smuggler.aside:
                    for icon in book.hostile_icons[planet]:
                        if has_icon(book, card, icon):
                            gain += HOSTILE_ICON
        gone[slot] = True
    return -gain


def choose(state: State, seat: int, chance: Deal) -> int:
    """The bot's answer for this seat, which must have the decision; `chance` settles equal worth."""
    moves = legal(state, seat)
    if len(moves) == 1:
        return moves[0]
    smuggler = state.smuggler
    smuggles = smuggler is not None and state.active == 1
    mind = Mind(state, seat)
    best: list[int] = []
    top = NEVER
    for move in moves:
        if smuggler is not None and smuggles:
            worth = smuggler_worth(state, smuggler, move)
        else:
            worth = answer_worth(state, mind, move)
        if worth > top or len(best) == 0:
            top = worth
            best = [move]
        elif worth == top:
            best.append(move)
    return best[chance.below(len(best))]


def play_game(state: State, chance: Deal) -> int:
    """Every seat is the bot, to the end of the game; returns how many turns had to be passed (WS-TURN-7)."""
    passes = 0
    for _ in range(DECISIONS_MAX):
        seat = state.decider()
        if seat < 0:
            return passes
        move = choose(state, seat, chance)
        if move & 31 == M_PASS_TURN:
            passes += 1
        apply(state, move)
    raise RuntimeError(f"no end after {DECISIONS_MAX} decisions")
