"""What the baseline bot takes a card and an effect to be worth to its seat, in tenths of a credit.

The constants were found by climbing: each was moved as long as the mean total of thousands of games rose, on other
seeds than those that judge the set; then they were rounded, and those that hardly mattered were dropped.
"""

from __future__ import annotations

from typing import Final

from starport_games.wild_space.book import ICON_CLASS, ICON_MEDAL, ICON_OCCUPATION, ICONS, Book
from starport_games.wild_space.codes import DISCARD, DRAW, EMPTY, OWN, PLAY, REMOVE, TURNS
from starport_games.wild_space.legal import holds
from starport_games.wild_space.scoring import SPECIES_COUNT, icon_counts
from starport_games.wild_space.state import Player, State

NEVER: Final = -1_000_000
DEPTH: Final = 3  # how many cards of a chain are looked at

PHASE: Final = [0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3]  # by turns left, this one included: the last, late, middle, early

THIRD: Final = 50  # the third and every further animal of a species
SECOND: Final = [0, 5, 12, 24]  # by phase; a first animal counts only towards a series
SERIES: Final = [0, 150, 45, 25, 15, 10, 5]  # by how many species are missing for the next series
SERIES_LATE: Final = 3  # with so few turns left at most as many species may be missing

PILE: Final = 44  # an unknown card
FRESH: Final = 80  # the best card of a pool that is refreshed
DRAWN: Final = [  # one more card in hand, by phase and by how many there are (5 or more)
    [1, 1, 1, 1, 1, 1],
    [14, 14, 7, 5, 3, 3],
    [22, 22, 22, 14, 5, 3],
    [22, 22, 22, 22, 14, 14],
]
HELD: Final = 10  # per cent of its worth that is lost with a card of the hand, beside its being a card

OCCUPATION_GROWTH: Final = 1  # tenths of such an icon that a turn brings
GROWTH: Final = 3  # the same for every other icon
SET: Final = 50  # per cent of the sets that a new mission may hope for
PART_OF_SET: Final = 50
PAIR: Final = 60  # per cent of a pair that one half of it is worth
MAJORITY: Final = [20, 30, 70]  # per cent that a majority is worth when one behind, level, ahead
MAJORITY_WON: Final = 60  # per cent gained by the card that takes the lead
MAJORITY_NEAR: Final = 20  # the same when one behind or ahead

DRAW_PROMISE: Final = 50  # per cent
PLAY_PROMISE: Final = 20
PLAY_NOTHING: Final = 10  # when there is no card for it yet
TAKE_PROMISE: Final = 20
PAID: Final = 50  # per cent of a promise that costs a card
UNMET: Final = 40  # per cent of a promise whose condition is not met yet
SQUARE_PROMISE: Final = 20
TRACK: Final = 33  # per cent of the credits further down the track


class Mind:
    """What the seat knows about itself before it answers, counted once per decision."""

    def __init__(self, state: State, seat: int) -> None:
        book = state.book
        player = state.players[seat]
        self.book: Book = book
        self.player: Player = player
        self.pool: list[int] = state.pool
        self.left: int = TURNS - player.turns  # turns, this one included
        self.phase: int = PHASE[self.left]
        self.drawn: int = DRAWN[self.phase][min(len(player.hand), 5)]
        self.counts: list[int] = icon_counts(book, player.crew)
        most = [0] * ICONS
        for i in range(len(state.players)):
            if i != seat:
                theirs = icon_counts(book, state.players[i].crew)
                for icon in range(ICONS):
                    if theirs[icon] > most[icon]:
                        most[icon] = theirs[icon]
        self.most: list[int] = most  # of each icon, in the best other crew
        self.fewest: int = min(self.counts[:SPECIES_COUNT])
        self.lacking: int = self.counts[:SPECIES_COUNT].count(self.fewest)  # species, for the next series


# -- a card in the crew


def species_worth(mind: Mind, species: int) -> int:
    have = mind.counts[species]
    worth = THIRD if have >= 2 else SECOND[mind.phase] if have == 1 else 0
    if have == mind.fewest and (mind.left > SERIES_LATE or mind.lacking <= mind.left):
        worth += SERIES[mind.lacking]
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
        return mission[0] * MAJORITY[min(lead, 1) + 1] // 10 if lead >= -1 else 0
    tenths = 1000
    for i in range(1, len(mission), 2):
        icon = mission[i]
        growth = OCCUPATION_GROWTH if ICON_OCCUPATION <= icon < ICON_CLASS else GROWTH
        expected = 10 * mind.counts[icon] + growth * (mind.left - 1)
        tenths = min(tenths, expected // mission[i + 1])
    return mission[0] * tenths * SET // 100


def helped_missions(mind: Mind, card: int) -> int:
    """What the missions in the crew gain by this card's icons, partly done sets included."""
    book = mind.book
    total = 0
    for other in mind.player.crew:
        mission = book.mission[other]
        if len(mission) == 2:
            if has_icon(book, card, mission[1]):
                lead = mind.counts[mission[1]] - mind.most[mission[1]]
                if lead == 0:
                    total += mission[0] * MAJORITY_WON // 10
                elif lead == -1 or lead == 1:
                    total += mission[0] * MAJORITY_NEAR // 10
        elif len(mission) == 3:
            if has_icon(book, card, mission[1]):
                if (mind.counts[mission[1]] + 1) % mission[2] == 0:
                    total += 10 * mission[0]
                else:
                    total += mission[0] * PART_OF_SET // (10 * mission[2])
        else:
            for i in range(1, len(mission), 2):
                if has_icon(book, card, mission[i]):
                    total += mission[0] * PAIR // 10
    return total


def crew_worth(mind: Mind, card: int) -> int:
    """What a card adds to the count by being in the crew."""
    book = mind.book
    worth = 10 * book.credits[card] + mission_worth(mind, book.mission[card]) + helped_missions(mind, card)
    species = book.species[card]
    return worth + species_worth(mind, species) if species >= 0 else worth


# -- a card that is not in play yet


def hold_worth(mind: Mind, card: int) -> int:
    """What giving up a card of the hand costs."""
    return mind.drawn + hope(mind, card) * HELD // 100 if mind.left > 1 else mind.drawn


def hope(mind: Mind, card: int) -> int:
    """What a card will add when it is played some time."""
    return (
        crew_worth(mind, card) + ability_promise(mind, card) + (square_promise(mind) if mind.book.veteran[card] else 0)
    )


def ability_promise(mind: Mind, card: int) -> int:
    book = mind.book
    effect = book.effect[card]
    condition = book.condition[card]
    if effect == 0 or condition & 3 == REMOVE:
        return 0
    kind = effect & 3
    if kind == DRAW:
        worth = (effect >> 2 & 7) * mind.drawn * DRAW_PROMISE // 100
    elif kind == PLAY:
        worth = PLAY_PROMISE if holds(book, mind.player.hand, effect >> 5) else PLAY_NOTHING
    else:
        worth = TAKE_PROMISE
    if condition & 3 == DISCARD:
        return worth * PAID // 100
    if condition & 3 == OWN and not holds(book, mind.player.crew, condition >> 2):
        return worth * UNMET // 100
    return worth


def square_promise(mind: Mind) -> int:
    """The next square of the captain's track, and that the credits behind it come nearer."""
    track = mind.book.track[mind.player.crew[0]]
    token = mind.player.token
    if token >= len(track):
        return 0
    worth = 0
    for i in range(token + 1, len(track)):
        if track[i] < 0 and i - token < mind.left:
            worth -= 10 * track[i] * TRACK // (100 * (i - token))
    square = track[token]
    if square < 0:
        return worth - 10 * square
    if square & 3 == DRAW:
        return worth + (square >> 2 & 7) * mind.drawn
    return worth + SQUARE_PROMISE


# -- an effect that is carried out now


def play_worth(mind: Mind, card: int, used: list[int], depth: int) -> int:
    """A card of the hand (or taken) played now, its ability and its square looked at `depth` cards deep."""
    book = mind.book
    worth = crew_worth(mind, card)
    used.append(card)
    effect = book.effect[card]
    if effect != 0:
        price = condition_price(mind, book.condition[card], card, used)
        if price > NEVER:
            worth += max(0, effect_worth(mind, effect, used, depth) - price)
    if book.veteran[card]:
        track = book.track[mind.player.crew[0]]
        token = mind.player.token
        promise = square_promise(mind)
        if token < len(track) and track[token] > 0:
            worth += max(promise // 2, effect_worth(mind, track[token], used, depth))
        else:
            worth += promise
    used.pop()
    return worth


def condition_price(mind: Mind, condition: int, card: int, used: list[int]) -> int:
    """What fulfilling costs at least; NEVER when it cannot or shall not be done."""
    kind = condition & 3
    if condition == 0:
        return 0
    if kind == REMOVE:
        return NEVER
    match = mind.book.match
    which = condition >> 2
    if kind == OWN:
        for other in mind.player.crew:
            if other != card and match[other] >> which & 1:
                return 0
        return NEVER
    price = NEVER
    for other in mind.player.hand:
        if other not in used and match[other] >> which & 1:
            cost = hold_worth(mind, other)
            if price == NEVER or cost < price:
                price = cost
    return price


def effect_worth(mind: Mind, effect: int, used: list[int], depth: int) -> int:
    kind = effect & 3
    count = effect >> 2 & 7
    if kind == DRAW:
        return count * mind.drawn
    if kind != PLAY:
        return best_of_pool(mind, used, depth)
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


def best_of_pool(mind: Mind, used: list[int], depth: int) -> int:
    best = PILE
    for card in mind.pool:
        if card != EMPTY:
            best = max(best, play_worth(mind, card, used, depth - 1) if depth > 1 else hope(mind, card))
    return best
