"""Starting a match: freeze the table, tell the rules service, and ask again until it is known what came of it."""

from __future__ import annotations

import asyncio

import grpc
import structlog

from starport.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from starport_chassis.refusals import Refused, failed, unavailable
from starport_chassis.tokens import ServiceTokens
from starport_lobby.players import now_ms
from starport_lobby.settings import RULES_WAIT_S, STUCK_BATCH_MAX
from starport_lobby.shelf import Tables
from starport_lobby.store import Label, Stored
from starport_lobby.table import Status, Table, freeze, mark_started, must_host, plans

log = structlog.get_logger("lobby")

# The rules service understood and said no: the same words will never start this match.
FINAL = (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION)


class Starter:
    """The use case behind StartTable, and behind tables that start by themselves."""

    def __init__(self, tables: Tables, rules: rules_pb2_grpc.RulesServiceAsyncStub, services: ServiceTokens) -> None:
        self._tables = tables
        self._rules = rules
        self._services = services
        self._under_way: dict[str, asyncio.Task[Stored]] = {}

    async def prepare(self) -> tuple[str, bytes]:
        """Reserves a match: its id and the commitment to its secret."""
        request = rules_pb2.PrepareRequest(token=self._services.mint("lobby"))
        try:
            prepared = await self._rules.Prepare(request, timeout=RULES_WAIT_S)
        except grpc.aio.AioRpcError as why:
            raise rules_down(why) from None
        return prepared.match, prepared.commit

    async def start(self, id: str, player: str, bot: str) -> Stored:
        """As the host. A table that has started says so again."""

        def judge(table: Table) -> Table:
            must_host(table, player)
            return freeze(table, bot)

        return await self.finish(await self._tables.change(id, judge, player))

    async def start_if_full(self, found: Stored) -> Stored:
        """For a table that shall start by itself. What cannot be finished now is finished later, by `repeat_stuck`."""
        if not found.table.start_when_full or not found.table.full or found.table.status is not Status.OPEN:
            return found
        try:
            frozen = await self._tables.change(found.table.id, freeze_if_full, invited=True)
            return await self.finish(frozen)
        except Refused as refused:
            if refused.status is not grpc.StatusCode.UNAVAILABLE:
                raise
            log.warning("start put off", match=found.table.id, why=refused.message)
            return found

    async def finish(self, found: Stored) -> Stored:
        """Makes a match of a frozen table. All who ask at the same time wait for one call."""
        if found.table.status is not Status.STARTING:
            return found
        id = found.table.id
        task = self._under_way.get(id)
        if task is None:
            task = self._under_way[id] = asyncio.create_task(self._finish(found), name=id)
            task.add_done_callback(self._done)
        return await asyncio.shield(task)  # a caller who gives up does not take the others along

    def _done(self, task: asyncio.Task[Stored]) -> None:
        self._under_way.pop(task.get_name(), None)
        if not task.cancelled():
            task.exception()  # those who waited have heard of it, and there may be none

    async def _finish(self, found: Stored) -> Stored:
        table = found.table
        request = rules_pb2.StartRequest(
            token=self._services.mint("lobby"),
            match=table.id,
            options=match_pb2.Options.FromString(found.options),
            seats=plans(table),
        )
        try:
            await self._rules.Start(request, timeout=RULES_WAIT_S)
        except grpc.aio.AioRpcError as why:
            if why.code() not in FINAL:
                raise rules_down(why) from None
            log.warning("cannot start", match=table.id, status=why.code().name, why=why.details())
            await self._tables.change(table.id, give_up, table.host)
            raise failed("CANNOT_START", f"this table can never start and is gone: {why.details()}") from None
        started = await self._tables.change(table.id, mark_started, table.host)
        log.info("started", match=table.id, game=table.game, seats=len(table.seats))
        return started

    async def repeat_stuck(self) -> None:
        """Finishes starts that nobody waits for: their lobby died, or the rules service did not answer."""
        now = now_ms()
        before = now - int(self._tables.settings.start_retry_s * 1000)
        for label in await self._tables.store.stuck(before, now, STUCK_BATCH_MAX):
            await self._repeat(label)

    async def _repeat(self, label: Label) -> None:
        found = await self._tables.store.read(label.id, now_ms())
        if found is None:
            await self._tables.store.heal(label, now_ms())
            return
        try:
            await self.finish(found)
        except Refused as refused:
            log.warning("start repeated", match=label.id, code=refused.code, why=refused.message)

    async def stop(self) -> None:
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def freeze_if_full(table: Table) -> Table:
    """Somebody may have left meanwhile."""
    return freeze(table, "") if table.full else table


def give_up(table: Table) -> Table | None:
    return None if table.status is Status.STARTING else table


def rules_down(why: grpc.aio.AioRpcError) -> Refused:
    log.warning("rules down", status=why.code().name, details=why.details())
    return unavailable("UPSTREAM", "the rules service does not answer; try again")
