"""A rules service on a loopback port, and hands that play through it, for every test that needs real matches."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import SecretStr

from starport.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from starport_chassis import Host, ServiceTokens, TokenSigner, TokenVerifier
from starport_eventlog import EventLog
from starport_rules.__main__ import translate
from starport_rules.service import RulesService
from starport_rules.settings import RulesSettings
from starport_wire.codec import Codec, make_options, open_codec, seat_count

SERVICE_KEY = SecretStr("a service key for tests, long enough")
WANT_ALL = rules_pb2.Want(view=True, legal=True)
PARTITIONS = 2


def new_signer() -> TokenSigner:
    return TokenSigner(
        Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


@dataclass
class Table:
    """One started match, with a token for each seat."""

    id: str
    options: match_pb2.Options
    tokens: list[str]
    commit: bytes
    codec: Codec
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    def request(self, seat: int, decision_id: str, move: match_pb2.Move, **more: Any) -> rules_pb2.PlayRequest:
        more.setdefault("command_id", f"test-{next(self.numbers)}")
        more.setdefault("want", WANT_ALL)
        more.setdefault("token", self.tokens[seat])
        return rules_pb2.PlayRequest(match=self.id, seat=seat, decision_id=decision_id, move=move, **more)


class House:
    """The service, a stub to it, and the powers of the lobby."""

    def __init__(self, service: RulesService, stub: rules_pb2_grpc.RulesServiceAsyncStub, signer: TokenSigner) -> None:
        self.service = service
        self.stub = stub
        self.signer = signer
        self.services = ServiceTokens(SERVICE_KEY)
        self.port = 0
        self.host: Host

    async def start(
        self,
        game: str,
        seats: int,
        settings: Mapping[str, str] | None = None,
        *,
        house: Mapping[int, str] | None = None,
        nonces: Sequence[bytes] = (),
        **more: Any,
    ) -> Table:
        """Prepare and start a match; `house` names the bots of house seats."""
        return await self.start_with(make_options(game, seats, settings, **more), house or {}, nonces)

    async def start_with(
        self, options: match_pb2.Options, house: Mapping[int, str] | None = None, nonces: Sequence[bytes] = ()
    ) -> Table:
        lobby = self.services.mint("lobby")
        prepared = await self.stub.Prepare(rules_pb2.PrepareRequest(token=lobby))
        plans = plans_for(options, house or {})
        for plan, nonce in zip(plans, nonces, strict=False):
            plan.nonce = nonce
        await self.stub.Start(rules_pb2.StartRequest(token=lobby, match=prepared.match, options=options, seats=plans))
        tokens = [self.signer.seat(prepared.match, seat, f"p{seat}") for seat in range(len(plans))]
        return Table(prepared.match, options, tokens, prepared.commit, open_codec(options))

    async def stop(self) -> None:
        """As an operator stops it: calls and streams are drained."""
        await self.host.stop()

    async def observe(self, table: Table, seat: int | None) -> rules_pb2.ObserveResponse:
        token = table.tokens[seat] if seat is not None else ""
        request = rules_pb2.ObserveRequest(token=token, match=table.id, seat=seat, want=WANT_ALL)
        return await self.stub.Observe(request)

    async def decision(self, table: Table, seat: int) -> match_pb2.Decision:
        return (await self.observe(table, seat)).update.decision

    async def play(self, table: Table, seat: int, move: match_pb2.Move, **more: Any) -> match_pb2.Update:
        """Answer whatever this seat is asked now."""
        decision = await self.decision(table, seat)
        return (await self.stub.Play(table.request(seat, decision.id, move, **more))).update

    async def asked(self, table: Table) -> list[int]:
        return list((await self.observe(table, None)).update.waiting_for)

    async def state(self, table: Table) -> Any:
        """The full position, which only a test may have."""
        room = await self.service.matches.started(table.id)
        await self.service.matches.refresh(room)
        return room.match.state


def plans_for(options: match_pb2.Options, house: Mapping[int, str]) -> list[match_pb2.SeatPlan]:
    plans: list[match_pb2.SeatPlan] = []
    for seat in range(seat_count(options)):
        bot = house.get(seat)
        kind = match_pb2.SEAT_KIND_PLAYER if bot is None else match_pb2.SEAT_KIND_HOUSE
        player = f"p{seat}" if bot is None else ""
        plans.append(match_pb2.SeatPlan(kind=kind, player=player, name=f"name {seat}", bot=bot or "greedy"))
    return plans


@asynccontextmanager
async def rules_house(eventlog: EventLog, signer: TokenSigner | None = None, **settings: Any) -> AsyncIterator[House]:
    """A running rules service over this log."""
    signer = signer or new_signer()
    public = signer.public_pem
    kid = signer.kid

    async def keys(asked: str) -> bytes | None:
        return public if asked == kid else None

    given: dict[str, Any] = {
        "service_key": SERVICE_KEY,
        "partitions": PARTITIONS,
        "clock_poll_s": 0.02,
        "stream_drain_s": 0.1,
    } | settings
    chosen = RulesSettings(**given)
    service = RulesService(chosen, eventlog, TokenVerifier(keys))
    host = Host(chosen, [service], translate)
    await host.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{host.port}") as channel:
        house = House(service, rules_pb2_grpc.RulesServiceStub(channel), signer)
        house.port = host.port
        house.host = host
        try:
            yield house
        finally:
            await host.stop()
