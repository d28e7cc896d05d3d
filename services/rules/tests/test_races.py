"""Several clients, and several replicas, that want to write the same version: exactly one does."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import grpc
import pytest

from starport.v1 import match_pb2, rules_pb2
from starport_chassis import code_of
from starport_games.kernel.contract import Refusal
from starport_rules.match import decision_name
from tests.harness.hands import play_on, records_of
from tests.harness.rules import House, Table

RACES = 1_000
REPLICA_RACES = 200
RUNNERS = 2


class Scripted:
    """A match followed on the library, so that a race knows what can be answered without asking."""

    def __init__(self, house: House, table: Table, state: Any) -> None:
        self.house, self.table, self.game = house, table, table.codec.game
        self.state = self.game.clone(state)
        self.answered: Counter[int] = Counter()

    def requests(self) -> list[rules_pb2.PlayRequest]:
        """The same question answered by two clients; differently, where there are two answers."""
        seat = self.game.deciders(self.state)[0].seat
        moves = self.game.legal(self.state, seat)
        decision = decision_name(self.table.id, seat, self.answered[seat])
        picked = [moves[0], moves[-1]]
        want = rules_pb2.Want()
        return [self.table.request(seat, decision, self.table.codec.encode_move(m), want=want) for m in picked]

    def accepted(self, request: rules_pb2.PlayRequest) -> None:
        effects = self.game.play(self.state, request.seat, self.table.codec.decode_move(request.move))
        assert not isinstance(effects, Refusal)
        self.answered[request.seat] += 1

    @property
    def over(self) -> bool:
        return bool(self.game.over(self.state))


async def outcome(house: House, request: rules_pb2.PlayRequest) -> str:
    try:
        await house.stub.Play(request)
    except grpc.aio.AioRpcError as error:
        return f"{error.code().name} {code_of(error)}"
    return "accepted"


async def race(houses: list[House], races: int) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    stored = 0
    run = 0
    while run < races:
        table = await houses[0].start("wild-space", 2)
        script = Scripted(houses[0], table, await houses[0].state(table))
        moves = 0
        while run < races and not script.over:
            requests = script.requests()
            pairs = zip(houses * RUNNERS, requests, strict=False)
            results = await asyncio.gather(*(outcome(house, request) for house, request in pairs))
            outcomes.update(results)
            assert results.count("accepted") == 1, results
            script.accepted(requests[results.index("accepted")])
            moves += 1
            run += 1
        for house in houses:
            room = await house.service.matches.room(table.id)
            await house.service.matches.refresh(room)
            assert script.game.same(room.match.state, script.state)
        stored += sum(record.HasField("moved") for record in await records_of(houses[0], table))
        assert moves == sum(script.answered.values())
    assert stored == races
    return outcomes


async def test_of_two_clients_on_one_seat_one_is_accepted(memory_house: House) -> None:
    outcomes = await race([memory_house], RACES)
    assert outcomes["accepted"] == RACES
    assert set(outcomes) <= {"accepted", "ABORTED STALE", "ABORTED RACE", "FAILED_PRECONDITION OVER"}


async def test_of_two_clients_on_two_replicas_one_is_accepted(world: Any) -> None:
    outcomes = await race([await world.house(), await world.house()], REPLICA_RACES)
    assert outcomes["accepted"] == REPLICA_RACES
    assert set(outcomes) <= {"accepted", "ABORTED STALE", "ABORTED RACE", "FAILED_PRECONDITION OVER"}


@pytest.mark.parametrize("game", ["wild-space", "space-race"])
async def test_a_match_can_be_played_through_a_random_replica_at_every_move(world: Any, game: str) -> None:
    """A client that goes from replica to replica is never told that what it just heard is stale."""
    houses = [await world.house() for _ in range(3)]
    for seed in range(3):
        table = await houses[0].start(game, 3)
        played = await play_on(houses, table, seed=seed)
        assert played.last.HasField("ending")


async def test_simultaneous_answers_of_all_seats_through_two_replicas(world: Any) -> None:
    houses = [await world.house(), await world.house()]
    table = await houses[0].start("space-race", 4)
    game, answered = table.codec.game, Counter[int]()
    state = game.clone(await houses[0].state(table))
    while not game.over(state):
        seats = [decider.seat for decider in game.deciders(state)]
        requests = []
        for seat in seats:
            move = table.codec.encode_move(game.default(state, seat))
            requests.append(table.request(seat, decision_name(table.id, seat, answered[seat]), move))
        results = await asyncio.gather(
            *(outcome(houses[number % 2], request) for number, request in enumerate(requests))
        )
        for seat, result in zip(seats, results, strict=True):
            assert result in ("accepted", "ABORTED RACE"), result
            if result == "accepted":
                answered[seat] += 1
                game.play(state, seat, game.default(state, seat))
    assert game.same(await houses[0].state(table), state)


async def test_starts_at_the_same_time_are_one_start(world: Any) -> None:
    houses = [await world.house(), await world.house()]
    table = await houses[0].start("space-race", 2)
    lobby = houses[0].services.mint("lobby")
    match = (await houses[0].stub.Prepare(rules_pb2.PrepareRequest(token=lobby))).match
    plans = [match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER, player=f"p{seat}") for seat in range(2)]
    request = rules_pb2.StartRequest(token=lobby, match=match, options=table.options, seats=plans)
    await asyncio.gather(*(house.stub.Start(request) for house in houses * 5))
    assert len(await houses[0].service.matches.eventlog.read(match)) == 2
