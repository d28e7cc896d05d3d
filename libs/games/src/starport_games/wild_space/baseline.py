"""The baseline bot: one greedy look at each answer. It measures the card set, see docs/balance.md.

Values are tenths of a credit. It reads only what its seat knows, so it answers a view like the position;
it never refreshes, and it never removes a card of its own crew.
"""

from __future__ import annotations

from typing import Final

from starport_games.kernel.deal import Deal
from starport_games.wild_space.book import ICON_CLASS, ICON_MEDAL, ICON_OCCUPATION, ICONS, Book
from starport_games.wild_space.codes import (
    DISCARD,
    DRAW,
    EMPTY,
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
    OWN,
    PLAY,
    POOL_SLOTS,
    REMOVE,
    TURNS,
)
from starport_games.wild_space.legal import holds, legal
from starport_games.wild_space.scoring import SPECIES_COUNT, icon_counts
from starport_games.wild_space.state import Player, Smuggler, State
from starport_games.wild_space.turn import apply

NEVER: Final = -1_000_000
DEPTH: Final = 3  # how many cards of a chain are looked at

THIRD: Final = 50  # the third and every further animal of a species
SECOND: Final = 26
FIRST: Final = 14
SERIES: Final = [0, 150, 70, 42, 30, 24, 20]  # by how many species are missing for the next series
PILE: Final = 44  # an unknown card, when it is taken or drawn
GROWTH: Final = [4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 9, 3, 4, 4]  # tenths of an icon gained per turn, by icon
CARDS_PER_TURN: Final = 15  # tenths
SCARCE: Final = [3, 10, 14, 17]  # what one more card in hand is worth, by how many are missing (or more)
EXPLORE_DRAW: Final = 3


class Mind:
    """What the seat knows about itself before it answers, counted once per decision."""

    def __init__(self, state: State, seat: int) -> None:
        book = state.book
        player = state.players[seat]
        self.book: Book = book
        self.player: Player = player
        self.pool: list[int] = state.pool
        self.left: int = TURNS - player.turns  # turns, this one included
        self.counts: list[int] = icon_counts(book, player.crew)
        most = [0] * ICONS
        for i in range(len(state.players)):
            if i != seat:
                theirs = icon_counts(book, state.players[i].crew)
                for icon in range(ICONS):
                    if theirs[icon] > most[icon]:
                        most[icon] = theirs[icon]
        self.most: list[int] = most  # of each icon, in the best other crew
        fewest = self.counts[0]
        for species in range(1, SPECIES_COUNT):
            if self.counts[species] < fewest:
                fewest = self.counts[species]
        self.fewest: int = fewest
        lacking = 0
        for species in range(SPECIES_COUNT):
            if self.counts[species] == fewest:
                lacking += 1
        self.lacking: int = lacking


# -- what a card is worth


def species_worth(mind: Mind, species: int) -> int:
    have = mind.counts[species]
    late = mind.left <= 2
    if have >= 2:
        worth = THIRD
    elif have == 1:
        worth = SECOND // 2 if late else SECOND
    else:
        worth = FIRST // 3 if late else FIRST
    if have == mind.fewest:
        lacking = mind.lacking
        if lacking <= 2 * mind.left:
            worth += SERIES[lacking]
    return worth


def has_icon(book: Book, card: int, icon: int) -> bool:
    if icon < ICON_OCCUPATION:
        return book.species[card] == icon
    if icon < ICON_CLASS:
        return book.occupation[card] == icon - ICON_OCCUPATION
    if icon < ICON_MEDAL:
        return book.cls[card] == icon - ICON_CLASS
    return book.veteran[card]


def mission_worth(mind: Mind, mission: list[int]) -> int:
    """A new mission, by what the crew has and will probably get."""
    if len(mission) == 0:
        return 0
    if len(mission) == 2:
        lead = mind.counts[mission[1]] - mind.most[mission[1]]
        share = 7 if lead > 0 else 4 if lead == 0 else 2 if lead == -1 else 0
        return mission[0] * share
    copies = 1000
    for i in range(1, len(mission), 2):
        icon = mission[i]
        expected = 10 * mind.counts[icon] + GROWTH[icon] * (mind.left - 1)
        copies = min(copies, expected // mission[i + 1])
    return mission[0] * copies * 8 // 10


def helped_missions(mind: Mind, card: int) -> int:
    """What the missions in the crew gain by this card's icons, partly done sets included."""
    book = mind.book
    total = 0
    for other in mind.player.crew:
        mission = book.mission[other]
        if len(mission) < 2:
            continue
        if len(mission) == 2:
            if has_icon(book, card, mission[1]):
                lead = mind.counts[mission[1]] - mind.most[mission[1]]
                if lead == 0:
                    total += 6 * mission[0]
                elif lead == -1 or lead == 1:
                    total += 2 * mission[0]
        elif len(mission) == 3:
            if has_icon(book, card, mission[1]):
                if (mind.counts[mission[1]] + 1) % mission[2] == 0:
                    total += 10 * mission[0]
                else:
                    total += 5 * mission[0] // mission[2]
        else:
            for i in range(1, len(mission), 2):
                if has_icon(book, card, mission[i]):
                    total += 6 * mission[0]
    return total


def crew_worth(mind: Mind, card: int) -> int:
    """What a card adds to the count by being in the crew."""
    book = mind.book
    worth = 10 * book.credits[card] + mission_worth(mind, book.mission[card]) + helped_missions(mind, card)
    if book.species[card] >= 0:
        worth += species_worth(mind, book.species[card])
    size = len(mind.player.crew)
    if size < 9:  # nearer to the next planet
        worth += mind.left
    return worth


def draw_unit(mind: Mind) -> int:
    """One more card in hand, by how many the turns to come can use."""
    missing = CARDS_PER_TURN * (mind.left - 1) // 10 - len(mind.player.hand)
    if missing <= 0:
        return SCARCE[0] if mind.left > 1 else 1
    return SCARCE[min(missing, 3)]


def hold_worth(mind: Mind, card: int) -> int:
    """What giving up a card of the hand costs."""
    return draw_unit(mind) + (crew_worth(mind, card) + promise(mind, card)) // 6 if mind.left > 1 else 2


def promise(mind: Mind, card: int) -> int:
    """What an ability and a medal are worth on a card that is not played yet."""
    book = mind.book
    worth = 0
    effect = book.effect[card]
    if effect != 0:
        kind = effect & 3
        if kind == DRAW:
            worth = (effect >> 2 & 7) * draw_unit(mind) // 2
        elif kind == PLAY:
            worth = 22 if holds(book, mind.player.hand, effect >> 5) else 8
        else:
            worth = 30
        condition = book.condition[card]
        if condition & 3 == REMOVE:
            worth = 0
        elif condition & 3 == DISCARD:
            worth = worth // 2
    return worth + (square_promise(mind) if book.veteran[card] else 0)


def square_promise(mind: Mind) -> int:
    """The next square of the captain's track, and that the ones behind it come nearer."""
    track = mind.book.track[mind.player.crew[0]]
    token = mind.player.token
    if token >= len(track):
        return 0
    square = track[token]
    worth = 0
    for i in range(token + 1, len(track)):
        if track[i] < 0 and len(track) - token <= mind.left:
            worth += -10 * track[i] // (3 * (i - token))
    if square < 0:
        return worth - 10 * square
    if square & 3 == DRAW:
        return worth + (square >> 2 & 7) * draw_unit(mind)
    return worth + 25


# -- what an effect is worth


def play_worth(mind: Mind, card: int, used: list[int], depth: int) -> int:
    """A card of the hand (or taken) played now, its ability and its square looked at `depth` cards deep."""
    book = mind.book
    worth = crew_worth(mind, card)
    used.append(card)
    effect = book.effect[card]
    if effect != 0:
        condition = book.condition[card]
        price = condition_price(mind, condition, card, used)
        if price > NEVER:
            worth += max(0, effect_worth(mind, effect, used, depth) - price)
    if book.veteran[card]:
        track = mind.book.track[mind.player.crew[0]]
        token = mind.player.token
        if token < len(track) and track[token] > 0:
            worth += max(square_promise(mind) // 2, effect_worth(mind, track[token], used, depth))
        else:
            worth += square_promise(mind)
    used.pop()
    return worth


def condition_price(mind: Mind, condition: int, card: int, used: list[int]) -> int:
    """What fulfilling costs at least; NEVER when it cannot or shall not be done."""
    kind = condition & 3
    if condition == 0:
        return 0
    if kind == OWN:
        for other in mind.player.crew:
            if other != card and mind.book.match[other] >> (condition >> 2) & 1:
                return 0
        return NEVER
    if kind == REMOVE:
        return NEVER
    price = NEVER
    for other in mind.player.hand:
        if other not in used and mind.book.match[other] >> (condition >> 2) & 1:
            cost = hold_worth(mind, other)
            if price == NEVER or cost < price:
                price = cost
    return price


def effect_worth(mind: Mind, effect: int, used: list[int], depth: int) -> int:
    kind = effect & 3
    count = effect >> 2 & 7
    if kind == DRAW:
        return count * draw_unit(mind) + 3
    if kind != PLAY:
        return best_of_pool(mind)
    best = 0
    second = 0
    which = effect >> 5
    for card in mind.player.hand:
        if card not in used and mind.book.match[card] >> which & 1:
            worth = play_worth(mind, card, used, depth - 1) if depth > 1 else crew_worth(mind, card)
            if worth > best:
                second = best
                best = worth
            elif worth > second:
                second = worth
    return best + second if count > 1 else best


def best_of_pool(mind: Mind) -> int:
    best = PILE
    for card in mind.pool:
        if card != EMPTY:
            best = max(best, crew_worth(mind, card) + promise(mind, card))
    return best


def options_worth(mind: Mind, options: list[int], used: list[int]) -> int:
    best = 0
    for option in options:
        best = max(best, effect_worth(mind, option, used, DEPTH))
    return best


# -- what an answer is worth


def land_worth(state: State, mind: Mind, move: int) -> int:
    book = state.book
    sector = move >> 17 & 255
    index = state.planets[sector >> 1] * 2 + (sector & 1)
    paid = (move >> 5 & 4095) - 1
    used: list[int] = []
    price = 0
    if paid >= 0:
        if paid in mind.player.crew:
            return NEVER
        price = hold_worth(mind, paid)
        used.append(paid)
    return options_worth(mind, book.sector_options[index], used) - price


def answer_worth(state: State, mind: Mind, move: int) -> int:
    kind = move & 31
    frame = state.stack[-1]
    card = (move >> 5 & 4095) - 1
    number = move >> 17 & 255
    if kind == M_PLAY:
        return play_worth(mind, card, [], DEPTH)
    if kind == M_DRAW_POOL or kind == M_TAKE_POOL:
        seen = mind.pool[number - 1]
        return crew_worth(mind, seen) + promise(mind, seen)
    if kind == M_DRAW_PILE or kind == M_TAKE_PILE:
        return PILE
    if kind == M_LAND:
        return land_worth(state, mind, move)
    if kind == M_EXPLORE:
        return options_worth(mind, [DRAW | EXPLORE_DRAW << 2, PLAY | 1 << 2], [])
    if kind == M_CHOOSE:
        return effect_worth(mind, frame >> 4 & 511 if number == 1 else frame >> 13 & 511, [], DEPTH)
    if kind == M_SQUARE:
        square = frame >> 17
        return effect_worth(mind, square, [], DEPTH) + (1000 if square & 3 == DRAW else 0)
    if kind == M_ABILITY:
        return ability_worth(mind, frame >> 4 & 4095, card)
    if kind == M_REFRESH:
        return NEVER
    return 0


def ability_worth(mind: Mind, card: int, paid: int) -> int:
    """Drawing comes first, so that what is played next can be chosen from more."""
    book = mind.book
    if book.condition[card] & 3 == REMOVE:
        return NEVER
    effect = book.effect[card]
    if paid < 0:
        return effect_worth(mind, effect, [], DEPTH) + (1000 if effect & 3 == DRAW else 0)
    return effect_worth(mind, effect, [paid], DEPTH) - hold_worth(mind, paid)


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
                    gain += THIRD if counts[species] >= 2 else SECOND if counts[species] == 1 else FIRST
                    if counts[species] == fewest:
                        gain += SERIES[counts[:SPECIES_COUNT].count(fewest)]
                for planet in smuggler.shown + smuggler.aside:
                    for icon in book.hostile_icons[planet]:
                        if has_icon(book, card, icon):
                            gain += 10
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
    while True:
        seat = state.decider()
        if seat < 0:
            return passes
        move = choose(state, seat, chance)
        if move & 31 == M_PASS_TURN:
            passes += 1
        apply(state, move)
