"""Tables in the store: reading them as a player may, and changing them until nobody else was faster."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from starport.v1 import lobby_pb2, match_pb2
from starport_chassis.refusals import Refused, aborted, exhausted
from starport_lobby.choices import shown
from starport_lobby.players import now_ms
from starport_lobby.settings import CHANGE_TRIES_MAX, LobbySettings
from starport_lobby.store import Change, Store, Stored, Written
from starport_lobby.table import Status, Table, message, no_table

ID = re.compile(r"[a-z0-9]{1,40}")  # whatever the rules service calls a match
PUSH_BACK_PARTS = 20  # an expiry is moved when it gains a twentieth of the time, not with every look


class Tables:
    """Every access to a table goes through here."""

    def __init__(self, settings: LobbySettings, store: Store) -> None:
        self.settings = settings
        self.store = store

    async def find(self, id: str, player: str = "", *, invited: bool = False) -> Stored:
        """A table that this player may know of."""
        if not ID.fullmatch(id):
            raise no_table(id)
        found = await self.store.read(id, now_ms())
        if found is None or not may_see(found.table, player, invited):
            raise no_table(id)
        return found

    async def change(
        self, id: str, judge: Callable[[Table], Table | None], player: str = "", *, invited: bool = False
    ) -> Stored:
        """Judges the table as it is and stores what came out; again when somebody was faster. None removes it."""
        for _ in range(CHANGE_TRIES_MAX):
            found = await self.find(id, player, invited=invited)
            after = judge(found.table)
            if after == found.table:
                return found
            change = self._change(found, after)
            written = await self.store.write(change)
            if written is Written.DONE:
                return Stored(change.table, found.revision + 1, change.expires_ms, found.options)
            refuse_full(written, self.settings)
        raise lost_race()

    def _change(self, found: Stored, after: Table | None) -> Change:
        before, now = found.table, now_ms()
        if after is None:
            return Change(before, found.revision, found.expires_ms, now, gone=True)
        left = set(before.sitting) - set(after.sitting)
        joined = set(after.sitting) - set(before.sitting)
        return Change(
            after,
            found.revision,
            self.expires_ms(after, now),
            now,
            left=left.pop() if left else "",
            joined=joined.pop() if joined else "",
        )

    async def add(self, table: Table, options: match_pb2.Options) -> Stored:
        """A new table."""
        change = self._new(table, options)
        return await self._added(change, await self.store.write(change))

    async def add_first(self, table: Table, options: match_pb2.Options) -> Stored | None:
        """A new table, unless another of its kind waits for players."""
        change = replace(self._new(table, options), only_of_its_kind=True)
        written = await self.store.write(change)
        return None if written is Written.OTHERS_WAIT else await self._added(change, written)

    def _new(self, table: Table, options: match_pb2.Options) -> Change:
        now = now_ms()
        data = options.SerializeToString()
        return Change(table, 0, self.expires_ms(table, now), now, options=data, joined=table.host)

    async def _added(self, change: Change, written: Written) -> Stored:
        if written is Written.RACE:  # the id is new, so the store heard us twice
            return await self.find(change.table.id, change.table.host)
        refuse_full(written, self.settings)
        return Stored(change.table, 1, change.expires_ms, change.options)

    async def push_back(self, found: Stored) -> Stored:
        """Somebody who sits here looked in."""
        expires = self.expires_ms(found.table, now_ms())
        if expires - found.expires_ms < self._ttl_ms(found.table) // PUSH_BACK_PARTS:
            return found
        await self.store.push_back(found, expires)
        return Stored(found.table, found.revision, expires, found.options)

    def expires_ms(self, table: Table, now: int) -> int:
        expires = now + self._ttl_ms(table)
        if table.status is Status.OPEN:
            return min(expires, table.created_ms + int(self.settings.open_life_s * 1000))
        return expires

    def _ttl_ms(self, table: Table) -> int:
        """What may have begun is kept as long as what has."""
        settings = self.settings
        seconds = {Status.OPEN: settings.open_ttl_s, Status.ENDED: settings.ended_ttl_s}
        return int(seconds.get(table.status, settings.started_ttl_s) * 1000)


def may_see(table: Table, player: str, invited: bool) -> bool:
    return not table.private or invited or (player != "" and player in table.sitting)


def told(found: Stored) -> lobby_pb2.Table:
    return message(found.table, shown(match_pb2.Options.FromString(found.options)), found.expires_ms)


def refuse_full(written: Written, settings: LobbySettings) -> None:
    if written is Written.TABLES_FULL:
        raise exhausted("TABLES_FULL", "too many tables are open; sit down at one of them, or try again later")
    if written is Written.PLAYER_FULL:
        most = settings.tables_per_player_max
        raise exhausted("TOO_MANY_TABLES", f"you sit at {most} open tables already; leave one first")


def lost_race() -> Refused:
    return aborted("RACE", "others changed this table at the same time, again and again; look at it and try again")
