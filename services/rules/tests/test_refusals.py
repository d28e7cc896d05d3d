"""Every bad request gets the documented status and code, writes nothing, and leaves the service up."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import jwt
import pytest

from starport.v1 import match_pb2, rules_pb2, space_race_pb2, wild_space_pb2
from starport_chassis import ServiceTokens
from tests.harness.hands import bid, play_on, refused
from tests.harness.rules import SERVICE_KEY, House, Table, new_signer

UINT32_MAX = (1 << 32) - 1
UINT64_MAX = (1 << 64) - 1

Ways = dict[str, tuple[str, tuple[str, str]]]
MISSING = ("UNAUTHENTICATED", "TOKEN_MISSING")
BAD = ("UNAUTHENTICATED", "TOKEN_BAD")
EXPIRED = ("UNAUTHENTICATED", "TOKEN_EXPIRED")
NOT_YOURS = ("PERMISSION_DENIED", "NOT_YOURS")
NO_MATCH = ("NOT_FOUND", "NO_MATCH")
MALFORMED = ("INVALID_ARGUMENT", "MALFORMED")
STALE = ("ABORTED", "STALE")


def bad_tokens(house: House, table: Table, other: Table) -> Ways:
    """Tokens with which seat 0 must not be played or looked at."""
    signer = house.signer
    good = table.tokens[0]
    head, body, signature = good.split(".")
    return {
        "none": ("", MISSING),
        "garbage": ("garbage", BAD),
        "garbage with dots": ("a.b.c", BAD),
        "not even text": ("\x00\ud7ff" * 50, BAD),
        "long garbage": ("x" * 5_000, BAD),
        "changed body": (f"{head}.{body[:-2]}AA.{signature}", BAD),
        "changed signature": (f"{head}.{body}.{'A' * len(signature)}", BAD),
        "unsigned": (jwt.encode({"sub": "p0", "match": table.id, "seat": 0}, "", algorithm="none"), BAD),
        "of another key": (new_signer().seat(table.id, 0, "p0"), BAD),
        "expired": (signer.seat(table.id, 0, "p0", ttl_s=-60), EXPIRED),
        "of a player": (signer.player("p0", "name", False), BAD),
        "an invitation": (signer.invitation("table"), BAD),
        "of a watcher": (signer.seat(table.id, None, "p0"), NOT_YOURS),
        "of another seat": (table.tokens[1], NOT_YOURS),
        "of another match": (other.tokens[0], NOT_YOURS),
        "of the lobby": (house.services.mint("lobby"), NOT_YOURS),
        "of the house, whose seat it is not": (house.services.mint("house"), NOT_YOURS),
        "of another house": (ServiceTokens("another service key, long enough too").mint("house"), BAD),
    }


def bad_matches() -> Ways:
    ids = {
        "empty": "",
        "malformed": "nonsense",
        "path": "../../etc/passwd",
        "long": "x" * 10_000,
        "key": "{00}:match:x",
        "unknown": "00" + "a" * 16,
        "other partition": "99" + "a" * 16,
        "unicode digits": "٠٠" + "a" * 16,
    }
    return {name: (id, NO_MATCH) for name, id in ids.items()}


def bad_moves() -> dict[str, tuple[match_pb2.Move, tuple[str, str]]]:
    race, wild = space_race_pb2.SpaceRaceMove, wild_space_pb2.WildSpaceMove
    return {
        "none": (match_pb2.Move(), MALFORMED),
        "empty": (match_pb2.Move(space_race=race()), MALFORMED),
        "of another game": (match_pb2.Move(wild_space=wild(end_turn=wild.EndTurn())), MALFORMED),
        "no card": (match_pb2.Move(space_race=race(pick=race.Pick(face=space_race_pb2.CARD_FACE_UP))), MALFORMED),
        "no face": (match_pb2.Move(space_race=race(pick=race.Pick(card="crew-01"))), MALFORMED),
        "unknown face": (match_pb2.Move(space_race=race(pick=race.Pick(card="x", face=9))), MALFORMED),  # type: ignore[arg-type]
        "huge number": (bid(UINT32_MAX), MALFORMED),
        "unknown faction": (match_pb2.Move(space_race=race(ship=race.ChooseShip(cockpit="x", engine="y"))), MALFORMED),
        "unknown card": (
            match_pb2.Move(space_race=race(pick=race.Pick(card="x" * 1000, face=space_race_pb2.CARD_FACE_UP))),
            ("FAILED_PRECONDITION", "CARD"),
        ),
        "not now": (bid(1), ("FAILED_PRECONDITION", "PHASE")),
    }


class Scene:
    """A match in progress, and whether anything was written to it."""

    def __init__(self, house: House) -> None:
        self.house = house

    async def prepare(self) -> None:
        self.table = await self.house.start("space-race", 2)
        self.other = await self.house.start("space-race", 2)
        await play_on(self.house, self.table, most=4)
        self.decision = await self.house.decision(self.table, 0)
        self.before = await self.snapshot()

    async def snapshot(self) -> Any:
        eventlog = self.house.service.matches.eventlog
        logs = [await eventlog.read(table.id) for table in (self.table, self.other)]
        state = await self.house.state(self.table)
        return logs, self.table.codec.game.digest(state)

    async def refuses(self, name: str, call: Awaitable[Any], expected: tuple[str, str]) -> None:
        async with refused() as refusal:
            await call
        assert refusal.both == expected, (name, refusal)
        assert refusal.message, name
        assert "\n" not in refusal.message, name

    async def check_unchanged(self) -> None:
        assert await self.snapshot() == self.before
        assert (await play_on(self.house, self.table)).last.HasField("ending")


@pytest.fixture
async def scene(house: House) -> Scene:
    scene = Scene(house)
    await scene.prepare()
    return scene


def calls(stub: Any, token: str, match: str, seat: int, play: rules_pb2.PlayRequest) -> dict[str, Callable[[], Any]]:
    """Everything that a seat can ask for, with this token, match and seat."""
    request = rules_pb2.PlayRequest()
    request.CopyFrom(play)
    request.token, request.match, request.seat = token, match, seat
    one: dict[str, Any] = {"token": token, "match": match, "seat": seat}
    return {
        "Play": lambda: stub.Play(request),
        "Legal": lambda: stub.Legal(rules_pb2.LegalRequest(**one)),
        "Observe": lambda: stub.Observe(rules_pb2.ObserveRequest(**one)),
        "Watch": lambda: anext(aiter(stub.Watch(rules_pb2.WatchRequest(**one)))),
        "TakeBack": lambda: stub.TakeBack(rules_pb2.TakeBackRequest(**one)),
        "Attach": lambda: attach(stub, rules_pb2.Attach(**one)),
        "Play of a session": lambda: session_play(stub, request),
    }


async def attach(stub: Any, request: rules_pb2.Attach) -> None:
    await in_session(stub, rules_pb2.Command(attach=request))


async def session_play(stub: Any, request: rules_pb2.PlayRequest) -> None:
    await in_session(stub, rules_pb2.Command(play=request))


async def in_session(stub: Any, command: rules_pb2.Command) -> None:
    """One command on a stream of its own; its rejection as the error that the unary call would have had."""

    async def commands() -> Any:
        yield rules_pb2.SessionRequest(commands=[command])

    async for response in stub.Session(commands()):
        for event in response.events:
            if event.HasField("rejected"):
                rejected = event.rejected
                status = next(status for status in grpc.StatusCode if status.value[0] == rejected.status)
                trailing = grpc.aio.Metadata(("starport-code", rejected.code))
                raise grpc.aio.AioRpcError(status, grpc.aio.Metadata(), trailing, details=rejected.message)


async def test_bad_tokens(scene: Scene) -> None:
    house, table = scene.house, scene.table
    play = table.request(0, scene.decision.id, scene.decision.legal[0])
    for name, (token, expected) in bad_tokens(house, table, scene.other).items():
        for method, call in calls(house.stub, token, table.id, 0, play).items():
            await scene.refuses(f"{name}: {method}", call(), expected)
    await scene.check_unchanged()


async def test_bad_service_tokens(scene: Scene) -> None:
    stub = scene.house.stub
    table = scene.table
    start: dict[str, Any] = {"match": table.id, "options": table.options}
    tokens: Ways = {
        "none": ("", MISSING),
        "garbage": ("x", BAD),
        "of a seat": (table.tokens[0], BAD),
        "of the house": (scene.house.services.mint("house"), NOT_YOURS),
        "of another house": (ServiceTokens("another service key, long enough too").mint("lobby"), BAD),
    }
    for name, (token, expected) in tokens.items():
        await scene.refuses(name, stub.Prepare(rules_pb2.PrepareRequest(token=token)), expected)
        await scene.refuses(name, stub.Start(rules_pb2.StartRequest(token=token, **start)), expected)
    await scene.check_unchanged()


async def test_expired_service_tokens(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    monkeypatch.setattr("starport_chassis.tokens.time.time", lambda: real() - 3600)
    old = ServiceTokens(SERVICE_KEY).mint("lobby")
    monkeypatch.undo()
    await scene.refuses("old", scene.house.stub.Prepare(rules_pb2.PrepareRequest(token=old)), EXPIRED)
    await scene.check_unchanged()


async def test_bad_match_ids(scene: Scene) -> None:
    table = scene.table
    play = table.request(0, scene.decision.id, scene.decision.legal[0])
    for name, (id, expected) in bad_matches().items():
        for method, call in calls(scene.house.stub, table.tokens[0], id, 0, play).items():
            await scene.refuses(f"{name}: {method}", call(), expected)
    assert len(scene.house.service.matches) <= 2  # nothing is remembered of matches that are none
    await scene.check_unchanged()


async def test_a_match_that_is_only_prepared_is_none_yet(scene: Scene) -> None:
    house = scene.house
    lobby = house.services.mint("lobby")
    match = (await house.stub.Prepare(rules_pb2.PrepareRequest(token=lobby))).match
    play = scene.table.request(0, "x", bid(0))
    for method, call in calls(house.stub, house.signer.seat(match, 0, "p0"), match, 0, play).items():
        await scene.refuses(method, call(), NO_MATCH)
    await scene.check_unchanged()


async def test_bad_seats(scene: Scene) -> None:
    house, table = scene.house, scene.table
    play = table.request(0, scene.decision.id, scene.decision.legal[0])
    for seat in (2, 7, UINT32_MAX):
        tokens = (table.tokens[0], house.signer.seat(table.id, seat, "p0"), house.services.mint("house"))
        for token in tokens:
            for method, call in calls(house.stub, token, table.id, seat, play).items():
                await scene.refuses(f"{seat}: {method}", call(), NOT_YOURS)
    await scene.check_unchanged()


async def test_bad_moves(scene: Scene) -> None:
    stub, table = scene.house.stub, scene.table
    moves = bad_moves()
    moves["of another hand"] = (await scene.house.decision(table, 1)).legal[0], ("FAILED_PRECONDITION", "CARD")
    for name, (move, expected) in moves.items():
        request = table.request(0, scene.decision.id, move)
        await scene.refuses(name, stub.Play(request), expected)
        await scene.refuses(name, session_play(stub, request), expected)
    await scene.check_unchanged()


async def test_bad_decisions_and_command_ids(scene: Scene) -> None:
    stub, table, decision = scene.house.stub, scene.table, scene.decision
    move = decision.legal[0]
    for id in ("", "x", decision.id[:-1], decision.id + "0", decision.id.upper() + " ", "x" * 10_000):
        await scene.refuses(f"decision {id}", stub.Play(table.request(0, id, move)), STALE)
    stranger = (await scene.house.decision(scene.other, 0)).id
    await scene.refuses("another match's", stub.Play(table.request(0, stranger, move)), STALE)
    for command in ("", "x" * 65, "starport:", "starport:clock:7"):
        request = table.request(0, decision.id, move, command_id=command)
        await scene.refuses(f"command {command}", stub.Play(request), MALFORMED)
    await scene.check_unchanged()


async def test_an_answered_decision_is_stale(scene: Scene) -> None:
    stub, table = scene.house.stub, scene.table
    await stub.Play(table.request(0, scene.decision.id, scene.decision.legal[0]))
    scene.before = await scene.snapshot()
    request = table.request(0, scene.decision.id, scene.decision.legal[-1])
    await scene.refuses("answered", stub.Play(request), STALE)
    await scene.check_unchanged()


async def test_nothing_can_be_answered_after_the_end(scene: Scene) -> None:
    stub, table = scene.house.stub, scene.table
    await play_on(scene.house, table)
    before = await scene.snapshot()
    over = ("FAILED_PRECONDITION", "OVER")
    await scene.refuses("play", stub.Play(table.request(0, scene.decision.id, scene.decision.legal[0])), over)
    await scene.refuses("play", stub.Play(table.request(0, "x", bid(0))), over)
    take_back = rules_pb2.TakeBackRequest(token=table.tokens[0], match=table.id, seat=0)
    await scene.refuses("take back", stub.TakeBack(take_back), over)
    legal = await stub.Legal(rules_pb2.LegalRequest(token=table.tokens[0], match=table.id, seat=0))
    assert not legal.HasField("decision")
    assert await scene.snapshot() == before


async def test_numbers_that_nobody_was_told(scene: Scene) -> None:
    stub, table = scene.house.stub, scene.table
    newest = (await scene.house.observe(table, 0)).update.number
    for after in (newest + 1, UINT64_MAX):
        one: dict[str, Any] = {"token": table.tokens[0], "match": table.id, "seat": 0, "after": after}
        await scene.refuses("watch", anext(aiter(stub.Watch(rules_pb2.WatchRequest(**one)))), MALFORMED)
        await scene.refuses("attach", attach(stub, rules_pb2.Attach(**one)), MALFORMED)
    await scene.check_unchanged()


async def test_bytes_that_are_no_message_and_messages_that_are_too_big(scene: Scene) -> None:
    house = scene.house
    async with grpc.aio.insecure_channel(f"127.0.0.1:{house.port}") as channel:
        for method in ("Prepare", "Start", "Play", "Legal", "Observe", "TakeBack"):
            raw: Any = channel.unary_unary(f"/starport.v1.RulesService/{method}")
            for garbage in (b"\xff\xff\xff", b"\x0a\x7f", b"\x0a\x02\xff\xfe"):
                await scene.refuses(method, raw(garbage), MALFORMED)
            await scene.refuses(method, raw(b""), MISSING if method in ("Prepare", "Start") else NO_MATCH)
            async with refused("RESOURCE_EXHAUSTED", ""):  # gRPC itself does not take it in
                await raw(bytes(300 * 1024))
        watch: Any = channel.unary_stream("/starport.v1.RulesService/Watch")
        await scene.refuses("Watch", anext(aiter(watch(b"\xff\xff\xff"))), MALFORMED)
    request = scene.table.request(0, scene.decision.id, bid(0), command_id="x" * 300_000)
    async with refused("RESOURCE_EXHAUSTED", ""):
        await house.stub.Play(request)
    await scene.check_unchanged()
