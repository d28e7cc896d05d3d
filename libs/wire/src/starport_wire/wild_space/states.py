"""Positions and views of Wild Space to messages and back."""

from __future__ import annotations

from typing import Final

from starport.v1.wild_space_pb2 import (
    Sector,
    WildSpacePlanet,
    WildSpacePlayer,
    WildSpaceSmuggler,
    WildSpaceState,
)
from starport_games.kernel.effects import HIDDEN
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    EMPTY,
    F_END,
    F_OVER,
    F_SHIP,
    F_SMUGGLER,
    PLACES,
    POOL_SLOTS,
    SEATS_MAX,
    SECTORS,
    SHIPS,
    TURNS,
)
from starport_games.wild_space.grammar import CATEGORIES
from starport_games.wild_space.setup import DIFFICULTIES, HOME_PLANETS, TIERS
from starport_games.wild_space.state import Player, Smuggler, State
from starport_wire.values import GAP, Names, enum_index, number, read_generator, write_generator
from starport_wire.wild_space.frames import Frames
from starport_wire.wild_space.moves import SECTOR_MESSAGES, read_sector

BOTTOMS: Final = (F_SHIP, F_END, F_SMUGGLER, F_OVER)
MODES: Final = 2  # player, seat
TIER_OF_PLACE: Final = (*[0] * HOME_PLANETS, *TIERS)
SECTOR_BITS: Final = 1 << SECTORS


class States:
    """Of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.cards = Names(book.ids, "card")
        self.planets = Names(book.planet_ids, "planet")
        self.hostiles = Names(book.hostile_ids, "hostile planet")
        self.frames = Frames(book)
        self.captains = frozenset(book.captains)

    # -- writing

    def write(self, message: WildSpaceState, state: State) -> None:
        words = self.cards.words
        message.set = self.book.label
        message.seats = state.seats
        message.first = state.first
        message.active = state.active
        names = self.planets.words
        faceup = state.faceup
        for place, planet in enumerate(state.planets):
            lying = message.planets.add()
            lying.planet = names[planet]
            if faceup >> place & 1:
                lying.face_up = True
        message.pool.extend([words[card] for card in state.pool])
        message.pile.extend([words[card] for card in state.deck[: state.left][::-1]])
        message.discard.extend([words[card] for card in state.discard])
        for player in state.players:
            self._write_player(message.players.add(), player)
        if state.smuggler is not None:
            self._write_smuggler(message.smuggler, state.smuggler)
        written = self.frames.message
        message.stack.extend([written(frame) for frame in state.stack])
        if state.deal is not None:
            write_generator(message.generator, state.deal)

    def _write_player(self, message: WildSpacePlayer, player: Player) -> None:
        words = self.cards.words
        crew = player.crew
        message.captain = words[crew[0]]
        message.crew.extend([words[card] for card in crew[1:]])
        message.hand.extend([words[card] for card in player.hand])
        message.token = player.token
        message.reserve = player.reserve
        if player.landed:
            message.landed.extend(SECTORS_OF[player.landed])
        if player.explored:
            message.explored.extend(SECTORS_OF[player.explored])
        message.turns = player.turns

    def _write_smuggler(self, message: WildSpaceSmuggler, smuggler: Smuggler) -> None:
        words = self.hostiles.words
        message.difficulty = smuggler.difficulty  # type: ignore[assignment]  # Difficulty has the engine's numbers
        message.mode = 2 if smuggler.own_seat else 1  # type: ignore[assignment]  # SmugglerMode: player, seat
        for hostile, loaded in zip(smuggler.shown, smuggler.loaded, strict=True):
            shown = message.shown.add()
            shown.hostile = words[hostile]
            shown.loaded = bool(loaded)
        for hostile in reversed(smuggler.hidden):
            hidden = message.hidden.add()
            if hostile >= 0:
                hidden.hostile = words[hostile]
            elif hostile != HIDDEN:
                hidden.category = HIDDEN - hostile  # type: ignore[assignment]  # views.hidden_category, from 1 on
        message.aside.extend([words[hostile] for hostile in smuggler.aside])

    # -- reading

    def read(self, message: WildSpaceState) -> State:
        book = self.book
        if message.set != book.label:
            raise BadInput(f"a position of the set {clip(message.set)}, not of {book.label}")
        state = State(book, number(message.seats, 1, SEATS_MAX, "seats"))
        players = max(state.seats, 2)
        if len(message.players) != players:
            raise BadInput(f"a position of {state.seats} seats has {players} players, not {len(message.players)}")
        state.first = number(message.first, 0, players - 1, "first")
        state.active = number(message.active, 0, players - 1, "active")
        self._read_planets(state, list(message.planets))
        if len(message.pool) != POOL_SLOTS:
            raise BadInput(f"the pool has {POOL_SLOTS} slots, not {len(message.pool)}")
        state.pool = [self.cards.slot(word) for word in message.pool]
        state.deck = self.cards.seen_list(message.pile)[::-1]
        state.left = len(state.deck)
        state.discard = self.cards.seen_list(message.discard)
        state.players = [self._player(player) for player in message.players]
        if message.HasField("smuggler") != (state.seats == 1):
            raise BadInput("the solo game has a Smuggler, and no other")
        if state.seats == 1:
            state.smuggler = self._smuggler(message.smuggler)
        if message.HasField("generator"):
            state.deal = read_generator(message.generator)
        state.stack = [self.frames.read(frame) for frame in message.stack]
        self._check_cards(state)
        _check_stack(state)
        return state

    def _read_planets(self, state: State, planets: list[WildSpacePlanet]) -> None:
        if len(planets) != PLACES:
            raise BadInput(f"{PLACES} planets lie on the table, not {len(planets)}")
        state.planets = [self.planets.seen(lying.planet) for lying in planets]
        state.faceup = 0
        for place, lying in enumerate(planets):
            planet = state.planets[place]
            if lying.face_up:
                state.faceup |= 1 << place
            elif place < HOME_PLANETS:
                raise BadInput("home planets lie face up (WS-SETUP-2)")
            if planet < 0 and lying.face_up:
                raise BadInput("a planet that lies face up is known")
            if planet >= 0 and self.book.planet_tier[planet] != TIER_OF_PLACE[place]:
                raise BadInput(f"{lying.planet} is no planet for place {place + 1} of {PLACES}")

    def _player(self, message: WildSpacePlayer) -> Player:
        captain = self.cards.known(message.captain)
        if captain not in self.captains:
            raise BadInput(f"{message.captain} is no captain")
        player = Player(self.cards.seen_list(message.hand), [captain, *self.cards.known_list(message.crew)])
        player.token = number(message.token, 0, len(self.book.track[captain]), "token")
        player.reserve = number(message.reserve, 0, SHIPS, "reserve")
        player.landed = _sector_bits(message.landed)
        player.explored = _sector_bits(message.explored)
        player.turns = number(message.turns, 0, TURNS, "turns")
        if player.landed & player.explored:
            raise BadInput("two ships of one seat in a sector (WS-LAND-7)")
        if player.reserve + player.landed.bit_count() + player.explored.bit_count() > SHIPS:
            raise BadInput(f"a seat has {SHIPS} ships")
        return player

    def _smuggler(self, message: WildSpaceSmuggler) -> Smuggler:
        level = enum_index(message.difficulty, len(DIFFICULTIES), "difficulty")
        mode = enum_index(message.mode, MODES, "the mode of the Smuggler")
        smuggler = Smuggler(level + 1, mode == 1)
        smuggler.shown = [self.hostiles.known(shown.hostile) for shown in message.shown]
        smuggler.loaded = [int(shown.loaded) for shown in message.shown]
        smuggler.hidden = [self._hidden_hostile(hidden) for hidden in reversed(message.hidden)]
        smuggler.aside = self.hostiles.known_list(message.aside)
        drawn = [hostile for hostile in smuggler.shown + smuggler.hidden + smuggler.aside if hostile >= 0]
        if len(drawn) != len(set(drawn)):
            raise BadInput("one hostile planet lies in two places")
        if len(message.shown) + len(message.hidden) + len(message.aside) > SHIPS:
            raise BadInput(f"there are at most {SHIPS} hostile planets (WS-SOLO-4)")
        return smuggler

    def _hidden_hostile(self, message: WildSpaceSmuggler.HostileHidden) -> int:
        if message.hostile == GAP:
            return HIDDEN - number(message.category, 0, len(CATEGORIES), "the category of a hostile planet")
        if message.category:
            raise BadInput("the category is told only where the hostile planet is not")
        return self.hostiles.known(message.hostile)

    def _check_cards(self, state: State) -> None:
        """No card lies in two places, and captains lead crews and nothing else."""
        lying = state.deck + state.discard + state.pool
        for player in state.players:
            lying = lying + player.hand + player.crew[1:]
        known = [card for card in lying if card not in (HIDDEN, EMPTY)]
        captains = [player.crew[0] for player in state.players]
        if len(set(known)) != len(known) or len(set(captains)) != len(captains):
            raise BadInput("one card lies in two places")
        if not self.captains.isdisjoint(known):
            raise BadInput("a captain lies among the crew cards")
        planets = [planet for planet in state.planets if planet >= 0]
        if len(set(planets)) != len(planets):
            raise BadInput("one planet lies in two places")


def _check_stack(state: State) -> None:
    """As notation.py reads stacks: a bottom frame, and others only above `end`."""
    stack = state.stack
    if not stack:
        return
    if stack[0] not in BOTTOMS or any(frame in BOTTOMS for frame in stack[1:]):
        raise BadInput("a stack begins with ship, end, smuggler or over, and has none of these above")
    if len(stack) > 1 and stack[0] != F_END:
        raise BadInput("only 'end' has other frames above it")
    if stack[0] == F_OVER:
        return
    if (stack[0] == F_SMUGGLER) != (state.smuggler is not None and state.active == 1):
        raise BadInput("the frame of the Smuggler is open exactly when the Smuggler is active")
    if HIDDEN in state.players[state.active].hand:
        raise BadInput("the hand of the active player has gaps, so nobody can say its answers")


def _sector_bits(sectors: object) -> int:
    bits = 0
    for sector in sectors:  # type: ignore[attr-defined]
        bits |= 1 << read_sector(sector)
    return bits


def _sectors(bits: int) -> list[Sector]:
    return [SECTOR_MESSAGES[sector] for sector in range(SECTORS) if bits >> sector & 1]


# Every set of sectors as messages: shared, so they are copied and never changed.
SECTORS_OF: Final = [_sectors(bits) for bits in range(SECTOR_BITS)]
