"""Helpers for the tests of Wild Space: positions from short texts, moves by their words, random games."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from starport_games.kernel.contract import Refusal
from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.wild_space.codes import EMPTY, SECTORS
from starport_games.wild_space.game import WildSpace
from starport_games.wild_space.moves import sector_text
from starport_games.wild_space.setup import WildSpaceOptions
from starport_games.wild_space.state import State

GAME = WildSpace()
OPTIONS = GAME.options({})

# Cards and planets that every test may use, so that none depends on the shipped set. Plain cards do nothing:
# a… are owls, b… are bears, r… robots without occupation, e… emissaries; p pilot, v veteran.
KIT = """\
card a1: specialist owl pilot
card a2: specialist owl pilot
card a3: specialist owl pilot
card a4: specialist owl pilot
card a5: specialist owl pilot
card a6: specialist owl pilot
card a7: specialist owl pilot
card a8: specialist owl pilot
card a9: specialist owl pilot
card b1: specialist bear engineer
card b2: specialist bear engineer
card b3: specialist bear engineer
card b4: specialist bear engineer
card b5: specialist bear engineer
card b6: specialist bear engineer
card b7: specialist bear engineer
card b8: specialist bear engineer
card b9: specialist bear engineer
card av: specialist owl pilot veteran
card bv: specialist bear engineer veteran
card r1: robot
card r2: robot
card r3: robot
card rp: robot pilot
card rv: robot veteran
card e1: emissary rhino; 2 per robot
card e2: emissary rhino; 2 per robot
card e3: emissary rhino; 2 per robot
captain cap-0: lizard botanist; draw 2, credits 3, play any
captain cap-1: monkey scientist; draw 1, draw 1, credits 5
planet ha: home; draw 2; play any
planet hb: home; draw 1; draw 1 / play any
planet p3: 3; draw 2; play any
planet p6: 6; draw 2; play any
planet p9: 9; draw 2; play any
"""
KIT_PLANETS = {"H1": "ha", "H2": "hb", "P3": "(p3)", "P6": "(p6)", "P9": "(p9)"}


class Table:
    """A match under test. Moves are written `0: land P3 left pay a1`; cards are told by their ids."""

    def __init__(self, state: State) -> None:
        self.state = state

    @classmethod
    def load(cls, text: str) -> Table:
        """A position from its lines, after the cards of KIT; planets and captains left out are KIT’s."""
        lines = [line for line in dedent(text).splitlines() if line.strip()]
        keys = {line.partition(":")[0].strip(): line.partition(":")[2] for line in lines}
        named = dict(KIT_PLANETS)
        named.update((place, name) for place, _, name in map(_split, keys.get("planets", "").split()))
        kept = [line for line in lines if not line.startswith("planets:")]
        kept.append("planets: " + " ".join(f"{place}={name}" for place, name in named.items()))
        kept += [f"{who} captain: {card}" for who, card in _captains(keys) if f"{who} captain" not in keys]
        return cls(GAME.read_position("game: wild-space\n" + KIT + "\n".join(kept) + "\n"))

    @classmethod
    def start(cls, seats: int, seed: str, options: WildSpaceOptions = OPTIONS) -> Table:
        return cls(GAME.start(options, seats, Deal(key_of_words(seed))))

    # -- moves

    def play(self, *moves: str) -> list[str]:
        """Play these moves, each of which must be accepted; what they brought about, in words."""
        told: list[str] = []
        for line in moves:
            seat, move = self._read(line)
            answer = GAME.play(self.state, seat, move)
            assert not isinstance(answer, Refusal), f"{line}: {answer}; legal: {self.legal(seat)}"
            told += [GAME.effect_text(self.state, effect) for effect in answer]
        return told

    def refused(self, line: str) -> str:
        """The code with which this move is refused, after a look that nothing changed or listed it."""
        before = self.text()
        seat, move = self._read(line)
        listed = GAME.canonical(self.state, move) in GAME.legal(self.state, seat)
        answer = GAME.play(self.state, seat, move)
        assert isinstance(answer, Refusal), f"{line} was accepted"
        assert not listed, f"{line} is refused but listed as legal"
        assert self.text() == before, f"{line} was refused and changed something"
        return answer.code

    def legal(self, seat: int | None = None) -> list[str]:
        """The legal answers of a seat (unless told: of the one asked), in words and in order."""
        who = self.asked() if seat is None else seat
        return [GAME.move_text(self.state, move) for move in GAME.legal(self.state, who)]

    def answers(self) -> list[str]:
        """The legal answers of the seat that is asked, without the refreshes."""
        return [text for text in self.legal() if not text.startswith("refresh ")]

    def asked(self) -> int:
        """The one seat that has the decision; -1 when the game is over."""
        deciders = GAME.deciders(self.state)
        assert len(deciders) <= 1
        return deciders[0].seat if deciders else -1

    def _read(self, line: str) -> tuple[int, int]:
        seat, colon, text = line.partition(":")
        assert colon, f"{line!r}: write '0: end-turn'"
        return int(seat), GAME.read_move(self.state, text.strip())

    # -- what lies where

    def hand(self, seat: int = 0) -> list[str]:
        return self._ids(self.state.players[seat].hand)

    def crew(self, seat: int = 0) -> list[str]:
        """Without the captain."""
        return self._ids(self.state.players[seat].crew[1:])

    def captain(self, seat: int = 0) -> str:
        return self.state.book.ids[self.state.players[seat].crew[0]]

    def token(self, seat: int = 0) -> int:
        return self.state.players[seat].token

    def turns(self, seat: int = 0) -> int:
        return self.state.players[seat].turns

    def reserve(self, seat: int = 0) -> int:
        return self.state.players[seat].reserve

    def ships(self, seat: int = 0) -> list[str]:
        """`P3 left` for a landed ship, `P3 left*` for an explored one."""
        player = self.state.players[seat]
        found = [sector_text(s) for s in range(SECTORS) if player.landed >> s & 1]
        return found + [f"{sector_text(s)}*" for s in range(SECTORS) if player.explored >> s & 1]

    def pool(self) -> list[str]:
        return ["-" if card == EMPTY else self.state.book.ids[card] for card in self.state.pool]

    def pile(self) -> list[str]:
        """The top first."""
        return self._ids(self.state.deck[: self.state.left][::-1])

    def discard(self) -> list[str]:
        """The oldest first."""
        return self._ids(self.state.discard)

    def face_up(self) -> list[str]:
        return [name for place, name in enumerate(KIT_PLANETS) if self.state.faceup >> place & 1]

    def all_cards(self) -> list[str]:
        """Every card of draw pile, discard pile, pool, hands and crews, sorted; captains are left out."""
        found = self.pile() + self.discard() + [card for card in self.pool() if card != "-"]
        for seat in range(len(self.state.players)):
            found += self.hand(seat) + self.crew(seat)
        return sorted(found)

    def line(self, key: str) -> str:
        """The value of one line of the position's text."""
        found = [text for text in self.text().splitlines() if text.partition(":")[0] == key]
        assert len(found) == 1, f"{key}: {found}"
        return found[0].partition(":")[2].strip()

    def text(self) -> str:
        return GAME.position_text(self.state)

    def clone(self) -> Table:
        return Table(GAME.clone(self.state))

    def _ids(self, cards: list[int]) -> list[str]:
        return [self.state.book.ids[card] for card in cards]

    # -- whole turns and games

    def finish_turn(self) -> None:
        """Decline what can be declined, draw what must be drawn, and end the turn."""
        seat = self.asked()
        while "end-turn" not in self.legal(seat):
            answers = self.answers()
            self.play(f"{seat}: {answers[-1] if answers[-1] in ('pass', 'done') else answers[0]}")
        self.play(f"{seat}: end-turn")

    def walk(self, seed: int, most: int = 100_000) -> Iterator[tuple[int, str]]:
        """Play random legal moves to the end, giving each (seat, move) after it was played."""
        chance = QuickDeal(seed)
        for _ in range(most):
            if GAME.over(self.state):
                return
            seat = self.asked()
            moves = GAME.legal(self.state, seat)
            move = moves[chance.below(len(moves))]
            text = GAME.move_text(self.state, move)
            assert not isinstance(GAME.play(self.state, seat, move), Refusal)
            yield seat, text


def _split(word: str) -> tuple[str, str, str]:
    return word.partition("=")


def _captains(keys: dict[str, str]) -> list[tuple[str, str]]:
    solo = keys.get("seats", "2").strip() == "1"
    return [("0", "cap-0"), ("smuggler" if solo else "1", "cap-1")]
