"""The house bots: each answers from what its seat sees, never from more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from starport_games.kernel.contract import Game
from starport_games.kernel.deal import Deal
from starport_games.space_race.state import State as RaceState
from starport_games.wild_space import baseline
from starport_games.wild_space.state import State as WildState
from starport_smuggler import race_bot

# Any: a bot is for every game, and a game's types are known only by its name.
Bot = Callable[[Game[Any, Any], Any, int, Sequence[int], Deal], int]

DEFAULT: Final = "greedy"


def random_bot(
    game: Game[Any, Any],  # noqa: ARG001 - this and the next two are what every bot gets
    view: Any,  # noqa: ARG001
    seat: int,  # noqa: ARG001
    legal: Sequence[int],
    chance: Deal,
) -> int:
    """Any legal move. It needs no view, so it can answer where none can be read."""
    return legal[chance.below(len(legal))]


def greedy_bot(game: Game[Any, Any], view: Any, seat: int, legal: Sequence[int], chance: Deal) -> int:
    """What looks best at one glance; a game that has no such eye gets a random move."""
    match view:
        case WildState():
            return wild_space(view, seat, legal, chance)
        case RaceState():
            return race_bot.choose(view, seat, legal, chance)
        case _:
            return random_bot(game, view, seat, legal, chance)


def wild_space(view: WildState, seat: int, legal: Sequence[int], chance: Deal) -> int:
    """The baseline bot, except for the Smuggler's own seat: there it wants what the solo player does not."""
    smuggler = view.smuggler
    if smuggler is None or not smuggler.own_seat or seat == 0:
        return baseline.choose(view, seat, chance)
    harms = [baseline.smuggler_worth(view, smuggler, move) for move in legal]
    worst = min(harms)
    best = [move for move, harm in zip(legal, harms, strict=True) if harm == worst]
    return best[chance.below(len(best))]


BOTS: Final[dict[str, Bot]] = {"random": random_bot, "greedy": greedy_bot}


def find(name: str) -> Bot:
    """The bot of this name; an unknown name gets the default, for a match must go on."""
    return BOTS.get(name, BOTS[DEFAULT])
