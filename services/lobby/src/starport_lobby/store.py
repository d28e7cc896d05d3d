"""What the lobby keeps, and what it needs of a store: one table changes in one step together with every index of it.

The indexes hold labels that tell enough to filter by. An entry whose table has expired is taken out by whoever meets
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Protocol

from starport_lobby.keys import KeyHash
from starport_lobby.table import Status, Table

SEPARATOR = "|"


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player with a name for good."""

    id: str
    name: str
    key: KeyHash


@dataclass(frozen=True, slots=True)
class Stored:
    table: Table
    revision: int
    expires_ms: int
    options: bytes  # the full Options; empty where only lists need the table


@dataclass(frozen=True, slots=True)
class Label:
    """A table's entry in the indexes; never changes."""

    game: str
    players: int
    created_ms: int
    private: bool
    id: str

    def __str__(self) -> str:
        return f"{kind_prefix(self.game, self.players)}{self.created_ms:015d}|{self.private:d}|{self.id}"


def kind_prefix(game: str, players: int) -> str:
    """What the labels of tables of one kind begin with; the oldest is the first in order."""
    return f"{game}|{players:02d}|"


def label_of(table: Table) -> Label:
    return Label(table.game, table.players, table.created_ms, table.private, table.id)


def read_label(text: str) -> Label:
    game, players, created_ms, private, id = text.split(SEPARATOR)
    return Label(game, int(players), int(created_ms), private == "1", id)


class Shelf(StrEnum):
    """Where a table is listed."""

    OPEN = "open"
    STARTED = "started"


def shelf_of(table: Table) -> Shelf | None:
    match table.status:
        case Status.OPEN | Status.STARTING:
            return Shelf.OPEN
        case Status.STARTED:
            return Shelf.STARTED
        case Status.ENDED:
            return None


@dataclass(frozen=True, slots=True)
class Change:
    """A table after a change, and under which conditions it may happen."""

    table: Table
    revision: int  # of the table that was judged; 0 for a new one
    expires_ms: int
    now_ms: int
    options: bytes = b""  # of a new table
    gone: bool = False  # the table is removed
    left: str = ""  # who no longer sits
    joined: str = ""  # who sits down and must not sit at too many
    only_of_its_kind: bool = False  # only if no other table of its kind waits for players

    @property
    def waits(self) -> bool:
        table = self.table
        return not self.gone and table.quick and table.status is Status.OPEN and not table.full


class Written(Enum):
    DONE = 1
    RACE = 2  # the table is not at that revision any more: look again
    TABLES_FULL = 3
    PLAYER_FULL = 4
    OTHERS_WAIT = 5


class Added(Enum):
    DONE = 1
    TAKEN = 2
    FULL = 3


@dataclass(frozen=True, slots=True)
class Limits:
    tables_max: int
    tables_per_player_max: int
    players_max: int


class Store(Protocol):
    """Every call may raise Refused UNAVAILABLE with the code STORE."""

    # -- players

    async def hold_name(self, same: str, owner: str, until_ms: int, now_ms: int) -> bool:
        """Keeps a name for a guest until that time, or longer if it is theirs already; False when others have it."""

    async def add_player(self, same: str, player: PlayerRecord, now_ms: int) -> Added: ...

    async def find_player(self, same: str) -> PlayerRecord | None: ...

    # -- tables

    async def read(self, id: str, now_ms: int) -> Stored | None: ...

    async def read_listed(self, ids: Sequence[str], now_ms: int) -> list[Stored | None]:
        """Without options."""

    async def write(self, change: Change) -> Written: ...

    async def push_back(self, stored: Stored, expires_ms: int) -> None:
        """A later expiry for a table that has not changed meanwhile; a changed one has pushed its own."""

    async def room_left(self, player: str, now_ms: int) -> Written:
        """DONE when a new table of this player would find room: spares others the work of preparing one."""

    async def newest(self, shelf: Shelf, player: str, start: int, count: int, now_ms: int) -> list[Label]:
        """A page of the index of everybody (no player) or of one player's tables, newest first."""

    async def waiting(self, game: str, players: int, count: int) -> list[Label]:
        """Tables of one kind that wait for players, oldest first."""

    async def stuck(self, before_ms: int, now_ms: int, count: int) -> list[Label]:
        """Tables whose start nobody has finished since then. Each is told to one asker, until as much time has passed
        again."""

    async def heal(self, label: Label, now_ms: int) -> None:
        """Takes an entry out of the indexes of everybody if its table is gone or has expired."""

    # -- the public keys of lobbies

    async def publish_key(self, kid: str, pem: bytes) -> None: ...

    async def public_key(self, kid: str) -> bytes | None: ...

    async def close(self) -> None: ...
