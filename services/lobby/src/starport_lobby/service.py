"""The lobby put together: what `python -m starport_lobby` and `starport up` both run."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence

import grpc
import structlog

from starport.v1 import lobby_pb2, lobby_pb2_grpc, rules_pb2_grpc
from starport_chassis.refusals import Refused
from starport_chassis.tokens import ServiceTokens, TokenSigner, TokenVerifier
from starport_eventlog import Consumer, ConsumerLimits, MemoryLog, RedisLog
from starport_lobby.ending import Ender
from starport_lobby.keys import KeyHasher
from starport_lobby.players import Players
from starport_lobby.quick import QuickMatch
from starport_lobby.seating import Seating
from starport_lobby.servicer import LobbyServicer
from starport_lobby.settings import DRAIN_S, GROUP, HANDLE_S, LobbySettings
from starport_lobby.shelf import Tables
from starport_lobby.starting import Starter
from starport_lobby.store import Store

log = structlog.get_logger("lobby")
KEY_PUBLISHED_EVERY_S = 30.0  # a store that lost its data would make every token a stranger's


class LobbyService:
    """starport_chassis Service."""

    name = "lobby"

    def __init__(
        self,
        settings: LobbySettings,
        store: Store,
        rules: rules_pb2_grpc.RulesServiceAsyncStub,
        eventlog: RedisLog | MemoryLog,
        signer: TokenSigner,
    ) -> None:
        self._settings = settings
        self._store = store
        self._signer = signer
        verifier = TokenVerifier(store.public_key)
        tables = Tables(settings, store)
        self._starter = Starter(tables, rules, ServiceTokens(settings.service_key))
        seating = Seating(tables, self._starter, signer, verifier)
        hasher = KeyHasher(settings.hashes_at_once, settings.hashes_waiting_max)
        players = Players(settings, store, signer, verifier, hasher)
        self._servicer = LobbyServicer(players, seating, QuickMatch(seating))
        self._repeating: asyncio.Task[None] | None = None
        name = settings.consumer_name or secrets.token_hex(8)
        limits = ConsumerLimits(handle_s=HANDLE_S, takeover_s=settings.takeover_s, drain_s=DRAIN_S)
        self.consumer = Consumer(eventlog, GROUP, name, settings.partitions, Ender(tables).handle, limits=limits)

    def register(self, server: grpc.aio.Server) -> Sequence[str]:
        lobby_pb2_grpc.add_LobbyServiceServicer_to_server(self._servicer, server)
        return [lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"].full_name]

    async def start(self) -> None:
        await self.consumer.start()
        self._repeating = asyncio.create_task(self._repeat(), name="lobby-repeat")

    async def stop(self) -> None:
        await self.consumer.stop()
        if self._repeating is not None:
            self._repeating.cancel()
            await asyncio.gather(self._repeating, return_exceptions=True)
        await self._starter.stop()

    async def _repeat(self) -> None:
        """Looks after its key in the store, and after starts that were left behind, by this lobby or by another."""
        published = 0.0
        while True:
            await asyncio.sleep(self._settings.start_retry_s)
            try:
                if time.monotonic() - published >= KEY_PUBLISHED_EVERY_S:
                    await publish_key(self._store, self._signer)
                    published = time.monotonic()
                await self._starter.repeat_stuck()
            except Refused as refused:
                log.warning("cannot look after the store", code=refused.code)
            except Exception:
                log.exception("cannot look after the store")


async def build(
    settings: LobbySettings,
    store: Store,
    rules: rules_pb2_grpc.RulesServiceAsyncStub,
    eventlog: RedisLog | MemoryLog,
    signer: TokenSigner | None = None,
) -> LobbyService:
    """The public key is in the store before anybody can hold a token. The caller closes the store and the log."""
    if signer is None:
        signer = TokenSigner.from_file(settings.token_key_file)
    await publish_key(store, signer)
    return LobbyService(settings, store, rules, eventlog, signer)


async def publish_key(store: Store, signer: TokenSigner) -> None:
    """Where every service looks public keys up."""
    await store.publish_key(signer.kid, signer.public_pem)
