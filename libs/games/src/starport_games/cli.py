"""The command line of the library: positions, card files, new games and checks."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from starport_games import checking, files, measuring, position, registry
from starport_games.kernel.contract import Game
from starport_games.kernel.deal import Deal, key_of_words
from starport_games.kernel.errors import BadInput
from starport_games.space_race import content as space_race_content
from starport_games.wild_space import validate as wild_space_validate

EXIT_BAD_INPUT = 2
EXIT_BROKEN = 1
EXIT_INTERRUPTED = 130
DESCRIPTION = "Rules of space card games. Each command has its own --help."


def main(arguments: list[str]) -> int:
    """Run one command; bad input is one line on standard error and exit code 2."""
    args = _parser().parse_args(arguments)
    try:
        code = args.run(args)
        sys.stdout.flush()
    except BadInput as why:
        print(f"error: {why}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe has gone, e.g. `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return int(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m starport_games", description=DESCRIPTION)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("position", help="load a position, apply moves, print what comes of it")
    command.add_argument("file", metavar="FILE", help="a position in text (docs/notation.md), - for standard input")
    command.add_argument("--moves", metavar="FILE", help="moves, one a line, '0: land H1 left'; - for standard input")
    command.add_argument("--view", metavar="WHO", help="show it as this seat, or 'spectator', may know it")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    _set_option(command)
    command.set_defaults(run=_position)

    command = commands.add_parser("new", help="deal a game and print its first position")
    command.add_argument("--game", default="wild-space", choices=list(registry.ALL))
    command.add_argument("--seats", type=_count, metavar="N", help="number of seats (the fewest the game allows)")
    command.add_argument("--seed", default="starport", metavar="WORDS", help="same words, same deal")
    command.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="e.g. difficulty=hard, first=0"
    )
    _set_option(command)
    command.set_defaults(run=_new)

    command = commands.add_parser("validate", help="check a card file against every constraint")
    command.add_argument("file", nargs="?", metavar="FILE", help="a card file; without it the one that is shipped")
    command.add_argument("--game", default="wild-space", choices=list(registry.ALL))
    command.set_defaults(run=_validate)

    command = commands.add_parser("random", help="play random games and check every invariant")
    command.add_argument("--game", choices=list(registry.ALL), help="only this game")
    command.add_argument("--games", type=_count, default=10_000, metavar="N", help="games for each game (10000)")
    command.add_argument("--seats", type=_count, metavar="N", help="only this number of seats")
    command.add_argument("--seed", default="starport", metavar="WORDS", help="same words, same games")
    command.add_argument("--workers", type=_count, default=os.cpu_count() or 1, metavar="N", help="processes")
    command.set_defaults(run=_random)

    command = commands.add_parser("balance", help="measure the Wild Space card set with the baseline bot")
    command.add_argument("--games", type=_count, default=1000, metavar="N", help="games for each row (1000)")
    command.add_argument("--seed", default="starport", metavar="WORDS", help="same words, same games")
    command.add_argument("--workers", type=_count, default=os.cpu_count() or 1, metavar="N", help="processes")
    _set_option(command)
    command.set_defaults(run=_balance)
    return parser


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 10_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 10000000")
    return int(text)


def _set_option(command: argparse.ArgumentParser) -> None:
    command.add_argument("--set", metavar="FILE", type=Path, help="a card file of your own (TOML)")


def _start(args: argparse.Namespace) -> tuple[Game[Any, Any], Any]:
    game = registry.find(args.game)
    settings: dict[str, str] = {}
    for pair in args.option:
        key, equals, value = pair.partition("=")
        if not equals:
            raise BadInput(f"--option {pair}: write KEY=VALUE")
        settings[key.strip()] = value.strip()
    seats = args.seats if args.seats is not None else game.seat_counts[0]
    return game, game.start(game.options(settings, args.set), seats, Deal(key_of_words(args.seed)))


def _position(args: argparse.Namespace) -> int:
    if args.file == "-" and args.moves == "-":
        raise BadInput("position and moves cannot both come from standard input; put one of them into a file")
    game, state = position.load(files.read_text(args.file), args.set, files.label(args.file))
    viewer = position.viewer_of(args.view, len(game.score(state)))
    moves = files.read_text(args.moves) if args.moves else ""
    report = position.run(game, state, moves, files.label(args.moves or ""), viewer)
    if args.json:
        print(json.dumps(position.as_json(report, viewer), ensure_ascii=False, indent=2))
    else:
        print(position.as_text(report, viewer))
    return 0


def _new(args: argparse.Namespace) -> int:
    game, state = _start(args)
    print(game.position_text(state), end="")
    return 0


def _validate(args: argparse.Namespace) -> int:
    path = None if args.file is None else Path(args.file)
    if args.game == "space-race":
        pack = space_race_content.shipped_pack() if path is None else space_race_content.load(path)
        print(f"{path or 'the shipped file'}: ok ({pack.id}@{pack.version}, {len(pack.ids)} space cards)")
        return 0
    fine, lines = wild_space_validate.main_lines(path)
    print("\n".join(lines))
    return 0 if fine else EXIT_BROKEN


def _random(args: argparse.Namespace) -> int:
    seats = None if args.seats is None else [args.seats]
    for name in [args.game] if args.game else list(registry.ALL):
        if not checking.run(name, args.games, seats, args.seed, args.workers, print):
            return EXIT_BROKEN
    return 0


def _balance(args: argparse.Namespace) -> int:
    return 0 if measuring.run(args.games, args.seed, args.workers, args.set, print) else EXIT_BROKEN
