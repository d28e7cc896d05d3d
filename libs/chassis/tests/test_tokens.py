"""Tokens: what a good one says, and that every other one is refused with the right code."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from starport_chassis import (
    CannotStart,
    InvitationClaims,
    PlayerClaims,
    Refused,
    SeatClaims,
    ServiceTokens,
    TokenSigner,
    TokenVerifier,
    kind_of,
)
from starport_chassis.keyfile import new_private_pem
from starport_chassis.tokens import KEY_KEPT_S, KEYS_MAX, LEEWAY_S, TOKEN_CHARS_MAX, UNKNOWN_KEPT_S

SIGNER = TokenSigner(new_private_pem())
KEY = "k" * 32
EXPIRED_S = -60.0

TOKENS = {
    "player": SIGNER.player("p1", "Ada", True),
    "seat": SIGNER.seat("03m", 1, "p1"),
    "watch": SIGNER.watch("03m", "p1"),
    "invitation": SIGNER.invitation("t1"),
    "service": ServiceTokens(KEY).mint("house"),
}


class Source:
    """A key source that counts how often it is asked."""

    def __init__(self, *signers: TokenSigner) -> None:
        self.keys = {signer.kid: signer.public_pem for signer in signers}
        self.asked: list[str] = []

    async def __call__(self, kid: str) -> bytes | None:
        self.asked.append(kid)
        await asyncio.sleep(0)
        return self.keys.get(kid)


def verifier(*signers: TokenSigner) -> TokenVerifier:
    return TokenVerifier(Source(*(signers or (SIGNER,))))


def readers() -> dict[str, Callable[[str], Awaitable[Any]]]:
    tokens, services = verifier(), ServiceTokens(KEY)

    async def service(token: str) -> str:
        return services.verify(token)

    return {"player": tokens.player, "seat": tokens.seat, "invitation": tokens.invitation, "service": service}


async def code(reading: Awaitable[Any]) -> str:
    with pytest.raises(Refused) as caught:
        await reading
    assert caught.value.status is grpc.StatusCode.UNAUTHENTICATED
    return caught.value.code


def forged(token: str, header: dict[str, Any] | None = None, **claims: Any) -> str:
    """The token with some of its header or claims changed and its signature kept."""

    def part(text: str, changes: dict[str, Any]) -> str:
        content = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        return base64.urlsafe_b64encode(json.dumps({**content, **changes}).encode()).rstrip(b"=").decode()

    head, body, signature = token.split(".")
    return ".".join((part(head, header or {}), part(body, claims), signature))


async def test_good_tokens_say_what_was_signed() -> None:
    tokens = verifier()
    for _ in range(2):  # the second time from memory
        assert await tokens.player(TOKENS["player"]) == PlayerClaims("p1", "Ada", True)
        assert await tokens.seat(TOKENS["seat"]) == SeatClaims("03m", 1, "p1")
        assert await tokens.seat(TOKENS["watch"]) == SeatClaims("03m", None, "p1")
        assert await tokens.invitation(TOKENS["invitation"]) == InvitationClaims("t1")
    assert await tokens.seat(SIGNER.seat("03m", 0, "p1")) == SeatClaims("03m", 0, "p1")
    assert await tokens.seat(SIGNER.seat("03m", None, "p1")) == SeatClaims("03m", None, "p1")


@pytest.mark.parametrize("kind", TOKENS)
@pytest.mark.parametrize("asked", ["player", "seat", "invitation", "service"])
async def test_no_kind_passes_for_another(kind: str, asked: str) -> None:
    reader = readers()[asked]
    if kind == asked or (kind, asked) == ("watch", "seat"):
        await reader(TOKENS[kind])
    else:
        assert await code(reader(TOKENS[kind])) == "TOKEN_BAD"
        # Nor when its header says so, nor when everything but the signature does.
        renamed = forged(TOKENS[kind], {"typ": f"starport-{asked}"})
        assert await code(reader(renamed)) == "TOKEN_BAD"
        dressed = forged(TOKENS[kind], {"typ": f"starport-{asked}"}, aud=f"starport:{asked}", seat=0, name="x")
        assert await code(reader(dressed)) == "TOKEN_BAD"


def test_the_audience_alone_also_tells_kinds_apart() -> None:
    """Two locks: a signer that got the header wrong still cannot make a seat of a watcher."""
    wrong = jwt.encode(
        {"iss": "starport", "aud": "starport:watch", "iat": 0, "exp": 2**40, "sub": "p", "match": "m", "seat": 0},
        SIGNER._key,
        "EdDSA",
        headers={"kid": SIGNER.kid, "typ": "starport-seat"},
    )
    assert asyncio.run(code(verifier().seat(wrong))) == "TOKEN_BAD"


@pytest.mark.parametrize("asked", ["player", "seat", "invitation", "service"])
async def test_what_is_no_token(asked: str) -> None:
    reader = readers()[asked]
    assert await code(reader("")) == "TOKEN_MISSING"
    for text in ("x", "a.b.c", "é", "..", "eyJ9.e30.", TOKENS["seat"] + "x" * TOKEN_CHARS_MAX, "[" * 2000 + ".a.b"):
        assert await code(reader(text)) == "TOKEN_BAD"


@given(st.text(max_size=60) | st.builds(lambda *parts: ".".join(parts), *[st.text("eyJhbGciOi{}[]", max_size=40)] * 3))
def test_any_text_is_refused_and_nothing_else_happens(text: str) -> None:
    for reader in readers().values():
        assert asyncio.run(code(reader(text))) in {"TOKEN_MISSING", "TOKEN_BAD"}
    assert kind_of(text) is None


@pytest.mark.parametrize("kind", ["player", "seat", "watch", "invitation"])
async def test_tampered_tokens_are_bad(kind: str) -> None:
    reader = readers()["seat" if kind == "watch" else kind]
    good = TOKENS[kind]
    for bad in (
        forged(good, sub="p2"),
        forged(good, match="03other", seat=3),
        forged(good, exp=2**40),
        forged(good, {"alg": "none"}),
        forged(good, {"alg": "HS256"}),
        forged(good, {"alg": "none"}).rpartition(".")[0] + ".",
        good[:-4] + ("AAAA" if good[-4:] != "AAAA" else "BBBB"),
    ):
        assert await code(reader(bad)) == "TOKEN_BAD"
    await reader(good)


async def test_a_public_key_is_no_shared_secret() -> None:
    """HS256 signed with the public key, which everybody has, must not pass for EdDSA."""
    claims = {"iss": "starport", "aud": "starport:seat", "iat": 0, "exp": 2**40, "sub": "p", "match": "m", "seat": 0}

    def part(content: dict[str, Any] | bytes) -> bytes:
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        return base64.urlsafe_b64encode(raw).rstrip(b"=")

    signed = part({"alg": "HS256", "typ": "starport-seat", "kid": SIGNER.kid}) + b"." + part(claims)
    algorithm = jwt.get_algorithm_by_name("HS256")
    token = signed + b"." + part(algorithm.sign(signed, SIGNER.public_pem))
    assert await code(verifier().seat(token.decode())) == "TOKEN_BAD"


async def test_wrong_and_unknown_keys() -> None:
    other = TokenSigner(new_private_pem())
    assert await code(verifier().player(other.player("p", "x", False))) == "TOKEN_BAD"  # unknown key id
    borrowed = forged(other.player("p", "x", False), {"kid": SIGNER.kid})
    assert await code(verifier().player(borrowed)) == "TOKEN_BAD"  # known key id, other key
    for kid in (None, 7, "", "a b", "x" * 65, "../key", "{starport}"):
        assert await code(verifier().player(forged(TOKENS["player"], {"kid": kid}))) == "TOKEN_BAD"


async def test_a_broken_public_key_is_an_unknown_one() -> None:
    source = Source()
    source.keys[SIGNER.kid] = b"no key"
    assert await code(TokenVerifier(source).player(TOKENS["player"])) == "TOKEN_BAD"


async def test_expired_tokens() -> None:
    tokens = verifier()
    assert await code(tokens.player(SIGNER.player("p", "x", True, EXPIRED_S))) == "TOKEN_EXPIRED"
    assert await code(tokens.seat(SIGNER.seat("m", 1, "p", EXPIRED_S))) == "TOKEN_EXPIRED"
    assert await code(tokens.seat(SIGNER.watch("m", "p", EXPIRED_S))) == "TOKEN_EXPIRED"
    assert await code(tokens.invitation(SIGNER.invitation("t", EXPIRED_S))) == "TOKEN_EXPIRED"


async def test_a_remembered_token_expires_too() -> None:
    now = [time.time()]
    tokens = TokenVerifier(Source(SIGNER), now=lambda: now[0])
    token = SIGNER.player("p", "x", True, ttl_s=60)
    await tokens.player(token)
    assert tokens._known.get(token) is not None
    now[0] += 60 + LEEWAY_S
    assert tokens._known.get(token) is None  # it is read again, and then its time counts


async def test_keys_are_asked_for_once_and_again_after_a_while() -> None:
    now = [time.time()]
    source = Source(SIGNER)
    tokens = TokenVerifier(source, now=lambda: now[0])
    await asyncio.gather(*(tokens.player(SIGNER.player(str(n), "x", True)) for n in range(20)))
    assert source.asked == [SIGNER.kid]
    source.keys.clear()  # taken back
    now[0] += KEY_KEPT_S + 1
    assert await code(tokens.player(TOKENS["player"])) == "TOKEN_BAD"
    source.keys[SIGNER.kid] = SIGNER.public_pem
    assert await code(tokens.player(TOKENS["player"])) == "TOKEN_BAD"  # not asked again yet
    now[0] += UNKNOWN_KEPT_S + 1
    await tokens.player(TOKENS["player"])
    assert len(source.asked) == 3


async def test_made_up_key_ids_do_not_drive_out_known_keys() -> None:
    source = Source(SIGNER)
    tokens = TokenVerifier(source)
    await tokens.player(TOKENS["player"])
    for number in range(KEYS_MAX * 2):
        await code(tokens.player(forged(TOKENS["player"], {"kid": f"k{number}"})))
    assert len(tokens._keys._unknown._kept) == KEYS_MAX
    await tokens.player(SIGNER.player("p2", "x", True))
    assert source.asked.count(SIGNER.kid) == 1


async def test_a_source_that_fails_is_not_a_bad_token() -> None:
    async def down(kid: str) -> bytes | None:
        raise ConnectionError("store down")

    with pytest.raises(ConnectionError):
        await TokenVerifier(down).player(TOKENS["player"])


def test_service_tokens() -> None:
    ours, theirs = ServiceTokens(KEY), ServiceTokens(SecretStr(KEY))
    assert theirs.verify(ours.mint("lobby")) == "lobby"
    assert theirs.verify(ours.mint("house")) == "house"
    assert ours.mint("lobby") == ours.mint("lobby")
    with pytest.raises(Refused, match="TOKEN_BAD"):
        ServiceTokens("x" * 32).verify(ours.mint("lobby"))
    with pytest.raises(Refused, match="TOKEN_BAD"):
        ours.verify(ours.mint("king"))  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(Refused, match="TOKEN_BAD"):
        ours.verify(forged(ours.mint("house"), sub="lobby"))
    assert [ours.is_service_token(token) for token in TOKENS.values()] == [False, False, False, False, True]


def test_service_tokens_are_short_lived() -> None:
    now = [time.time()]
    tokens = ServiceTokens(KEY, now=lambda: now[0])
    first = tokens.mint("house")
    claims = jwt.decode(first, options={"verify_signature": False})
    assert claims["exp"] - claims["iat"] <= 60
    now[0] += 31
    assert tokens._minted.get("house") is None  # a new one is made before the old one ends
    old = jwt.encode({**claims, "iat": 0, "exp": 1}, KEY, "HS256", headers={"typ": "starport-service"})
    with pytest.raises(Refused, match="TOKEN_EXPIRED"):
        tokens.verify(old)


@pytest.mark.parametrize("key", ["", "short", SecretStr("k" * 31)])
def test_a_short_service_key_is_refused(key: str | SecretStr) -> None:
    with pytest.raises(CannotStart, match="STARPORT_SERVICE_KEY needs 32 characters"):
        ServiceTokens(key)


def test_kinds_can_be_seen() -> None:
    assert {kind: kind_of(token) for kind, token in TOKENS.items()} == {kind: kind for kind in TOKENS}


def test_the_key_file_is_made_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "token-key.pem"
    first = TokenSigner.from_file(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["token-key.pem"]
    assert TokenSigner.from_file(path).kid == first.kid


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token-key.pem"
    TokenSigner.from_file(path)
    path.chmod(0o640)
    with pytest.raises(CannotStart, match="others may read this key"):
        TokenSigner.from_file(path)


def test_bad_key_files_are_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "token-key.pem"
    path.write_text("no key")
    path.chmod(0o600)
    with pytest.raises(CannotStart, match="not a private key"):
        TokenSigner.from_file(path)
    with pytest.raises(CannotStart, match="cannot be used as the key that signs tokens: "):
        TokenSigner.from_file(path / "below")
