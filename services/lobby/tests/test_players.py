"""Players: guests, names for good, and the tokens they get."""

from __future__ import annotations

import asyncio

import pytest

from services.lobby.tests.house import SIGNER, House, Lobby, Status, outcome, refused
from starport.v1 import lobby_pb2 as pb
from starport_chassis import TokenVerifier
from starport_lobby.keys import KeyHasher
from starport_lobby.settings import NAME_CHARS_MAX


async def test_a_guest_needs_no_name(lobby: Lobby) -> None:
    one, other = await lobby.guest(), await lobby.guest()
    assert one.player.guest
    assert one.player.name.startswith("Guest ")
    assert one.id != other.id
    claims = await TokenVerifier(lobby.store.public_key).player(one.token)
    assert (claims.id, claims.name, claims.guest) == (one.id, one.player.name, True)


async def test_a_guest_keeps_a_name_from_others(lobby: Lobby) -> None:
    assert (await lobby.guest("Ada")).player.name == "Ada"
    async with refused(Status.ALREADY_EXISTS, "NAME_TAKEN"):
        await lobby.guest("ADA")
    async with refused(Status.ALREADY_EXISTS, "NAME_TAKEN"):
        await lobby.stub.Register(pb.RegisterRequest(name="ada"))


async def test_a_guests_name_is_free_again_after_their_token(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starport_lobby.players.HELD_LONGER_MS", -900)
    lobby = await house.open(player_token_s=1)
    await lobby.guest("Ada")
    await asyncio.sleep(0.2)
    assert (await lobby.stub.Register(pb.RegisterRequest(name="Ada"))).player.name == "Ada"


async def test_registering_and_coming_back(lobby: Lobby) -> None:
    made = await lobby.stub.Register(pb.RegisterRequest(name="Zoë Krüger"))
    assert not made.player.guest
    assert len(made.key) >= 32
    back = await lobby.stub.Login(pb.LoginRequest(name="ZOË KRÜGER", key=made.key))
    assert back.player == made.player
    claims = await TokenVerifier(lobby.store.public_key).player(back.token)
    assert (claims.id, claims.guest) == (made.player.id, False)


async def test_the_key_itself_is_not_kept(lobby: Lobby) -> None:
    made = await lobby.stub.Register(pb.RegisterRequest(name="Ada"))
    record = await lobby.store.find_player("ada")
    assert record is not None
    assert record.id == made.player.id
    assert made.key.encode() not in record.key.hash + record.key.salt
    assert len(record.key.hash) == 32


async def test_logins_that_fail_all_sound_the_same(lobby: Lobby) -> None:
    made = await lobby.stub.Register(pb.RegisterRequest(name="Ada"))
    await lobby.guest("Passing By")
    for name, key in (
        ("Ada", "wrong"),
        ("Ada", ""),
        ("Ada", made.key + "x"),
        ("Ada", "x" * 10_000),
        ("Nobody", made.key),
        ("Passing By", made.key),
    ):
        async with refused(Status.UNAUTHENTICATED, "LOGIN_BAD", "do not belong together"):
            await lobby.stub.Login(pb.LoginRequest(name=name, key=key))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "2 to 24"),
        ("x", "2 to 24"),
        ("x" * (NAME_CHARS_MAX + 1), "2 to 24"),
        ("x" * 5000, "2 to 24"),
        (" Ada", "space"),
        ("Ada ", "space"),
        ("A  da", "space"),
        ("A\tda", "can be seen"),
        ("A\u200bda", "can be seen"),
        ("A\u202eda", "can be seen"),
        ("\u3164\u3164", "can be seen"),
        ("A\u00a0da", "can be seen"),
        ("q\u0316\u0317\u0318da", "accents"),
        ("!!!", "letter or digit"),
    ],
)
async def test_names_that_cannot_be(lobby: Lobby, name: str, says: str) -> None:
    async with refused(Status.INVALID_ARGUMENT, "NAME_BAD", says):
        await lobby.stub.Register(pb.RegisterRequest(name=name))
    if name:
        async with refused(Status.INVALID_ARGUMENT, "NAME_BAD", says):
            await lobby.guest(name)


@pytest.mark.parametrize(
    ("first", "second"), [("Straße", "STRASSE"), ("file", "\ufb01le"), ("Ada", "\uff21da"), ("é1", "e\u03011")]
)
async def test_names_that_look_alike_are_one(lobby: Lobby, first: str, second: str) -> None:
    await lobby.stub.Register(pb.RegisterRequest(name=first))
    async with refused(Status.ALREADY_EXISTS, "NAME_TAKEN"):
        await lobby.stub.Register(pb.RegisterRequest(name=second))


async def test_one_of_many_who_want_a_name_gets_it(house: House) -> None:
    replicas = [await house.open(), await house.open()]
    tries = [
        replicas[i % 2].stub.Register(pb.RegisterRequest(name="Ada" if i % 3 else "ADA"))
        if i % 4
        else replicas[i % 2].stub.CreateGuest(pb.CreateGuestRequest(name="ada"))
        for i in range(20)
    ]
    results = await asyncio.gather(*(outcome(one) for one in tries))
    assert sorted(str(result) for result in results if isinstance(result, str)) == ["NAME_TAKEN"] * 19


async def test_a_new_token_for_an_old_one(lobby: Lobby) -> None:
    guest = await lobby.guest("Ada")
    made = await lobby.stub.Register(pb.RegisterRequest(name="Bob"))
    for token, id in ((guest.token, guest.id), (made.token, made.player.id)):
        new = (await lobby.stub.Refresh(pb.RefreshRequest(token=token))).token
        assert (await TokenVerifier(lobby.store.public_key).player(new)).id == id
    async with refused(Status.ALREADY_EXISTS, "NAME_TAKEN"):
        await lobby.guest("Ada")


async def test_players_whom_the_store_has_forgotten(lobby: Lobby) -> None:
    await lobby.stub.Register(pb.RegisterRequest(name="Taken"))
    stranger = SIGNER.player("p1", "Nobody", guest=False)
    other = SIGNER.player("p2", "Taken", guest=False)
    late = SIGNER.player("g3", "Taken", guest=True)
    for token in (stranger, other):
        async with refused(Status.NOT_FOUND, "NO_PLAYER"):
            await lobby.stub.Refresh(pb.RefreshRequest(token=token))
    async with refused(Status.ALREADY_EXISTS, "NAME_TAKEN"):
        await lobby.stub.Refresh(pb.RefreshRequest(token=late))


async def test_a_house_that_is_full(house: House) -> None:
    lobby = await house.open(players_max=2)
    for name in ("One", "Two"):
        await lobby.stub.Register(pb.RegisterRequest(name=name))
    async with refused(Status.RESOURCE_EXHAUSTED, "PLAYERS_FULL"):
        await lobby.stub.Register(pb.RegisterRequest(name="Three"))
    await lobby.guest("Three")


async def test_too_many_logins_at_once(house: House) -> None:
    lobby = await house.open(hashes_at_once=1, hashes_waiting_max=2)
    tries = [outcome(lobby.stub.Login(pb.LoginRequest(name="Nobody", key="x"))) for _ in range(30)]
    results = await asyncio.gather(*tries)
    assert set(results) == {"LOGIN_BAD", "BUSY"}
    async with refused(Status.UNAUTHENTICATED, "LOGIN_BAD"):
        await lobby.stub.Login(pb.LoginRequest(name="Nobody", key="x"))


async def test_hashes_differ_for_equal_keys() -> None:
    hasher = KeyHasher(1, 1)
    one, other = await hasher.hash("same"), await hasher.hash("same")
    assert one != other
    assert await hasher.fits("same", one)
    assert not await hasher.fits("Same", one)


async def test_the_public_key_lies_where_services_look(lobby: Lobby, house: House) -> None:
    assert await lobby.store.public_key(SIGNER.kid) == SIGNER.public_pem
    assert await lobby.store.public_key("none") is None


def every_call(lobby: Lobby, token: str) -> list[tuple[str, object]]:
    stub = lobby.stub
    return [
        ("Refresh", stub.Refresh(pb.RefreshRequest(token=token))),
        ("CreateTable", stub.CreateTable(pb.CreateTableRequest(token=token))),
        ("ListTables", stub.ListTables(pb.ListTablesRequest(token=token, mine=True))),
        ("Sit", stub.Sit(pb.SitRequest(token=token, table="x"))),
        ("Leave", stub.Leave(pb.LeaveRequest(token=token, table="x"))),
        ("StartTable", stub.StartTable(pb.StartTableRequest(token=token, table="x"))),
        ("QuickMatch", stub.QuickMatch(pb.QuickMatchRequest(token=token))),
        ("Invite", stub.Invite(pb.InviteRequest(token=token, table="x"))),
        ("EnterMatch", stub.EnterMatch(pb.EnterMatchRequest(token=token, table="x"))),
    ]


async def test_tokens_of_another_kind_open_nothing(lobby: Lobby) -> None:
    wrong = {
        "": "TOKEN_MISSING",
        "nonsense": "TOKEN_BAD",
        SIGNER.seat("m", 0, "p1"): "TOKEN_BAD",
        SIGNER.watch("m", "p1"): "TOKEN_BAD",
        SIGNER.invitation("m"): "TOKEN_BAD",
        SIGNER.player("p1", "Ada", guest=True, ttl_s=-3600): "TOKEN_EXPIRED",
    }
    for token, code in wrong.items():
        for call, made in every_call(lobby, token):
            async with refused(Status.UNAUTHENTICATED, code):
                await made  # type: ignore[misc]
            assert call
        if token:
            async with refused(Status.UNAUTHENTICATED, code):
                await lobby.stub.GetTable(pb.GetTableRequest(token=token, table="x"))
