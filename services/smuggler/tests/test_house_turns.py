"""House bots through the real rules service: matches play themselves, once, whatever replicas come and go."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from typing import Any

import grpc
import pytest

from services.smuggler.tests.replicas import eventually, kill, moves_of, played_out, replica, replica_of
from starport.v1 import bus_pb2, match_pb2, rules_pb2
from starport_chassis import CODE_KEY
from starport_eventlog import BusMessage, MemoryLog, new_match_id
from starport_smuggler import bots
from starport_smuggler.playing import BadEntry
from starport_smuggler.settings import COMMANDS
from starport_wire.codec import open_codec
from tests.harness.rules import PARTITIONS, House, rules_house

TABLES: list[tuple[str, int, dict[str, str]]] = [
    *(("wild-space", seats, {}) for seats in range(1, 6)),
    *(("space-race", seats, {}) for seats in range(2, 5)),
    ("space-race", 3, {"auto_ships": "off"}),
    *(("wild-space", 1, {"smuggler": "seat", "difficulty": level}) for level in ("easy", "normal", "hard")),
]


def all_house(seats: int) -> dict[int, str]:
    return {seat: ("greedy", "random", "nobody-knows-me")[seat % 3] for seat in range(seats + 1)}


def check_played_once(moves: list[match_pb2.Moved]) -> None:
    commands = [move.command_id for move in moves if move.mover == match_pb2.MOVER_HOUSE]
    assert all(command.startswith(COMMANDS) for command in commands)
    decisions = [command.removeprefix(COMMANDS).partition(":")[0] for command in commands]
    assert len(set(decisions)) == len(decisions)


@pytest.mark.parametrize(("game", "seats", "settings"), TABLES)
async def test_a_match_of_house_bots_plays_itself(
    house: House, log: MemoryLog, game: str, seats: int, settings: dict[str, str]
) -> None:
    async with replica(house, log) as service:
        table = await house.start(game, seats, settings, house=all_house(seats))
        moves = await played_out(log, table.id)
        assert {move.mover for move in moves} == {match_pb2.MOVER_HOUSE}
        check_played_once(moves)
        assert service.consumer.stats.failed == 0
        assert service.consumer.stats.buried == 0


async def test_a_person_plays_against_house_bots(house: House, log: MemoryLog) -> None:
    async with replica(house, log):
        table = await house.start("space-race", 3, house={1: "greedy", 2: "random"})

        async def asked() -> bool:
            update = (await house.observe(table, 0)).update
            return update.HasField("decision") or not update.waiting_for

        while True:
            await eventually(asked)
            decision = await house.decision(table, 0)
            if not decision.id:
                break
            await house.play(table, 0, decision.legal[0])
        moves = await played_out(log, table.id)
        assert {move.mover for move in moves if move.seat == 0} == {match_pb2.MOVER_OWNER}
        assert {move.mover for move in moves if move.seat != 0} == {match_pb2.MOVER_HOUSE}


async def test_two_replicas_share_the_work(house: House, log: MemoryLog) -> None:
    async with replica(house, log, "one", turns_max=2) as one, replica(house, log, "two", turns_max=2) as two:
        tables = [await house.start("space-race", 4, house=all_house(4)) for _ in range(6)]
        for table in tables:
            moves = await played_out(log, table.id)
            assert {move.mover for move in moves} == {match_pb2.MOVER_HOUSE}
            check_played_once(moves)
        assert one.consumer.stats.handled > 0
        assert two.consumer.stats.handled > 0
        assert one.consumer.stats.buried + two.consumer.stats.buried == 0


async def test_a_killed_replica_s_turns_are_taken_over(house: House, log: MemoryLog) -> None:
    one = await replica_of(house, log, "one", think_ms=10_000)
    await one.start()
    table = await house.start("wild-space", 2, house=all_house(2))

    async def pending() -> bool:
        return bool(one.consumer._in_flight)

    await eventually(pending)
    await kill(one)
    assert await moves_of(log, table.id) == []
    async with replica(house, log, "two", takeover_s=0.3) as two:
        moves = await played_out(log, table.id)
        assert {move.mover for move in moves} == {match_pb2.MOVER_HOUSE}
        assert two.consumer.stats.taken_over > 0


async def test_replicas_that_die_again_and_again_play_nothing_twice(house: House, log: MemoryLog) -> None:
    tables = [await house.start("space-race", 3, house=all_house(3)) for _ in range(3)]
    for life in range(3):
        service = await replica_of(house, log, f"life-{life}", takeover_s=0.1)
        await service.start()
        await asyncio.sleep(0.15)
        await kill(service)
    async with replica(house, log, "last", takeover_s=0.1):
        for table in tables:
            moves = await played_out(log, table.id)
            assert {move.mover for move in moves} == {match_pb2.MOVER_HOUSE}
            check_played_once(moves)


async def test_an_absent_player_is_stood_in_for(log: MemoryLog) -> None:
    async with rules_house(log, absent_after=1) as house, replica(house, log):
        clock = match_pb2.Clock(bank_ms=0, free_ms=30)
        table = await house.start("wild-space", 2, house={1: "greedy"}, clock=clock)
        moves = await played_out(log, table.id)
        movers = [move.mover for move in moves if move.seat == 0]
        assert movers[0] == match_pb2.MOVER_CLOCK
        assert movers[-1] == match_pb2.MOVER_HOUSE


async def test_a_card_file_of_one_s_own_is_played_by_its_legal_moves(house: House, log: MemoryLog) -> None:
    shipped = files("starport_games.space_race").joinpath("cards.toml").read_text("utf-8")
    own = shipped.replace('id = "starport"', 'id = "my-own"', 1).replace('"scanner-', '"own-ear-')
    assert own.count("own-ear-") > 1
    async with replica(house, log):
        table = await house.start("space-race", 2, house={0: "greedy", 1: "greedy"}, card_file=own)
        check_played_once(await played_out(log, table.id))


async def test_a_match_from_a_position_is_played(house: House, log: MemoryLog) -> None:
    table = await house.start("wild-space", 2)
    codec = open_codec(table.options)
    position = codec.game.position_text(await house.state(table))
    async with replica(house, log):
        resumed = await house.start("wild-space", 2, house={0: "greedy", 1: "greedy"}, position=position)
        check_played_once(await played_out(log, resumed.id))


# -- entries that come again, too late, or broken


async def first_entry(log: MemoryLog, match: str) -> BusMessage:
    [entry] = [message for message in bus_of(log) if message.match == match][:1]
    return entry


def bus_of(log: MemoryLog) -> list[BusMessage]:
    return [message for bus in log._buses.values() for message in bus.entries.values()]


async def test_a_redelivered_entry_changes_nothing(house: House, log: MemoryLog) -> None:
    table = await house.start("wild-space", 2, {"first": "0"}, house={0: "greedy"})
    service = await replica_of(house, log)
    entry = await first_entry(log, table.id)
    await service.player.handle(entry)
    before = await log.read(table.id)
    assert len(before) > 2
    await service.player.handle(entry)
    stranger = await replica_of(house, log, "two")  # remembers nothing
    await stranger.player.handle(entry)
    assert await log.read(table.id) == before


async def test_both_replicas_at_the_same_moment_play_once(house: House, log: MemoryLog) -> None:
    table = await house.start("wild-space", 2, {"first": "0"}, house={0: "random"})
    one, two = await replica_of(house, log, "one"), await replica_of(house, log, "two")
    entry = await first_entry(log, table.id)
    await asyncio.gather(one.player.handle(entry), two.player.handle(entry))
    moves = await moves_of(log, table.id)
    assert moves
    check_played_once(moves)


async def test_in_company_each_entry_is_one_move(house: House, log: MemoryLog) -> None:
    """Alone, a replica plays on while its seat is asked; when it has met another one, that one gets entries too."""
    tables = [await house.start("wild-space", 2, {"first": "0"}, house={0: "greedy"}) for _ in range(2)]
    service = await replica_of(house, log)
    await service.player.handle(await first_entry(log, tables[0].id))
    assert await house.asked(tables[0]) == [1]
    assert len(await moves_of(log, tables[0].id)) > 1
    service.player._too_late("a decision that another replica answered")
    await service.player.handle(await first_entry(log, tables[1].id))
    assert len(await moves_of(log, tables[1].id)) == 1


async def test_a_seat_that_was_taken_back_is_left_alone(house: House, log: MemoryLog) -> None:
    table = await house.start("wild-space", 2, {"first": "0"})
    decision = await house.decision(table, 0)
    turn = bus_pb2.HouseTurn(seat=0, bot="greedy", decision_id=decision.id)
    entry = bus_pb2.BusEntry(match=table.id, version=2, game="wild-space", house_turns=[turn])
    service = await replica_of(house, log)
    await service.player.handle(BusMessage(table.id, 2, entry.SerializeToString()))
    assert await moves_of(log, table.id) == []
    assert decision.id not in service.player._answered  # it may become the house's to answer


async def test_a_match_that_is_gone_is_no_error(house: House, log: MemoryLog) -> None:
    gone = new_match_id(PARTITIONS)
    turn = bus_pb2.HouseTurn(seat=0, bot="greedy", decision_id="d")
    entry = bus_pb2.BusEntry(match=gone, version=2, game="wild-space", house_turns=[turn])
    service = await replica_of(house, log)
    await service.player.handle(BusMessage(gone, 2, entry.SerializeToString()))


async def test_broken_entries_are_put_aside_and_the_bots_play_on(house: House, log: MemoryLog) -> None:
    broken = new_match_id(PARTITIONS)
    service = await replica_of(house, log)
    with pytest.raises(BadEntry):
        await service.player.handle(BusMessage(broken, 1, b"\xff\xff\xff"))
    with pytest.raises(BadEntry):
        await service.player.handle(BusMessage(broken, 1, bus_pb2.BusEntry(match="other").SerializeToString()))
    await log.append(broken, 1, b"?", bus=b"\xff\xff\xff")
    async with replica(house, log) as living:
        table = await house.start("wild-space", 2, house=all_house(2))
        await played_out(log, table.id)

        async def buried() -> bool:
            return living.consumer.stats.buried == 1

        await eventually(buried)


class FlakyStub:
    """Fails so often before it lets calls through."""

    def __init__(self, stub: Any, failures: list[tuple[grpc.StatusCode, str]]) -> None:
        self._stub = stub
        self._failures = failures

    async def Observe(self, request: rules_pb2.ObserveRequest, timeout: float) -> Any:  # noqa: N802, ASYNC109 - as in gRPC
        self._fail()
        return await self._stub.Observe(request, timeout=timeout)

    async def Play(self, request: rules_pb2.PlayRequest, timeout: float) -> Any:  # noqa: N802, ASYNC109 - as in gRPC
        self._fail()
        return await self._stub.Play(request, timeout=timeout)

    def _fail(self) -> None:
        if self._failures:
            status, code = self._failures.pop(0)
            trailing = grpc.aio.Metadata((CODE_KEY, code)) if code else grpc.aio.Metadata()
            raise grpc.aio.AioRpcError(status, grpc.aio.Metadata(), trailing, details="by the test")


async def test_a_rules_service_that_is_away_is_waited_for(house: House, log: MemoryLog) -> None:
    table = await house.start("wild-space", 2, {"first": "0"}, house={0: "greedy"})
    failures = [
        (grpc.StatusCode.UNAVAILABLE, ""),
        (grpc.StatusCode.UNAVAILABLE, "STORE"),
        (grpc.StatusCode.ABORTED, "RACE"),
    ]
    service = await replica_of(house, log, stub=FlakyStub(house.stub, failures))
    await service.player.handle(await first_entry(log, table.id))
    assert failures == []
    assert await moves_of(log, table.id)


async def test_a_key_that_the_rules_service_does_not_know_is_an_error(house: House, log: MemoryLog) -> None:
    table = await house.start("wild-space", 2, {"first": "0"}, house={0: "greedy"})
    service = await replica_of(house, log, stub=FlakyStub(house.stub, [(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_BAD")]))
    with pytest.raises(grpc.aio.AioRpcError):
        await service.player.handle(await first_entry(log, table.id))


async def test_a_bot_that_fails_does_not_stop_the_match(
    house: House, log: MemoryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def confused(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setitem(bots.BOTS, "greedy", confused)
    async with replica(house, log):
        table = await house.start("space-race", 2, house={0: "greedy", 1: "greedy"})
        check_played_once(await played_out(log, table.id))


async def test_thinking_takes_its_time(house: House, log: MemoryLog) -> None:
    table = await house.start("space-race", 2, house={0: "greedy", 1: "greedy"})
    service = await replica_of(house, log, think_ms=100)
    begun = asyncio.get_running_loop().time()
    await service.player.handle(await first_entry(log, table.id))
    assert asyncio.get_running_loop().time() - begun >= 0.1
