"""Quick matches: players who come at once meet."""

from __future__ import annotations

import asyncio
from collections import Counter

from services.lobby.tests.house import House, Lobby, Status, refused, space_race, wild_space
from starport.v1 import lobby_pb2 as pb

STARTED = pb.TABLE_STATUS_STARTED


async def test_the_second_meets_the_first(house: House, lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    first = await ada.quick(wild_space(2, {"first": "1"}), nonce=b"a")
    assert (first.seat, first.table.host, first.table.start_when_full) == (0, ada.id, True)
    second = await bob.quick(wild_space(2), nonce=b"b")
    assert (second.table.id, second.seat, second.table.status) == (first.table.id, 1, STARTED)
    begun = house.rules.begun[first.table.id]
    assert begun.options == wild_space(2, {"first": "1"})
    assert [plan.nonce for plan in begun.seats] == [b"a", b"b"]


async def test_asking_again_is_waiting_on(lobby: Lobby) -> None:
    ada = await lobby.guest()
    first = await ada.quick()
    assert await ada.quick() == first
    assert len(await lobby.ids()) == 1


async def test_only_tables_of_the_same_kind_fit(house: House, lobby: Lobby) -> None:
    people = await lobby.guests(4)
    kinds = (wild_space(2), wild_space(3), space_race(2), space_race(3))
    tables = {(await person.quick(options)).table.id for person, options in zip(people, kinds, strict=True)}
    assert len(tables) == 4


async def test_a_table_that_somebody_opened_fits_too(lobby: Lobby) -> None:
    ada, bob, cai = await lobby.guests(3)
    table = (await ada.create(wild_space(3))).id
    assert (await bob.quick(wild_space(3))).table.id == table
    assert (await cai.quick(wild_space(3))).table.id == table
    assert (await ada.get(table)).status == pb.TABLE_STATUS_OPEN  # its host begins
    assert (await ada.quick(wild_space(3))).table.id != table


async def test_the_oldest_table_fills_first(lobby: Lobby) -> None:
    ada, bob, cai, dan = await lobby.guests(4)
    older = (await ada.create(wild_space(3))).id
    await bob.create(wild_space(3))
    assert (await cai.quick(wild_space(3))).table.id == older
    await ada.leave(older)
    assert (await dan.quick(wild_space(3))).table.id == older


async def test_nobody_is_sent_to_a_private_table(lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    private = (await ada.create(wild_space(2, private=True))).id
    assert (await bob.quick()).table.id != private
    for options in (wild_space(2, private=True), wild_space(2, card_file="x"), wild_space(2, position="x")):
        async with refused(Status.INVALID_ARGUMENT, "MALFORMED"):
            await bob.quick(options)
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "nonce"):
        await bob.quick(nonce=bytes(65))


async def test_alone_one_begins_at_once(house: House, lobby: Lobby) -> None:
    ada = await lobby.guest()
    assert (await ada.quick(wild_space(1))).table.status == STARTED
    assert (await ada.quick(wild_space(1, {"smuggler": "seat"}))).table.status == STARTED
    assert len(house.rules.begun) == 2


async def test_a_hundred_players_make_fifty_pairs(house: House) -> None:
    replicas = [await house.open(), await house.open()]
    people = await replicas[0].guests(100)
    replies = await asyncio.gather(*(person.at(replicas[i % 2]).quick() for i, person in enumerate(people)))
    tables = Counter(reply.table.id for reply in replies)
    assert len(tables) == 50
    assert set(tables.values()) == {2}
    assert len(house.rules.begun) == 50
    assert await replicas[0].ids() == []
    assert len(await replicas[0].ids(status=STARTED, limit=200)) == 50


async def test_two_who_come_to_two_lobbies_at_once_meet(house: House) -> None:
    """Both see that nobody waits, both have a match prepared, and still only one table is laid."""
    house.rules.prepare_takes_s = 0.05
    replicas = [await house.open(), await house.open()]
    for _ in range(5):
        ada, bob = await replicas[0].guests(2)
        one, other = await asyncio.gather(ada.at(replicas[0]).quick(), bob.at(replicas[1]).quick())
        assert one.table.id == other.table.id
        assert {one.seat, other.seat} == {0, 1}
    assert len(house.rules.prepared) == 10
    assert len(house.rules.begun) == 5


async def test_a_hundred_players_of_five_fill_twenty_tables(lobby: Lobby, house: House) -> None:
    people = await lobby.guests(100)
    replies = await asyncio.gather(*(person.quick(wild_space(5)) for person in people))
    assert set(Counter(reply.table.id for reply in replies).values()) == {5}
    assert len(house.rules.begun) == 20


async def test_players_who_change_their_mind_leave_no_hole(lobby: Lobby, house: House) -> None:
    """Half of them leave as soon as they sit; the others still find each other."""
    people = await lobby.guests(40)

    async def come(i: int) -> str:
        reply = await people[i].quick(wild_space(3))
        if i % 2 and reply.table.status != STARTED:
            try:
                await people[i].leave(reply.table.id)
            except Exception:  # noqa: BLE001  # it has begun meanwhile
                return reply.table.id
            return ""
        return reply.table.id

    await asyncio.gather(*(come(i) for i in range(40)))
    waiting = [sum(bool(seat.player) for seat in table.seats) for table in await lobby.tables()]
    assert sum(waiting) < 3  # fewer than one table needs
