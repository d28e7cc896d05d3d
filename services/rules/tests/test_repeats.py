"""A command id is applied once and answered the same for ever, whatever happens in between."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from starport.v1 import match_pb2, rules_pb2
from starport_eventlog import EmbeddedStore, MemoryLog, StoreDown, open_log
from tests.harness.hands import bid, play_on, records_of, refused
from tests.harness.rules import PARTITIONS, WANT_ALL, House, Table, new_signer, rules_house

WANTS = [rules_pb2.Want(), rules_pb2.Want(view=True), WANT_ALL]
AT_ONCE = 10


async def next_request(house: House, table: Table, **more: Any) -> rules_pb2.PlayRequest:
    seat = (await house.asked(table))[0]
    decision = await house.decision(table, seat)
    return table.request(seat, decision.id, decision.legal[-1], **more)


async def answer(house: House, request: rules_pb2.PlayRequest) -> bytes:
    return (await house.stub.Play(request)).SerializeToString(deterministic=True)


async def versions(house: House, table: Table) -> int:
    return len(await house.service.matches.eventlog.read(table.id))


@pytest.mark.parametrize("want", WANTS, ids=["plain", "view", "all"])
@pytest.mark.parametrize("game", ["wild-space", "space-race"])
async def test_a_repeated_play_gets_the_same_bytes(world: Any, game: str, want: rules_pb2.Want) -> None:
    house = await world.house()
    clock = match_pb2.Clock(bank_ms=100_000, free_ms=1_000)
    table = await house.start(game, 2, clock=clock)
    await play_on(house, table, most=7)
    request = await next_request(house, table, want=want)
    first = await answer(house, request)
    stored = await versions(house, table)
    assert await answer(house, request) == first
    assert set(await asyncio.gather(*(answer(house, request) for _ in range(AT_ONCE)))) == {first}
    await play_on(house, table, most=5)
    assert await answer(house, request) == first
    other = await world.house()  # another replica, or this one after a restart
    assert await answer(other, request) == first
    await play_on(house, table)
    assert await answer(house, request) == first  # also after the end
    assert await answer(other, request) == first
    records = await records_of(house, table)
    assert stored < len(records)
    assert sum(record.moved.command_id == request.command_id for record in records) == 1


async def test_the_same_command_ten_times_at_once_is_one_move(world: Any) -> None:
    houses = [await world.house(), await world.house()]
    table = await houses[0].start("wild-space", 3)
    for _ in range(20):
        before = await versions(houses[0], table)
        request = await next_request(houses[0], table)
        answers = await asyncio.gather(*(answer(houses[n % 2], request) for n in range(AT_ONCE)))
        assert len(set(answers)) == 1
        assert await versions(houses[0], table) == before + 1


async def test_a_command_id_belongs_to_its_seat(house: House) -> None:
    table = await house.start("space-race", 2)
    for seat in range(2):
        await house.play(table, seat, (await house.decision(table, seat)).legal[0], command_id="the same")
    assert [record.moved.seat for record in await records_of(house, table)][2:] == [0, 1]


async def test_a_refused_command_may_be_used_again(house: House) -> None:
    table = await house.start("space-race", 2)
    decision = await house.decision(table, 0)
    async with refused("FAILED_PRECONDITION", "PHASE") as refusal:
        await house.stub.Play(table.request(0, decision.id, bid(0), command_id="mine"))
    assert refusal.message
    await house.stub.Play(table.request(0, decision.id, decision.legal[0], command_id="mine"))


async def test_a_restart_of_rules_and_store_forgets_no_command(tmp_path: Path) -> None:
    signer = new_signer()
    store = EmbeddedStore(tmp_path, fsync="always")
    answers: list[tuple[rules_pb2.PlayRequest, bytes]] = []
    table: Table | None = None
    try:
        for _ in range(3):
            eventlog = open_log(await store.start(), PARTITIONS)
            async with rules_house(eventlog, signer) as house:
                table = table or await house.start("wild-space", 2)
                for request, first in answers:
                    assert await answer(house, request) == first
                for _ in range(4):
                    request = await next_request(house, table)
                    answers.append((request, await answer(house, request)))
                assert await versions(house, table) == 2 + len(answers)
            await eventlog.close()
            await store.stop()
    finally:
        await store.stop()


async def test_the_store_restarts_under_a_running_service(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path, fsync="always")
    eventlog = open_log(await store.start(), PARTITIONS)
    try:
        async with rules_house(eventlog) as house:
            table = await house.start("space-race", 2)
            request = await next_request(house, table)
            first = await answer(house, request)
            lost = await next_request(house, table)
            await store.stop()
            async with refused("UNAVAILABLE", "STORE"):
                await house.stub.Play(lost)
            async with refused("UNAVAILABLE", "STORE"):
                await house.stub.Play(request)
            await store.start()
            assert await answer(house, request) == first
            assert await answer(house, lost) == await answer(house, lost)
            assert await versions(house, table) == 4
            assert (await play_on(house, table)).last.HasField("ending")
    finally:
        await eventlog.close()
        await store.stop()


class Unsure(MemoryLog):
    """A log that sometimes cannot say whether it appended."""

    def __init__(self, partitions: int) -> None:
        super().__init__(partitions)
        self.fail_before = 0
        self.fail_after = 0
        self.deaf = False

    async def append(self, match: str, version: int, record: bytes, **more: Any) -> bool:
        if self.fail_before:
            self.fail_before -= 1
            raise StoreDown("lost on the way there")
        stored = await super().append(match, version, record, **more)
        if self.fail_after:
            self.fail_after -= 1
            raise StoreDown("lost on the way back")
        return stored

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        if self.deaf:
            raise StoreDown("cannot read")
        return await super().read(match, after)


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("followed", [False, True])
async def test_a_play_whose_fate_is_unknown_may_be_repeated(memory_world: Any, stored: bool, followed: bool) -> None:
    eventlog = Unsure(PARTITIONS)
    house = await memory_world.house(eventlog)
    table = await house.start("wild-space", 2)
    stream = house.stub.Watch(rules_pb2.WatchRequest(match=table.id))
    numbers: list[int] = []

    async def follow() -> None:
        async for response in stream:
            numbers.append(response.update.number)

    reader = asyncio.create_task(follow()) if followed else None
    for moves in range(30):
        request = await next_request(house, table)
        eventlog.fail_after, eventlog.fail_before = int(stored), int(not stored)
        async with refused("UNAVAILABLE", "STORE"):
            await house.stub.Play(request)
        assert await versions(house, table) == 2 + moves + stored
        first = await answer(house, request)
        assert await answer(house, request) == first
        assert await versions(house, table) == 3 + moves
    last = await play_on(house, table)
    assert last.last.HasField("ending")
    if reader is not None:
        await asyncio.wait_for(reader, 5)
        assert numbers == list(range(1, len(numbers) + 1))


async def test_a_start_whose_fate_is_unknown_may_be_repeated(memory_world: Any) -> None:
    eventlog = Unsure(PARTITIONS)
    house = await memory_world.house(eventlog)
    sample = await house.start("space-race", 2)
    lobby = house.services.mint("lobby")
    for before, after in ((1, 0), (0, 1)):
        match = (await house.stub.Prepare(rules_pb2.PrepareRequest(token=lobby))).match
        plans = [match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER, player=f"p{seat}") for seat in range(2)]
        request = rules_pb2.StartRequest(token=lobby, match=match, options=sample.options, seats=plans)
        eventlog.fail_before, eventlog.fail_after = before, after
        async with refused("UNAVAILABLE", "STORE"):
            await house.stub.Start(request)
        await house.stub.Start(request)
        assert len(await eventlog.read(match)) == 2
    eventlog.fail_before = 1
    async with refused("UNAVAILABLE", "STORE"):
        await house.stub.Prepare(rules_pb2.PrepareRequest(token=lobby))


async def test_a_store_that_cannot_be_read_is_unavailable_everywhere(memory_world: Any) -> None:
    eventlog = Unsure(PARTITIONS)
    house = await memory_world.house(eventlog)
    table = await house.start("space-race", 2)
    request = await next_request(house, table)
    await house.stub.Play(request)
    fresh = await memory_world.house(eventlog)
    eventlog.deaf = True
    calls = [
        house.stub.Play(request),  # its first answer stands in the log
        fresh.stub.Play(request),
        fresh.stub.Observe(rules_pb2.ObserveRequest(match=table.id)),
        fresh.stub.Legal(rules_pb2.LegalRequest(match=table.id, token=table.tokens[0])),
        fresh.stub.TakeBack(rules_pb2.TakeBackRequest(match=table.id, token=table.tokens[0])),
    ]
    for call in calls:
        async with refused("UNAVAILABLE", "STORE"):
            await call
    for stream in (house, fresh):
        async with refused("UNAVAILABLE", "STORE"):
            await anext(aiter(stream.stub.Watch(rules_pb2.WatchRequest(match=table.id))))
    eventlog.deaf = False
    assert (await play_on(fresh, table)).last.HasField("ending")
