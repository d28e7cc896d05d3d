"""The rules service put together: what `python -m starport_rules` and `starport up` both run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import grpc
import structlog
from prometheus_client import Gauge

from starport.v1 import rules_pb2, rules_pb2_grpc
from starport_chassis.refusals import Refused
from starport_chassis.tokens import ServiceTokens, TokenVerifier
from starport_eventlog import EventLog, StoreDown, Tail, TailGap
from starport_rules.clocks import Clocks
from starport_rules.gate import Gate
from starport_rules.matches import Matches
from starport_rules.playing import Player
from starport_rules.servicer import RulesServicer
from starport_rules.settings import RulesSettings
from starport_rules.starting import Starter
from starport_rules.watching import Watcher

log = structlog.get_logger("rules")
CACHED = Gauge("starport_rules_matches_cached", "Matches that this process has in memory")


class RulesService:
    """starport_chassis Service."""

    name = "rules"

    def __init__(self, settings: RulesSettings, eventlog: EventLog, tokens: TokenVerifier) -> None:
        services = ServiceTokens(settings.service_key)
        self.matches = Matches(eventlog, settings)
        gate = Gate(self.matches, tokens, services)
        player = Player(self.matches, gate)
        self._servicer = RulesServicer(Starter(self.matches, gate), player, Watcher(self.matches, gate))
        self._clocks = Clocks(self.matches)
        self._tasks: list[asyncio.Task[None]] = []

    def register(self, server: grpc.aio.Server) -> Sequence[str]:
        rules_pb2_grpc.add_RulesServiceServicer_to_server(self._servicer, server)
        return [rules_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name]

    async def start(self) -> None:
        CACHED.set_function(lambda: len(self.matches))
        self._tasks = [asyncio.create_task(self._clocks.run()), asyncio.create_task(self._listen())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.matches.close()

    async def _listen(self) -> None:
        """Hear of the moves that other replicas stored, so that viewers here see them too."""
        tail = self.matches.eventlog.tail()
        try:
            await self._wait_for(tail)
            while True:
                for match in self.matches.doubt():
                    await self._heard(match)
                if not await self._follow(tail):
                    return
                log.warning("tail_gap")
        finally:
            await tail.aclose()

    async def _wait_for(self, tail: Tail) -> None:
        """What came to pass before the tail was ready is found by doubting everything after it."""
        while True:
            try:
                await tail.ready()
            except StoreDown as why:
                log.warning("tail_not_ready", why=str(why))
            else:
                return

    async def _follow(self, tail: Tail) -> bool:
        """Until the tail is told of a gap (True) or the log is closed (False)."""
        try:
            async for message in tail:
                await self._heard(message.match, message.version)
        except TailGap:
            return True
        return False

    async def _heard(self, match: str, version: int | None = None) -> None:
        try:
            await self.matches.heard(match, version)
        except Refused as why:
            log.warning("catch_up_failed", match=match, version=version, why=str(why))
            self.matches.cut(match, why)  # who follows would wait for news that never come
        except Exception:
            log.exception("catch_up_failed", match=match, version=version)  # one broken match deafens nobody
