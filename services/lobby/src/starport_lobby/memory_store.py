"""The store's twin in memory, for tests and for a lobby that may forget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from starport_lobby.settings import MINE_STARTED_MAX, STARTED_LISTED_MAX
from starport_lobby.store import (
    Added,
    Change,
    Label,
    Limits,
    PlayerRecord,
    Shelf,
    Stored,
    Written,
    kind_prefix,
    label_of,
    read_label,
    shelf_of,
)
from starport_lobby.table import Status

Index = dict[str, int]  # label -> created_ms or expires_ms or when a start was tried


@dataclass(slots=True)
class MemoryStore:
    """Every call is one step, for nothing in it waits."""

    limits: Limits
    _names: dict[str, tuple[str, int]] = field(default_factory=dict)  # same name -> owner and until when, 0 for good
    _players: dict[str, PlayerRecord] = field(default_factory=dict)
    _tables: dict[str, Stored] = field(default_factory=dict)
    _listed: dict[Shelf, Index] = field(default_factory=lambda: {shelf: {} for shelf in Shelf})
    _ends: Index = field(default_factory=dict)
    _waiting: set[str] = field(default_factory=set)
    _starting: Index = field(default_factory=dict)
    _mine: dict[tuple[str, Shelf], Index] = field(default_factory=dict)
    _keys: dict[str, bytes] = field(default_factory=dict)

    # -- players

    async def hold_name(self, same: str, owner: str, until_ms: int, now_ms: int) -> bool:
        holder, until = self._names.get(same, ("", 0))
        if holder not in ("", owner) and (until == 0 or until > now_ms):
            return False
        self._names[same] = (owner, until_ms)
        return True

    async def add_player(self, same: str, player: PlayerRecord, now_ms: int) -> Added:
        holder, until = self._names.get(same, ("", 0))
        if holder == player.id:
            return Added.DONE
        if holder and (until == 0 or until > now_ms):
            return Added.TAKEN
        if len(self._players) >= self.limits.players_max:
            return Added.FULL
        self._names[same] = (player.id, 0)
        self._players[same] = player
        return Added.DONE

    async def find_player(self, same: str) -> PlayerRecord | None:
        return self._players.get(same)

    # -- tables

    async def read(self, id: str, now_ms: int) -> Stored | None:
        stored = self._tables.get(id)
        if stored is not None and stored.expires_ms <= now_ms:
            del self._tables[id]
            return None
        return stored

    async def read_listed(self, ids: Sequence[str], now_ms: int) -> list[Stored | None]:
        found = [await self.read(id, now_ms) for id in ids]
        return [None if stored is None else replace(stored, options=b"") for stored in found]

    async def write(self, change: Change) -> Written:
        table = change.table
        before = await self.read(table.id, change.now_ms)
        if (0 if before is None else before.revision) != change.revision:
            return Written.RACE
        refused = self._why_not(change)
        if refused is not None:
            return refused
        self._index(change)
        if change.gone:
            self._tables.pop(table.id, None)
        else:
            options = before.options if before is not None else change.options
            self._tables[table.id] = Stored(table, change.revision + 1, change.expires_ms, options)
        return Written.DONE

    def _why_not(self, change: Change) -> Written | None:
        if change.revision == 0:
            self._sweep(change.now_ms)
            if len(self._ends) >= self.limits.tables_max:
                return Written.TABLES_FULL
        if change.joined and self._player_full(change.joined, change.now_ms):
            return Written.PLAYER_FULL
        kind = kind_prefix(change.table.game, change.table.players)
        if change.only_of_its_kind and any(label.startswith(kind) for label in self._waiting):
            return Written.OTHERS_WAIT
        return None

    def _index(self, change: Change) -> None:
        table, label = change.table, str(label_of(change.table))
        here = shelf_of(table)
        for shelf in Shelf:
            on_it = shelf is here and not change.gone
            _put(self._listed[shelf], label, table.created_ms, on_it)
            for player in table.sitting:
                _put(self._index_of(player, shelf), label, change.expires_ms, on_it)
            if change.left:
                self._index_of(change.left, shelf).pop(label, None)
        _put(self._ends, label, change.expires_ms, here is Shelf.OPEN and not change.gone)
        self._waiting.discard(label)
        if change.waits:
            self._waiting.add(label)
        _put(self._starting, label, change.now_ms, table.status is Status.STARTING and not change.gone)
        if here is Shelf.STARTED:
            _trim(self._listed[Shelf.STARTED], STARTED_LISTED_MAX)
            for player in table.sitting:
                _trim(self._index_of(player, Shelf.STARTED), MINE_STARTED_MAX)

    def _index_of(self, player: str, shelf: Shelf) -> Index:
        return self._mine.setdefault((player, shelf), {})

    def _sweep(self, now_ms: int) -> None:
        for label in [label for label, ends in self._ends.items() if ends <= now_ms]:
            self._tables.pop(read_label(label).id, None)
            self._take_out(label)

    def _take_out(self, label: str) -> None:
        for index in (self._ends, self._starting, *self._listed.values()):
            index.pop(label, None)
        self._waiting.discard(label)

    def _player_full(self, player: str, now_ms: int) -> bool:
        mine = self._index_of(player, Shelf.OPEN)
        return sum(ends > now_ms for ends in mine.values()) >= self.limits.tables_per_player_max

    async def push_back(self, stored: Stored, expires_ms: int) -> None:
        table = stored.table
        now = self._tables.get(table.id)
        if now is None or now.revision != stored.revision:
            return
        self._tables[table.id] = replace(now, expires_ms=expires_ms)
        label = str(label_of(table))
        shelf = shelf_of(table)
        if label in self._ends:
            self._ends[label] = expires_ms
        if shelf is not None:
            for player in table.sitting:
                self._index_of(player, shelf)[label] = expires_ms

    async def room_left(self, player: str, now_ms: int) -> Written:
        self._sweep(now_ms)
        if len(self._ends) >= self.limits.tables_max:
            return Written.TABLES_FULL
        return Written.PLAYER_FULL if self._player_full(player, now_ms) else Written.DONE

    async def newest(self, shelf: Shelf, player: str, start: int, count: int, now_ms: int) -> list[Label]:
        if player:
            index = self._index_of(player, shelf)
            labels = [read_label(label) for label, ends in index.items() if ends > now_ms]
        else:
            labels = [read_label(label) for label in self._listed[shelf]]
        labels.sort(key=lambda label: (label.created_ms, str(label)), reverse=True)
        return labels[start : start + count]

    async def waiting(self, game: str, players: int, count: int) -> list[Label]:
        kind = kind_prefix(game, players)
        return [read_label(label) for label in sorted(self._waiting) if label.startswith(kind)][:count]

    async def stuck(self, before_ms: int, now_ms: int, count: int) -> list[Label]:
        labels = sorted((tried, label) for label, tried in self._starting.items() if tried <= before_ms)[:count]
        for _, label in labels:
            self._starting[label] = now_ms
        return [read_label(label) for _, label in labels]

    async def heal(self, label: Label, now_ms: int) -> None:
        if await self.read(label.id, now_ms) is None:
            self._take_out(str(label))

    # -- the public keys of lobbies

    async def publish_key(self, kid: str, pem: bytes) -> None:
        self._keys[kid] = pem

    async def public_key(self, kid: str) -> bytes | None:
        return self._keys.get(kid)

    async def close(self) -> None:
        pass


def _put(index: Index, label: str, score: int, on_it: bool) -> None:
    if on_it:
        index[label] = score
    else:
        index.pop(label, None)


def _trim(index: Index, most: int) -> None:
    """Keeps those with the highest scores."""
    for label in sorted(index, key=lambda label: (index[label], label))[: max(0, len(index) - most)]:
        del index[label]
