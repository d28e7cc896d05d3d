"""Fair deals and the hash chain: what anybody can check afterwards, and what happens to a log that was changed."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any

import pytest
import structlog

from starport.v1 import match_pb2, rules_pb2
from starport_eventlog import MemoryLog
from starport_games.kernel.deal import Deal, seed_key
from tests.harness.hands import SOON_S, bid, play_on, records_of, refused, watched
from tests.harness.rules import House


@pytest.mark.parametrize(("game", "seats"), [("wild-space", 1), ("wild-space", 4), ("space-race", 3)])
async def test_everybody_can_check_the_deal_from_what_was_told(house: House, game: str, seats: int) -> None:
    nonces = [f"nonce {seat}".encode() for seat in range(seats)]
    table = await house.start(game, seats, nonces=nonces)
    assert (await house.observe(table, None)).commit == table.commit
    await play_on(house, table)
    told = await watched(house, table, None)
    secret = told[-1].ending.secret
    observed = await house.observe(table, None)
    assert sha256(secret).digest() == table.commit == observed.commit
    assert [plan.nonce for plan in observed.seats] == nonces
    # docs/protocol.md, without the library's own function
    fields = [secret, table.id.encode(), *nonces]
    key = sha256(b"".join(len(part).to_bytes(4, "big") + part for part in fields)).digest()
    assert key == seed_key(secret, table.id, nonces)
    dealt = table.codec.first_state(Deal(key))
    records = await records_of(house, table)
    assert records[1].started.digest.hex() == table.codec.game.digest(dealt)
    assert [table.codec.encode_effect(e) for e in table.codec.game.opening(dealt)] == list(records[1].started.opening)


async def test_records_are_a_hash_chain(house: House) -> None:
    table = await house.start("wild-space", 2)
    await play_on(house, table)
    stored = await house.service.matches.eventlog.read(table.id)
    previous = b""
    for version, data in enumerate(stored, 1):
        record = match_pb2.Record.FromString(data)
        assert (record.version, record.previous) == (version, previous)
        previous = sha256(data).digest()


async def test_every_nonce_changes_the_deal(memory_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starport_rules.starting.new_match_id", lambda _: "00" + "a" * 16)
    monkeypatch.setattr("starport_rules.starting.secrets.token_bytes", lambda size: b"s" * size)
    digests: list[str] = []
    for nonces in ([b"a", b"b"], [b"a", b"b"], [b"a", b"c"], [b"ab", b""], [b"", b""]):
        house = await memory_world.house(MemoryLog(2))
        table = await house.start("space-race", 2, nonces=nonces)
        digests.append(table.codec.game.digest(await house.state(table)))
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


class Tampered(MemoryLog):
    """A log in which somebody changed a record."""

    def __init__(self, partitions: int) -> None:
        super().__init__(partitions)
        self.changes: dict[tuple[str, int], Any] = {}

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        records = await super().read(match, after)
        for (id, version), change in self.changes.items():
            if id == match and after < version <= after + len(records):
                record = match_pb2.Record.FromString(records[version - after - 1])
                change(record)
                records[version - after - 1] = record.SerializeToString()
        return records


def _other_move(record: match_pb2.Record) -> None:
    record.moved.move.space_race.pick.card = "crew-01"


def _other_time(record: match_pb2.Record) -> None:
    record.at_ms += 1


def _other_secret(record: match_pb2.Record) -> None:
    record.prepared.secret = b"x" * 32


def _other_commit(record: match_pb2.Record) -> None:
    record.prepared.secret = b"x" * 32
    record.prepared.commit = sha256(b"x" * 32).digest()


def _other_position(record: match_pb2.Record) -> None:
    record.started.seats[0].nonce = b"another"


def _no_event(record: match_pb2.Record) -> None:
    record.ClearField("event")


def _other_ending(record: match_pb2.Record) -> None:
    record.moved.ending.secret = b"x" * 32


def _no_ending(record: match_pb2.Record) -> None:
    record.moved.ClearField("ending")


FIRST, SECOND, MIDDLE, LAST = 1, 2, 9, 0
CHANGES = [
    (FIRST, _other_secret),
    (FIRST, _other_commit),
    (SECOND, _other_position),
    (SECOND, _other_time),
    (MIDDLE, _other_move),
    (MIDDLE, _other_time),
    (MIDDLE, _no_event),
    (LAST, _other_ending),
    (LAST, _no_ending),
]


@pytest.mark.parametrize(("version", "change"), CHANGES)
async def test_a_changed_record_is_seen_and_other_matches_go_on(memory_world: Any, version: int, change: Any) -> None:
    eventlog = Tampered(2)
    house = await memory_world.house(eventlog)
    table, other = await house.start("space-race", 2), await house.start("space-race", 2)
    await play_on(house, table)
    await play_on(house, other, most=5)
    version = version or len(await eventlog.read(table.id))
    eventlog.changes[table.id, version] = change
    fresh = await memory_world.house(eventlog)
    with structlog.testing.capture_logs() as logged:
        async with refused("INTERNAL", "INTERNAL"):
            await fresh.observe(table, None)
        async with refused("INTERNAL", "INTERNAL"):
            await watched(fresh, table, 0)
        request = table.request(0, "x", bid(0))
        async with refused("INTERNAL", "INTERNAL"):
            await fresh.stub.Play(request)
    errors = [line for line in logged if line["log_level"] == "error"]
    assert errors
    assert any("LogBroken" in repr(line.get("exc_info")) for line in errors), errors
    assert (await play_on(fresh, other)).last.HasField("ending")


async def test_followers_of_a_log_that_breaks_are_cut_off_and_told_nothing_twice(memory_world: Any) -> None:
    eventlog = Tampered(2)
    house, fresh = await memory_world.house(eventlog), await memory_world.house(eventlog)
    table = await house.start("space-race", 2)
    stream = fresh.stub.Watch(rules_pb2.WatchRequest(match=table.id))
    first = (await anext(aiter(stream))).update
    assert first.number == 1
    eventlog.changes[table.id, 3] = _other_time
    await play_on(house, table, most=1)  # this replica wrote it and knows it unchanged
    eventlog.changes[table.id, 3] = _no_event
    await play_on(house, table, most=1)
    numbers = [first.number]
    async with asyncio.timeout(SOON_S), refused("INTERNAL", "INTERNAL"):
        async for response in stream:
            numbers.append(response.update.number)
    assert numbers == list(range(1, len(numbers) + 1))
