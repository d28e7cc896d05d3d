"""Watching: from every point complete and not doubled, for everybody, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import grpc
import pytest

from starport.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from starport_chassis import Refused
from starport_rules import watching as module
from starport_rules.match import Match
from starport_rules.settings import UPDATES_WAITING_MAX
from starport_rules.telling import told
from tests.conformance.tables import TABLES, Table
from tests.harness.hands import play_on, refused, until, watched, watching
from tests.harness.rules import WANT_ALL, House, rules_house
from tests.harness.rules import Table as Begun

PLAIN = rules_pb2.Want()


def bare(update: match_pb2.Update) -> match_pb2.Update:
    """Without what only the newest update carries."""
    kept = match_pb2.Update()
    kept.CopyFrom(update)
    for field in ("view", "decision", "waiting_for"):
        kept.ClearField(field)
    return kept


async def truth(house: House, table: Begun, viewer: int) -> list[match_pb2.Update]:
    """What the viewer must be told, from the records one by one."""
    match = Match(table.id)
    updates: list[match_pb2.Update] = []
    for data in await house.service.matches.eventlog.read(table.id):
        step = match.fold(data)
        if match.started and (not updates or step.visible_to(viewer)):
            updates.append(told(match, step, viewer, len(updates) + 1))
    return updates


def viewers(table: Begun) -> list[int | None]:
    return [None, *range(len(table.tokens))]


@pytest.mark.parametrize("table", [table for table in TABLES if not table.settings or table.seats == 1], ids=str)
async def test_from_every_point_of_every_viewer(memory_house: House, table: Table) -> None:
    house = memory_house
    begun = await house.start(table.name, table.seats, dict(table.settings))
    await play_on(house, begun, seed=1)
    for seat in viewers(begun):
        whole = await truth(house, begun, -1 if seat is None else seat)
        for after in range(0, len(whole), 1 + len(whole) // 10):
            got = await watched(house, begun, seat, after, want=PLAIN)
            assert [bare(update) for update in got] == whole[after:]
            assert [update.HasField("ending") for update in got] == [False] * (len(got) - 1) + [True]
        assert await watched(house, begun, seat, len(whole)) == []


class Viewer:
    """Watches from connection to connection, through any replica, cut off at random points."""

    def __init__(self, houses: list[House], table: Begun, seat: int | None, seed: int) -> None:
        self.houses, self.table, self.seat = houses, table, seat
        self.chance = random.Random(seed)  # noqa: S311  # any points will do
        self.updates: list[match_pb2.Update] = []
        self.connections = 0

    async def run(self) -> None:
        while not (self.updates and self.updates[-1].HasField("ending")):
            self.connections += 1
            await self._connect(self.chance.choice(self.houses), self.chance.randint(1, 12))

    async def _connect(self, house: House, most: int) -> None:
        stream = watching(house, self.table, self.seat, len(self.updates))
        async for response in stream:
            self.updates.append(response.update)
            most -= 1
            if most <= 0:
                stream.cancel()
                return


@pytest.mark.parametrize(("game", "seats"), [("wild-space", 3), ("space-race", 4)])
async def test_while_a_match_is_played_across_replicas_and_reconnects(world: Any, game: str, seats: int) -> None:
    houses = [await world.house(), await world.house()]
    table = await houses[0].start(game, seats)
    crowd = [Viewer(houses, table, seat, seed) for seed in range(2) for seat in viewers(table)]
    async with asyncio.timeout(30):
        tasks = [asyncio.create_task(viewer.run()) for viewer in crowd]
        await play_on(houses, table, seed=3)
        await asyncio.gather(*tasks)
    for viewer in crowd:
        whole = await truth(houses[0], table, -1 if viewer.seat is None else viewer.seat)
        assert [bare(update) for update in viewer.updates] == whole
        assert viewer.connections > 2
    await until(lambda: not any(room.followers for house in houses for room in house.service.matches._rooms.values()))


@pytest.mark.parametrize("table", [table for table in TABLES if not table.settings or table.seats == 1], ids=str)
async def test_whoever_is_asked_hears_of_it(memory_house: House, table: Table) -> None:
    """The newest update of each seat always tells the decision that is open, and the view that holds."""
    house = memory_house
    begun = await house.start(table.name, table.seats, dict(table.settings))
    newest: dict[int | None, match_pb2.Update] = {}

    async def follow(seat: int | None) -> None:
        async for response in watching(house, begun, seat):
            newest[seat] = response.update

    tasks = [asyncio.create_task(follow(seat)) for seat in viewers(begun)]
    await until(lambda: len(newest) == len(tasks))
    over = False
    for turn in range(2_000):
        over = (await play_on(house, begun, seed=turn, most=1)).last.HasField("ending")
        if over:
            break
        for seat in viewers(begun):
            now = (await house.observe(begun, seat)).update
            await until(lambda seat=seat, now=now: newest[seat].number == now.number)  # type: ignore[misc]
            assert newest[seat].decision == now.decision, f"seat {seat} was not told what it is asked"
            assert newest[seat].view == now.view
            assert newest[seat].waiting_for == now.waiting_for
    assert over
    await asyncio.wait_for(asyncio.gather(*tasks), 5)


async def test_only_the_newest_update_carries_what_holds_now(house: House) -> None:
    table = await house.start("wild-space", 2)
    await play_on(house, table, most=20)
    newest = (await house.observe(table, 0)).update
    stream = watching(house, table, 0)
    updates = []
    async for response in stream:
        updates.append(response.update)
        if response.update.number == newest.number:
            stream.cancel()
            break
    assert all(update == bare(update) for update in updates[:-1])
    assert (updates[-1].view, updates[-1].decision) == (newest.view, newest.decision)
    assert updates[-1].HasField("view")


async def test_a_slow_viewer_is_cut_off_and_may_come_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that does not read: views fill what gRPC buffers for it, then what this service keeps for it."""
    monkeypatch.setattr(module, "UPDATES_WAITING_MAX", 8)
    table = await house.start("wild-space", 5)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{house.port}", [("grpc.http2.bdp_probe", 0)]) as channel:
        slow = rules_pb2_grpc.RulesServiceStub(channel).Watch(
            rules_pb2.WatchRequest(match=table.id, seat=0, token=table.tokens[0], want=WANT_ALL)
        )
        got = [(await anext(aiter(slow))).update]
        await play_on(house, table)
        room = await house.service.matches.started(table.id)
        async with refused("RESOURCE_EXHAUSTED", "SLOW"):
            async for response in slow:
                got.append(response.update)
    whole = await truth(house, table, 0)
    assert 8 <= len(got) < len(whole)
    await until(lambda: room.followers == [])
    got += await watched(house, table, 0, len(got))
    assert [bare(update) for update in got] == whole


async def test_the_limit_of_a_slow_viewer_is_exact() -> None:
    outlet = module.QueueOutlet()
    for number in range(UPDATES_WAITING_MAX):
        outlet.put(match_pb2.Update(number=number))
    for number in range(UPDATES_WAITING_MAX // 2):
        assert (await outlet.get()).number == number
    for number in range(UPDATES_WAITING_MAX):
        outlet.put(match_pb2.Update(number=UPDATES_WAITING_MAX + number))
    for number in range(UPDATES_WAITING_MAX):
        assert (await outlet.get()).number == UPDATES_WAITING_MAX // 2 + number
    with pytest.raises(Refused, match="SLOW"):
        await outlet.get()


async def test_private_matches_are_closed_to_strangers(house: House) -> None:
    table = await house.start("space-race", 2, private=True)
    other = await house.start("space-race", 2)
    stub, signer = house.stub, house.signer
    strangers = {
        "": ("UNAUTHENTICATED", "TOKEN_MISSING"),
        "x": ("UNAUTHENTICATED", "TOKEN_BAD"),
        signer.player("p0", "name", False): ("UNAUTHENTICATED", "TOKEN_BAD"),
        house.services.mint("lobby"): ("UNAUTHENTICATED", "TOKEN_BAD"),
        other.tokens[0]: ("PERMISSION_DENIED", "NOT_YOURS"),
        signer.seat(other.id, None, "p0"): ("PERMISSION_DENIED", "NOT_YOURS"),
    }
    for token, expected in strangers.items():
        async with refused(*expected):
            await stub.Observe(rules_pb2.ObserveRequest(match=table.id, token=token))
        async with refused(*expected):
            await anext(aiter(stub.Watch(rules_pb2.WatchRequest(match=table.id, token=token))))
    for token in (signer.seat(table.id, None, "guest"), table.tokens[1]):
        seen = await stub.Observe(rules_pb2.ObserveRequest(match=table.id, token=token))
        assert not seen.update.HasField("decision")
        first = await anext(aiter(stub.Watch(rules_pb2.WatchRequest(match=table.id, token=token))))
        assert first.update.number == 1


async def test_spectators_of_public_matches_need_no_token(house: House) -> None:
    table = await house.start("space-race", 2)
    await play_on(house, table)
    assert [bare(u) for u in await watched(house, table, None, token="")] == await truth(house, table, -1)


async def test_draining_ends_streams(memory_world: Any) -> None:
    async with rules_house(memory_world.log(), memory_world.signer) as house:
        table = await house.start("wild-space", 2)
        streams = [watching(house, table, seat) for seat in viewers(table) * 5]
        for stream in streams:
            assert (await anext(aiter(stream))).update.number == 1

        async def end(stream: Any) -> tuple[str, str]:
            async with refused() as refusal:
                async for _ in stream:
                    pass
            return refusal.both

        ends = asyncio.gather(*(end(stream) for stream in streams))
        await asyncio.sleep(0)
        await house.stop()
        assert set(await ends) == {("UNAVAILABLE", "DRAINING")}
    other = await memory_world.house()
    stream = watching(other, table, 0, 1)
    await play_on(other, table, most=3)
    assert (await anext(aiter(stream))).update.number == 2


async def test_a_match_that_ends_ends_all_its_streams_and_keeps_no_follower(house: House) -> None:
    table = await house.start("space-race", 2)
    tasks = [asyncio.create_task(watched(house, table, seat)) for seat in viewers(table) * 4]
    room = await house.service.matches.started(table.id)
    await until(lambda: len(room.followers) == len(tasks))
    await play_on(house, table)
    for updates in await asyncio.gather(*tasks):
        assert updates[-1].HasField("ending")
        assert not updates[-1].HasField("decision")
        assert not updates[-1].waiting_for
    assert room.followers == []
