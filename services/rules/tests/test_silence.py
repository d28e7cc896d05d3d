"""What leaves no trace: declined questions, others' decisions, the secret and the nonces before the end."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from starport.v1 import match_pb2, rules_pb2
from starport_games.kernel.deal import seed_key
from starport_rules.match import public_options
from tests.conformance.helpers import HELPERS
from tests.conformance.tables import TABLES, Table
from tests.harness.hands import play_on, until, watched, watching
from tests.harness.rules import House

QUIET_TABLES = [table for table in TABLES if table.name == "wild-space" and table.seats in (2, 3, 5)]


@pytest.mark.rule("WS-INFO-8", "WS-INFO-15")
@pytest.mark.parametrize("table", QUIET_TABLES, ids=str)
async def test_declined_questions_of_others_leave_no_trace(memory_house: House, table: Table) -> None:
    house = memory_house
    begun = await house.start(table.name, table.seats)
    chance = random.Random(7)  # noqa: S311  # any moves will do
    counts: dict[int | None, int] = {}

    async def count(seat: int | None) -> None:
        async for response in watching(house, begun, seat):
            counts[seat] = response.update.number

    chairs = [None, *range(table.seats)]
    tasks = [asyncio.create_task(count(seat)) for seat in chairs]
    await until(lambda: len(counts) == len(chairs))
    unseen = 0
    while asked := await house.asked(begun):
        seat = asked[0]
        decision = await house.decision(begun, seat)
        move = chance.choice(decision.legal)
        state = await house.state(begun)
        quiet = HELPERS[table.name].unseen(state, begun.codec.decode_move(move))
        others = [other for other in chairs if other != seat]
        before = [(await house.observe(begun, other)).SerializeToString(deterministic=True) for other in others]
        known = [counts[other] for other in others]
        await house.stub.Play(begun.request(seat, decision.id, move))
        if not quiet:
            number = {other: (await house.observe(begun, other)).update.number for other in chairs}
            await until(lambda number=number: counts == number)  # type: ignore[misc]
            continue
        unseen += 1
        after = [(await house.observe(begun, other)).SerializeToString(deterministic=True) for other in others]
        assert after == before
        assert [counts[other] for other in others] == known
        own = (await house.observe(begun, seat)).update.number
        await until(lambda own=own, seat=seat: counts[seat] == own)  # type: ignore[misc]
    assert unseen, "no unseen answer was met: the test proved nothing"
    await asyncio.wait_for(asyncio.gather(*tasks), 5)
    # and nothing of them in what is told from the log afterwards
    for seat in chairs:
        numbers = [update.number for update in await watched(house, begun, seat)]
        assert numbers == list(range(1, counts[seat] + 1))


class Ears:
    """Everything that anybody is told of a match before it ends."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def hear(self, message: Any) -> Any:
        self.heard.append(message.SerializeToString())
        return message


@pytest.mark.parametrize("table", TABLES[::2], ids=str)
async def test_secret_key_and_nonces_are_told_only_at_the_end(memory_house: House, table: Table) -> None:
    house = memory_house
    ears = Ears()
    nonces = [f"the nonce of seat {seat}".encode() for seat in range(2 if table.seats == 1 else table.seats)]
    begun = await house.start(table.name, table.seats, dict(table.settings), nonces=nonces)
    nonces = nonces[: len(begun.tokens)]
    match = (await house.service.matches.started(begun.id)).match
    secret, key = match.secret, seed_key(match.secret, begun.id, nonces)
    chairs = [None, *range(len(begun.tokens))]
    streams = [watching(house, begun, seat) for seat in chairs]
    endings: list[match_pb2.Ending] = []

    async def listen(stream: Any) -> None:
        async for response in stream:
            if response.update.HasField("ending"):
                endings.append(response.update.ending)
            else:
                ears.hear(response)

    tasks = [asyncio.create_task(listen(stream)) for stream in streams]
    over = False
    turn = 0
    while not over:
        turn += 1
        for seat in chairs if turn % 10 == 0 else ():
            ears.hear(await house.observe(begun, seat))
            if seat is not None:
                ears.hear(
                    await house.stub.Legal(rules_pb2.LegalRequest(token=begun.tokens[seat], match=begun.id, seat=seat))
                )
        last = (await play_on(house, begun, seed=turn, most=1)).last
        over = last.HasField("ending")
        if not over:
            ears.hear(last)
    await asyncio.gather(*tasks)
    everything = b"\n".join(ears.heard)
    assert len(ears.heard) > 20
    for word in (secret, key, *nonces, secret.hex().encode(), key.hex().encode()):
        assert word not in everything
    assert {ending.secret for ending in endings} == {secret}
    assert len(endings) == len(chairs)
    assert [plan.nonce for plan in (await house.observe(begun, None)).seats] == nonces


@pytest.mark.parametrize("table", TABLES[::3], ids=str)
async def test_only_the_seat_itself_is_told_its_decision(memory_house: House, table: Table) -> None:
    house = memory_house
    begun = await house.start(table.name, table.seats, dict(table.settings))
    game = begun.codec.game
    met = 0
    for turn in range(60):
        state = await house.state(begun)
        if game.over(state):
            break
        assert not (await house.observe(begun, None)).update.HasField("decision")
        for seat in range(len(begun.tokens)):
            decision = (await house.observe(begun, seat)).update.decision
            legal = game.legal(state, seat)
            assert [begun.codec.decode_move(move) for move in decision.legal] == legal
            assert bool(decision.id) == bool(legal)
            met += bool(legal)
        await play_on(house, begun, seed=turn, most=1)
    assert met > 20


async def test_a_position_is_told_to_nobody(memory_house: House) -> None:
    """It holds every hand and the generator."""
    source = await memory_house.start("space-race", 2)
    await play_on(memory_house, source, most=5)
    text = source.codec.game.position_text(await memory_house.state(source))
    begun = await memory_house.start("space-race", 2, position=text, card_file="")
    for seat in (None, 0, 1):
        seen = await memory_house.observe(begun, seat)
        assert not seen.options.position
        assert seen.options == public_options(begun.options)
        assert b"deal:" not in seen.SerializeToString()
