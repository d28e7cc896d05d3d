"""The games that this library knows, by name. A new game is one line here."""

from __future__ import annotations

from typing import Any

from starport_games.kernel.contract import Game
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.space_race.game import SpaceRace
from starport_games.wild_space.game import WildSpace

# Any: whoever picks a game by name learns its types only from the name.
ALL: dict[str, Game[Any, Any]] = {game.name: game for game in (WildSpace(), SpaceRace())}


def find(name: str) -> Game[Any, Any]:
    if name not in ALL:
        raise BadInput(f"there is no game {clip(name)}; there is {', '.join(ALL)}")
    return ALL[name]
