"""Positions as text, read: every line checked, every fault one line that says where and why."""

from __future__ import annotations

import re

from starport_games.kernel.deal import KEY_BYTES, Deal, read_deal
from starport_games.kernel.effects import HIDDEN
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import Line, by_key, clip, read_lines
from starport_games.space_race.codes import (
    BID,
    C_HAND,
    C_ROUNDS,
    CREW,
    DAMAGES,
    FACTIONS,
    FINE,
    LEFT,
    NONE,
    OVER,
    PICK,
    REPAIR,
    SEATS_MAX,
    SEATS_MIN,
    SHIPS,
)
from starport_games.space_race.defining import with_definitions
from starport_games.space_race.moves import read_counts, read_move
from starport_games.space_race.notation import GAME_NAME
from starport_games.space_race.pack import Pack
from starport_games.space_race.rules import fault, holding, open_seats, waits_for
from starport_games.space_race.state import State, blank
from starport_games.space_race.words import COIN_WORDS, DAMAGE_WORDS, PHASE_WORDS

GAPS = re.compile(r"\?(?:x([1-9][0-9]?))?")
TABLE_KEYS = (
    *("game", "pack", "seats", "round", "pick", "phase", "coin", "space deck", "danger deck", "damage deck"),
    *("danger", "fuel discard", "crew discard", "danger discard", "damage discard", "deal"),
)
SEAT_KEYS = ("ship", "hand", "up", "fuel", "crew", "damage", "bid", "answer", "scanned")


def read_position(text: str, pack: Pack, where: str) -> State:
    """The position that `position_text` wrote, or one by hand; lines left out have defaults."""
    pack, lines = with_definitions(pack, read_lines(text, where))
    return PositionReader(pack, lines, where).state()


class PositionReader:
    """One text on its way to a State."""

    def __init__(self, pack: Pack, lines: list[Line], where: str) -> None:
        seats = next((line for line in lines if line.key == "seats"), None)
        if seats is None:
            raise BadInput(f"{where}: a position needs a 'seats' line")
        count = seats.number(SEATS_MIN, SEATS_MAX)
        known = {f"{seat} {key}" for seat in range(count) for key in SEAT_KEYS}
        self.lines = by_key(lines, known.union(TABLE_KEYS))
        self.where = where
        self.pack = pack
        self.new = blank(pack, count)
        self.gaps = False
        self.placed: dict[str, str] = {}  # card id -> the key of the line that holds it

    def state(self) -> State:
        new = self.new
        self.read_header()
        for seat in range(new.seats):
            self.read_seat(seat)
        self.read_ships()
        new.fuel_gone = self.cards("fuel discard", self.pack.ids, gaps=True)
        new.crew_gone = self.cards("crew discard", self.pack.ids)
        self.check_kinds("crew discard", new.crew_gone, crew=True)
        self.read_hand_size()
        self.read_dangers()
        self.read_damage()
        new.space_deck = self.deck("space deck", self.pack.ids, (self.pack.base or self.pack).ids)
        self.read_deal()
        self.read_bids()
        self.read_answers()
        self.check_supply()
        if new.phase != OVER and not open_seats(new):
            raise self.bad("phase", "nobody is left to answer")
        return new

    def bad(self, key: str, why: str) -> BadInput:
        line = self.lines.get(key)
        return BadInput(f"{self.where}: {key}: {why}") if line is None else line.bad(why)

    def one_of(self, key: str, words: tuple[str, ...], default: int) -> int:
        line = self.lines.get(key)
        if line is None:
            return default
        if line.value not in words:
            raise line.bad(f"{clip(line.value)} is not one of {', '.join(words)}")
        return words.index(line.value)

    def number(self, key: str, low: int, high: int, default: int) -> int:
        line = self.lines.get(key)
        return default if line is None else line.number(low, high)

    def cards(self, key: str, ids: list[str], gaps: bool = False) -> list[int]:
        """The cards of a line, none of which may lie anywhere else."""
        line = self.lines.get(key)
        cards: list[int] = []
        for word in [] if line is None else line.value.split():
            hidden = GAPS.fullmatch(word)
            if hidden is not None and gaps:
                cards += [HIDDEN] * int(hidden[1] or 1)
                self.gaps = True
            elif word not in ids:
                raise self.bad(key, f"there is no card {clip(word)} for this line")
            elif word in self.placed:
                raise self.bad(key, f"{word} lies in {self.placed[word]} already")
            else:
                self.placed[word] = key
                cards.append(ids.index(word))
        return cards

    def deck(self, key: str, ids: list[str], base: list[str]) -> list[int]:
        """The cards of a deck; left out, it is the rest of the card file in id order."""
        if key in self.lines:
            return self.cards(key, ids, gaps=True)
        if self.gaps:
            raise self.bad(key, "a position with gaps must say what its decks are")
        return [ids.index(id) for id in base if id not in self.placed]

    def read_header(self) -> None:
        new = self.new
        game = self.lines.get("game")
        if game is None or game.value != GAME_NAME:
            raise self.bad("game", f"a position of this game says 'game: {GAME_NAME}'")
        pack = self.pack.label
        if "pack" in self.lines and self.lines["pack"].value != pack:
            raise self.bad("pack", f"this position is not for the card file {pack}")
        new.phase = self.one_of("phase", PHASE_WORDS, PICK)
        rounds = self.pack.constant[C_ROUNDS]
        if new.phase == SHIPS:
            new.round = self.number("round", 0, 0, 0)
            if "coin" in self.lines:
                raise self.bad("coin", "the coin is flipped after the ships are chosen")
        else:
            new.round = self.number("round", 1, rounds, rounds if new.phase == OVER else 1)
            new.coin = self.one_of("coin", COIN_WORDS, LEFT)
        if new.phase == OVER and new.round != rounds:
            raise self.bad("round", f"the game is over after round {rounds}")

    def read_seat(self, seat: int) -> None:
        new, ids = self.new, self.pack.ids
        new.hands[seat] = self.cards(f"{seat} hand", ids, gaps=True)
        if HIDDEN in new.hands[seat] and len(set(new.hands[seat])) > 1:
            raise self.bad(f"{seat} hand", "a hand is known or hidden as a whole")
        new.up[seat] = self.cards(f"{seat} up", ids)
        self.check_kinds(f"{seat} up", new.up[seat], crew=False)
        new.fuel[seat] = self.cards(f"{seat} fuel", ids, gaps=True)
        new.crew[seat] = self.cards(f"{seat} crew", ids)
        self.check_kinds(f"{seat} crew", new.crew[seat], crew=True)
        new.damage[seat * DAMAGES : (seat + 1) * DAMAGES] = self.counts(f"{seat} damage")

    def check_kinds(self, key: str, cards: list[int], crew: bool) -> None:
        for card in cards:
            if (self.pack.kind[card] == CREW) != crew:
                why = "is no Crew card" if crew else "is Crew and has a line of its own"
                raise self.bad(key, f"{self.pack.ids[card]} {why}")

    def counts(self, key: str) -> list[int]:
        line = self.lines.get(key)
        if line is None:
            return [0] * DAMAGES
        try:
            return list(read_counts(line.value, line.value.split()))
        except BadInput as why:
            raise line.bad(str(why)) from None

    def read_ships(self) -> None:
        """Before all are chosen, seats without a line have none; later they get what is free."""
        new, factions = self.new, self.pack.factions
        for seat in range(new.seats):
            line = self.lines.get(f"{seat} ship")
            if line is None:
                continue
            words = line.value.split()
            if len(words) != 2 or words[0] not in factions or words[1] not in factions:
                raise line.bad(f"write a cockpit and an engine out of {', '.join(factions)}")
            cockpit, engine = factions.index(words[0]), factions.index(words[1])
            if cockpit in new.cockpits or engine in new.engines:
                raise line.bad("another seat has this piece")
            new.cockpits[seat], new.engines[seat] = cockpit, engine
        chosen = [cockpit != NONE for cockpit in new.cockpits]
        if new.phase == SHIPS:
            if chosen != sorted(chosen, reverse=True):
                raise self.bad("phase", "ships are chosen in seat order")
            return
        for seat in range(new.seats):
            if not chosen[seat]:
                new.cockpits[seat] = next(i for i in range(FACTIONS) if i not in new.cockpits)
                new.engines[seat] = next(i for i in range(FACTIONS) if i not in new.engines)

    def read_hand_size(self) -> None:
        new = self.new
        sizes = [len(hand) for hand in new.hands]
        full = self.pack.constant[C_HAND]
        if len(set(sizes)) > 1:
            raise self.bad("0 hand", "all hands have the same size between picks")
        if new.phase != PICK:
            if sizes[0] or "pick" in self.lines:
                raise self.bad("phase", "hands and picks belong to the pick phase")
            return
        if not 1 <= sizes[0] <= full:
            raise self.bad("0 hand", f"a hand has 1 to {full} cards in the pick phase")
        new.pick = full - sizes[0] + 1
        if self.number("pick", 1, full, new.pick) != new.pick:
            raise self.bad("pick", f"with hands of {sizes[0]} cards this is pick {new.pick}")

    def read_dangers(self) -> None:
        new, ids = self.new, self.pack.danger_ids
        revealed = self.cards("danger", ids)
        if len(revealed) != (1 if new.phase in (BID, REPAIR) else 0):
            raise self.bad("danger", "one Danger card lies revealed in the bid and repair phases, none else")
        new.danger = revealed[0] if revealed else NONE
        new.danger_gone = self.cards("danger discard", ids)
        for seat in range(new.seats):
            self.read_scanned(seat)
        new.danger_deck = self.deck("danger deck", ids, (self.pack.base or self.pack).danger_ids)
        seen = {card for card in new.scanned if card >= 0}
        if not seen:
            return
        if "danger deck" not in self.lines:  # what was looked at is on top
            new.danger_deck = [*seen, *(card for card in new.danger_deck if card not in seen)]
        top = new.danger_deck[0] if new.danger_deck else NONE
        if len(seen) > 1 or (top != HIDDEN and top not in seen):
            raise self.bad("danger deck", "a scanned card is the top card")

    def read_scanned(self, seat: int) -> None:
        key = f"{seat} scanned"
        line = self.lines.get(key)
        if line is None:
            return
        if self.new.phase != PICK:
            raise line.bad("looks last until the Danger card is revealed")
        if line.value != "?" and line.value not in self.pack.danger_ids:
            raise line.bad(f"there is no Danger card {clip(line.value)}")
        if line.value in self.placed:
            raise line.bad(f"{line.value} lies in {self.placed[line.value]} already")
        self.gaps = self.gaps or line.value == "?"
        self.new.scanned[seat] = HIDDEN if line.value == "?" else self.pack.danger_ids.index(line.value)

    def read_damage(self) -> None:
        new = self.new
        new.damage_gone = self.counts("damage discard")
        rest = [self.pack.damage_kind.count(kind) for kind in range(DAMAGES)]
        deck = self.lines.get("damage deck")
        if deck is None and self.gaps:
            raise self.bad("damage deck", "a position with gaps must say what its decks are")
        for word in [] if deck is None else deck.value.split():
            hidden = GAPS.fullmatch(word)
            if hidden is not None:
                new.damage_deck += [HIDDEN] * int(hidden[1] or 1)
                self.gaps = True
            elif word in DAMAGE_WORDS:
                new.damage_deck.append(DAMAGE_WORDS.index(word))
            else:
                raise self.bad("damage deck", f"{clip(word)} is not one of {', '.join(DAMAGE_WORDS)}")
        for kind in range(DAMAGES):
            rest[kind] -= sum(new.damage[kind::DAMAGES]) + new.damage_gone[kind]
            rest[kind] -= new.damage_deck.count(kind)
            if rest[kind] < 0:
                raise self.bad("damage deck", f"{-rest[kind]} more {DAMAGE_WORDS[kind]} than the card file has")
        if new.damage_deck.count(HIDDEN) > sum(rest):
            raise self.bad("damage deck", "more Damage cards than the card file has")
        if deck is None:
            for kind in self.pack.damage_kind:
                if rest[kind] > 0:
                    new.damage_deck.append(kind)
                    rest[kind] -= 1

    def read_deal(self) -> None:
        line = self.lines.get("deal")
        if line is None:
            self.new.deal = None if self.gaps else Deal(bytes(KEY_BYTES))
        elif line.value != "?":
            if self.gaps:
                raise line.bad("a position with gaps has no generator; write '?' or leave this line out")
            try:
                self.new.deal = read_deal(line.value)
            except ValueError as why:
                raise line.bad(str(why)) from None

    def read_bids(self) -> None:
        new = self.new
        bids: list[int] = []
        for seat in range(new.seats):
            key = f"{seat} bid"
            if new.phase != REPAIR:
                if key in self.lines:
                    raise self.bad(key, "bids lie open in the repair phase only; before, they are an answer")
                continue
            bids.append(self.number(key, 0, holding(new, seat), 0))
        if bids:
            new.bids = bids

    def read_answers(self) -> None:
        new = self.new
        answers = new.answers[:]
        for seat in range(new.seats):
            line = self.lines.get(f"{seat} answer")
            if line is None:
                continue
            if new.phase in (SHIPS, OVER) or not waits_for(new, seat):
                raise line.bad("this seat is not asked for a secret answer")
            if line.value == "?":
                answers[seat] = HIDDEN
                self.gaps = True
                if new.deal is not None and "deal" in self.lines:
                    raise line.bad("a position with a generator has no gaps")
                new.deal = None
                continue
            try:
                answers[seat] = read_move(self.pack, line.value)
                refused = fault(new, seat, answers[seat])
            except BadInput as why:
                raise line.bad(str(why)) from None
            if refused != FINE:
                raise line.bad(f"{clip(line.value)} is no legal answer here")
        new.answers = answers

    def check_supply(self) -> None:
        """A position must be playable to the end."""
        new = self.new
        ahead = 0 if new.phase == OVER else self.pack.constant[C_ROUNDS] - new.round
        cards = ahead * self.pack.constant[C_HAND] * new.seats
        if len(new.space_deck) < cards:
            raise self.bad("space deck", f"has {len(new.space_deck)} cards, the rounds to come need {cards}")
        dangers = ahead + (1 if new.phase == PICK else 0)
        if len(new.danger_deck) < dangers:
            raise self.bad("danger deck", f"has {len(new.danger_deck)} cards, {dangers} are still needed")
