"""Clocks: who runs out of time gets the default move. Any replica may enforce it; the log says who was first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import grpc
import structlog

from starport.v1 import match_pb2
from starport_chassis.refusals import Refused
from starport_eventlog import StoreDown
from starport_rules.match import NO_DEADLINE
from starport_rules.matches import Matches, Room, now_ms
from starport_rules.playing import OWN_COMMANDS
from starport_rules.settings import DUE_BATCH_MAX

log = structlog.get_logger("clocks")


@dataclass(frozen=True, slots=True)
class Clocks:
    """Looks at the deadlines of every partition again and again."""

    matches: Matches

    async def run(self) -> None:
        settings = self.matches.settings
        while True:
            for partition in range(settings.partitions):
                try:
                    await self.enforce(f"{partition:02}", now_ms())
                except (StoreDown, Refused) as why:
                    log.warning("clock_skipped", partition=partition, why=str(why))
                except Exception:
                    log.exception("clock_failed", partition=partition)
            await asyncio.sleep(settings.clock_poll_s)

    async def enforce(self, partition: str, now: int) -> None:
        for id in await self.matches.eventlog.due(partition, now, DUE_BATCH_MAX):
            try:
                await self.look(id, now)
            except Refused as why:
                if why.status != grpc.StatusCode.NOT_FOUND:
                    raise
                await self.matches.eventlog.forget_deadline(id)  # its log has expired or was removed
            except StoreDown:
                raise
            except Exception:
                log.exception("clock_broken", match=id)
                await self.matches.eventlog.forget_deadline(id)  # or it would stand before all others for ever

    async def look(self, id: str, now: int) -> None:
        room = await self.matches.started(id)
        async with room.lock:
            if room.dated:
                await self.matches.catch_up(room)
            await self.time_out(room, now)

    async def time_out(self, room: Room, now: int) -> None:
        """The default move for every seat whose time is out, and a house bot for a seat that is out again and again."""
        settings = self.matches.settings
        for seat in range(len(room.match.seats)):
            match = room.match
            deadline = match.deadline(seat, settings.house_wait_ms)
            if match.ended or deadline == NO_DEADLINE or deadline > now:
                continue
            move = match.codec.game.default(match.state, seat)
            command = f"{OWN_COMMANDS}clock:{match.version}"
            proposal = match.propose_move(seat, move, match_pb2.MOVER_CLOCK, command, now_ms())
            if await self.matches.commit(room, proposal) is None:
                return  # somebody was faster: the next look will tell
            log.info("timed_out", match=match.id, seat=seat, version=room.match.version)
            seating = room.match.seats[seat]
            if not room.match.ended and not seating.house and seating.timeouts >= settings.absent_after:
                await self.matches.commit(room, room.match.propose_seat_change(seat, True, now_ms()))
                log.info("absent", match=match.id, seat=seat)
