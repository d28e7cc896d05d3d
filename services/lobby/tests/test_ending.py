"""A match that is over: its table leaves the lists and counts for nobody, and who comes back to look is let in."""

from __future__ import annotations

import pytest

from services.lobby.tests.house import House, Person, eventually, refused, wild_space
from services.lobby.tests.house import Status as Code
from starport.v1 import bus_pb2, lobby_pb2, match_pb2
from starport_lobby.table import FREE, Status, Table, mark_ended, mark_started

STARTED = lobby_pb2.TABLE_STATUS_STARTED
ENDED = lobby_pb2.TABLE_STATUS_ENDED


async def tell(house: House, match: str, version: int, finished: bus_pb2.Finished | None) -> None:
    """What the rules service says on the bus."""
    entry = bus_pb2.BusEntry(match=match, version=version, game="wild-space", finished=finished)
    assert await house.eventlog().append(match, version, b"record", bus=entry.SerializeToString())


async def begun(person: Person) -> str:
    table = await person.create(wild_space(2), bots=["greedy"])
    return (await person.start(table.id)).id


async def test_a_match_that_ended_leaves_the_lists(house: House) -> None:
    lobby = await house.open()
    ada = await lobby.guest()
    over, running = await begun(ada), await begun(ada)
    await tell(house, over, 1, None)
    await tell(house, over, 2, bus_pb2.Finished())

    async def gone() -> bool:
        return await lobby.ids(status=STARTED) == [running]

    await eventually(gone)
    assert await ada.mine(status=STARTED) == [running]
    assert (await ada.get(over)).status == ENDED
    assert (await ada.get(running)).status == STARTED


async def test_who_comes_back_to_look_is_let_in(house: House) -> None:
    lobby = await house.open()
    ada, eve = await lobby.guests(2)
    over = await begun(ada)
    await tell(house, over, 1, bus_pb2.Finished())

    async def ended() -> bool:
        return (await ada.get(over)).status == ENDED

    await eventually(ended)
    assert (await ada.enter(over)).seat == 0
    assert not (await eve.enter(over)).HasField("seat")
    async with refused(Code.FAILED_PRECONDITION, "STARTED"):
        await ada.leave(over)
    assert (await ada.start(over)).status == ENDED  # asked again, it says what became of it


async def test_an_end_is_told_twice_and_of_a_table_that_nobody_knows(house: House) -> None:
    lobby = await house.open()
    ada = await lobby.guest()
    over, later = await begun(ada), await begun(ada)
    unknown = over[:2] + "a" * (len(over) - 2)
    for match in (unknown, over):
        await tell(house, match, 1, bus_pb2.Finished())
    await tell(house, over, 2, bus_pb2.Finished())
    await tell(house, later, 1, bus_pb2.Finished())

    async def empty() -> bool:
        return await lobby.ids(status=STARTED) == []

    await eventually(empty)


async def test_another_lobby_hears_of_what_ended_while_there_was_none(house: House) -> None:
    over = await begun(await (await house.open()).guest())
    await house.close_lobbies()
    await tell(house, over, 1, bus_pb2.Finished())
    lobby = await house.open()

    async def gone() -> bool:
        return await lobby.ids(status=STARTED) == []

    await eventually(gone)


@pytest.mark.parametrize("first", [Status.STARTING, Status.STARTED])
def test_a_match_may_end_before_its_start_was_heard_of(first: Status) -> None:
    options = match_pb2.Options().SerializeToString()
    table = Table("03a", "ada", "wild-space", 2, False, False, False, b"", 0, options, (FREE,), first)
    assert mark_started(mark_ended(table)).status is Status.ENDED
