"""A game in the terminal: seat 0 is yours, the others answer at random."""

from __future__ import annotations

import sys
from typing import Any

from starport_games.kernel.contract import Game, Refusal
from starport_games.kernel.deal import Deal
from starport_games.kernel.effects import shown
from starport_games.position import score_line

YOU = 0
HELP = "number: that answer · d: the default answer · p: the position · s: the score · q: quit"


def play(game: Game[Any, Any], state: Any, chance: Deal) -> int:
    """Ask until the game is over or the person leaves; nothing here sees more than seat 0's view."""
    print(f"{game.title}. You are seat 0. {HELP}")
    while not game.over(state):
        seats = [decider.seat for decider in game.deciders(state)]
        seat = YOU if YOU in seats else seats[0]
        if seat == YOU:
            move = _ask(game, state)
            if move is None:
                print("left the game")
                return 0
        else:
            moves = game.legal(state, seat)
            move = moves[chance.below(len(moves))]
        effects = game.play(state, seat, move)
        if isinstance(effects, Refusal):
            raise RuntimeError(f"a listed move was refused: {effects.code}")  # the contract is broken
        for effect in shown(effects, YOU):
            who = "" if effect.seat < 0 else "you: " if effect.seat == YOU else f"seat {effect.seat}: "
            print(f"  {who}{game.effect_text(state, effect)}")
    _print_score(game, state)
    return 0


def _ask(game: Game[Any, Any], state: Any) -> int | None:
    seen = game.view(state, YOU)
    moves = game.legal(seen, YOU)
    print()
    for number, move in enumerate(moves, 1):
        print(f"{number:4}  {game.move_text(seen, move)}")
    while True:
        print(f"answer (1-{len(moves)}, d, p, s, q): ", end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line or word == "q":
            return None
        if word == "d":
            return game.default(seen, YOU)
        if word == "p":
            print(game.position_text(seen))
        elif word == "s":
            _print_score(game, seen)
        elif word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= len(moves):
            return moves[int(word) - 1]
        else:
            print(f"{HELP}")


def _print_score(game: Game[Any, Any], state: Any) -> None:
    for line in game.score(state):
        print(score_line(line.name, line.parts, line.total, line.rank) + (", won" if line.won else ""))
