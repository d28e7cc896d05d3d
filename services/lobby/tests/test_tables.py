"""Tables: what they are made of, who sees them, and the lists."""

from __future__ import annotations

from pathlib import Path

import pytest

import starport_games.wild_space
from services.lobby.tests.house import SIGNER, House, Lobby, Status, refused, space_race, wild_space
from starport.v1 import lobby_pb2 as pb
from starport.v1 import match_pb2
from starport_games import registry
from starport_games.kernel.deal import Deal
from starport_lobby.settings import CARD_FILE_BYTES_MAX, LIST_MAX, POSITION_BYTES_MAX

CARDS = (Path(starport_games.wild_space.__file__).parent / "cards.toml").read_text(encoding="utf-8")
PLAYER, HOUSE = match_pb2.SEAT_KIND_PLAYER, match_pb2.SEAT_KIND_HOUSE


def seats(table: pb.Table) -> list[tuple[int, str, str]]:
    return [(seat.kind, seat.player, seat.bot) for seat in table.seats]


async def test_a_new_table(house: House, lobby: Lobby) -> None:
    ada = await lobby.guest("Ada")
    table = await ada.create(wild_space(3), nonce=b"mine")
    assert table.commit == house.rules.prepared[table.id]  # promised by the rules service, under the id of the match
    assert table.host == ada.id
    assert table.status == pb.TABLE_STATUS_OPEN
    assert table.options == wild_space(3)
    assert seats(table) == [(PLAYER, ada.id, ""), (PLAYER, "", ""), (PLAYER, "", "")]
    assert table.seats[0].name == "Ada"
    assert table.created_ms < table.expires_ms <= table.created_ms + 1805 * 1000
    assert await (await lobby.guest()).get(table.id) == table
    assert b"mine" not in table.SerializeToString()


async def test_anybody_may_look_at_a_public_table(lobby: Lobby) -> None:
    table = await (await lobby.guest()).create()
    assert (await lobby.stub.GetTable(pb.GetTableRequest(table=table.id))).table == table


async def test_bots_sit_on_the_last_seats(lobby: Lobby) -> None:
    ada = await lobby.guest()
    table = await ada.create(space_race(4), bots=["random", "greedy"])
    assert seats(table) == [(PLAYER, ada.id, ""), (PLAYER, "", ""), (HOUSE, "", "random"), (HOUSE, "", "greedy")]


@pytest.mark.parametrize(("bots", "smuggler"), [([], "greedy"), (["random"], "random")])
async def test_the_smuggler_is_always_of_the_house(lobby: Lobby, bots: list[str], smuggler: str) -> None:
    ada = await lobby.guest()
    table = await ada.create(wild_space(1, {"smuggler": "seat"}), bots=bots)
    assert seats(table) == [(PLAYER, ada.id, ""), (HOUSE, "", smuggler)]


async def test_options_that_make_no_match(lobby: Lobby) -> None:
    ada = await lobby.guest()
    strange = wild_space(1)
    strange.wild_space.difficulty = 77  # type: ignore[assignment]
    for options, says in (
        (match_pb2.Options(seats=2), "options without a game"),
        (wild_space(6), "seats"),
        (wild_space(0), "seats"),
        (space_race(1), "seats"),
        (strange, "difficulty"),
        (wild_space(2, card_file="not a card file"), "card file"),
        (wild_space(2, position="no position"), "position"),
        (wild_space(2, card_file="#" * (CARD_FILE_BYTES_MAX + 1)), "card_file"),
        (wild_space(2, position="#" * (POSITION_BYTES_MAX + 1)), "position"),
        (wild_space(2, clock=match_pb2.Clock()), "clock"),
        (wild_space(2, clock=match_pb2.Clock(bank_ms=-1, free_ms=5)), "clock"),
        (wild_space(2, clock=match_pb2.Clock(bank_ms=1 << 40)), "clock"),
    ):
        async with refused(Status.INVALID_ARGUMENT, "MALFORMED", says):
            await ada.create(options)
        async with refused(Status.INVALID_ARGUMENT, "MALFORMED", says):
            await ada.quick(options)
    assert await lobby.ids() == []


async def test_bots_and_nonces_that_cannot_be(house: House, lobby: Lobby) -> None:
    ada = await lobby.guest()
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "bots[1]: there is no house bot 'clever'"):
        await ada.create(wild_space(4), bots=["greedy", "clever"])
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "at most 1"):
        await ada.create(wild_space(2), bots=["greedy", "greedy"])
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "nonce"):
        await ada.create(nonce=bytes(65))
    assert not house.rules.prepared


async def test_tables_that_nobody_knows(lobby: Lobby) -> None:
    ada = await lobby.guest()
    for id in ("", "nothing", "00aaaaaaaaaaaaaaaa", "x" * 5000, "*", "a b\nc"):
        for call in (ada.get, ada.sit, ada.leave, ada.start, ada.invite, ada.enter):
            async with refused(Status.NOT_FOUND, "NO_TABLE"):
                await call(id)


async def test_a_card_file_of_ones_own(lobby: Lobby) -> None:
    ada = await lobby.guest()
    options = wild_space(2, card_file=CARDS.replace('name = "Frontier"', 'name = "My own cards"', 1))
    table = await ada.create(options)
    assert table.options == options
    assert (await ada.get(table.id)).options == options
    [listed] = await lobby.tables()
    assert listed.options.card_file == "My own cards"
    assert listed.options.wild_space == options.wild_space


async def test_lists_with_filters(lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    wild2 = (await ada.create(wild_space(2))).id
    wild3 = (await bob.create(wild_space(3))).id
    race3 = (await ada.create(space_race(3))).id
    begun = (await bob.create(wild_space(2), bots=["greedy"])).id
    await bob.start(begun)
    assert await lobby.ids() == [race3, wild3, wild2]
    assert await lobby.ids(status=pb.TABLE_STATUS_OPEN) == [race3, wild3, wild2]
    assert await lobby.ids(game="wild-space") == [wild3, wild2]
    assert await lobby.ids(seats=3) == [race3, wild3]
    assert await lobby.ids(game="space-race", seats=3) == [race3]
    assert await lobby.ids(game="space-race", seats=2) == []
    assert await lobby.ids(limit=2) == [race3, wild3]
    assert await lobby.ids(limit=1_000_000) == [race3, wild3, wild2]
    assert await lobby.ids(status=pb.TABLE_STATUS_STARTED) == [begun]
    assert await ada.mine() == [race3, wild2]
    assert await ada.mine(game="wild-space") == [wild2]
    assert await ada.mine(status=pb.TABLE_STATUS_STARTED) == []
    assert await bob.mine(status=pb.TABLE_STATUS_STARTED) == [begun]
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "there is no game"):
        await lobby.tables(game="chess")
    async with refused(Status.INVALID_ARGUMENT, "MALFORMED", "status"):
        await lobby.tables(status=77)


async def test_lists_are_read_page_by_page(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starport_lobby.seating.LIST_PAGE", 3)
    lobby = await house.open(tables_per_player_max=50)
    ada = await lobby.guest()
    made = [(await ada.create(wild_space(2 + i % 2))).id for i in range(11)]
    assert await lobby.ids() == made[::-1]
    assert await lobby.ids(seats=2) == made[::2][::-1]
    assert await lobby.ids(seats=3, limit=4) == made[1::2][::-1][:4]
    assert LIST_MAX >= 11


async def test_a_private_table_is_not_there_for_others(lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    table = (await ada.create(wild_space(2, private=True))).id
    assert await lobby.ids() == []
    assert await ada.mine() == [table]
    assert await bob.mine() == []
    assert (await ada.get(table)).id == table
    other = await ada.invite((await ada.create()).id)
    for invitation in ("", other, SIGNER.invitation("00aaaaaaaaaaaaaaaa")):
        for call in (bob.get(table, invitation), bob.sit(table, invitation=invitation), bob.enter(table, invitation)):
            async with refused(Status.NOT_FOUND, "NO_TABLE"):
                await call
    for gone in (bob.leave(table), bob.invite(table), bob.start(table)):
        async with refused(Status.NOT_FOUND, "NO_TABLE"):
            await gone
    async with refused(Status.NOT_FOUND, "NO_TABLE"):
        await lobby.stub.GetTable(pb.GetTableRequest(table=table))


async def test_a_false_invitation_does_not_tell_whether_there_is_a_table(lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    private = (await ada.create(wild_space(2, private=True))).id
    expired = SIGNER.invitation(private, ttl_s=-3600)
    for table in (private, "00aaaaaaaaaaaaaaaa"):
        for invitation, code in (("nonsense", "TOKEN_BAD"), (bob.token, "TOKEN_BAD"), (expired, "TOKEN_EXPIRED")):
            sitting = bob.sit(table, invitation=invitation)
            for call in (bob.get(table, invitation), sitting, bob.enter(table, invitation)):
                async with refused(Status.UNAUTHENTICATED, code):
                    await call


async def test_an_invitation_opens_a_private_table(lobby: Lobby) -> None:
    ada, bob, eve = await lobby.guests(3)
    table = (await ada.create(wild_space(2, private=True))).id
    invitation = await ada.invite(table)
    assert (await bob.get(table, invitation)).id == table
    assert (await bob.sit(table, invitation=invitation)).seat == 1
    assert (await bob.get(table)).id == table  # who sits there needs it no more
    again = await bob.invite(table)
    await ada.start(table)
    entry = await eve.enter(table, again)
    assert not entry.HasField("seat")
    assert await lobby.ids(status=pb.TABLE_STATUS_STARTED) == []
    assert await bob.mine(status=pb.TABLE_STATUS_STARTED) == [table]


async def test_only_who_sits_invites(lobby: Lobby) -> None:
    ada, bob = await lobby.guests(2)
    table = (await ada.create()).id
    async with refused(Status.FAILED_PRECONDITION, "NOT_SEATED"):
        await bob.invite(table)


async def test_a_player_has_so_many_tables(house: House) -> None:
    lobby = await house.open(tables_per_player_max=2)
    ada, bob = await lobby.guests(2)
    first, second = (await ada.create(wild_space(3))).id, (await bob.create(wild_space(3))).id
    await ada.sit(second)
    third = (await bob.create(wild_space(3))).id
    prepared = len(house.rules.prepared)
    for call in (ada.create(), ada.sit(third), ada.quick(space_race(2)), ada.quick(wild_space(4))):
        async with refused(Status.RESOURCE_EXHAUSTED, "TOO_MANY_TABLES"):
            await call
    assert len(house.rules.prepared) == prepared  # who has no room does not even have one prepared
    await ada.sit(second)  # nothing new
    await ada.leave(first)
    await ada.sit(third)
    await bob.start(third, "greedy")  # a started table does not count
    await ada.create()


async def test_the_house_has_so_many_tables(house: House) -> None:
    lobby = await house.open(tables_max=2)
    people = await lobby.guests(4)
    for person in people[:2]:
        await person.create()
    for call in (people[2].create(), people[2].quick(space_race(2))):
        async with refused(Status.RESOURCE_EXHAUSTED, "TABLES_FULL"):
            await call
    await people[2].sit((await people[0].mine())[0])  # sitting down is always possible
    await people[1].leave((await people[1].mine())[0])
    await people[3].create()


async def test_without_the_rules_service_there_is_no_table(house: House, lobby: Lobby) -> None:
    ada = await lobby.guest()
    house.rules.prepare_fails = [(Status.UNAVAILABLE, "down"), (Status.INTERNAL, "broken")]
    for call in (ada.create(), ada.quick()):
        async with refused(Status.UNAVAILABLE, "UPSTREAM"):
            await call
    await house.stop_rules()
    async with refused(Status.UNAVAILABLE, "UPSTREAM"):
        await ada.create()
    assert await lobby.ids() == []


async def test_a_position_is_not_shown(lobby: Lobby) -> None:
    """It would show every hand."""
    ada = await lobby.guest()
    game = registry.find("wild-space")
    position = game.position_text(game.start(game.options({}), 2, Deal(bytes(32))))
    table = await ada.create(wild_space(2, position=position))
    assert table.options.position == "game: wild-space"
    assert (await lobby.tables())[0].options.position == "game: wild-space"
