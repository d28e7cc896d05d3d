"""Matches that ended: their tables are taken off the lists, and no longer count as places where their players sit."""

from __future__ import annotations

from dataclasses import dataclass

import grpc
import structlog
from google.protobuf.message import DecodeError

from starport.v1 import bus_pb2
from starport_chassis.refusals import Refused
from starport_eventlog import BusMessage
from starport_lobby.shelf import Tables
from starport_lobby.table import mark_ended

log = structlog.get_logger("lobby")


class BadEntry(ValueError):
    """A bus entry that cannot be read; trying again would not help."""


@dataclass(frozen=True, slots=True)
class Ender:
    """The handler of the bus consumer. An end that is told twice changes nothing."""

    tables: Tables

    async def handle(self, message: BusMessage) -> None:
        try:
            entry = bus_pb2.BusEntry.FromString(message.body)
        except DecodeError as why:
            raise BadEntry(f"not a bus entry: {why}") from None
        if not entry.HasField("finished"):
            return
        try:
            await self.tables.change(message.match, mark_ended, invited=True)
        except Refused as refused:
            if refused.status is not grpc.StatusCode.NOT_FOUND:  # it had expired, or somebody else laid it
                raise
        log.info("ended", match=message.match, game=entry.game)
