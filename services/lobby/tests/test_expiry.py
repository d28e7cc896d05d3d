"""Tables that nobody cares for go away by themselves, and nothing is left of them."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import grpc
import pytest

from services.lobby.tests.conftest import Valkey
from services.lobby.tests.house import SIGNER, House, Person, Status, eventually, refused, wild_space
from starport.v1 import lobby_pb2 as pb
from starport_chassis import Refused

GONE_S = 0.6


async def gone(person: Person, table: str) -> bool:
    try:
        await person.lobby.stub.GetTable(pb.GetTableRequest(table=table))
    except grpc.aio.AioRpcError as error:
        return error.code() is Status.NOT_FOUND
    return False


async def test_an_abandoned_table_goes_away(house: House) -> None:
    lobby = await house.open(open_ttl_s=GONE_S, tables_max=1, tables_per_player_max=1)
    ada, bob = await lobby.guests(2)
    table = (await ada.create()).id
    async with refused(Status.RESOURCE_EXHAUSTED, "TABLES_FULL"):
        await bob.create()
    await eventually(lambda: gone(ada, table))
    assert await lobby.ids() == []
    assert await ada.mine() == []
    for call in (ada.sit, ada.leave, ada.start):
        async with refused(Status.NOT_FOUND, "NO_TABLE"):
            await call(table)
    # It counts no more, and a quick match does not wait for it.
    assert (await bob.quick()).table.id != table


async def test_every_index_forgets_it(house: House) -> None:
    lobby = await house.open(open_ttl_s=GONE_S)
    ada, bob = await lobby.guests(2)
    table = (await ada.create()).id
    await asyncio.sleep(GONE_S + 0.1)
    assert len(await lobby.store.waiting("wild-space", 2, 10)) == 1  # still there, and in nobody's way
    assert (await bob.quick()).table.id != table
    assert [label.id for label in await lobby.store.waiting("wild-space", 2, 10)] == await lobby.ids()


async def test_those_who_sit_keep_it(house: House) -> None:
    lobby = await house.open(open_ttl_s=GONE_S)
    ada, eve = await lobby.guests(2)
    kept, other = (await ada.create()).id, (await ada.create()).id
    for _ in range(6):
        await asyncio.sleep(GONE_S / 4)
        assert (await ada.get(kept)).id == kept
        await gone(eve, other)  # looks of strangers keep nothing
    assert await lobby.ids() == [kept]
    assert await ada.mine() == [kept]
    await eventually(lambda: gone(eve, kept))


async def test_no_table_stays_open_for_ever(house: House) -> None:
    lobby = await house.open(open_ttl_s=GONE_S, open_life_s=1.0)
    ada = await lobby.guest()
    table = (await ada.create()).id
    for _ in range(20):
        await asyncio.sleep(0.1)
        try:
            seen = await ada.get(table)
        except grpc.aio.AioRpcError:
            break
        assert seen.expires_ms <= seen.created_ms + 1000
    else:
        pytest.fail("it is still there")


async def test_a_table_that_may_have_begun_stays(house: House) -> None:
    lobby = await house.open(open_ttl_s=GONE_S)
    ada = await lobby.guest()
    table = (await ada.create()).id
    house.rules.loses_replies = 1
    async with refused(Status.UNAVAILABLE, "UPSTREAM"):
        await ada.start(table, bot="greedy")
    await asyncio.sleep(GONE_S + 0.2)
    assert (await ada.enter(table)).seat == 0


async def test_a_started_table_goes_away_when_nobody_enters(house: House) -> None:
    lobby = await house.open(started_ttl_s=GONE_S)
    ada = await lobby.guest()
    table = (await ada.create()).id
    await ada.start(table, bot="greedy")
    for _ in range(4):
        await asyncio.sleep(GONE_S / 3)
        await ada.enter(table)
    assert await ada.mine(status=pb.TABLE_STATUS_STARTED) == [table]
    await asyncio.sleep(GONE_S + 0.1)
    assert await lobby.ids(status=pb.TABLE_STATUS_STARTED) == []
    assert await ada.mine(status=pb.TABLE_STATUS_STARTED) == []
    async with refused(Status.NOT_FOUND, "NO_TABLE"):
        await ada.enter(table)


async def test_only_so_many_started_tables_are_listed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for store in ("memory_store", "redis_store"):
        monkeypatch.setattr(f"starport_lobby.{store}.STARTED_LISTED_MAX", 3)
        monkeypatch.setattr(f"starport_lobby.{store}.MINE_STARTED_MAX", 2)
    lobby = await house.open()
    ada = await lobby.guest()
    made = [(await ada.create(wild_space(1), start_when_full=True)).id for _ in range(5)]
    assert await lobby.ids(status=pb.TABLE_STATUS_STARTED) == made[:1:-1]
    assert await ada.mine(status=pb.TABLE_STATUS_STARTED) == made[:2:-1]
    assert (await ada.enter(made[0])).seat == 0


# ------------------------------------------------------------------------------------------- what only a server suffers


@pytest.mark.parametrize("store_url", ["valkey"], indirect=True)
async def test_nothing_is_left_in_the_store(house: House, valkey: Valkey) -> None:
    lobby = await house.open(open_ttl_s=GONE_S, open_life_s=1.0, player_token_s=1.0)
    people = await lobby.guests(3)
    for person in people:
        table = (await person.create(wild_space(4))).id
        for other in people:
            await other.sit(table)
    await asyncio.sleep(1.1)
    await (await lobby.guest()).create()  # whoever opens a table sweeps
    left = valkey.ask("KEYS", "{lobby}:*")
    assert isinstance(left, list)
    kinds = sorted(key.decode().split(":")[1] for key in left if b":name:" not in key)
    assert kinds == ["ends", "open", "player", "table", "waiting"]
    assert valkey.ask("ZCARD", "{lobby}:open") == valkey.ask("ZCARD", "{lobby}:waiting") == 1


@pytest.mark.parametrize("store_url", ["valkey", "cluster"], indirect=True)
async def test_a_store_that_lost_everything(house: House, request: pytest.FixtureRequest) -> None:
    lobby = await house.open(start_retry_s=0.05)
    ada = await lobby.guest()
    await ada.create()
    server: Valkey = request.getfixturevalue("valkey" if house.url.startswith("redis://") else "cluster")
    server.ask("SCRIPT", "FLUSH")
    await ada.create()
    server.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    assert len(await lobby.ids()) == 2
    server.ask("FLUSHALL")
    assert await lobby.ids() == []


async def test_the_key_is_published_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starport_lobby.service.KEY_PUBLISHED_EVERY_S", 0.05)
    lobby = await house.open(start_retry_s=0.05)
    await lobby.store.publish_key(SIGNER.kid, b"lost")

    async def back() -> bool:
        return await lobby.store.public_key(SIGNER.kid) == SIGNER.public_pem

    await eventually(back)


async def test_a_store_that_is_down(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = Valkey(tmp_path_factory.mktemp("down"), cluster=False)
    server.start()
    try:
        async with AsyncExitStack() as stack:
            house = House(server.url, stack)
            lobby = await house.open()
            ada = await lobby.guest("Ada")
            table = (await ada.create()).id
            server.stop()
            for call in (ada.get(table), ada.create(), ada.quick(), lobby.guest("Bob"), ada.leave(table)):
                async with refused(Status.UNAVAILABLE, "STORE"):
                    await call
            with pytest.raises(Refused, match="STORE"):
                await house.open()
            server.start()
            assert (await ada.create()).host == ada.id
    finally:
        server.stop()
