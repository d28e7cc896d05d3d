"""One stream for many matches: moves go up, updates come down, and what waits anyway travels together."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from starport.v1 import match_pb2, rules_pb2
from starport_chassis.refusals import Refused, exhausted, invalid, unavailable
from starport_rules.matches import Follower, Room
from starport_rules.playing import Player
from starport_rules.settings import (
    COMMANDS_PER_MESSAGE_MAX,
    EVENTS_PER_MESSAGE_MAX,
    MATCHES_PER_SESSION_MAX,
    PLAYS_IN_FLIGHT_MAX,
    UPDATES_WAITING_MAX,
)
from starport_rules.watching import Watcher

EVENTS_WAITING_MAX = 16 * UPDATES_WAITING_MAX


class Session:
    """The state of one stream."""

    def __init__(self, player: Player, watcher: Watcher) -> None:
        self._player = player
        self._watcher = watcher
        self._events: deque[rules_pb2.Event] = deque()
        self._wake = asyncio.Event()
        self._why_closed: Exception | None = None
        self._done = False  # the client has sent all it wanted, and everything is answered
        self._following: dict[str, tuple[Room, Follower]] = {}
        self._plays: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(PLAYS_IN_FLIGHT_MAX)

    # -- down

    def put(self, update: match_pb2.Update) -> None:
        self._tell(rules_pb2.Event(update=update))

    def close(self) -> None:
        self._end(unavailable("DRAINING", "this server stops; connect again"))

    def _tell(self, event: rules_pb2.Event) -> None:
        if len(self._events) >= EVENTS_WAITING_MAX:
            self._end(exhausted("SLOW", "too many events are waiting; connect again"))
            return
        self._events.append(event)
        self._wake.set()

    def _end(self, why: Exception) -> None:
        self._why_closed = self._why_closed or why
        self._wake.set()

    async def batches(self) -> AsyncIterator[rules_pb2.SessionResponse]:
        while True:
            if self._why_closed is not None:
                raise self._why_closed
            if self._events:
                count = min(len(self._events), EVENTS_PER_MESSAGE_MAX)
                yield rules_pb2.SessionResponse(events=[self._events.popleft() for _ in range(count)])
            elif self._done:
                return
            else:
                self._wake.clear()
                await self._wake.wait()

    # -- up

    async def read(self, requests: AsyncIterator[rules_pb2.SessionRequest]) -> None:
        """Until the client has no more to say."""
        try:
            async for request in requests:
                if len(request.commands) > COMMANDS_PER_MESSAGE_MAX:
                    raise invalid("MALFORMED", f"commands: at most {COMMANDS_PER_MESSAGE_MAX} in a message")
                for command in request.commands:
                    await self._take(command)
            await asyncio.gather(*self._plays)
        except Refused as why:
            self._end(why)
        self._done = True
        self._wake.set()

    async def _take(self, command: rules_pb2.Command) -> None:
        match command.WhichOneof("command"):
            case "play":
                await self._slots.acquire()
                task = asyncio.create_task(self._play(command.play))
                self._plays.add(task)
                task.add_done_callback(self._plays.discard)
            case "attach":
                await self._attach(command.attach)
            case "detach":
                self._detach(command.detach.match)
            case _:
                raise invalid("MALFORMED", "a command must be attach, detach or play")

    async def _play(self, request: rules_pb2.PlayRequest) -> None:
        try:
            update = await self._player.play(request)
            accepted = rules_pb2.Accepted(match=request.match, command_id=request.command_id, number=update.number)
            self._tell(rules_pb2.Event(accepted=accepted))
        except Refused as why:
            self._tell(rules_pb2.Event(rejected=rejected(request.match, request.command_id, why)))
        finally:
            self._slots.release()

    async def _attach(self, attach: rules_pb2.Attach) -> None:
        try:
            if attach.match not in self._following and len(self._following) >= MATCHES_PER_SESSION_MAX:
                raise exhausted("MATCHES", f"one session follows at most {MATCHES_PER_SESSION_MAX} matches")
            matches, gate = self._watcher.matches, self._watcher.gate
            room = await matches.started(attach.match)
            seat = attach.seat if attach.HasField("seat") else None
            viewer = await gate.viewer(attach.token, room.match, seat)
            self._detach(attach.match)
            held = Held(self)
            follower, past = await self._watcher.follow(room, viewer, attach.after, attach.want, held)
        except Refused as why:
            self._tell(rules_pb2.Event(rejected=rejected(attach.match, "", why)))
            return
        self._following[attach.match] = (room, follower)
        for update in past:
            self.put(update)
        held.release()

    def _detach(self, match: str) -> None:
        room, follower = self._following.pop(match, (None, None))
        if room is not None and follower in room.followers:
            room.followers.remove(follower)

    def leave(self) -> None:
        """The stream is over: nothing may follow on its behalf."""
        for match in list(self._following):
            self._detach(match)
        for task in self._plays:
            task.cancel()


class Held:
    """An outlet that keeps what is new until what was before has been told."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._waiting: list[match_pb2.Update] | None = []

    def put(self, update: match_pb2.Update) -> None:
        if self._waiting is None:
            self._session.put(update)
        else:
            self._waiting.append(update)

    def close(self) -> None:
        self._session.close()

    def release(self) -> None:
        waiting, self._waiting = self._waiting or [], None
        for update in waiting:
            self._session.put(update)


def rejected(match: str, command_id: str, why: Refused) -> rules_pb2.Rejected:
    return rules_pb2.Rejected(
        match=match, command_id=command_id, status=why.status.value[0], code=why.code, message=why.message
    )
