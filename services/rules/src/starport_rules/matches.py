"""The matches that this replica has in memory: a bounded cache over the log, and the viewers who follow them."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

import structlog

from starport.v1 import bus_pb2, match_pb2, rules_pb2
from starport_chassis.refusals import Refused, aborted, not_found, unavailable
from starport_eventlog import EventLog, StoreDown, partition_of
from starport_rules.match import Match, Proposal, Step, game_of
from starport_rules.settings import FORGET_LOOK_MAX, RulesSettings
from starport_rules.telling import add_newest, told

log = structlog.get_logger("rules")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Outlet(Protocol):
    """Where a viewer's updates go. Never waits: an outlet that is full closes itself."""

    def put(self, update: match_pb2.Update) -> None: ...

    def close(self, why: Exception) -> None: ...


@dataclass(eq=False, slots=True)
class Follower:
    """One viewer of one match who wants every update from now on."""

    viewer: int
    want: rules_pb2.Want
    outlet: Outlet


class Room:
    """A match with the lock under which it changes and the viewers who follow it."""

    __slots__ = ("followers", "heard", "lock", "match", "unsure")

    def __init__(self, id: str) -> None:
        self.match = Match(id)
        self.lock = asyncio.Lock()
        self.followers: list[Follower] = []
        self.heard = 0  # the newest version that the bus told of
        self.unsure = True  # the log may hold more than the match knows, whatever the bus told

    @property
    def dated(self) -> bool:
        """Whether to look into the log before trusting the match. Ask under the lock: our own append is heard early."""
        return self.unsure or self.heard > self.match.version

    def cut(self, why: Exception) -> None:
        """The followers hear why, and that they may come back."""
        followers, self.followers = self.followers, []
        for follower in followers:
            follower.outlet.close(why)


class Matches:
    """Every access to a match goes through here."""

    def __init__(self, eventlog: EventLog, settings: RulesSettings) -> None:
        self.eventlog = eventlog
        self.settings = settings
        self._rooms: OrderedDict[str, Room] = OrderedDict()

    def __len__(self) -> int:
        return len(self._rooms)

    async def room(self, id: str) -> Room:
        """The room of a match that exists, up to date with the log as far as this replica has heard."""
        room = self._rooms.get(id)
        if room is None:
            self._check(id)
            room = Room(id)
            self._rooms[id] = room
        else:
            self._rooms.move_to_end(id)
        if room.dated:
            async with room.lock:
                if room.dated:
                    await self.catch_up(room)
        if len(self._rooms) > self.settings.cache_matches:
            self._make_space(room)
        if room.match.version == 0:
            self._forget(id, room)
            raise no_match(id)
        return room

    async def started(self, id: str) -> Room:
        room = await self.room(id)
        if not room.match.started:
            await self.refresh(room)
            if not room.match.started:
                raise no_match(id)
        return room

    def _check(self, id: str) -> None:
        try:
            partition = partition_of(id)
        except ValueError:
            raise no_match(id) from None
        if int(partition) >= self.settings.partitions:
            raise no_match(id)

    def known(self, id: str) -> Room | None:
        return self._rooms.get(id)

    def adopt(self, room: Room) -> Room:
        """The room that is told of news: this one, unless another took its place after the cache had dropped it."""
        known = self._rooms.setdefault(room.match.id, room)
        if known is room:
            self._rooms.move_to_end(room.match.id)
        return known

    def _make_space(self, keep: Room) -> None:
        """Forgets matches that were not asked for the longest; those that somebody follows or changes stay."""
        spare = len(self._rooms) - self.settings.cache_matches
        for _ in range(min(spare, FORGET_LOOK_MAX)):
            id, room = next(iter(self._rooms.items()))
            if room is keep or room.followers or room.lock.locked() or not room.match.version:
                self._rooms.move_to_end(id)
            else:
                del self._rooms[id]

    def _forget(self, id: str, room: Room) -> None:
        if self._rooms.get(id) is room and not room.lock.locked():
            del self._rooms[id]

    # -- keeping up with the log

    async def refresh(self, room: Room) -> None:
        """Look at the log: the caller may have heard of a move on another replica before this one did."""
        async with room.lock:
            await self.catch_up(room)

    async def behind(self, room: Room) -> bool:
        """Whether the log had news (under the room's lock)."""
        version = room.match.version
        await self.catch_up(room)
        return room.match.version != version

    async def catch_up(self, room: Room) -> None:
        """Under the room's lock."""
        match = room.match
        try:
            records = await self.eventlog.read(match.id, match.version)
        except StoreDown as why:
            room.unsure = True
            raise store_down(why) from None
        try:
            last = len(records) - 1
            for i, data in enumerate(records):
                self.tell(room, match.fold(data, check_digest=i == last))
        except Exception as why:
            room.match = Match(match.id)  # half folded: the next caller starts from the log again
            room.unsure = True
            room.cut(why)  # that caller's fold must not tell them everything twice
            raise
        room.unsure = False

    async def read(self, id: str) -> list[bytes]:
        try:
            return await self.eventlog.read(id)
        except StoreDown as why:
            raise store_down(why) from None

    async def commit(self, room: Room, proposal: Proposal) -> Step | None:
        """Append, then tell. None when somebody was faster: the match is then at its newest version."""
        after = proposal.after
        deadline = None if after.ended else after.next_deadline(self.settings.house_wait_ms)
        try:
            stored = await self.eventlog.append(
                after.id, after.version, proposal.data, bus=bus_entry(proposal), deadline_ms=deadline
            )
        except StoreDown as why:
            room.unsure = True
            raise store_down(why) from None
        except BaseException:  # cancelled while the store was writing: nobody knows whether it did
            room.unsure = True
            raise
        if not stored:
            room.unsure = True
            await self.catch_up(room)
            return None
        after.remember(proposal.record)
        room.match = after
        self.tell(room, proposal.step)
        return proposal.step

    async def heard(self, id: str, version: int | None) -> None:
        """The bus says that a match has this version (None: nobody knows): another replica wrote it, or we did."""
        room = self._rooms.get(id)
        if room is None:
            return
        room.heard = max(room.heard, version or 0)
        if room.followers and room.dated:
            async with room.lock:
                if room.dated:
                    await self.catch_up(room)

    def doubt(self) -> list[str]:
        """News may have been missed: every match may have moved on. Returns those that somebody follows."""
        for room in self._rooms.values():
            room.unsure = True
        return [id for id, room in self._rooms.items() if room.followers]

    def cut(self, id: str, why: Exception) -> None:
        if id in self._rooms:
            self._rooms[id].cut(why)

    def close(self) -> None:
        for room in self._rooms.values():
            room.cut(unavailable("DRAINING", "this server stops; come back from the last number"))

    # -- telling

    def tell(self, room: Room, step: Step) -> None:
        match = room.match
        if not room.followers or not match.started:
            return
        cache: dict[tuple[int, bool, bool], match_pb2.Update] = {}
        for follower in list(room.followers):
            viewer, want = follower.viewer, follower.want
            if not step.visible_to(viewer):
                continue
            key = (viewer, want.view, want.legal)
            if key not in cache:
                update = told(match, step, viewer, match.number(viewer))
                cache[key] = add_newest(update, match, viewer, want, self.settings.house_wait_ms)
            follower.outlet.put(cache[key])


def bus_entry(proposal: Proposal) -> bytes:
    after = proposal.after
    entry = bus_pb2.BusEntry(
        match=after.id, version=after.version, game=game_of(after), house_turns=after.house_turns()
    )
    if proposal.step.ending is not None:
        entry.finished.CopyFrom(after.finished(proposal.step.ending.scores, proposal.record.at_ms))
    return entry.SerializeToString()


def lost_race() -> Exception:
    return aborted("RACE", "others moved at the same time, again and again; look at the match and try again")


def no_match(id: str) -> Exception:
    return not_found("NO_MATCH", f"there is no match {id[:40]!r}")


def store_down(why: object) -> Refused:
    log.warning("store_down", why=str(why))
    return unavailable("STORE", "the store does not answer; repeat the call with the same command id")
