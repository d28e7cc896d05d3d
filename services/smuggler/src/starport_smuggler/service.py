"""The house bots put together: what `python -m starport_smuggler` and `starport up` both run."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import grpc

from starport.v1 import rules_pb2_grpc
from starport_chassis import ServiceTokens
from starport_eventlog import Consumer, ConsumerLimits, MemoryLog, RedisLog
from starport_games.kernel.deal import KEY_BYTES, Deal
from starport_smuggler.playing import HousePlayer
from starport_smuggler.settings import DRAIN_S, GROUP, HANDLE_S, SmugglerSettings


class SmugglerService:
    """starport_chassis Service. It serves no calls of its own; its host tells health and metrics."""

    name = "smuggler"

    def __init__(self, player: HousePlayer, consumer: Consumer) -> None:
        self.player = player
        self.consumer = consumer

    def register(self, server: grpc.aio.Server) -> Sequence[str]:
        return []

    async def start(self) -> None:
        await self.consumer.start()

    async def stop(self) -> None:
        await self.consumer.stop()


async def build(
    settings: SmugglerSettings,
    eventlog: RedisLog | MemoryLog,
    stub: rules_pb2_grpc.RulesServiceAsyncStub,
    *,
    chance: Deal | None = None,
) -> SmugglerService:
    """`chance` settles what bots leave open; tests give one they know."""
    name = settings.consumer_name or secrets.token_hex(8)
    player = HousePlayer(
        stub,
        ServiceTokens(settings.service_key),
        chance or Deal(secrets.token_bytes(KEY_BYTES)),
        name=secrets.token_hex(4),  # new in every life, for a consumer's name may be had again
        think_s=settings.think_ms / 1000,
        deadline_s=settings.call_deadline_s,
    )
    limits = ConsumerLimits(
        handlers_max=settings.turns_max,
        in_flight_max=settings.turns_max,
        handle_s=HANDLE_S,
        takeover_s=settings.takeover_s,
        drain_s=DRAIN_S,
    )
    return SmugglerService(player, Consumer(eventlog, GROUP, name, settings.partitions, player.handle, limits=limits))
