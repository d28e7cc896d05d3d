"""Reads a position text; every fault is one line that names the line, the key and the reason."""

from __future__ import annotations

from starport_games.kernel.deal import KEY_BYTES, Deal, read_deal
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import Line, by_key, clip, read_lines, whole_number
from starport_games.wild_space import grammar, inline
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    EMPTY,
    F_END,
    F_OVER,
    F_SHIP,
    F_SMUGGLER,
    F_TRIGGERS,
    HIDDEN,
    POOL_SLOTS,
    SEATS_MAX,
    SHIPS,
    TURNS,
)
from starport_games.wild_space.frames import read_frame
from starport_games.wild_space.moves import PLACE_NAMES, SIDES
from starport_games.wild_space.notation import GAME_NAME, player_names
from starport_games.wild_space.setup import DIFFICULTIES, HOME_PLANETS, TIERS
from starport_games.wild_space.state import Player, Smuggler, State
from starport_games.wild_space.tables import book_of
from starport_games.wild_space.turn import settle_frames, settle_piles

GAPS_MAX = 4000
HOSTILE_LINES = ("hostile shown", "hostile hidden", "hostile aside")
TABLE_KEYS = (
    "game",
    "set",
    "seats",
    "difficulty",
    "smuggler",
    "first",
    "active",
    "planets",
    "pool",
    "pile",
    "discard",
)
PLAYER_KEYS = ("captain", "turns", "token", "ships", "hand", "crew")


def read_position(text: str, cards: grammar.CardSet, where: str) -> State:
    """The position that a text describes, settled: empty slots filled and void frames popped, as the rules do."""
    lines = read_lines(text, where)
    book, rest = _book(lines, cards, where)
    return PositionReader(book, rest, where).state()


def _book(lines: list[Line], cards: grammar.CardSet, where: str) -> tuple[Book, list[Line]]:
    """The set with the cards that the position itself defines, and the lines that are left."""
    crew, planets, hostiles = list(cards.cards), list(cards.planets), list(cards.hostiles)
    taken = {card.id for card in crew} | {planet.id for planet in planets} | {hostile.id for hostile in hostiles}
    definitions: list[str] = []
    rest: list[Line] = []
    for line in lines:
        kind, _, id = line.key.partition(" ")
        if kind not in inline.KINDS or not id or line.key in HOSTILE_LINES:
            rest.append(line)
            continue
        if id in taken:
            raise line.bad(f"{clip(id)} is the id of another card; choose a new one")
        try:
            thing = inline.read_card_definition(kind, id, line.value)
        except grammar.GrammarError as why:
            raise line.bad(str(why)) from None
        taken.add(id)
        definitions.append(f"{kind} {id}: {inline.card_definition(thing)[1]}")
        if isinstance(thing, grammar.Card):
            crew.append(thing)
        elif isinstance(thing, grammar.Planet):
            planets.append(thing)
        else:
            hostiles.append(thing)
    if not rest or rest[0].key != "game" or rest[0].value != GAME_NAME:
        raise BadInput(f"{where}: a position begins with the line 'game: {GAME_NAME}'")
    whole = grammar.CardSet(cards.id, cards.version, cards.name, tuple(crew), tuple(planets), tuple(hostiles))
    return book_of(whole, tuple(definitions)), rest


class PositionReader:
    """Reads the lines in the order in which they depend on each other; no card may lie in two places."""

    def __init__(self, book: Book, lines: list[Line], where: str) -> None:
        self.book = book
        self.where = where
        self.ids = {id: card for card, id in enumerate(book.ids)}
        self.places: dict[int, str] = {}  # card -> the line that holds it
        seats_line = next((line for line in lines if line.key == "seats"), None)
        self.seats = seats_line.number(1, SEATS_MAX) if seats_line else 2
        self.names = player_names(self.seats)
        known = {
            *TABLE_KEYS,
            "stack",
            "deal",
            *(f"{name} {key}" for name in self.names for key in PLAYER_KEYS),
        }
        self.lines = by_key(lines, known | set(HOSTILE_LINES if self.seats == 1 else ()))

    def line(self, key: str, default: str) -> Line:
        return self.lines.get(key) or Line(key, default, self.where)

    def state(self) -> State:
        book = self.book
        state = State(book, self.seats)
        label = self.line("set", book.label)
        if label.value != book.label:
            raise label.bad(f"the cards at hand are {book.label}; give the file of {clip(label.value)} with --set")
        state.first = self.player_index("first", "0")
        state.active = self.player_index("active", self.names[state.first])
        self.read_planets(state)
        captains = [card for card in book.captains if book.ids[card] not in self.named_captains()]
        state.players = [self.player(name, captains) for name in self.names]
        if self.seats == 1:
            state.smuggler = self.smuggler(state.players[1])
        state.pool = self.read_pool()
        state.deck = self.cards("pile")[::-1]
        state.left = len(state.deck)
        state.discard = self.cards("discard")
        deal = self.line("deal", "")
        state.deal = Deal(bytes(KEY_BYTES)) if not deal.value else self.generator(deal)
        self.read_stack(state)
        self.settle(state)
        return state

    def settle(self, state: State) -> None:
        if state.stack and state.stack[0] != F_OVER:
            settle_piles(state)
            settle_frames(state)

    def generator(self, line: Line) -> Deal | None:
        if line.value == "?":
            return None
        try:
            return read_deal(line.value)
        except ValueError as why:
            raise line.bad(str(why)) from None

    def player_index(self, key: str, default: str) -> int:
        line = self.line(key, default)
        if line.value not in self.names:
            raise line.bad(f"there is no player {clip(line.value)}; write one of {', '.join(self.names)}")
        return self.names.index(line.value)

    # -- planets

    def read_planets(self, state: State) -> None:
        tiers = self.book.planet_tier
        homes = [planet for planet, tier in enumerate(tiers) if tier == 0][:HOME_PLANETS]
        state.planets = homes + [tiers.index(tier) for tier in TIERS]
        line = self.line("planets", "")
        named: set[str] = set()
        for word in line.value.split():
            place, _, name = word.partition("=")
            if place not in PLACE_NAMES or place in named:
                raise line.bad(f"{clip(word)}: name each of {', '.join(PLACE_NAMES)} at most once, as 'P3=planet-id'")
            named.add(place)
            self.read_planet(state, line, PLACE_NAMES.index(place), name)
        if len({planet for planet in state.planets if planet >= 0}) < sum(p >= 0 for p in state.planets):
            raise line.bad("one planet lies in two places")

    def read_planet(self, state: State, line: Line, place: int, name: str) -> None:
        facedown = name.startswith("(") and name.endswith(")")
        bare = name[1:-1] if facedown else name
        if facedown and place < HOME_PLANETS:
            raise line.bad("home planets lie face up (WS-SETUP-2)")
        state.faceup = state.faceup & ~(1 << place) if facedown else state.faceup | 1 << place
        if bare == "?" and facedown:
            state.planets[place] = HIDDEN
            return
        if bare not in self.book.planet_ids:
            raise line.bad(f"the set has no planet {clip(bare)}")
        planet = self.book.planet_ids.index(bare)
        tier = (0, 0, *TIERS)[place]
        if self.book.planet_tier[planet] != tier:
            raise line.bad(f"{bare} is no planet of tier {tier or 'home'}, as {PLACE_NAMES[place]} needs")
        state.planets[place] = planet

    # -- cards

    def claim(self, line: Line, word: str) -> int:
        """The card of this id, which may lie nowhere else."""
        card = self.ids.get(word)
        if card is None:
            raise line.bad(f"the set has no card {clip(word)}; define it with a line 'card {word[:40]}: …'")
        if card in self.places:
            raise line.bad(f"{word} lies in {self.places[card]!r} already")
        self.places[card] = line.key
        return card

    def cards(self, key: str) -> list[int]:
        line = self.line(key, "")
        found: list[int] = []
        for word in line.value.split():
            if word.startswith("?"):
                count = whole_number(line, word[2:], 1, GAPS_MAX) if word.startswith("?*") else 1
                if word != "?" and not word.startswith("?*"):
                    raise line.bad(f"{clip(word)}: write '?' for a card that is not known, '?*12' for twelve")
                found += [HIDDEN] * count
                continue
            card = self.claim(line, word)
            if card in self.book.captains:
                raise line.bad(f"{word} is a captain; captains stand in a 'captain' line only")
            found.append(card)
        return found

    def known_cards(self, key: str) -> list[int]:
        found = self.cards(key)
        if HIDDEN in found:
            raise self.lines[key].bad("these cards lie open; '?' cannot stand for one")
        return found

    def read_pool(self) -> list[int]:
        line = self.line("pool", "")
        words = line.value.split() + ["-"] * POOL_SLOTS
        if len(line.value.split()) > POOL_SLOTS:
            raise line.bad(f"the pool has {POOL_SLOTS} slots")
        pool: list[int] = []
        for word in words[:POOL_SLOTS]:
            card = EMPTY if word == "-" else self.claim(line, word)
            if card in self.book.captains:
                raise line.bad(f"{word} is a captain")
            pool.append(card)
        return pool

    # -- players

    def named_captains(self) -> set[str]:
        return {self.lines[f"{name} captain"].value for name in self.names if f"{name} captain" in self.lines}

    def player(self, name: str, spare: list[int]) -> Player:
        line = self.line(f"{name} captain", "")
        if not line.value:
            if not spare:
                raise line.bad("the set has no captain left; define one with a line 'captain x: …'")
            line.value = self.book.ids[spare.pop(0)]
        captain = self.claim(line, line.value)
        if captain not in self.book.captains:
            raise line.bad(f"{line.value} is no captain")
        player = Player(self.cards(f"{name} hand"), [captain, *self.known_cards(f"{name} crew")])
        player.turns = self.line(f"{name} turns", "0").number(0, TURNS)
        token = self.line(f"{name} token", "0")
        player.token = token.number(0, len(self.book.track[captain]))
        self.read_ships(player, self.line(f"{name} ships", ""))
        if name == "smuggler" and (player.token or player.hand or player.landed or player.explored):
            raise BadInput(f"{self.where}: the smuggler has no token, hand or ships on planets (WS-SOLO-2)")
        return player

    def read_ships(self, player: Player, line: Line) -> None:
        for word in line.value.split():
            place, _, side = word.removesuffix("*").partition(".")
            if place not in PLACE_NAMES or side not in SIDES:
                raise line.bad(f"{clip(word)} is no ship; write 'P3.left', or 'P3.left*' when it has explored")
            bit = 1 << PLACE_NAMES.index(place) * 2 + SIDES.index(side)
            if (player.landed | player.explored) & bit:
                raise line.bad(f"two ships in {place}.{side} (WS-LAND-7)")
            if player.reserve == 0:
                raise line.bad(f"a seat has {SHIPS} ships")
            player.reserve -= 1
            if word.endswith("*"):
                player.explored |= bit
            else:
                player.landed |= bit

    # -- the Smuggler

    def smuggler(self, player: Player) -> Smuggler:
        level = self.choice("difficulty", DIFFICULTIES, "normal")
        smuggler = Smuggler(level + 1, self.choice("smuggler", ("player", "seat"), "player") == 1)
        seen: set[str] = set()
        shown = self.line("hostile shown", "")
        for word in shown.value.split():
            smuggler.shown.append(self.hostile(shown, word.removesuffix("*"), seen))
            smuggler.loaded.append(1 if word.endswith("*") else 0)
        hidden = self.line("hostile hidden", "")
        smuggler.hidden = [self.hidden_hostile(hidden, word, seen) for word in hidden.value.split()][::-1]
        aside = self.line("hostile aside", "")
        smuggler.aside = [self.hostile(aside, word, seen) for word in aside.value.split()]
        if len(seen) + sum(planet < 0 for planet in smuggler.hidden) > SHIPS:
            raise shown.bad(f"shown, hidden and aside together are at most {SHIPS} hostile planets (WS-SOLO-4)")
        player.reserve = SHIPS - sum(smuggler.loaded) - len(smuggler.aside)
        return smuggler

    def choice(self, key: str, words: tuple[str, ...], default: str) -> int:
        line = self.line(key, default)
        if line.value not in words:
            raise line.bad(f"{clip(line.value)}: write one of {', '.join(words)}")
        return words.index(line.value)

    def hostile(self, line: Line, word: str, seen: set[str]) -> int:
        if word not in self.book.hostile_ids:
            raise line.bad(f"the set has no hostile planet {clip(word)}")
        if word in seen:
            raise line.bad(f"{word} lies in two places")
        seen.add(word)
        return self.book.hostile_ids.index(word)

    def hidden_hostile(self, line: Line, word: str, seen: set[str]) -> int:
        if word == "?":
            return HIDDEN
        if word.startswith("?") and word[1:] in grammar.CATEGORIES:
            return HIDDEN - grammar.CATEGORIES.index(word[1:]) - 1
        return self.hostile(line, word, seen)

    # -- the stack

    def read_stack(self, state: State) -> None:
        solo_turn = state.smuggler is not None and state.active == 1
        gaps = HIDDEN in state.players[state.active].hand
        line = self.line("stack", "smuggler" if solo_turn else "?" if gaps else "ship")
        if line.value == "?":
            return
        frames = [read_frame(self.book, self.ids, line, text.strip()) for text in line.value.split("|")]
        bottom = frames[0]
        if bottom not in (F_SHIP, F_END, F_SMUGGLER, F_OVER):
            raise line.bad("a stack begins with ship, end, smuggler or over")
        if len(frames) > 1 and (
            bottom != F_END or any(frame & 15 in (F_SHIP, F_END, F_SMUGGLER, F_OVER) for frame in frames[1:])
        ):
            raise line.bad("only 'end' has other frames above it, and it stands once, first")
        if bottom != F_OVER and solo_turn != (bottom == F_SMUGGLER):
            raise line.bad("the frame 'smuggler' is open exactly when the smuggler is active")
        if bottom == F_SMUGGLER and state.smuggler is not None and not state.smuggler.shown:
            raise line.bad("the smuggler cannot move: no hostile planet is shown")
        if gaps and bottom != F_OVER:
            raise line.bad("the hand of the active player has gaps, so nobody can say its answers; write '?' here")
        state.stack = frames
        self.check_triggers(state, line)

    def check_triggers(self, state: State, line: Line) -> None:
        crew = state.players[state.active].crew
        for frame in state.stack:
            card = frame >> 4 & 4095
            if frame & 15 == F_TRIGGERS and frame >> 16 & 1 and (card not in crew or not self.book.effect[card]):
                raise line.bad(
                    f"{self.book.ids[card]} has no ability to use: it must lie in the active crew and have one"
                )
