"""Sitting down and leaving."""

from __future__ import annotations

import asyncio

from services.lobby.tests.house import House, Lobby, Status, outcome, refused, wild_space
from starport.v1 import lobby_pb2 as pb


async def test_sitting_down(lobby: Lobby) -> None:
    ada, bob, cai = await lobby.guests(3)
    table = (await ada.create(wild_space(4))).id
    sat = await bob.sit(table)
    assert sat.seat == 1
    assert (sat.table.seats[1].player, sat.table.seats[1].name) == (bob.id, bob.player.name)
    assert (await cai.sit(table, seat=3)).seat == 3
    assert [seat.player for seat in (await ada.get(table)).seats] == [ada.id, bob.id, "", cai.id]
    assert await bob.mine() == [table]


async def test_sitting_down_again_is_the_same_seat(lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    table = (await ada.create(wild_space(3))).id
    first = await bob.sit(table, seat=2)
    assert await bob.sit(table) == first
    assert await bob.sit(table, seat=2) == first
    async with refused(Status.FAILED_PRECONDITION, "SEATED"):
        await bob.sit(table, seat=1)
    async with refused(Status.FAILED_PRECONDITION, "SEATED"):
        await ada.sit(table, seat=1)


async def test_seats_that_cannot_be_had(lobby: Lobby) -> None:
    ada, bob, cai = await lobby.guests(3)
    table = (await ada.create(wild_space(3), bots=["greedy"])).id
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "seats 0 to 2"):
        await bob.sit(table, seat=3)
    for seat in (0, 2):
        async with refused(Status.FAILED_PRECONDITION, "SEAT_TAKEN"):
            await bob.sit(table, seat=seat)
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "nonce"):
        await bob.sit(table, nonce=bytes(65))
    await bob.sit(table)
    async with refused(Status.FAILED_PRECONDITION, "TABLE_FULL"):
        await cai.sit(table)
    await ada.start(table)
    async with refused(Status.FAILED_PRECONDITION, "STARTED"):
        await cai.sit(table)
    assert (await bob.sit(table)).seat == 1


async def test_leaving_gives_the_seat_back(lobby: Lobby) -> None:
    ada, bob, cai = await lobby.guests(3)
    table = (await ada.create()).id
    await bob.sit(table)
    await bob.leave(table)
    async with refused(Status.FAILED_PRECONDITION, "NOT_SEATED"):
        await bob.leave(table)
    assert await bob.mine() == []
    assert (await cai.sit(table)).seat == 1


async def test_a_host_who_leaves_passes_the_table_on(lobby: Lobby) -> None:
    ada, bob, cai = await lobby.guests(3)
    table = (await ada.create(wild_space(4))).id
    await bob.sit(table, seat=3)
    await cai.sit(table, seat=2)
    await ada.leave(table)
    assert (await bob.get(table)).host == cai.id  # the next in seat order
    await cai.leave(table)
    assert (await bob.get(table)).host == bob.id
    await bob.start(table, "random")


async def test_the_last_one_takes_the_table_along(lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    table = (await ada.create(wild_space(3), bots=["greedy"])).id
    await bob.sit(table)
    await ada.leave(table)
    await bob.leave(table)
    async with refused(Status.NOT_FOUND, "NO_TABLE"):
        await ada.get(table)
    assert await lobby.ids() == []


async def test_nobody_leaves_a_table_that_has_begun(lobby: Lobby) -> None:
    ada = await lobby.guest()
    table = (await ada.create(bots=["greedy"])).id
    await ada.start(table)
    async with refused(Status.FAILED_PRECONDITION, "STARTED"):
        await ada.leave(table)


async def test_one_of_fifty_gets_the_last_seat(house: House) -> None:
    replicas = [await house.open(), await house.open()]
    people = await replicas[0].guests(52)
    table = (await people[50].create(wild_space(3))).id
    await people[51].sit(table)
    tries = [outcome(person.at(replicas[i % 2]).sit(table)) for i, person in enumerate(people[:50])]
    results = await asyncio.gather(*tries)
    assert results.count("TABLE_FULL") == 49
    [sat] = [result for result in results if isinstance(result, pb.SitResponse)]
    assert sat.seat == 2
    assert len({seat.player for seat in (await people[50].get(table)).seats}) == 3


async def test_five_who_want_five_seats_all_get_one(house: House) -> None:
    replicas = [await house.open(), await house.open()]
    people = await replicas[0].guests(5)
    table = (await people[0].create(wild_space(5))).id
    results = await asyncio.gather(*(person.at(replicas[i % 2]).sit(table) for i, person in enumerate(people)))
    assert sorted(result.seat for result in results) == [0, 1, 2, 3, 4]


async def test_one_player_at_two_doors_has_one_seat(house: House) -> None:
    replicas = [await house.open(), await house.open()]
    ada, bob = await replicas[0].guests(2)
    table = (await ada.create(wild_space(5))).id
    results = await asyncio.gather(*(outcome(bob.at(replicas[i % 2]).sit(table, seat=1 + i % 4)) for i in range(12)))
    assert {result if isinstance(result, str) else "seat" for result in results} <= {"seat", "SEATED"}
    assert [seat.player for seat in (await ada.get(table)).seats].count(bob.id) == 1


async def test_everybody_leaving_at_once_leaves_nothing(lobby: Lobby) -> None:
    people = await lobby.guests(5)
    table = (await people[0].create(wild_space(5))).id
    await asyncio.gather(*(person.sit(table) for person in people))
    await asyncio.gather(*(person.leave(table) for person in people))
    assert await lobby.ids() == []
    for person in people:
        assert await person.mine() == []


async def test_limits_hold_against_many_at_once(house: House) -> None:
    replicas = [
        await house.open(tables_per_player_max=3, tables_max=8),
        await house.open(tables_per_player_max=3, tables_max=8),
    ]
    people = await replicas[0].guests(4)
    tries = [outcome(person.at(replicas[i % 2]).create(wild_space(4))) for person in people for i in range(6)]
    results = await asyncio.gather(*tries)
    made = [result for result in results if isinstance(result, pb.Table)]
    assert len(made) == 8
    assert {result for result in results if isinstance(result, str)} <= {"TABLES_FULL", "TOO_MANY_TABLES"}
    for person in people:
        assert len(await person.mine()) <= 3
