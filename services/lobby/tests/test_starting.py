"""Starting a match: once, with the same words however often it is tried."""

from __future__ import annotations

import asyncio

from services.lobby.tests.house import House, Lobby, Status, eventually, outcome, refused, space_race, wild_space
from starport.v1 import lobby_pb2 as pb
from starport.v1 import match_pb2, rules_pb2
from starport_chassis import TokenVerifier

STARTED = pb.TABLE_STATUS_STARTED
PLAYER, HOUSE = match_pb2.SEAT_KIND_PLAYER, match_pb2.SEAT_KIND_HOUSE


async def test_the_rules_service_is_told_everything(house: House, lobby: Lobby) -> None:
    ada, bob = await lobby.guest("Ada"), await lobby.guest("Bob")
    options = wild_space(4, {"first": "1"}, clock=match_pb2.Clock(bank_ms=60_000))
    table = (await ada.create(options, bots=["random"], nonce=b"a")).id
    await bob.sit(table, seat=2, nonce=b"b")
    begun = await ada.start(table, bot="greedy")
    assert begun.status == STARTED
    assert [seat.bot for seat in begun.seats] == ["", "greedy", "", "random"]
    assert house.rules.asked == [
        rules_pb2.StartRequest(
            match=table,
            options=options,
            seats=[
                match_pb2.SeatPlan(kind=PLAYER, player=ada.id, name="Ada", bot="greedy", nonce=b"a"),
                match_pb2.SeatPlan(kind=HOUSE, bot="greedy"),
                match_pb2.SeatPlan(kind=PLAYER, player=bob.id, name="Bob", bot="greedy", nonce=b"b"),
                match_pb2.SeatPlan(kind=HOUSE, bot="random"),
            ],
        )
    ]


async def test_a_nonce_may_come_after_the_promise(house: House, lobby: Lobby) -> None:
    ada = await lobby.guest("Ada")
    table = await ada.create(wild_space(2), bots=["greedy"])
    assert table.commit
    assert (await ada.sit(table.id, nonce=b"later")).seat == 0
    await ada.sit(table.id)  # without one: the nonce stays
    await ada.start(table.id)
    assert house.rules.asked[0].seats[0].nonce == b"later"
    assert (await ada.sit(table.id, nonce=b"later")).seat == 0
    async with refused(Status.FAILED_PRECONDITION, "STARTED"):
        await ada.sit(table.id, nonce=b"too late")


async def test_only_the_host_starts(house: House, lobby: Lobby) -> None:
    ada, bob, eve = await lobby.guests(3)
    table = (await ada.create(wild_space(3))).id
    await bob.sit(table)
    async with refused(Status.FAILED_PRECONDITION, "EMPTY_SEATS", "1 of 3"):
        await ada.start(table)
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "no house bot"):
        await ada.start(table, bot="clever")
    for other in (bob, eve):
        async with refused(Status.PERMISSION_DENIED, "NOT_HOST"):
            await other.start(table, bot="greedy")
    assert not house.rules.asked
    await ada.start(table, bot="greedy")
    async with refused(Status.PERMISSION_DENIED, "NOT_HOST"):
        await bob.start(table)


async def test_a_full_table_starts_by_itself(house: House, lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    table = await ada.create(start_when_full=True)
    assert table.start_when_full
    assert not house.rules.asked
    sat = await bob.sit(table.id)
    assert sat.table.status == STARTED
    assert list(house.rules.begun) == [table.id]
    assert await lobby.ids() == []


async def test_a_private_table_starts_by_itself(house: House, lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    table = (await ada.create(wild_space(2, private=True), start_when_full=True)).id
    assert (await bob.sit(table, invitation=await ada.invite(table))).table.status == STARTED


async def test_a_table_for_one_starts_at_once(house: House, lobby: Lobby) -> None:
    ada = await lobby.guest()
    smuggler = wild_space(1, {"smuggler": "seat"})
    for options, bots, seats in ((wild_space(1), [], 1), (smuggler, [], 2), (space_race(2), ["random"], 2)):
        table = await ada.create(options, bots=bots, start_when_full=True)
        assert table.status == STARTED
        assert len(house.rules.begun[table.id].seats) == seats


async def test_starting_twice_is_starting_once(house: House, lobby: Lobby) -> None:
    ada = await lobby.guest()
    table = (await ada.create()).id
    first = await ada.start(table, bot="greedy")
    assert await ada.start(table) == first
    assert await ada.start(table, bot="random") == first
    assert len(house.rules.asked) == 1


async def test_twenty_starts_at_once_are_one(house: House, lobby: Lobby) -> None:
    house.rules.start_takes_s = 0.1
    ada = await lobby.guest()
    table = (await ada.create(wild_space(3))).id
    bots = ("greedy", "random")
    replies = await asyncio.gather(*(ada.start(table, bot=bots[i % 2]) for i in range(20)))
    assert all(reply.status == STARTED for reply in replies)
    assert len({reply.SerializeToString(deterministic=True) for reply in replies}) == 1
    assert len(house.rules.asked) == 1


async def test_two_lobbies_send_the_same_words(house: House) -> None:
    house.rules.start_takes_s = 0.1
    replicas = [await house.open(), await house.open()]
    ada = await replicas[0].guest()
    table = (await ada.create(wild_space(3))).id
    bots = ("greedy", "random")
    replies = await asyncio.gather(*(ada.at(replicas[i % 2]).start(table, bot=bots[i % 2]) for i in range(20)))
    assert all(reply.status == STARTED for reply in replies)
    assert len(house.rules.asked) <= 2
    assert all(request == house.rules.asked[0] for request in house.rules.asked)


async def test_starting_against_sitting_and_leaving(house: House, lobby: Lobby) -> None:
    """Whoever comes first: the match that begins has exactly the players whom the table shows."""
    for _ in range(10):
        people = await lobby.guests(5)
        table = (await people[0].create(wild_space(5))).id
        await people[1].sit(table)
        await asyncio.gather(
            outcome(people[0].start(table, bot="greedy")),
            outcome(people[1].leave(table)),
            *(outcome(person.sit(table)) for person in people[2:]),
        )
        shown = await people[0].get(table)
        assert shown.status == STARTED
        sent = house.rules.begun[table].seats
        assert [plan.player for plan in sent] == [seat.player for seat in shown.seats]
        assert [plan.kind for plan in sent] == [seat.kind for seat in shown.seats]


async def test_a_start_that_failed_can_be_tried_again(house: House, lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    table = (await ada.create()).id
    unsure = (Status.UNAVAILABLE, Status.DEADLINE_EXCEEDED, Status.ABORTED, Status.INTERNAL)
    house.rules.start_fails = [(status, "who knows") for status in unsure]
    for _ in unsure:
        async with refused(Status.UNAVAILABLE, "UPSTREAM"):
            await ada.start(table, bot="greedy")
    assert (await ada.get(table)).status == pb.TABLE_STATUS_OPEN
    # Nobody knows whether it began, so nothing may change any more.
    async with refused(Status.FAILED_PRECONDITION, "STARTED"):
        await bob.sit(table)
    async with refused(Status.FAILED_PRECONDITION, "STARTED"):
        await ada.leave(table)
    async with refused(Status.FAILED_PRECONDITION, "NOT_STARTED"):
        await bob.enter(table)
    assert (await ada.start(table, bot="random")).status == STARTED
    assert all(request == house.rules.asked[0] for request in house.rules.asked)


async def test_a_start_whose_reply_was_lost(house: House, lobby: Lobby) -> None:
    ada = await lobby.guest()
    table = (await ada.create()).id
    house.rules.loses_replies = 1
    async with refused(Status.UNAVAILABLE, "UPSTREAM"):
        await ada.start(table, bot="greedy")
    assert table in house.rules.begun
    assert (await ada.start(table, bot="greedy")).status == STARTED
    assert len(house.rules.asked) == 2


async def test_a_player_who_enters_finishes_the_start(house: House, lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    table = (await ada.create(start_when_full=True)).id
    house.rules.loses_replies = 1
    sat = await bob.sit(table)  # the seat is taken all the same
    assert (sat.seat, sat.table.status) == (1, pb.TABLE_STATUS_OPEN)
    assert (await bob.enter(table)).seat == 1
    assert (await ada.get(table)).status == STARTED


async def test_a_lobby_repeats_what_another_left_behind(house: House) -> None:
    first = await house.open()
    ada, bob = await first.guests(2)
    table = (await ada.create(start_when_full=True)).id
    house.rules.start_fails = [(Status.UNAVAILABLE, "down")] * 2
    await bob.sit(table)
    second = await house.open(start_retry_s=0.1)

    async def begun() -> bool:
        return (await ada.at(second).get(table)).status == STARTED

    await eventually(begun)
    assert len(house.rules.asked) == 3
    await asyncio.sleep(0.3)
    assert len(house.rules.asked) == 3


async def test_the_rules_service_comes_back(house: House) -> None:
    lobby = await house.open(start_retry_s=0.1)
    ada, bob = await lobby.guests(2)
    table = (await ada.create(start_when_full=True)).id
    await house.stop_rules()
    assert (await bob.sit(table)).table.status == pb.TABLE_STATUS_OPEN
    await house.start_rules()

    async def begun() -> bool:
        return (await ada.get(table)).status == STARTED

    await eventually(begun)


async def test_a_table_that_can_never_start_is_gone(house: House, lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    for status in (Status.INVALID_ARGUMENT, Status.NOT_FOUND, Status.FAILED_PRECONDITION):
        table = (await ada.create()).id
        await bob.sit(table)
        house.rules.start_fails = [(status, "cards of another century")]
        async with refused(Status.FAILED_PRECONDITION, "CANNOT_START", "cards of another century"):
            await ada.start(table)
        async with refused(Status.NOT_FOUND, "NO_TABLE"):
            await ada.get(table)
        assert await bob.mine() == []


async def test_entering(lobby: Lobby) -> None:
    ada, bob, eve = await lobby.guests(3)
    table = (await ada.create()).id
    await bob.sit(table)
    for person in (ada, eve):
        async with refused(Status.FAILED_PRECONDITION, "NOT_STARTED"):
            await person.enter(table)
    await ada.start(table)
    verifier = TokenVerifier(lobby.store.public_key)
    for person, seat in ((ada, 0), (bob, 1)):
        entry = await person.enter(table)
        assert (entry.match, entry.seat) == (table, seat)
        claims = await verifier.seat(entry.seat_token)
        assert (claims.match, claims.seat, claims.player) == (table, seat, person.id)
    watching = await eve.enter(table)
    assert not watching.HasField("seat")
    assert (await verifier.seat(watching.seat_token)).seat is None


async def test_a_private_match_is_entered_by_invitation(lobby: Lobby) -> None:
    ada, eve = await lobby.guests(2)
    table = (await ada.create(wild_space(2, private=True), bots=["greedy"])).id
    await ada.start(table)
    async with refused(Status.NOT_FOUND, "NO_TABLE"):
        await eve.enter(table)
    entry = await eve.enter(table, await ada.invite(table))
    assert (await TokenVerifier(lobby.store.public_key).seat(entry.seat_token)).match == table


async def test_a_caller_who_gives_up_does_not_undo_the_start(house: House, lobby: Lobby) -> None:
    house.rules.start_takes_s = 0.3
    ada = await lobby.guest()
    table = (await ada.create()).id
    impatient = asyncio.create_task(ada.start(table, bot="greedy"))
    await asyncio.sleep(0.1)
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)

    async def begun() -> bool:
        return (await ada.get(table)).status == STARTED

    await eventually(begun)
    assert len(house.rules.asked) == 1
