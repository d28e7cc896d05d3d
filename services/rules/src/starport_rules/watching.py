"""Following a match: what was, from the log, then what comes, without a hole and without a repetition."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from starport.v1 import match_pb2, rules_pb2
from starport_chassis.refusals import exhausted, invalid, unavailable
from starport_rules.gate import Gate
from starport_rules.match import public_options, public_plan
from starport_rules.matches import Follower, Matches, Outlet, Room
from starport_rules.settings import FOLLOW_TRIES_MAX, UPDATES_WAITING_MAX
from starport_rules.telling import add_newest, decision_of, history

Look = rules_pb2.WatchRequest | rules_pb2.Attach


class QueueOutlet:
    """Updates that wait for one viewer; a viewer that lags too far behind is cut off and may come back."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[match_pb2.Update | None] = asyncio.Queue(UPDATES_WAITING_MAX)
        self._why_closed: Exception | None = None

    def put(self, update: match_pb2.Update) -> None:
        if self._why_closed is not None:
            return
        try:
            self._queue.put_nowait(update)
        except asyncio.QueueFull:
            self._why_closed = exhausted("SLOW", "too many updates are waiting; watch again from the last number")

    def close(self, why: Exception) -> None:
        self._why_closed = self._why_closed or why
        if not self._queue.full():
            self._queue.put_nowait(None)

    async def get(self) -> match_pb2.Update:
        if self._queue.empty() and self._why_closed is not None:
            raise self._why_closed
        update = await self._queue.get()
        if update is None:
            raise self._why_closed or RuntimeError("closed without a reason")
        return update


@dataclass(frozen=True, slots=True)
class Following:
    """A viewer who follows a match, and the updates that it asked for and that were before."""

    room: Room
    follower: Follower
    past: list[match_pb2.Update]
    ended: bool  # nothing more will come

    def leave(self) -> None:
        if self.follower in self.room.followers:
            self.room.followers.remove(self.follower)


@dataclass(frozen=True, slots=True)
class Watcher:
    """The use cases behind Watch, Observe, Legal and the followings of a session."""

    matches: Matches
    gate: Gate

    async def follow(self, request: Look, outlet: Outlet, instead: Following | None = None) -> Following:
        """From now on `outlet` gets what is new, and an earlier following gets nothing more."""
        room = await self.matches.started(request.match)
        seat = request.seat if request.HasField("seat") else None
        viewer = await self.gate.viewer(request.token, room, seat)
        for _ in range(FOLLOW_TRIES_MAX):
            async with room.lock:
                known = self.matches.known(request.match)
                if known is not room:  # the cache dropped it while we waited, so it may have missed news
                    room.unsure = True
                    known = self.matches.adopt(room)
                if known is room:
                    return await self._enter(room, viewer, request, outlet, instead)
            room = known
        raise unavailable("BUSY", "too many matches at the same time; try again")

    async def _enter(
        self, room: Room, viewer: int, request: Look, outlet: Outlet, instead: Following | None
    ) -> Following:
        after, want = request.after, request.want
        if room.dated or after > room.match.number(viewer):
            await self.matches.catch_up(room)
        match = room.match
        number = match.number(viewer)
        if after > number:
            raise invalid("MALFORMED", f"after: the newest update has the number {number}")
        snapshot = add_newest(match_pb2.Update(), match, viewer, want, self.matches.settings.house_wait_ms)
        records = await self.matches.read(match.id) if after < number else []
        past = [update for update in history(match.id, records, viewer, after) if update.number <= number]
        if past:
            past[-1].MergeFrom(snapshot)
        if instead is not None:
            instead.leave()
        following = Following(room, Follower(viewer, want, outlet), past, match.ended)
        if not match.ended:
            room.followers.append(following.follower)
        return following

    async def watch(self, request: rules_pb2.WatchRequest, outlet: QueueOutlet) -> AsyncIterator[match_pb2.Update]:
        following = await self.follow(request, outlet)
        try:
            for update in following.past:
                yield update
            ended = following.ended
            while not ended:
                update = await outlet.get()
                yield update
                ended = update.HasField("ending")
        finally:
            following.leave()

    async def observe(self, request: rules_pb2.ObserveRequest) -> rules_pb2.ObserveResponse:
        room = await self.matches.started(request.match)
        seat = request.seat if request.HasField("seat") else None
        viewer = await self.gate.viewer(request.token, room, seat)
        if seat is not None:
            await self.matches.refresh(room)  # a seat is told what holds now, also if another replica wrote it
        match = room.match
        update = match_pb2.Update(match=match.id, number=match.number(viewer))
        add_newest(update, match, viewer, request.want, self.matches.settings.house_wait_ms)
        return rules_pb2.ObserveResponse(
            update=update,
            options=public_options(match.options),
            seats=[seating.plan if match.ended else public_plan(seating.plan) for seating in match.seats],
            commit=match.commit,
        )

    async def legal(self, request: rules_pb2.LegalRequest) -> rules_pb2.LegalResponse:
        room = await self.matches.started(request.match)
        await self.gate.seat(request.token, room, request.seat)
        await self.matches.refresh(room)
        decision = decision_of(room.match, request.seat, self.matches.settings.house_wait_ms)
        return rules_pb2.LegalResponse(decision=decision)
