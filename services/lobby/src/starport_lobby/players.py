"""Players: guests for a day, and names for good."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

import grpc

from starport.v1 import lobby_pb2
from starport_chassis.refusals import Refused, exhausted, not_found, unauthenticated
from starport_chassis.tokens import PlayerClaims, TokenSigner, TokenVerifier
from starport_lobby.keys import NOBODYS, KeyHasher, new_key
from starport_lobby.names import clean_name, same_name
from starport_lobby.settings import KEY_CHARS_MAX, LobbySettings
from starport_lobby.store import Added, PlayerRecord, Store

ID_BYTES = 10
GUEST_NUMBERS = 1_000_000
GUEST_TRIES_MAX = 5
HELD_LONGER_MS = 60_000  # a guest's name stays theirs a little longer than their token is good


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Players:
    """The use cases behind CreateGuest, Register, Login and Refresh."""

    settings: LobbySettings
    store: Store
    signer: TokenSigner
    verifier: TokenVerifier
    hasher: KeyHasher

    async def guest(self, given: str) -> tuple[PlayerClaims, str]:
        id = f"g{new_id()}"
        for _ in range(GUEST_TRIES_MAX):
            name = clean_name(given) if given else f"Guest {secrets.randbelow(GUEST_NUMBERS):06d}"
            if await self._hold(same_name(name), id):
                player = PlayerClaims(id, name, guest=True)
                return player, self._token(player)
            if given:
                break
        raise name_taken()

    async def register(self, given: str) -> tuple[PlayerClaims, str, str]:
        name = clean_name(given)
        same = same_name(name)
        key = new_key()
        record = PlayerRecord(f"p{new_id()}", name, await self.hasher.hash(key))
        added = await self.store.add_player(same, record, now_ms())
        if added is Added.TAKEN:
            raise name_taken()
        if added is Added.FULL:
            raise exhausted("PLAYERS_FULL", "this house takes no more players; come as a guest")
        player = PlayerClaims(record.id, name, guest=False)
        return player, self._token(player), key

    async def login(self, given: str, key: str) -> tuple[PlayerClaims, str]:
        name = clean_name(given)
        if len(key) > KEY_CHARS_MAX:
            raise login_bad()
        record = await self.store.find_player(same_name(name))
        fits = await self.hasher.fits(key, NOBODYS if record is None else record.key)
        if record is None or not fits:
            raise login_bad()
        player = PlayerClaims(record.id, record.name, guest=False)
        return player, self._token(player)

    async def refresh(self, token: str) -> str:
        player = await self.verifier.player(token)
        same = same_name(player.name)
        if player.guest:
            if not await self._hold(same, player.id):
                raise name_taken()
        else:
            record = await self.store.find_player(same)
            if record is None or record.id != player.id:
                raise not_found("NO_PLAYER", "there is no such player any more")
        return self._token(player)

    def _token(self, player: PlayerClaims) -> str:
        return self.signer.player(player.id, player.name, player.guest, self.settings.player_token_s)

    async def _hold(self, same: str, id: str) -> bool:
        now = now_ms()
        until = now + int(self.settings.player_token_s * 1000) + HELD_LONGER_MS
        return await self.store.hold_name(same, id, until, now)


def new_id() -> str:
    return secrets.token_hex(ID_BYTES)


def message(player: PlayerClaims) -> lobby_pb2.Player:
    return lobby_pb2.Player(id=player.id, name=player.name, guest=player.guest)


def name_taken() -> Refused:
    return Refused(grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN", "somebody has this name, or one that looks like it")


def login_bad() -> Refused:
    """The same for a wrong key and for a name that nobody has."""
    return unauthenticated("LOGIN_BAD", "this name and this key do not belong together")
