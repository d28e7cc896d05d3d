"""A match through gRPC is the match of the library: the same moves give the same position, deal and count."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from starport.v1 import match_pb2, rules_pb2
from starport_games.kernel.deal import Deal
from starport_wire.codec import encode_scores, make_options, open_codec, seat_count
from tests.conformance.tables import TABLES, Table, samples
from tests.harness.hands import Played, play_on, refused, replayed
from tests.harness.rules import House, plans_for
from tests.harness.rules import Table as Begun


def own_cards(game: str) -> str:
    """A card file of one's own: the shipped one with another card, or with other constants."""
    text = files(f"starport_games.{game.replace('-', '_')}").joinpath("cards.toml").read_text(encoding="utf-8")
    changes = {"wild-space": ('id = "bear-01"', 'id = "yeti-01"'), "space-race": ("rounds = 3", "rounds = 2")}
    before, after = changes[game]
    assert text.count(before) == 1
    return text.replace(before, after)


async def check_against_library(house: House, table: Begun, played: Played, nonces: list[bytes]) -> Any:
    ending = played.last.ending
    game = table.codec.game
    state, alone = await house.state(table), replayed(table, ending.secret, nonces, played.moves)
    assert game.over(alone)
    assert game.same(alone, state)
    assert game.digest(alone) == game.digest(state)
    assert list(ending.scores) == encode_scores(game.score(alone))
    return alone


@pytest.mark.parametrize("table", TABLES, ids=str)
async def test_a_match_through_grpc_is_the_match_of_the_library(house: House, table: Table) -> None:
    options = make_options(table.name, table.seats, dict(table.settings))
    nonces = [bytes([seat]) * (seat * 7) for seat in range(seat_count(options))]
    begun = await house.start_with(options, nonces=nonces)
    played = await play_on(house, begun, seed=table.seats)
    await check_against_library(house, begun, played, nonces)


@pytest.mark.parametrize("table", TABLES, ids=str)
async def test_a_match_from_a_position_goes_on_as_in_the_library(memory_house: House, table: Table) -> None:
    house, game = memory_house, table.game
    for number, state in enumerate(samples(table)[1::3]):
        begun = await house.start(table.name, table.seats, dict(table.settings), position=game.position_text(state))
        assert game.same(await house.state(begun), state)
        played = await play_on(house, begun, seed=number)
        assert played.last.ending.secret == b""  # it decided nothing
        await check_against_library(house, begun, played, [])


@pytest.mark.parametrize(("game", "seats"), [("wild-space", 1), ("wild-space", 3), ("space-race", 2)])
async def test_a_match_with_a_card_file_of_ones_own(house: House, game: str, seats: int) -> None:
    text = own_cards(game)
    table = await house.start(game, seats, card_file=text)
    played = await play_on(house, table, seed=5)
    nonces = [b""] * seats
    await check_against_library(house, table, played, nonces)
    shipped = open_codec(make_options(game, seats))
    dealt = table.codec.first_state(Deal(bytes(32)))
    if game == "wild-space":
        assert "yeti-01" in table.codec.game.position_text(dealt)
    else:
        state = replayed(replace(table, codec=shipped), played.last.ending.secret, nonces, played.moves)
        assert not shipped.game.over(state)  # the shipped game has a third round
    begun = await house.start(game, seats, card_file=text, position=table.codec.game.position_text(dealt))
    played = await play_on(house, begun, seed=6)
    await check_against_library(house, begun, played, nonces)


async def test_a_start_may_be_repeated_but_not_changed(house: House) -> None:
    lobby = house.services.mint("lobby")
    options = make_options("space-race", 2)
    plans = plans_for(options, {})
    match = (await house.stub.Prepare(rules_pb2.PrepareRequest(token=lobby))).match
    request = rules_pb2.StartRequest(token=lobby, match=match, options=options, seats=plans)
    await house.stub.Start(request)
    await house.stub.Start(request)
    request.seats[1].nonce = b"late"
    async with refused("FAILED_PRECONDITION", "STARTED"):
        await house.stub.Start(request)
    assert len(await house.service.matches.eventlog.read(match)) == 2


def changed(options: match_pb2.Options, **fields: Any) -> match_pb2.Options:
    other = match_pb2.Options()
    other.CopyFrom(options)
    other.MergeFrom(match_pb2.Options(**fields))
    return other


RACE = make_options("space-race", 2)
BAD_OPTIONS = {
    "no game": match_pb2.Options(seats=2),
    "no seats": make_options("space-race", 0),
    "too many seats": make_options("space-race", 5),
    "huge seats": make_options("wild-space", (1 << 32) - 1),
    "card file is no TOML": changed(RACE, card_file="not toml"),
    "card file too big": changed(RACE, card_file="#" * (128 * 1024 + 1)),
    "position of nothing": changed(RACE, position="game: chess"),
    "position too big": changed(RACE, position="#" * (64 * 1024 + 1)),
    "no time at all": changed(RACE, clock=match_pb2.Clock()),
    "negative time": changed(RACE, clock=match_pb2.Clock(bank_ms=-1, free_ms=5)),
    "endless time": changed(RACE, clock=match_pb2.Clock(bank_ms=1 << 62)),
}
PLAN = match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER, player="p", name="n")
BAD_PLANS = {
    "nobody": [],
    "one too few": [PLAN],
    "one too many": [PLAN] * 3,
    "no kind": [PLAN, match_pb2.SeatPlan(player="p")],
    "no player": [PLAN, match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER)],
    "no bot": [PLAN, match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_HOUSE)],
    "long nonce": [PLAN, match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER, player="p", nonce=b"x" * 65)],
    "long name": [PLAN, match_pb2.SeatPlan(kind=match_pb2.SEAT_KIND_PLAYER, player="p", name="x" * 41)],
}


async def test_a_bad_start_is_refused_in_one_line_and_leaves_the_match_prepared(memory_house: House) -> None:
    house = memory_house
    lobby = house.services.mint("lobby")
    match = (await house.stub.Prepare(rules_pb2.PrepareRequest(token=lobby))).match
    good = plans_for(RACE, {})
    cases = [(name, options, good) for name, options in BAD_OPTIONS.items()]
    cases += [(name, RACE, plans) for name, plans in BAD_PLANS.items()]
    for name, options, plans in cases:
        request = rules_pb2.StartRequest(token=lobby, match=match, options=options, seats=plans)
        async with refused() as refusal:
            await house.stub.Start(request)
        assert refusal.both == ("INVALID_ARGUMENT", "MALFORMED"), name
        assert refusal.message
        assert "\n" not in refusal.message
    for bad, other in (("", "NOT_FOUND"), ("x" * 18, "NOT_FOUND"), ("99" + "a" * 16, "NOT_FOUND")):
        async with refused(other, "NO_MATCH"):
            await house.stub.Start(rules_pb2.StartRequest(token=lobby, match=bad, options=RACE, seats=good))
    assert len(await house.service.matches.eventlog.read(match)) == 1
    await house.stub.Start(rules_pb2.StartRequest(token=lobby, match=match, options=RACE, seats=good))
