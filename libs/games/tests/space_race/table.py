"""Helpers for the tests of Space Race: positions from short texts, moves by their words, random games."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from starport_games.kernel.contract import Refusal
from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.kernel.effects import Effect
from starport_games.space_race.codes import DAMAGES
from starport_games.space_race.evolve import evolve
from starport_games.space_race.facts import FACTS
from starport_games.space_race.game import SpaceRace, SpaceRaceOptions
from starport_games.space_race.state import State, blank

GAME = SpaceRace()
OPTIONS = GAME.options({})
CHOOSE = GAME.options({"auto_ships": "off"})
PACK = OPTIONS.pack


def at(text: str) -> State:
    """A position from its lines; the first line is put before them."""
    return GAME.read_position("game: space-race\n" + dedent(text))


def start(seed: str, seats: int, options: SpaceRaceOptions = OPTIONS) -> State:
    return GAME.start(options, seats, Deal(key_of_words(seed)))


def do(state: State, *lines: str) -> list[Effect]:
    """Play `0 pick crew-01 up` and so on; what all of them brought about."""
    told: list[Effect] = []
    for line in lines:
        seat, _, text = line.partition(" ")
        answer = GAME.play(state, int(seat), GAME.read_move(state, text))
        assert not isinstance(answer, Refusal), f"{line}: {answer}"
        told += answer
    return told


def refused(state: State, line: str) -> str:
    """The code of the refusal, after a look that nothing changed."""
    seat, _, text = line.partition(" ")
    before = GAME.position_text(state)
    answer = GAME.play(state, int(seat), GAME.read_move(state, text))
    assert isinstance(answer, Refusal), f"{line} was accepted"
    assert GAME.position_text(state) == before
    return answer.code


def told(state: State, effects: list[Effect], name: str) -> list[str]:
    """The texts of the facts of one name, without the name."""
    texts = [GAME.effect_text(state, effect) for effect in effects]
    return [text.removeprefix(name).strip(" :") for text in texts if text.split()[0].rstrip(":") == name]


def names(effects: list[Effect]) -> list[str]:
    return [FACTS[effect.kind][0] for effect in effects]


def asked(state: State) -> list[int]:
    return [decider.seat for decider in GAME.deciders(state)]


def texts(state: State, seat: int) -> list[str]:
    """The legal answers of a seat in words."""
    return [GAME.move_text(state, move) for move in GAME.legal(state, seat)]


def ids(cards: list[int]) -> list[str]:
    return [PACK.ids[card] for card in cards]


def damage(state: State, seat: int) -> tuple[int, ...]:
    return tuple(state.damage[seat * DAMAGES : (seat + 1) * DAMAGES])


def line(state: State, key: str) -> str | None:
    """The value of one line of the position's text."""
    text = GAME.position_text(state).replace("\n  ", " ")
    for row in text.splitlines():
        if row.startswith(f"{key}:"):
            return row.partition(":")[2].strip()
    return None


def play_out(state: State, seed: int) -> Iterator[tuple[int, int, list[Effect]]]:
    """Random legal answers to the end; seats answer in random order. Yields before the position moves on."""
    rng = QuickDeal(seed)
    while not GAME.over(state):
        seats = asked(state)
        seat = seats[rng.below(len(seats))]
        moves = GAME.legal(state, seat)
        move = moves[rng.below(len(moves))]
        effects = GAME.play(state, seat, move)
        assert not isinstance(effects, Refusal)
        yield seat, move, effects


def finished(seed: str, seats: int) -> tuple[State, list[Effect]]:
    """A whole random game and its log."""
    state = start(seed, seats)
    log = GAME.opening(state)
    for _, _, effects in play_out(state, len(seed) + seats):
        log += effects
    return state, log


def after_each(log: list[Effect], seats: int) -> Iterator[tuple[Effect, State]]:
    """The position after every single fact of a log."""
    state = blank(PACK, seats)
    for effect in log:
        evolve(state, effect)
        yield effect, state
