"""The count (rules document, section 17, and for the Smuggler 18)."""

from __future__ import annotations

from typing import Final

from starport_games.wild_space.book import ICON_CLASS, ICON_MEDAL, ICON_OCCUPATION, ICONS, Book
from starport_games.wild_space.state import Player, State

SPECIES_FROM: Final = 3  # the third and every further animal of a species scores
SPECIES_CREDITS: Final = 5
SERIES_CREDITS: Final = 15
SPECIES_COUNT: Final = 6

# Where each part stands in the lists of `parts`.
PART_SPECIES: Final = 0
PART_SERIES: Final = 1
PART_MISSIONS: Final = 2
PART_ROBOTS: Final = 3
PART_CAPTAIN: Final = 4
PART_HOSTILE: Final = 5


def icon_counts(book: Book, crew: list[int]) -> list[int]:
    """How often each identity icon stands in a crew, the captain included (WS-TERM-5, -11)."""
    counts = [0] * ICONS
    for card in crew:
        species = book.species[card]
        if species >= 0:
            counts[species] += 1
        occupation = book.occupation[card]
        if occupation >= 0:
            counts[ICON_OCCUPATION + occupation] += 1
        cls = book.cls[card]
        if cls >= 0:
            counts[ICON_CLASS + cls] += 1
        if book.veteran[card]:
            counts[ICON_MEDAL] += 1
    return counts


def _per_set(mission: list[int], counts: list[int]) -> int:
    copies = counts[mission[1]] // mission[2]
    for i in range(3, len(mission), 2):
        copies = min(copies, counts[mission[i]] // mission[i + 1])
    return mission[0] * copies


def _missions(book: Book, crew: list[int], counts: list[int], others: list[list[int]]) -> int:
    total = 0
    for card in crew:
        mission = book.mission[card]
        if len(mission) > 2:
            total += _per_set(mission, counts)
        elif len(mission) == 2:
            icon = mission[1]
            ahead = counts[icon] > 0
            for other in others:
                if other[icon] >= counts[icon]:
                    ahead = False
            if ahead:
                total += mission[0]
    return total


def _captain(book: Book, player: Player) -> int:
    credits = 0
    track = book.track[player.crew[0]]
    for i in range(min(player.token, len(track))):
        if track[i] < 0:
            credits -= track[i]
    return credits


def _hostile(state: State, counts: list[int]) -> int:
    """Icons of every hostile planet that lies open; when the game is over these are all five."""
    smuggler = state.smuggler
    if smuggler is None:
        return 0
    credits = 0
    for planet in smuggler.shown + smuggler.aside:
        for icon in state.book.hostile_icons[planet]:
            credits += counts[icon]
    return credits


def parts(state: State) -> list[list[int]]:
    """For each player (solo: the seat, then the Smuggler) the six parts of its score."""
    book = state.book
    counts: list[list[int]] = []
    for player in state.players:
        counts.append(icon_counts(book, player.crew))
    scores: list[list[int]] = []
    for i in range(len(state.players)):
        player = state.players[i]
        own = counts[i]
        score = [0] * 6
        fewest = own[0]
        for species in range(SPECIES_COUNT):
            k = own[species]
            if k >= SPECIES_FROM:
                score[PART_SPECIES] += SPECIES_CREDITS * (k - SPECIES_FROM + 1)
            if k < fewest:
                fewest = k
        score[PART_SERIES] = SERIES_CREDITS * fewest
        for card in player.crew:
            score[PART_ROBOTS] += book.credits[card]
        if state.smuggler is not None and i == 1:
            score[PART_HOSTILE] = _hostile(state, own)
        else:
            others = counts[:i] + counts[i + 1 :]
            score[PART_MISSIONS] = _missions(book, player.crew, own, others)
            score[PART_CAPTAIN] = _captain(book, player)
        scores.append(score)
    return scores


def totals(state: State) -> list[int]:
    sums: list[int] = []
    for score in parts(state):
        total = 0
        for part in score:
            total += part
        sums.append(total)
    return sums


def ranks(state: State, scores: list[int]) -> list[int]:
    """1 for the best; equal players share a rank (WS-SCORE-10 to -15, WS-SOLO-30)."""
    places: list[int] = []
    for i in range(len(scores)):
        better = 0
        for j in range(len(scores)):
            if scores[j] > scores[i]:
                better += 1
            elif scores[j] == scores[i] and j != i:
                if state.smuggler is not None:
                    better += 1 if j == 1 else 0  # equality is a loss for the solo player
                elif len(state.players[j].crew) < len(state.players[i].crew):
                    better += 1
        places.append(better + 1)
    return places
