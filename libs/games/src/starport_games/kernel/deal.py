"""All chance in a game comes from one of these generators; docs/protocol.md specifies `Deal` bit by bit."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

WORD_BITS: Final = 32
WORD_SPAN: Final = 1 << 32
WORD_MASK: Final = (1 << 32) - 1
WORDS_PER_BLOCK: Final = 8
KEY_BYTES: Final = 32
WORDS_MAX: Final = 1 << 62  # of one deal; its counter has 8 bytes
NONCES_MAX: Final = 16
FIELD_BYTES_MAX: Final = 1 << 16


class Deal:
    """SHA-256 in counter mode: block i is SHA-256(key, i as 8 big-endian bytes), read as eight 32-bit words."""

    def __init__(self, key: bytes, at: int = 0) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a deal key has {KEY_BYTES} bytes, not {len(key)}")
        if at < 0 or at > WORDS_MAX:
            raise ValueError(f"a deal stands at a word from 0 to {WORDS_MAX}")
        self.key = key
        self.at = at  # words used so far
        self.block = b""
        self.block_no = -1

    def word(self) -> int:
        """The next 32 bits."""
        at = self.at
        number = at >> 3
        if number != self.block_no:
            self.block = sha256(self.key + number.to_bytes(8, "big")).digest()
            self.block_no = number
        self.at = at + 1
        i = (at & 7) << 2
        block = self.block
        return (block[i] << 24) | (block[i + 1] << 16) | (block[i + 2] << 8) | block[i + 3]

    def below(self, n: int) -> int:
        """A uniform whole number from 0 to n - 1; uses no word at all for n = 1."""
        if n <= 1:
            if n == 1:
                return 0
            raise ValueError(f"nothing lies below {n}")
        # Words at or past the last whole multiple of n would favour small results: throw them away.
        limit = WORD_SPAN - WORD_SPAN % n
        drawn = self.word()
        while drawn >= limit:
            drawn = self.word()
        return drawn % n

    def shuffle(self, items: list[int]) -> None:
        """Fisher-Yates in place, from the last place down to the second."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            held = items[i]
            items[i] = items[j]
            items[j] = held

    def clone(self) -> Deal:
        copy = Deal(self.key, self.at)
        copy.block = self.block
        copy.block_no = self.block_no
        return copy

    def text(self) -> str:
        return f"sha256 {self.key.hex()} {self.at}"


class QuickDeal(Deal):
    """For simulations only: sfc32 behind the same interface, fast and guessable."""

    def __init__(self, seed: int) -> None:
        super().__init__(bytes(KEY_BYTES))
        self.a = seed & WORD_MASK
        self.b = (seed >> 32) & WORD_MASK
        self.c = (seed >> 64) & WORD_MASK
        self.count = 1
        for _ in range(12):  # the warm-up that sfc32's author asks for after seeding
            self.word()
        self.at = 0

    def word(self) -> int:
        total = (self.a + self.b + self.count) & WORD_MASK
        self.count = (self.count + 1) & WORD_MASK
        self.a = self.b ^ (self.b >> 9)
        self.b = (self.c + (self.c << 3)) & WORD_MASK
        self.c = ((((self.c << 21) & WORD_MASK) | (self.c >> 11)) + total) & WORD_MASK
        self.at += 1
        return total

    def clone(self) -> Deal:
        copy = QuickDeal(0)
        copy.a = self.a
        copy.b = self.b
        copy.c = self.c
        copy.count = self.count
        copy.at = self.at
        return copy

    def text(self) -> str:
        return f"quick {self.a} {self.b} {self.c} {self.count} {self.at}"


def read_deal(text: str) -> Deal:
    """The generator that `text()` described; ValueError with one clear line otherwise."""
    words = text.split()
    try:
        if len(words) == 3 and words[0] == "sha256":
            return Deal(bytes.fromhex(words[1]), int(words[2]))
        if len(words) == 6 and words[0] == "quick":
            numbers = [int(word) for word in words[1:]]
            if min(numbers) >= 0 and max(numbers) <= WORD_MASK:
                quick = QuickDeal(0)
                quick.a, quick.b, quick.c, quick.count, quick.at = numbers
                return quick
    except ValueError as why:
        raise ValueError(f"not a deal generator: {text!r} ({why})") from None
    raise ValueError(f"not a deal generator: {text!r}; write 'sha256 <64 hex digits> <words used>'")


def commitment(secret: bytes) -> bytes:
    """What the host publishes before anyone sits down."""
    return sha256(secret).digest()


def seed_key(secret: bytes, match_id: str, nonces: list[bytes]) -> bytes:
    """The key of a match's deal: each field is preceded by its length, so no two inputs read the same."""
    if len(nonces) > NONCES_MAX:
        raise ValueError(f"at most {NONCES_MAX} nonces, not {len(nonces)}")
    fields = [secret, match_id.encode(), *nonces]
    if max(len(field) for field in fields) > FIELD_BYTES_MAX:
        raise ValueError(f"a secret, match id or nonce has at most {FIELD_BYTES_MAX} bytes")
    return sha256(b"".join(len(field).to_bytes(4, "big") + field for field in fields)).digest()


def key_of_words(words: str) -> bytes:
    """A key from any text, for people who start a game by hand: `--seed "tuesday night"`."""
    return sha256(words.encode()).digest()
