"""The `starport` command."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from starport_starport.demo import demo as run_demo
from starport_starport.folder import DataFolder, default_folder
from starport_starport.logs import logs_on
from starport_starport.problems import EXIT_BAD_INPUT, EXIT_INTERRUPTED, Problem
from starport_starport.running import run
from starport_starport.sessions import Wishes, options_of
from starport_starport.sessions import play as run_play
from starport_starport.terminal import open_terminal
from starport_starport.world import Listening, open_world

UP_PORT = 7070
DEMO_SEATS = 2

app = typer.Typer(
    name="starport",
    help="Space card games: play in the terminal, or host them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Game = Literal["wild-space", "space-race"]
Bot = Literal["random", "greedy"]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Where everything is kept; $STARPORT_DATA, or starport in $XDG_DATA_HOME or ~/.local/share.",
    ),
]
GameOption = Annotated[Game, typer.Option("--game", help="Which game.")]
BotOption = Annotated[Bot, typer.Option("--bot", help="Which house bot takes the other seats.")]


def main() -> None:
    """What the installed command calls."""
    sys.exit(command(sys.argv[1:]))


def command(arguments: list[str]) -> int:
    """Runs one command; whatever is wrong is one line on standard error."""
    try:
        return int(app(arguments, prog_name="starport", standalone_mode=False) or 0)
    except Problem as why:
        print(f"starport: {why}", file=sys.stderr)
        return why.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED
    except Exception as why:
        wrong = getattr(why, "format_message", None)  # a usage error of typer, whose classes are not public
        if wrong is None:
            raise
        line = " ".join(str(wrong()).split())
        if not line:  # no command at all: the help was printed
            return EXIT_BAD_INPUT
        print(f"starport: {line} (starport --help says more)", file=sys.stderr)
        return EXIT_BAD_INPUT


@app.command()
def play(
    game: GameOption = "wild-space",
    seats: Annotated[int | None, typer.Option(help="How many play; Wild Space 1 to 5, Space Race 2 to 4.")] = None,
    bot: BotOption = "greedy",
    difficulty: Annotated[
        Literal["easy", "normal", "hard"] | None, typer.Option(help="Of the Smuggler, in the solo game.")
    ] = None,
    smuggler: Annotated[
        Literal["player", "seat"] | None,
        typer.Option(help="Who moves for the Smuggler: you, as the rulebook has it, or an AI on a seat of its own."),
    ] = None,
    card_file: Annotated[Path | None, typer.Option("--set", metavar="FILE", help="Cards of your own.")] = None,
    name: Annotated[str | None, typer.Option(help="What you are called; kept for the next time.")] = None,
    seed_nonce: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Your part of the seed; random words when left out.")
    ] = None,
    server: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Play there instead of starting it all.")
    ] = None,
    data: Data = None,
    new: Annotated[bool, typer.Option("--new", help="Begin anew without asking for unfinished matches.")] = False,
) -> int:
    """Play in the terminal, against house bots or alone against the Smuggler. Begins at once."""
    wishes = Wishes(game, seats, bot, difficulty, smuggler, card_file, name, seed_nonce, server, new)
    return run(run_play(wishes, folder_of(data), open_terminal()))


@app.command()
def up(
    data: Data = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of gRPC; 0 takes a free one.")] = UP_PORT,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    metrics_port: Annotated[
        int, typer.Option(min=0, max=65535, help="Of the metrics page for Prometheus; 0 for none.")
    ] = 0,
) -> int:
    """Host: every service in this process, until Ctrl-C."""
    with logs_on(sys.stderr):
        # A server ends by a signal and no other way: that is how it ends well.
        return run(serve(folder_of(data), Listening(host, port, metrics_port)), stopped=0)


async def serve(folder: DataFolder, listening: Listening) -> int:
    console = Console(highlight=False, soft_wrap=True)
    async with open_world(folder, listening) as world:
        console.print(f"Starport listens on {world.listening}, data in {folder.path}. Ctrl-C stops it.")
        console.print(f"Play there: starport play --server {world.address}")
        console.file.flush()
        await asyncio.Event().wait()
    return 0


@app.command()
def demo(
    game: GameOption = "wild-space",
    seats: Annotated[int, typer.Option(help="How many bots play.")] = DEMO_SEATS,
    bot: BotOption = "greedy",
) -> int:
    """Watch house bots play one whole match through the real services."""
    options = options_of(Wishes(game, seats))
    return run(run_demo(options, bot, open_terminal()))


@app.command()
def version() -> int:
    """Print the version."""
    print(version_of("starport-starport"))
    return 0


def folder_of(data: Path | None) -> DataFolder:
    return DataFolder(default_folder() if data is None else data)
