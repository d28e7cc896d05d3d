"""What the suite must be told about each game to test that its secrets stay secret.

A new game needs a line in HELPERS and one in CHECKS of starport_games/checking.py, and its golden matches on disk.
"""

from __future__ import annotations

from typing import Any, Protocol

from starport_games.kernel.deal import Deal
from tests.conformance.space_race_secrets import SpaceRaceSecrets
from tests.conformance.wild_space_secrets import WildSpaceSecrets


class Secrets(Protocol):
    """Written from the rules document's section on hidden information, never from the game's view."""

    def disguise(self, state: Any, viewer: int, deal: Deal, open_too: bool) -> Any:
        """Another position that this viewer cannot tell from `state`, different in all that it must not know.

        With open_too also in which decision is open, if that is a secret.
        """

    def counterpart(self, state: Any, disguised: Any, seat: int, move: int) -> int | None:
        """The move in the disguised position that must look to others as `move` does; None if they may differ."""

    def unseen(self, state: Any, move: int) -> bool:
        """Whether the others must not even notice that this move was made."""


HELPERS: dict[str, Secrets] = {"wild-space": WildSpaceSecrets(), "space-race": SpaceRaceSecrets()}
