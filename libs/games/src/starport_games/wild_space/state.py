"""A position of Wild Space: plain ints and lists, cheap to copy."""

from __future__ import annotations

from starport_games.kernel.deal import Deal
from starport_games.kernel.digests import add_list
from starport_games.kernel.effects import Effect
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import F_OVER, SHIPS


class Player:
    """One seat's side of the table, or the Smuggler's."""

    __slots__ = ("crew", "explored", "hand", "landed", "reserve", "token", "turns")

    def __init__(self, hand: list[int], crew: list[int]) -> None:
        self.hand = hand
        self.crew = crew  # the captain first, then in order of play
        self.token = 0
        self.reserve = SHIPS
        self.landed = 0  # bit s: a ship at the bottom of sector s (place * 2 + side)
        self.explored = 0  # bit s: a ship at the top of sector s
        self.turns = 0  # turns completed

    def clone(self) -> Player:
        copy = Player(self.hand[:], self.crew[:])
        copy.token = self.token
        copy.reserve = self.reserve
        copy.landed = self.landed
        copy.explored = self.explored
        copy.turns = self.turns
        return copy

    def same(self, other: Player) -> bool:
        return (
            self.hand == other.hand
            and self.crew == other.crew
            and self.token == other.token
            and self.reserve == other.reserve
            and self.landed == other.landed
            and self.explored == other.explored
            and self.turns == other.turns
        )


class Smuggler:
    """The solo opponent's hostile planets."""

    __slots__ = ("aside", "difficulty", "hidden", "loaded", "own_seat", "shown")

    def __init__(self, difficulty: int, own_seat: bool) -> None:
        self.difficulty = difficulty  # 1 easy, 2 normal, 3 hard
        self.own_seat = own_seat  # an AI seat moves for it instead of the solo player
        self.shown: list[int] = []  # face up
        self.loaded: list[int] = []  # beside each: 1 when a ship stands on its bottom
        self.hidden: list[int] = []  # face down, the next one last
        self.aside: list[int] = []

    def clone(self) -> Smuggler:
        copy = Smuggler(self.difficulty, self.own_seat)
        copy.shown = self.shown[:]
        copy.loaded = self.loaded[:]
        copy.hidden = self.hidden[:]
        copy.aside = self.aside[:]
        return copy

    def same(self, other: Smuggler) -> bool:
        return (
            self.difficulty == other.difficulty
            and self.own_seat == other.own_seat
            and self.shown == other.shown
            and self.loaded == other.loaded
            and self.hidden == other.hidden
            and self.aside == other.aside
        )


class State:
    """Everything about a match in progress. `deck[:left]` is the draw pile, its top last; the list is shared."""

    __slots__ = (
        "active",
        "book",
        "deal",
        "deck",
        "discard",
        "faceup",
        "facts",
        "first",
        "left",
        "planets",
        "players",
        "pool",
        "seats",
        "smuggler",
        "stack",
    )

    def __init__(self, book: Book, seats: int) -> None:
        self.book = book
        self.seats = seats  # 1 is the solo game
        self.first = 0
        self.active = 0  # whose turn it is; in the solo game 1 is the Smuggler
        self.planets: list[int] = []  # at places H1 H2 P3 P6 P9; shared by clones, replaced whole
        self.faceup = 3  # bit p: the planet at place p is face up
        self.pool: list[int] = []
        self.deck: list[int] = []  # shared by clones: replaced whole at a reshuffle, never changed in place
        self.left = 0
        self.discard: list[int] = []  # oldest first
        self.players: list[Player] = []  # solo: the seat, then the Smuggler
        self.smuggler: Smuggler | None = None
        self.stack: list[int] = []  # frames, the open one last; empty in a view that must not tell
        self.deal: Deal | None = None  # None in a view
        self.facts: list[Effect] | None = None  # where `play` collects what happens; None while searching

    def clone(self) -> State:
        copy = State(self.book, self.seats)
        copy.first = self.first
        copy.active = self.active
        copy.planets = self.planets
        copy.faceup = self.faceup
        copy.pool = self.pool[:]
        copy.deck = self.deck
        copy.left = self.left
        copy.discard = self.discard[:]
        players: list[Player] = []
        for player in self.players:
            players.append(player.clone())
        copy.players = players
        smuggler = self.smuggler
        if smuggler is not None:
            copy.smuggler = smuggler.clone()
        copy.stack = self.stack[:]
        deal = self.deal
        if deal is not None:
            copy.deal = deal.clone()
        return copy

    def numbers(self) -> list[int]:
        """The position without its cards' content and its generator, for a digest: each list after its length."""
        told = [self.seats, self.first, self.active, self.faceup, self.left]
        told.extend(self.deck[: self.left])
        add_list(told, self.planets)
        add_list(told, self.pool)
        add_list(told, self.discard)
        add_list(told, self.stack)
        for player in self.players:
            told.extend([player.token, player.reserve, player.landed, player.explored, player.turns])
            add_list(told, player.hand)
            add_list(told, player.crew)
        smuggler = self.smuggler
        if smuggler is not None:
            told.append(smuggler.difficulty * 2 + (1 if smuggler.own_seat else 0))
            add_list(told, smuggler.shown)
            add_list(told, smuggler.loaded)
            add_list(told, smuggler.hidden)
            add_list(told, smuggler.aside)
        return told

    def over(self) -> bool:
        return len(self.stack) == 1 and self.stack[0] == F_OVER

    def decider(self) -> int:
        """The seat that has the open decision, -1 when the game is over."""
        if len(self.stack) == 1 and self.stack[0] == F_OVER:
            return -1
        smuggler = self.smuggler
        if smuggler is not None and self.active == 1 and not smuggler.own_seat:
            return 0
        return self.active

    def same(self, other: State) -> bool:
        """Equal in everything that can ever matter, the generator included."""
        if (
            not self.book.same(other.book)
            or self.seats != other.seats
            or self.first != other.first
            or self.active != other.active
            or self.planets != other.planets
            or self.faceup != other.faceup
            or self.pool != other.pool
            or self.deck[: self.left] != other.deck[: other.left]
            or self.discard != other.discard
            or self.stack != other.stack
            or len(self.players) != len(other.players)
        ):
            return False
        for i in range(len(self.players)):
            if not self.players[i].same(other.players[i]):
                return False
        own = self.smuggler
        theirs = other.smuggler
        if own is None or theirs is None:
            if own is not theirs:
                return False
        elif not own.same(theirs):
            return False
        deal = self.deal
        dealt = other.deal
        if deal is None or dealt is None:
            return deal is dealt
        return deal.text() == dealt.text()
