"""Whole matches across containers: through the lobby and the rules, with house bots, into scoring."""

from __future__ import annotations

import pytest

from starport.v1 import match_pb2
from tests.integration.guests import House, play_out, result_of, sit_down
from tests.integration.proof import check_match, check_result
from tests.integration.stack import Stack, in_thread

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "people", "bots"),
    [
        ("wild-space", 2, ()),
        ("wild-space", 2, ("greedy", "random")),
        ("space-race", 2, ()),
        ("space-race", 1, ("greedy", "random")),
    ],
)
async def test_a_whole_match(stack: Stack, house: House, game: str, people: int, bots: tuple[str, ...]) -> None:
    table = await sit_down(house, game, people, bots)
    await play_out(house, table)
    [stored] = await in_thread(stack.records, table.id)
    moves = check_match(table, stored)
    assert {moved.seat for moved in moves if moved.mover == match_pb2.MOVER_HOUSE} == set(
        range(people, people + len(bots))
    )
    result = await result_of(house, table)
    check_result(table, result)
    assert result.rated


async def test_alone_against_the_smuggler_on_its_own_seat(stack: Stack, house: House) -> None:
    table = await sit_down(house, "wild-space", 1, settings={"smuggler": "seat"})
    await play_out(house, table)
    [stored] = await in_thread(stack.records, table.id)
    moves = check_match(table, stored)
    assert any(moved.seat == 1 and moved.mover == match_pb2.MOVER_HOUSE for moved in moves)
    check_result(table, await result_of(house, table))
