"""The service behind gRPC: what the bus tells can be asked for, also after repetitions, restarts and rubbish."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from services.scoring.tests.entries import bot, entry, message, publish, solo
from services.scoring.tests.served import Served, served
from starport.v1 import bus_pb2, match_pb2, scoring_pb2
from starport_chassis import code_of
from starport_eventlog import BusMessage, MemoryLog, new_match_id
from starport_scoring.finished import BadEntry
from starport_scoring.recording import Recorder
from starport_scoring.settings import LINES_DEFAULT, LINES_MAX
from starport_scoring.store import DatabaseDown, Store


async def test_a_result_is_told_as_it_was(scoring: Served, log: MemoryLog) -> None:
    told = entry([("ann", 2), (bot("greedy"), 1)], absent=[0])
    await publish(log, told)
    await scoring.has(1)
    result = (await scoring.stub.GetResult(scoring_pb2.GetResultRequest(match=told.match))).result
    assert (result.match, result.game, result.started_ms, result.ended_ms) == (told.match, "space-race", 1_000, 2_000)
    assert result.rated
    assert [seat.score for seat in result.seats] == list(told.finished.scores)
    ann, greedy = result.seats
    assert (ann.player, ann.name, ann.absent) == ("ann", "name of ann", True)
    assert (greedy.player, greedy.bot, greedy.absent) == ("", "greedy", False)
    assert ann.before.mu == greedy.before.mu == pytest.approx(25)
    assert ann.before.ordinal == pytest.approx(0)
    assert ann.after.ordinal < greedy.after.ordinal


async def test_the_smuggler_is_a_line_of_the_result(scoring: Served, log: MemoryLog) -> None:
    told = solo("ann", 1)
    await publish(log, told)
    await scoring.has(1)
    result = (await scoring.stub.GetResult(scoring_pb2.GetResultRequest(match=told.match))).result
    assert [seat.player for seat in result.seats] == ["ann", ""]
    assert [line.player for line in await scoring.board("wild-space")] == ["ann", "smuggler:hard"]
    assert [line.name for line in await scoring.board("wild-space")] == ["name of ann", "Smuggler (hard)"]


async def test_an_unrated_result_has_no_ratings(scoring: Served, log: MemoryLog) -> None:
    told = entry([("ann", 1), ("bob", 2)], rated=False)
    await publish(log, told)
    await scoring.has(1)
    result = (await scoring.stub.GetResult(scoring_pb2.GetResultRequest(match=told.match))).result
    assert not any(seat.HasField("before") or seat.HasField("after") for seat in result.seats)
    assert await scoring.board() == []


async def test_what_is_unknown_is_not_found(scoring: Served) -> None:
    for match in (new_match_id(2), "", "nonsense"):
        with pytest.raises(grpc.aio.AioRpcError) as why:
            await scoring.stub.GetResult(scoring_pb2.GetResultRequest(match=match))
        assert why.value.code() == grpc.StatusCode.NOT_FOUND
        assert code_of(why.value) == "NO_RESULT"


async def test_pages_have_everything_once_while_more_comes_in(scoring: Served) -> None:
    recorder = Recorder(scoring.service.store)
    told = [entry([("ann", 1), ("bob" if i % 2 else "cid", 2)]) for i in range(25)]
    for each in told:
        await recorder.handle(message(each))
    newest_first = [each.match for each in told[::-1]]
    seen: list[str] = []
    page = ""
    while True:
        answer = await scoring.results(limit=10, page=page)
        seen += [result.match for result in answer.results]
        page = answer.next_page
        if not page:
            break
        await recorder.handle(message(entry([("ann", 1), ("bob", 2)])))
    assert seen == newest_first


async def test_results_of_one_player_and_one_game(scoring: Served) -> None:
    recorder = Recorder(scoring.service.store)
    anns = entry([("ann", 1), ("bob", 2)])
    elsewhere = entry([("ann", 1), (bot("greedy"), 2), (bot("greedy"), 3)], game="wild-space")
    bobs = entry([("cid", 1), ("bob", 2)])
    for each in (anns, elsewhere, bobs):
        await recorder.handle(message(each))

    async def matches(**request: str) -> list[str]:
        return [result.match for result in (await scoring.results(**request)).results]

    assert await matches() == [bobs.match, elsewhere.match, anns.match]
    assert await matches(player="ann") == [elsewhere.match, anns.match]
    assert await matches(player="ann", game="space-race") == [anns.match]
    assert await matches(game="space-race") == [bobs.match, anns.match]
    assert await matches(player="house:greedy") == [elsewhere.match]  # once, although on two seats
    assert await matches(player="nobody") == []


async def test_limits_are_bounded(scoring: Served) -> None:
    recorder = Recorder(scoring.service.store)
    for i in range(LINES_MAX + 5):
        await recorder.handle(message(entry([(f"p{i}", 1), ("bob", 2)])))
    assert len((await scoring.results()).results) == LINES_DEFAULT
    assert len((await scoring.results(limit=4_000_000_000)).results) == LINES_MAX
    assert len(await scoring.board()) == LINES_DEFAULT
    assert len(await scoring.board(limit=4_000_000_000)) == LINES_MAX


@pytest.mark.parametrize(
    "request_",
    [
        {"page": "nonsense"},
        {"page": "x" * 1000},
        {"page": "YmVsb3c6LTE="},
        {"page": "ÄÖÜ"},
        {"player": "x" * 1000},
        {"game": "a\0b"},
    ],
)
async def test_malformed_requests_are_refused(scoring: Served, request_: dict[str, str]) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as why:
        await scoring.results(**request_)
    assert why.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert code_of(why.value) == "MALFORMED"


async def test_a_leaderboard_needs_a_game(scoring: Served) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as why:
        await scoring.board("")
    assert code_of(why.value) == "MALFORMED"


async def test_the_leaderboard_is_sorted_and_equals_share_a_place(scoring: Served) -> None:
    recorder = Recorder(scoring.service.store)
    await recorder.handle(message(entry([("ann", 1), ("bob", 2), ("cid", 2), ("dee", 4)])))
    await recorder.handle(message(entry([("ann", 1), (bot("greedy"), 2)])))
    lines = await scoring.board()
    assert [line.player for line in lines if line.player in {"ann", "dee"}] == ["ann", "dee"]
    assert [line.rating.ordinal for line in lines] == sorted((line.rating.ordinal for line in lines), reverse=True)
    places = {line.player: line.place for line in lines}
    assert places["bob"] == places["cid"]
    assert places["ann"] == 1
    assert places["dee"] == 5
    assert "house:greedy" in places
    [ann] = [line for line in lines if line.player == "ann"]
    assert (ann.name, ann.matches, ann.wins) == ("name of ann", 2, 2)


async def test_a_leaderboard_lists_who_has_played_enough(url: str, log: MemoryLog) -> None:
    async with served(url, log, matches_min=2) as scoring:
        recorder = Recorder(scoring.service.store)
        await recorder.handle(message(entry([("ann", 1), ("bob", 2)])))
        assert await scoring.board() == []
        await recorder.handle(message(entry([("ann", 1), ("cid", 2)])))
        assert [line.player for line in await scoring.board()] == ["ann"]


# -- the bus


async def test_every_finished_match_of_the_bus_is_stored_once(scoring: Served, url: str, log: MemoryLog) -> None:
    """Two consumers, and each match told three times."""
    async with served(url, log, "two"):
        told = [entry([("ann", 1), ("bob", 2)]) for _ in range(20)]
        for version in (1, 2, 3):
            for each in told:
                await publish(log, each, version)
        await scoring.has(len(told))
        await asyncio.sleep(0.2)
        assert len((await scoring.results()).results) == len(told)
        assert {line.matches for line in await scoring.board()} == {len(told)}


async def test_what_was_told_while_the_service_was_away_is_stored(url: str, log: MemoryLog) -> None:
    async with served(url, log) as scoring:
        await publish(log, entry([("ann", 1), ("bob", 2)]))
        await scoring.has(1)
    await publish(log, entry([("ann", 1), ("bob", 2)]))
    async with served(url, log) as scoring:
        await scoring.has(2)
        assert {line.matches for line in await scoring.board()} == {2}


async def test_moves_that_end_nothing_are_passed_over(scoring: Served, log: MemoryLog) -> None:
    match = new_match_id(2)
    for version in (1, 2):
        await publish(log, bus_pb2.BusEntry(match=match, version=version, game="space-race"), version)
    await publish(log, entry([("ann", 1), ("bob", 2)], match=match), 3)
    await scoring.has(1)
    assert scoring.service.consumer.stats.failed == 0


def broken_entries() -> list[bus_pb2.BusEntry]:
    nobody = entry([("ann", 1), ("bob", 2)])
    del nobody.finished.seats[1]
    no_scores = entry([("ann", 1), ("bob", 2)])
    del no_scores.finished.scores[:]
    no_rank = entry([("ann", 0), ("bob", 2)])
    twice = entry([("ann", 1), ("bob", 2)])
    twice.finished.scores[1].seat = 0
    far = entry([("ann", 1), ("bob", 2)])
    far.finished.scores[1].seat = 4_000_000_000
    no_game = entry([("ann", 1), ("bob", 2)], game="")
    pretender = entry([("house:greedy", 1), ("bob", 2)])
    unnamed = entry([(match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_HOUSE), 1), ("bob", 2)])
    return [nobody, no_scores, no_rank, twice, far, no_game, pretender, unnamed]


@pytest.mark.parametrize("told", broken_entries())
async def test_a_result_that_cannot_be_is_refused(store: Store, told: bus_pb2.BusEntry) -> None:
    with pytest.raises(BadEntry):
        await Recorder(store).handle(message(told))
    assert await store.numbers("", "", None, 1) == []


async def test_an_entry_of_another_match_is_refused(store: Store) -> None:
    told = entry([("ann", 1), ("bob", 2)])
    with pytest.raises(BadEntry):
        await Recorder(store).handle(BusMessage(new_match_id(2), 1, told.SerializeToString()))


async def test_rubbish_is_put_aside_and_the_service_lives_on(scoring: Served, log: MemoryLog) -> None:
    for _ in range(3):
        await log.append(new_match_id(2), 1, b"record", bus=b"\xff\xff\xff\xff")
    await publish(log, broken_entries()[0])
    told = entry([("ann", 1), ("bob", 2)], game="a-game-to-come")
    told.finished.options.ClearField("game")
    told.finished.options.seats = 2
    await publish(log, told)
    await scoring.has(1)
    async with asyncio.timeout(20):
        while scoring.service.consumer.stats.buried < 4:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    assert [line.player for line in await scoring.board("a-game-to-come")] == ["ann", "bob"]


async def test_names_with_nul_do_no_harm(store: Store) -> None:
    told = entry([("ann", 1), ("bob", 2)])
    told.finished.seats[0].name = "a\0n\0n"
    await Recorder(store).handle(message(told))
    [(_, seats)] = await store.load([1])
    assert seats[0].name == "ann"


# -- a database that is away


async def test_a_result_waits_for_the_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add = store.add
    away = 3

    async def sometimes(finished: object) -> bool:
        nonlocal away
        away -= 1
        if away >= 0:
            raise DatabaseDown("the test took it away")
        return await add(finished)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "add", sometimes)
    await Recorder(store).handle(message(entry([("ann", 1), ("bob", 2)])))
    assert await store.numbers("", "", None, 5) == [1]


async def test_questions_to_a_database_that_is_away_are_unavailable(
    scoring: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> object:
        raise DatabaseDown("the test took it away")

    monkeypatch.setattr(scoring.service.store, "numbers", away)
    with pytest.raises(grpc.aio.AioRpcError) as why:
        await scoring.results()
    assert why.value.code() == grpc.StatusCode.UNAVAILABLE
    assert code_of(why.value) == "STORE"
