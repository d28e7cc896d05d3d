"""The scoring service put together: what `python -m starport_scoring` and `starport up` both run."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import grpc

from starport.v1 import scoring_pb2, scoring_pb2_grpc
from starport_eventlog import Consumer, ConsumerLimits, MemoryLog, RedisLog
from starport_scoring.opening import open_store
from starport_scoring.reading import Reader
from starport_scoring.recording import Recorder
from starport_scoring.servicer import ScoringServicer
from starport_scoring.settings import DRAIN_S, GROUP, HANDLE_S, ScoringSettings
from starport_scoring.store import Store


class ScoringService:
    """starport_chassis Service."""

    name = "scoring"

    def __init__(self, settings: ScoringSettings, eventlog: RedisLog | MemoryLog, store: Store) -> None:
        self.store = store
        self._servicer = ScoringServicer(Reader(store, settings.matches_min))
        name = settings.consumer_name or secrets.token_hex(8)
        limits = ConsumerLimits(handle_s=HANDLE_S, takeover_s=settings.takeover_s, drain_s=DRAIN_S)
        handle = Recorder(store).handle
        self.consumer = Consumer(eventlog, GROUP, name, settings.partitions, handle, limits=limits)

    def register(self, server: grpc.aio.Server) -> Sequence[str]:
        scoring_pb2_grpc.add_ScoringServiceServicer_to_server(self._servicer, server)
        return [scoring_pb2.DESCRIPTOR.services_by_name["ScoringService"].full_name]

    async def start(self) -> None:
        await self.consumer.start()

    async def stop(self) -> None:
        await self.consumer.stop()
        await self.store.close()


async def build(settings: ScoringSettings, eventlog: RedisLog | MemoryLog) -> ScoringService:
    """Opens the results database, and closes it when the service stops; CannotStart when it cannot be opened."""
    return ScoringService(settings, eventlog, await open_store(settings.results_url.get_secret_value()))
