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
from starport_rules.settings import UPDATES_WAITING_MAX
from starport_rules.telling import add_newest, decision_of, history


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

    def close(self) -> None:
        self._why_closed = self._why_closed or unavailable("DRAINING", "this server stops; watch again elsewhere")
        if not self._queue.full():
            self._queue.put_nowait(None)

    async def get(self) -> match_pb2.Update:
        if self._queue.empty() and self._why_closed is not None:
            raise self._why_closed
        update = await self._queue.get()
        if update is None:
            raise self._why_closed or unavailable("DRAINING", "this server stops")
        return update


@dataclass(frozen=True, slots=True)
class Watcher:
    """The use cases behind Watch, Observe, Legal and the followings of a session."""

    matches: Matches
    gate: Gate

    async def follow(
        self, room: Room, viewer: int, after: int, want: rules_pb2.Want, outlet: Outlet
    ) -> tuple[Follower, list[match_pb2.Update]]:
        """From now on `outlet` gets what is new; the updates past `after` that were before come back at once."""
        follower = Follower(viewer, want, outlet)
        async with room.lock:
            if room.unsure:
                await self.matches.catch_up(room)
            match = room.match
            number = match.number(viewer)
            if after > number:
                raise invalid("MALFORMED", f"after: the newest update has the number {number}")
            snapshot = add_newest(match_pb2.Update(), match, viewer, want, self.matches.settings.house_wait_ms)
            records = await self.matches.eventlog.read(match.id) if after < number else []
            room.followers.append(follower)
        past = [update for update in history(match.id, records, viewer, after) if update.number <= number]
        if past:
            past[-1].MergeFrom(snapshot)
        return follower, past

    async def watch(self, request: rules_pb2.WatchRequest, outlet: QueueOutlet) -> AsyncIterator[match_pb2.Update]:
        room = await self.matches.started(request.match)
        seat = request.seat if request.HasField("seat") else None
        viewer = await self.gate.viewer(request.token, room.match, seat)
        follower, past = await self.follow(room, viewer, request.after, request.want, outlet)
        try:
            for update in past:
                yield update
            if room.match.ended and request.after + len(past) >= room.match.number(viewer):
                return
            while True:
                update = await outlet.get()
                yield update
                if update.HasField("ending"):
                    return
        finally:
            room.followers.remove(follower)

    async def observe(self, request: rules_pb2.ObserveRequest) -> rules_pb2.ObserveResponse:
        room = await self.matches.started(request.match)
        seat = request.seat if request.HasField("seat") else None
        viewer = await self.gate.viewer(request.token, room.match, seat)
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
        await self.gate.seat(request.token, room.match, request.seat)
        decision = decision_of(room.match, request.seat, True, self.matches.settings.house_wait_ms)
        return rules_pb2.LegalResponse(decision=decision)
