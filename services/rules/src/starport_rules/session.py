"""One stream for many matches: moves go up, updates come down, and what waits anyway travels together."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

import grpc
import structlog

from starport.v1 import match_pb2, rules_pb2
from starport_chassis.refusals import Refused, exhausted, invalid
from starport_eventlog import StoreDown
from starport_rules.matches import store_down
from starport_rules.playing import Player
from starport_rules.settings import (
    COMMANDS_PER_MESSAGE_MAX,
    EVENTS_PER_MESSAGE_MAX,
    MATCHES_PER_SESSION_MAX,
    PLAYS_IN_FLIGHT_MAX,
    UPDATES_WAITING_MAX,
)
from starport_rules.watching import Following, Watcher

log = structlog.get_logger("session")
EVENTS_WAITING_MAX = 16 * UPDATES_WAITING_MAX
# What was before an Attach is told whole, however much it is, but only to a client that has read most of the rest.
EVENTS_BEFORE_ATTACH_MAX = UPDATES_WAITING_MAX


class Session:
    """The state of one stream."""

    def __init__(self, player: Player, watcher: Watcher) -> None:
        self._player = player
        self._watcher = watcher
        self._events: deque[rules_pb2.Event] = deque()
        self._wake = asyncio.Event()
        self._why_closed: Exception | None = None
        self._done = False  # the client has sent all it wanted, and everything is answered
        self._has_read = asyncio.Event()  # the client took events since it was cleared
        self._following: dict[str, Following] = {}
        self._plays: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(PLAYS_IN_FLIGHT_MAX)

    # -- down

    def put(self, update: match_pb2.Update) -> None:
        self._tell(rules_pb2.Event(update=update))
        if update.HasField("ending"):
            self._detach(update.match)  # nothing more will come, and a session has only so many places

    def close(self, why: Exception) -> None:
        self._end(why)

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
                self._has_read.set()
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
        except Exception as why:  # noqa: BLE001  # whoever serves the stream tells the client, and logs what nobody foresaw
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
        except Exception as why:  # noqa: BLE001  # one play that fails ends no stream
            self._reject(request.match, request.command_id, why)
        finally:
            self._slots.release()

    async def _attach(self, attach: rules_pb2.Attach) -> None:
        try:
            instead = self._following.get(attach.match)
            if instead is None and len(self._following) >= MATCHES_PER_SESSION_MAX:
                raise exhausted("MATCHES", f"one session follows at most {MATCHES_PER_SESSION_MAX} matches")
            while len(self._events) > EVENTS_BEFORE_ATTACH_MAX:
                self._has_read.clear()
                await self._has_read.wait()
            following = await self._watcher.follow(attach, self, instead)
        except Exception as why:  # noqa: BLE001  # one match that cannot be followed ends no stream
            self._reject(attach.match, "", why)
            return
        # Nobody waits from here to the end: what is new comes after what was before.
        if not following.ended:
            self._following[attach.match] = following
        self._events.extend(rules_pb2.Event(update=update) for update in following.past)
        self._wake.set()

    def _detach(self, match: str) -> None:
        following = self._following.pop(match, None)
        if following is not None:
            following.leave()

    def _reject(self, match: str, command_id: str, why: Exception) -> None:
        self._tell(rules_pb2.Event(rejected=rejected(match, command_id, refusal_of(why))))

    def leave(self) -> None:
        """The stream is over: nothing may follow on its behalf."""
        for match in list(self._following):
            self._detach(match)
        for task in self._plays:
            task.cancel()


def refusal_of(why: Exception) -> Refused:
    """As the unary call would have been answered."""
    if isinstance(why, Refused):
        return why
    if isinstance(why, StoreDown):
        return store_down(why)
    log.error("unforeseen error", exc_info=why)
    return Refused(grpc.StatusCode.INTERNAL, "INTERNAL", "something went wrong here; it has been logged")


def rejected(match: str, command_id: str, why: Refused) -> rules_pb2.Rejected:
    return rules_pb2.Rejected(
        match=match, command_id=command_id, status=why.status.value[0], code=why.code, message=why.message
    )
