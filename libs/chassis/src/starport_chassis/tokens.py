"""Tokens: signed words of the lobby about players, seats and tables, and of services about themselves.

Each kind has its own `typ` header and its own audience, and both are checked: none can be used as another. Players',
seats' and invitations are EdDSA, verified by public key; those between services are HS256 by the shared key.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import SecretStr

from .keyfile import private_pem
from .refusals import Refused, unauthenticated
from .settings import CannotStart

ISSUER = "starport"
PLAYER_S = 24 * 3600
SEAT_S = 24 * 3600
INVITATION_S = 7 * 24 * 3600
SERVICE_S = 60
LEEWAY_S = 10  # how far the clocks of two machines may be apart

TOKEN_CHARS_MAX = 2048
SERVICE_KEY_CHARS_MIN = 32
KEYS_MAX = 64
KEY_KEPT_S = 300  # a key that was taken back stops working by then
UNKNOWN_KEPT_S = 5  # a key id that nobody knew is not asked for again before
KNOWN_TOKENS_MAX = 10_000
KID = re.compile(r"[A-Za-z0-9_-]{1,64}")

Kind = Literal["player", "seat", "watch", "invitation", "service"]
KINDS: tuple[Kind, ...] = ("player", "seat", "watch", "invitation", "service")
Role = Literal["lobby", "house"]
ROLES: tuple[Role, ...] = ("lobby", "house")

KeySource = Callable[[str], Awaitable[bytes | None]]  # the public key (PEM) of a key id, None when there is none
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class PlayerClaims:
    id: str
    name: str
    guest: bool


@dataclass(frozen=True, slots=True)
class SeatClaims:
    match: str
    seat: int | None  # None: may only watch
    player: str


@dataclass(frozen=True, slots=True)
class InvitationClaims:
    table: str


def kind_of(token: str) -> Kind | None:
    """What a token claims to be, unverified: only good for choosing who verifies it."""
    kind = _header(token).get("typ") if token else None
    return next((known for known in KINDS if _typ(known) == kind), None)


class TokenSigner:
    """The lobby's side: signs with the private key."""

    def __init__(self, pem: bytes) -> None:
        try:
            key = serialization.load_pem_private_key(pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise CannotStart("the key that signs tokens is not a private key in PEM") from None
        if not isinstance(key, Ed25519PrivateKey):
            raise CannotStart("the key that signs tokens is not an Ed25519 key")
        self._key = key
        self.public_pem: bytes = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self.kid: str = hashlib.sha256(self.public_pem).hexdigest()[:16]

    @classmethod
    def from_file(cls, path: Path) -> TokenSigner:
        """With the key of a file, made when missing; CannotStart when others may read it."""
        return cls(private_pem(path))

    def player(self, id: str, name: str, guest: bool, ttl_s: float = PLAYER_S) -> str:
        return self._sign("player", {"sub": id, "name": name, "guest": guest}, ttl_s)

    def seat(self, match: str, seat: int | None, player: str, ttl_s: float = SEAT_S) -> str:
        """Lets a player play a seat of a match; without a seat it is a watcher's token."""
        if seat is None:
            return self.watch(match, player, ttl_s)
        return self._sign("seat", {"sub": player, "match": match, "seat": seat}, ttl_s)

    def watch(self, match: str, player: str, ttl_s: float = SEAT_S) -> str:
        return self._sign("watch", {"sub": player, "match": match}, ttl_s)

    def invitation(self, table: str, ttl_s: float = INVITATION_S) -> str:
        return self._sign("invitation", {"sub": table}, ttl_s)

    def _sign(self, kind: Kind, claims: dict[str, Any], ttl_s: float) -> str:
        return jwt.encode(
            _claims(kind, claims, ttl_s), self._key, "EdDSA", headers={"kid": self.kid, "typ": _typ(kind)}
        )


class TokenVerifier:
    """Everybody else's side: verifies with public keys, and remembers what it has verified."""

    def __init__(self, keys: KeySource, now: Callable[[], float] = time.time) -> None:
        self._keys = _Keys(keys, now)
        self._now = now
        self._known: _Kept[tuple[Kind, dict[str, Any]]] = _Kept(KNOWN_TOKENS_MAX, now)

    async def player(self, token: str) -> PlayerClaims:
        _, claims = await self._verified(token, "player")
        return PlayerClaims(_text(claims, "sub"), _text(claims, "name"), claims.get("guest") is True)

    async def seat(self, token: str) -> SeatClaims:
        """A seat's token, whose seat is a number, or a watcher's, whose seat is None."""
        kind, claims = await self._verified(token, "seat", "watch")
        seat = claims.get("seat")
        if kind == "watch":
            seat = None
        elif type(seat) is not int or seat < 0:
            raise _bad()
        return SeatClaims(_text(claims, "match"), seat, _text(claims, "sub"))

    async def invitation(self, token: str) -> InvitationClaims:
        _, claims = await self._verified(token, "invitation")
        return InvitationClaims(_text(claims, "sub"))

    async def _verified(self, token: str, *kinds: Kind) -> tuple[Kind, dict[str, Any]]:
        known = self._known.get(token)
        if known is None:
            known = await self._verify(token)
        if known[0] not in kinds:
            raise _bad()
        return known

    async def _verify(self, token: str) -> tuple[Kind, dict[str, Any]]:
        header = _checked_header(token)
        kid = header.get("kid")
        kind = next((kind for kind in KINDS if _typ(kind) == header.get("typ") and kind != "service"), None)
        if kind is None or not isinstance(kid, str) or not KID.fullmatch(kid):
            raise _bad()
        key = await self._keys.get(kid)
        if key is None:
            raise _bad()
        claims = _decoded(token, key, "EdDSA", kind)
        self._known.put(token, (kind, claims), min(claims["exp"] + LEEWAY_S, self._now() + KEY_KEPT_S))
        return kind, claims


class ServiceTokens:
    """How services say to each other who they are: short-lived, by the key they share."""

    def __init__(self, key: SecretStr | str, now: Callable[[], float] = time.time) -> None:
        secret = key.get_secret_value() if isinstance(key, SecretStr) else key
        if len(secret) < SERVICE_KEY_CHARS_MIN:
            raise CannotStart(
                f"STARPORT_SERVICE_KEY needs {SERVICE_KEY_CHARS_MIN} characters or more, the same for every service; "
                "`openssl rand -hex 32` makes one"
            )
        self._key = secret.encode()
        self._now = now
        self._minted: _Kept[str] = _Kept(len(ROLES), now)
        self._known: _Kept[Role] = _Kept(KNOWN_TOKENS_MAX, now)
        self._beginning = self.mint("house").partition(".")[0] + "."  # the header, the same in all of them

    def is_service_token(self, token: str) -> bool:
        """Whether it claims to be one, unverified: only good for choosing who verifies it."""
        return token.startswith(self._beginning)

    def mint(self, role: Role) -> str:
        """A token good for at least half its life; ask again for every call."""
        token = self._minted.get(role)
        if token is None:
            token = jwt.encode(
                _claims("service", {"sub": role}, SERVICE_S), self._key, "HS256", headers={"typ": _typ("service")}
            )
            self._minted.put(role, token, self._now() + SERVICE_S / 2)
        return token

    def verify(self, token: str) -> Role:
        known = self._known.get(token)
        if known is not None:
            return known
        _checked_header(token)
        if not self.is_service_token(token):
            raise _bad()
        claims = _decoded(token, self._key, "HS256", "service")
        role = next((role for role in ROLES if role == claims.get("sub")), None)
        if role is None:
            raise _bad()
        self._known.put(token, role, claims["exp"] + LEEWAY_S)
        return role


# ---------------------------------------------------------------------------------------------------------------------


class _Kept(Generic[V]):
    """Values by name until their time; the oldest go first when there are too many."""

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self._most = most
        self._now = now
        self._kept: dict[str, tuple[V, float]] = {}

    def get(self, name: str) -> V | None:
        found = self._kept.get(name)
        if found is None:
            return None
        if self._now() >= found[1]:
            del self._kept[name]
            return None
        return found[0]

    def put(self, name: str, value: V, until: float) -> None:
        self._kept.pop(name, None)
        while len(self._kept) >= self._most:
            del self._kept[next(iter(self._kept))]
        self._kept[name] = (value, until)


class _Keys:
    """Public keys by id, asked from the source once for everybody who waits."""

    def __init__(self, source: KeySource, now: Callable[[], float]) -> None:
        self._source = source
        self._now = now
        self._known: _Kept[Ed25519PublicKey] = _Kept(KEYS_MAX, now)
        # Apart from the known ones, so that made-up ids cannot drive those out.
        self._unknown: _Kept[bool] = _Kept(KEYS_MAX, now)
        self._asking = asyncio.Lock()

    async def get(self, kid: str) -> Ed25519PublicKey | None:
        key = self._known.get(kid)
        if key is not None or self._unknown.get(kid):
            return key
        async with self._asking:
            key = self._known.get(kid)
            if key is not None or self._unknown.get(kid):
                return key
            key = _public_key(await self._source(kid))
            if key is None:
                self._unknown.put(kid, True, self._now() + UNKNOWN_KEPT_S)
            else:
                self._known.put(kid, key, self._now() + KEY_KEPT_S)
            return key


def _public_key(pem: bytes | None) -> Ed25519PublicKey | None:
    if pem is None:
        return None
    try:
        key = serialization.load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        return None
    return key if isinstance(key, Ed25519PublicKey) else None


def _typ(kind: Kind) -> str:
    return f"starport-{kind}"


def _audience(kind: Kind) -> str:
    return f"starport:{kind}"


def _claims(kind: Kind, claims: dict[str, Any], ttl_s: float) -> dict[str, Any]:
    now = time.time()
    return {"iss": ISSUER, "aud": _audience(kind), "iat": int(now), "exp": int(now + ttl_s), **claims}


def _header(token: str) -> dict[str, Any]:
    """The header of a token, unverified; empty when it has none."""
    if len(token) > TOKEN_CHARS_MAX:
        return {}
    try:
        return jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, RecursionError):
        return {}


def _checked_header(token: str) -> dict[str, Any]:
    if not token:
        raise unauthenticated("TOKEN_MISSING", "this needs a token")
    header = _header(token)
    if not header:
        raise _bad()
    return header


def _decoded(token: str, key: Ed25519PublicKey | bytes, algorithm: str, kind: Kind) -> dict[str, Any]:
    required: Sequence[str] = ("exp", "iat", "aud", "iss", "sub")
    try:
        return jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=_audience(kind),
            issuer=ISSUER,
            leeway=LEEWAY_S,
            options={"require": list(required), "strict_aud": True},
        )
    except jwt.ExpiredSignatureError:
        raise unauthenticated("TOKEN_EXPIRED", "this token has expired; ask for a new one") from None
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
        raise _bad() from None


def _text(claims: dict[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str):
        raise _bad()
    return value


def _bad() -> Refused:
    return unauthenticated("TOKEN_BAD", "this token is not valid here")
