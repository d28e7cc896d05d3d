"""Login keys: random words shown once; only their hashes are kept, and hashing never takes the house down."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from dataclasses import dataclass

from starport_chassis.refusals import exhausted

KEY_BYTES = 24  # nobody guesses 192 random bits, so the hash need not be slow enough for weak passwords
SALT_BYTES = 16
SCRYPT_N = 1 << 12
SCRYPT_R = 8
SCRYPT_P = 1
SCRYPT_BYTES_MAX = 16 * 1024 * 1024


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


@dataclass(frozen=True, slots=True)
class KeyHash:
    salt: bytes
    hash: bytes


NOBODYS = KeyHash(
    bytes(SALT_BYTES), bytes(hashlib.sha256().digest_size)
)  # an unknown name takes as long as a known one


class KeyHasher:
    """Hashes in threads, a few at a time; refuses when too many wait."""

    def __init__(self, at_once: int, waiting_max: int) -> None:
        self._turn = asyncio.Semaphore(at_once)
        self._most = at_once + waiting_max
        self._inside = 0

    async def hash(self, key: str) -> KeyHash:
        salt = secrets.token_bytes(SALT_BYTES)
        return KeyHash(salt, await self._scrypt(key, salt))

    async def fits(self, key: str, known: KeyHash) -> bool:
        return hmac.compare_digest(await self._scrypt(key, known.salt), known.hash)

    async def _scrypt(self, key: str, salt: bytes) -> bytes:
        if self._inside >= self._most:
            raise exhausted("BUSY", "too many logins at the same time; try again later")
        self._inside += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(scrypt, key, salt)
        finally:
            self._inside -= 1


def scrypt(key: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        key.encode(),
        salt=salt,
        n=SCRYPT_N,
        r=SCRYPT_R,
        p=SCRYPT_P,
        maxmem=SCRYPT_BYTES_MAX,
        dklen=hashlib.sha256().digest_size,
    )
