"""One stream for many matches: everything that is sent is answered, and nothing that goes wrong hangs or spreads."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from typing import Any

import grpc
import pytest

from starport.v1 import match_pb2, rules_pb2
from starport_eventlog import MemoryLog, StoreDown
from starport_rules import session as module
from starport_rules.match import decision_name
from starport_rules.playing import Player
from starport_rules.settings import COMMANDS_PER_MESSAGE_MAX, EVENTS_PER_MESSAGE_MAX, PLAYS_IN_FLIGHT_MAX
from tests.harness.hands import SOON_S, bid, play_on, refused, until, watched
from tests.harness.rules import PARTITIONS, WANT_ALL, House, Table

MATCHES = 6


class Stream:
    """A client's end of a session that keeps what it was told."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.call = house.stub.Session()
        self.accepted: dict[str, rules_pb2.Accepted] = {}
        self.rejected: list[rules_pb2.Rejected] = []
        self.updates: dict[str, list[match_pb2.Update]] = defaultdict(list)
        self.largest = 0
        self.reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for response in self.call:
            self.largest = max(self.largest, len(response.events))
            for event in response.events:
                if event.HasField("update"):
                    self.updates[event.update.match].append(event.update)
                elif event.HasField("accepted"):
                    self.accepted[event.accepted.command_id] = event.accepted
                else:
                    self.rejected.append(event.rejected)

    async def send(self, *commands: rules_pb2.Command) -> None:
        await self.call.write(rules_pb2.SessionRequest(commands=commands))

    async def attach(self, table: Table, seat: int | None, after: int = 0, **more: Any) -> None:
        more.setdefault("want", WANT_ALL)
        token = "" if seat is None else table.tokens[seat]
        attach = rules_pb2.Attach(match=table.id, seat=seat, after=after, token=more.pop("token", token), **more)
        await self.send(rules_pb2.Command(attach=attach))

    async def detach(self, table: Table) -> None:
        await self.send(rules_pb2.Command(detach=rules_pb2.Detach(match=table.id)))

    async def play(self, *requests: rules_pb2.PlayRequest) -> None:
        await self.send(*(rules_pb2.Command(play=request) for request in requests))

    async def end(self) -> None:
        """No more commands; returns when everything is answered."""
        await self.call.done_writing()
        await asyncio.wait_for(self.reader, SOON_S)

    def numbers(self, table: Table) -> list[int]:
        return [update.number for update in self.updates[table.id]]


async def play_all(stream: Stream, tables: list[Table]) -> None:
    """Both seats of each match by what the stream tells the one seat that is attached, and by Legal for the other."""
    games = {table.id: table for table in tables}
    while games:
        for table in list(games.values()):
            newest = stream.updates[table.id][-1]
            if newest.HasField("ending"):
                del games[table.id]
                continue
            seat = newest.waiting_for[0]
            legal = await stream.house.stub.Legal(
                rules_pb2.LegalRequest(token=table.tokens[seat], match=table.id, seat=seat)
            )
            if not legal.HasField("decision"):
                continue
            request = table.request(seat, legal.decision.id, legal.decision.legal[0], want=rules_pb2.Want())
            await stream.play(request)
            await until(lambda id=request.command_id: id in stream.accepted)  # type: ignore[misc]
            number = stream.accepted[request.command_id].number
            if seat == 0:
                await until(lambda table=table, number=number: stream.numbers(table)[-1] >= number)  # type: ignore[misc]


async def test_many_matches_on_one_stream(house: House) -> None:
    tables = [await house.start("space-race", 2) for _ in range(MATCHES)]
    for number, table in enumerate(tables):
        table.numbers = iter(range(number * 1000, number * 1000 + 1000))
    stream = Stream(house)
    for table in tables:
        await stream.attach(table, 0)
    await until(lambda: len(stream.updates) == MATCHES)
    await play_all(stream, tables)
    await stream.end()
    assert not stream.rejected
    assert stream.largest <= EVENTS_PER_MESSAGE_MAX
    for table in tables:
        whole = await watched(house, table, 0)
        assert stream.numbers(table) == [update.number for update in whole]
        assert stream.updates[table.id][-1] == whole[-1]
    assert not any(room.followers for room in house.service.matches._rooms.values())


async def test_attach_detach_and_attach_again(house: House) -> None:
    table = await house.start("wild-space", 2)
    stream = Stream(house)
    await stream.attach(table, None)
    await until(lambda: stream.numbers(table) == [1])
    await stream.detach(table)
    await stream.detach(table)  # of what is not attached: nothing
    room = await house.service.matches.started(table.id)
    await until(lambda: room.followers == [])
    await play_on(house, table, most=10)
    newest = (await house.observe(table, None)).update.number
    assert stream.numbers(table) == [1]
    await stream.attach(table, None, after=1)
    await until(lambda: stream.numbers(table) == list(range(1, newest + 1)))
    await stream.attach(table, None, after=newest)  # attaching again replaces, and tells nothing twice
    await play_on(house, table)
    await until(lambda: stream.updates[table.id][-1].HasField("ending"))
    await stream.end()
    assert stream.numbers(table) == list(range(1, len(stream.numbers(table)) + 1))


async def test_attaching_as_another_viewer_replaces_the_first(house: House) -> None:
    table = await house.start("space-race", 2)
    stream = Stream(house)
    await stream.attach(table, None)
    await until(lambda: stream.numbers(table) == [1])
    await stream.attach(table, 1)
    await until(lambda: len(stream.numbers(table)) == 2)
    assert not stream.updates[table.id][0].HasField("decision")
    assert stream.updates[table.id][1].HasField("decision")
    room = await house.service.matches.started(table.id)
    assert [follower.viewer for follower in room.followers] == [1]
    await play_on(house, table, most=3)
    await stream.end()


async def test_a_rejected_attach_changes_nothing(house: House) -> None:
    table = await house.start("space-race", 2)
    stream = Stream(house)
    await stream.attach(table, 0)
    await stream.attach(table, 0, after=99)
    await stream.attach(table, 0, token="garbage")  # noqa: S106
    await until(lambda: len(stream.rejected) == 2)
    assert [(r.match, r.command_id, r.code) for r in stream.rejected] == [
        (table.id, "", "MALFORMED"),
        (table.id, "", "TOKEN_BAD"),
    ]
    await play_on(house, table)
    await until(lambda: stream.updates[table.id][-1].HasField("ending"))
    await stream.end()
    assert stream.numbers(table) == list(range(1, len(stream.numbers(table)) + 1))


async def test_several_viewers_on_several_streams(house: House) -> None:
    table = await house.start("wild-space", 3)
    streams = [Stream(house) for _ in range(4)]
    for seat, stream in zip((None, 0, 1, 2), streams, strict=True):
        await stream.attach(table, seat)
    await until(lambda: all(stream.updates for stream in streams))
    await play_on(house, table)
    for seat, stream in zip((None, 0, 1, 2), streams, strict=True):
        await stream.end()
        whole = await watched(house, table, seat)
        assert stream.numbers(table) == [update.number for update in whole]


async def test_plays_without_attaching_and_half_close_answers_everything_first(house: House) -> None:
    tables = [await house.start("wild-space", 2) for _ in range(40)]
    requests = []
    for table in tables:
        seat = (await house.asked(table))[0]
        decision = await house.decision(table, seat)
        requests.append(table.request(seat, decision.id, decision.legal[0], command_id=f"for {table.id}"))
    stream = Stream(house)
    await stream.play(*requests)
    await stream.end()
    assert set(stream.accepted) == {request.command_id for request in requests}
    assert not stream.updates
    assert not stream.rejected


async def test_rejected_plays_do_not_end_the_stream(house: House) -> None:
    table = await house.start("space-race", 2)
    decision = await house.decision(table, 0)
    good = table.request(0, decision.id, decision.legal[0], command_id="good")
    bad = {
        "stale": table.request(0, "x", decision.legal[0], command_id="stale"),
        "phase": table.request(0, decision.id, bid(0), command_id="phase"),
        "empty": table.request(0, decision.id, match_pb2.Move(), command_id="empty"),
        "token": table.request(0, decision.id, decision.legal[0], command_id="token", token="x"),  # noqa: S106
        "match": rules_pb2.PlayRequest(match="nowhere", command_id="match"),
    }
    stream = Stream(house)
    await stream.play(*bad.values())
    await until(lambda: len(stream.rejected) == len(bad))
    assert {r.command_id: (r.status, r.code) for r in stream.rejected} == {
        "stale": (grpc.StatusCode.ABORTED.value[0], "STALE"),
        "phase": (grpc.StatusCode.FAILED_PRECONDITION.value[0], "PHASE"),
        "empty": (grpc.StatusCode.INVALID_ARGUMENT.value[0], "MALFORMED"),
        "token": (grpc.StatusCode.UNAUTHENTICATED.value[0], "TOKEN_BAD"),
        "match": (grpc.StatusCode.NOT_FOUND.value[0], "NO_MATCH"),
    }
    await stream.play(good)
    await stream.end()
    assert list(stream.accepted) == ["good"]


class Failing(MemoryLog):
    """A log that fails in a way nobody foresaw, or is down, while told so."""

    failure: Exception | None = None

    async def append(self, *arguments: Any, **more: Any) -> bool:
        if self.failure is not None:
            raise self.failure
        return await super().append(*arguments, **more)

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        if self.failure is not None:
            raise self.failure
        return await super().read(match, after)


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [(RuntimeError("a bug"), 13, "INTERNAL"), (StoreDown("gone"), 14, "STORE")],
    ids=["bug", "down"],
)
async def test_what_fails_is_rejected_and_the_stream_goes_on(
    memory_world: Any, failure: Exception, status: int, code: str
) -> None:
    eventlog = Failing(PARTITIONS)
    house = await memory_world.house(eventlog)
    table, fresh = await house.start("space-race", 2), await house.start("space-race", 2)
    decision = await house.decision(table, 0)
    request = table.request(0, decision.id, decision.legal[0], command_id="one")
    stream = Stream(house)
    await stream.play(request)
    await until(lambda: "one" in stream.accepted)
    eventlog.failure = failure
    await stream.play(request)  # its first answer cannot be read
    await stream.play(table.request(1, "x", bid(0), command_id="two"))
    await stream.attach(fresh, 0)
    await until(lambda: len(stream.rejected) == 3)
    assert {(r.status, r.code) for r in stream.rejected} == {(status, code)}
    assert {r.command_id for r in stream.rejected} == {"one", "two", ""}
    eventlog.failure = None
    await stream.attach(fresh, 0)
    await until(lambda: stream.numbers(fresh) == [1])
    await stream.end()


async def test_flooding_is_bounded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """More plays than may be in flight are read only as fast as they are answered."""
    table = await house.start("space-race", 2)
    running = Counter[str]()
    play = Player.play

    async def counted(self: Any, request: rules_pb2.PlayRequest) -> match_pb2.Update:
        running["now"] += 1
        running["most"] = max(running["most"], running["now"])
        try:
            await asyncio.sleep(0.001)
            return await play(self, request)
        finally:
            running["now"] -= 1

    monkeypatch.setattr(Player, "play", counted)
    stream = Stream(house)
    flood = 2_000
    for first in range(0, flood, COMMANDS_PER_MESSAGE_MAX):
        ids = range(first, min(first + COMMANDS_PER_MESSAGE_MAX, flood))
        await stream.play(*(table.request(0, "x", bid(0), command_id=f"flood {id}") for id in ids))
    await stream.call.done_writing()
    await asyncio.wait_for(stream.reader, 20)
    assert sorted(r.command_id for r in stream.rejected) == sorted(f"flood {id}" for id in range(flood))
    assert 1 < running["most"] <= PLAYS_IN_FLIGHT_MAX


async def test_a_client_that_does_not_read_is_cut_off(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVENTS_WAITING_MAX", 20)
    table = await house.start("wild-space", 5)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{house.port}", [("grpc.http2.bdp_probe", 0)]) as channel:
        call: Any = house.stub.__class__(channel).Session()
        attach = rules_pb2.Attach(match=table.id, seat=0, token=table.tokens[0], want=WANT_ALL)
        await call.write(rules_pb2.SessionRequest(commands=[rules_pb2.Command(attach=attach)]))
        events = aiter(call)
        await anext(events)
        await play_on(house, table)
        room = await house.service.matches.started(table.id)
        async with refused("RESOURCE_EXHAUSTED", "SLOW"):
            async for _ in events:
                pass
    await until(lambda: room.followers == [])


async def test_attaching_to_much_history_is_not_slow(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was before may be more than what may wait: a client that reads gets all of it."""
    monkeypatch.setattr(module, "EVENTS_WAITING_MAX", 60)
    monkeypatch.setattr(module, "EVENTS_BEFORE_ATTACH_MAX", 30)
    tables = [await house.start("wild-space", 2) for _ in range(6)]
    for table in tables:
        await play_on(house, table)
    stream = Stream(house)
    await stream.send(*(rules_pb2.Command(attach=rules_pb2.Attach(match=table.id, want=WANT_ALL)) for table in tables))
    await stream.end()
    for table in tables:
        whole = await watched(house, table, None)
        assert len(whole) > 30
        assert stream.updates[table.id] == whole


async def test_matches_that_ended_take_no_place(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MATCHES_PER_SESSION_MAX", 2)
    tables = [await house.start("space-race", 2) for _ in range(4)]
    stream = Stream(house)
    await stream.attach(tables[0], 0)
    await stream.attach(tables[1], 0)
    await stream.attach(tables[2], 0)
    await until(lambda: len(stream.rejected) == 1)
    assert (stream.rejected[0].match, stream.rejected[0].code) == (tables[2].id, "MATCHES")
    await play_on(house, tables[0])
    await until(lambda: stream.updates[tables[0].id][-1].HasField("ending"))
    await stream.attach(tables[2], 0)
    await until(lambda: bool(stream.updates[tables[2].id]))
    await stream.detach(tables[1])
    await stream.attach(tables[0], None)  # ended already: told, and no place taken
    await stream.attach(tables[3], 0)
    await until(lambda: bool(stream.updates[tables[3].id]))
    await stream.end()
    assert len(stream.rejected) == 1


@pytest.mark.parametrize(
    "request_",
    [
        rules_pb2.SessionRequest(commands=[rules_pb2.Command()]),
        rules_pb2.SessionRequest(
            commands=[rules_pb2.Command(detach=rules_pb2.Detach())] * (COMMANDS_PER_MESSAGE_MAX + 1)
        ),
    ],
    ids=["empty command", "too many commands"],
)
async def test_a_malformed_command_ends_the_stream_with_a_clear_status(house: House, request_: Any) -> None:
    table = await house.start("space-race", 2)
    stream = Stream(house)
    await stream.attach(table, 0)
    await until(lambda: stream.numbers(table) == [1])
    await stream.call.write(request_)
    async with refused("INVALID_ARGUMENT", "MALFORMED"):
        await asyncio.wait_for(stream.reader, SOON_S)
    room = await house.service.matches.started(table.id)
    await until(lambda: room.followers == [])


async def test_bytes_that_are_no_message_end_the_stream_with_a_clear_status(house: House) -> None:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{house.port}") as channel:
        call: Any = channel.stream_stream("/starport.v1.RulesService/Session")()
        await call.write(b"\xff\xff\xff")
        async with refused("INVALID_ARGUMENT", "MALFORMED"):
            await asyncio.wait_for(call.read(), SOON_S)


async def test_a_client_that_goes_away_leaves_nothing_behind(house: House) -> None:
    tables = [await house.start("space-race", 2) for _ in range(5)]
    stream = Stream(house)
    for table in tables:
        await stream.attach(table, 0)
    await until(lambda: len(stream.updates) == 5)
    stream.call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stream.reader
    rooms = [await house.service.matches.started(table.id) for table in tables]
    await until(lambda: not any(room.followers for room in rooms))
    for table in tables:
        assert (await play_on(house, table)).last.HasField("ending")


async def test_plays_of_one_stream_are_taken_in_order(house: House) -> None:
    """A client may send its answers ahead where it knows them."""
    table = await house.start("space-race", 2)
    game, state = table.codec.game, table.codec.game.clone(await house.state(table))
    answered = Counter[int]()
    requests: list[rules_pb2.PlayRequest] = []
    while len(requests) < 20:
        seat = game.deciders(state)[0].seat
        move = game.default(state, seat)
        decision = decision_name(table.id, seat, answered[seat])
        requests.append(table.request(seat, decision, table.codec.encode_move(move)))
        game.play(state, seat, move)
        answered[seat] += 1
    stream = Stream(house)
    await stream.play(*requests)
    await stream.end()
    assert not stream.rejected
    assert game.same(await house.state(table), state)


async def test_draining_ends_a_session(memory_world: Any) -> None:
    house = await memory_world.house()
    table = await house.start("space-race", 2)
    stream = Stream(house)
    await stream.attach(table, 0)
    await until(lambda: stream.numbers(table) == [1])
    await house.stop()
    async with refused("UNAVAILABLE", "DRAINING"):
        await asyncio.wait_for(stream.reader, SOON_S)
