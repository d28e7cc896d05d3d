"""Parts that die while people play: matches go on, nothing that was answered is lost, no move is doubled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import grpc
import pytest

from starport.v1 import lobby_pb2
from tests.integration.guests import House, Table, call, moved, play_out, repeat, result_of, sit_down
from tests.integration.proof import check_chain, check_match, check_result
from tests.integration.stack import Stack, in_thread

pytestmark = pytest.mark.slow

PAUSE_S = 0.04  # what guests think, so that a match lasts some seconds
HARM_AFTER = 6  # answers of people at each table


@asynccontextmanager
async def an_evening(stack: Stack, house: House) -> AsyncIterator[list[Table]]:
    """Six tables of both games in the middle of play; after the block all play to the end and everything is checked."""
    tables = [
        await sit_down(house, game, 2, bots)
        for game in ("wild-space", "space-race")
        for bots in ((), ("greedy",), ("random",))
    ]
    async with asyncio.TaskGroup() as group:
        for seed, table in enumerate(tables):
            group.create_task(play_out(house, table, seed=seed, pause_s=PAUSE_S))
        await moved(tables, HARM_AFTER)
        yield tables
    for table, stored in zip(tables, await in_thread(stack.records, *(table.id for table in tables)), strict=True):
        check_match(table, stored)
        check_result(table, await result_of(house, table))


def in_the_middle(tables: Sequence[Table]) -> None:
    assert not any(table.ended for table in tables), "a match was over before the harm was done"


async def check_repeats(stack: Stack, house: House, tables: Sequence[Table]) -> None:
    """Commands of before the outage, sent again, get their first answer and leave no trace."""
    ids = [table.id for table in tables]
    before = await in_thread(stack.records, *ids)
    for table in tables:
        for answer in (table.answers[0], table.answers[HARM_AFTER - 1], table.answers[-1]):
            again = await repeat(house, answer)
            assert again == answer.update
    assert await in_thread(stack.records, *ids) == before


@pytest.mark.parametrize("harm", ["kill", "crash"])
async def test_rules_die_and_come_back(stack: Stack, house: House, harm: str) -> None:
    async with an_evening(stack, house) as tables:
        [container] = await in_thread(stack.containers, "rules")
        if harm == "kill":
            await in_thread(stack.kill, container)
            in_the_middle(tables)
            await in_thread(stack.up)
        else:
            restarts = await in_thread(stack.restarts, container)
            await in_thread(stack.crash, container)
            await _until(lambda: in_thread(stack.restarts, container), lambda count: count > restarts)
            in_the_middle(tables)
        early = [answer for table in tables for answer in table.answers[:HARM_AFTER]]
        for answer in early:
            assert await repeat(house, answer) == answer.update
    assert all(table.breaks for table in tables)
    await check_repeats(stack, house, tables)


async def test_one_of_two_replicas_dies(stack: Stack, house: House) -> None:
    await in_thread(stack.up, "--scale", "rules=2")
    try:
        async with an_evening(stack, house) as tables:
            first, second = await in_thread(stack.containers, "rules")
            assert await in_thread(stack.calls, first, "Play") > 0
            assert await in_thread(stack.calls, second, "Play") > 0
            await in_thread(stack.kill, first)
            in_the_middle(tables)
        await check_repeats(stack, house, tables)
    finally:
        await in_thread(stack.up, "--scale", "rules=1")


@pytest.mark.parametrize("harm", ["killed, appendfsync always", "restarted, appendfsync everysec"])
async def test_redis_dies_and_comes_back(stack: Stack, house: House, harm: str) -> None:
    """Killed with `everysec`, Redis may lose what it had not yet handed to the system: no promise, so no test."""
    how, _, fsync = harm.partition(", appendfsync ")
    stack.environment["STARPORT_APPENDFSYNC"] = fsync
    await in_thread(stack.up)  # a new container on the same volume where that changed
    async with an_evening(stack, house) as tables:
        [container] = await in_thread(stack.containers, "redis")
        if how == "killed":
            await in_thread(stack.kill, container)
            in_the_middle(tables)
            await in_thread(stack.up)
        else:
            await in_thread(stack.compose, "restart", "redis")
            in_the_middle(tables)
    await check_repeats(stack, house, tables)


async def test_scoring_hears_of_what_ended_while_it_was_away(stack: Stack, house: House) -> None:
    [container] = await in_thread(stack.containers, "scoring")
    table = await sit_down(house, "space-race", 2)
    await in_thread(stack.kill, container)
    await play_out(house, table)
    await in_thread(stack.up)
    check_result(table, await result_of(house, table))


async def test_house_bots_go_on_after_a_crash(stack: Stack, house: House) -> None:
    [container] = await in_thread(stack.containers, "smuggler")
    restarts = await in_thread(stack.restarts, container)
    table = await sit_down(house, "wild-space", 1, ("greedy",))
    async with asyncio.TaskGroup() as group:
        group.create_task(play_out(house, table, pause_s=PAUSE_S))
        await moved([table], HARM_AFTER)
        await in_thread(stack.crash, container)
        assert not table.ended
    assert await in_thread(stack.restarts, container) > restarts
    [stored] = await in_thread(stack.records, table.id)
    check_match(table, stored)


async def test_the_lobby_knows_its_tokens_after_it_was_replaced(stack: Stack, house: House) -> None:
    guest = await call(house.lobby.CreateGuest, lobby_pb2.CreateGuestRequest())
    table = await sit_down(house, "wild-space", 2)
    await in_thread(stack.up, "--force-recreate", "--no-deps", "lobby")
    again = await call(house.lobby.Refresh, lobby_pb2.RefreshRequest(token=guest.token))
    assert again.token
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(house.lobby.Refresh, lobby_pb2.RefreshRequest(token=guest.token[:-8] + "AAAAAAAA"))
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
    await play_out(house, table)  # with seat tokens of before
    [stored] = await in_thread(stack.records, table.id)
    check_chain(stored)


async def _until(look: Callable[[], Awaitable[int]], holds: Callable[[int], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds(await look()):  # noqa: ASYNC110  # nobody would set an event
            await asyncio.sleep(0.1)
