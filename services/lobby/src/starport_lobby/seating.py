"""Tables and seats: creating, looking, listing, sitting down, leaving, inviting and entering."""

from __future__ import annotations

from dataclasses import dataclass

from starport.v1 import lobby_pb2, match_pb2
from starport_chassis.refusals import failed
from starport_chassis.tokens import PlayerClaims, TokenSigner, TokenVerifier
from starport_games import registry
from starport_games.kernel.errors import BadInput
from starport_lobby.choices import Choice, check_bot, check_bots, check_nonce, check_options, listed, malformed
from starport_lobby.players import now_ms
from starport_lobby.settings import LIST_DEFAULT, LIST_MAX, LIST_PAGE, SWEEP_MAX
from starport_lobby.shelf import Tables, refuse_full
from starport_lobby.starting import Starter
from starport_lobby.store import Label, Shelf, Stored
from starport_lobby.table import Status, Table, lay_seats, leave, message, must_sit, sit

SHELVES = {
    lobby_pb2.TABLE_STATUS_UNSPECIFIED: Shelf.OPEN,
    lobby_pb2.TABLE_STATUS_OPEN: Shelf.OPEN,
    lobby_pb2.TABLE_STATUS_STARTED: Shelf.STARTED,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What lets a player into a match."""

    match: str
    seat: int | None
    token: str


@dataclass(frozen=True, slots=True)
class Seating:
    """The use cases behind the calls about tables."""

    tables: Tables
    starter: Starter
    signer: TokenSigner
    verifier: TokenVerifier

    async def create(self, request: lobby_pb2.CreateTableRequest) -> Stored:
        player = await self.verifier.player(request.token)
        choice = check_options(request.options)
        bots = check_bots(request.bots, choice)
        nonce = check_nonce(request.nonce)
        refuse_full(await self.tables.store.room_left(player.id, now_ms()), self.tables.settings)
        prepared = await self.starter.prepare()
        table = lay_table(prepared, player, choice, bots, nonce, start_when_full=request.start_when_full)
        added = await self.tables.add(table, choice.options)
        return await self.starter.start_if_full(added)

    async def get(self, request: lobby_pb2.GetTableRequest) -> Stored:
        """Anyone may look at a public table; the looks of those who sit there keep it."""
        player = (await self.verifier.player(request.token)).id if request.token else ""
        invited = await self._invited(request.table, request.invitation)
        found = await self.tables.find(request.table, player, invited=invited)
        return await self.tables.push_back(found) if player in found.table.sitting else found

    async def sit(self, request: lobby_pb2.SitRequest) -> tuple[Stored, int]:
        player = await self.verifier.player(request.token)
        invited = await self._invited(request.table, request.invitation)
        wanted = request.seat if request.HasField("seat") else None
        return await self.take_seat(request.table, player, check_nonce(request.nonce), wanted, invited=invited)

    async def take_seat(
        self, id: str, player: PlayerClaims, nonce: bytes, wanted: int | None, *, invited: bool = False
    ) -> tuple[Stored, int]:
        seated = await self.tables.change(
            id, lambda table: sit(table, player.id, player.name, nonce, wanted)[0], player.id, invited=invited
        )
        found = await self.starter.start_if_full(seated)
        return found, must_sit(found.table, player.id)

    async def start(self, request: lobby_pb2.StartTableRequest) -> Stored:
        player = await self.verifier.player(request.token)
        if request.bot:
            check_bot(request.bot, "bot")
        return await self.starter.start(request.table, player.id, request.bot)

    async def leave(self, request: lobby_pb2.LeaveRequest) -> None:
        player = await self.verifier.player(request.token)
        await self.tables.change(request.table, lambda table: leave(table, player.id), player.id)

    async def invite(self, request: lobby_pb2.InviteRequest) -> str:
        player = await self.verifier.player(request.token)
        found = await self.tables.find(request.table, player.id)
        must_sit(found.table, player.id)
        return self.signer.invitation(found.table.id, self.tables.settings.invitation_s)

    async def enter(self, request: lobby_pb2.EnterMatchRequest) -> Entry:
        """A seat's token for who sits there, a watcher's for others."""
        player = await self.verifier.player(request.token)
        invited = await self._invited(request.table, request.invitation)
        found = await self.tables.find(request.table, player.id, invited=invited)
        seat = found.table.seat_of(player.id)
        if seat is not None:
            found = await self.tables.push_back(await self.starter.finish(found))
        table = found.table
        if table.status not in (Status.STARTED, Status.ENDED):
            raise failed("NOT_STARTED", "this table has not begun")
        return Entry(table.id, seat, self.signer.seat(table.id, seat, player.id, self.tables.settings.seat_token_s))

    async def _invited(self, id: str, invitation: str) -> bool:
        """A false invitation is refused before anybody looks whether the table exists."""
        return bool(invitation) and (await self.verifier.invitation(invitation)).table == id

    # ------------------------------------------------------------------------------------------------------------ lists

    async def list_tables(self, request: lobby_pb2.ListTablesRequest) -> list[lobby_pb2.Table]:
        if request.status not in SHELVES:
            raise malformed("status: OPEN or STARTED")
        if request.game:
            try:
                registry.find(request.game)
            except BadInput as why:
                raise malformed(f"game: {why}") from None
        player = (await self.verifier.player(request.token)).id if request.mine else ""
        most = min(request.limit or LIST_DEFAULT, LIST_MAX)
        found = await self._newest(SHELVES[request.status], player, request.game, request.seats, most)
        return [
            message(one.table, match_pb2.Options.FromString(one.table.listed), one.expires_ms) for one in found[:most]
        ]

    async def _newest(self, shelf: Shelf, player: str, game: str, seats: int, most: int) -> list[Stored]:
        """At least as many as asked for, if there are; page by page, for filters may leave few of a page."""
        found: list[Stored] = []
        gone: list[Label] = []
        start = 0
        while len(found) < most and (page := await self.tables.store.newest(shelf, player, start, LIST_PAGE, now_ms())):
            start += len(page)
            wanted = [label for label in page if fits(label, player, game, seats)]
            tables = await self.tables.store.read_listed([label.id for label in wanted], now_ms())
            found += [table for table in tables if table is not None]
            gone += [label for label, table in zip(wanted, tables, strict=True) if table is None]
        for label in gone[:SWEEP_MAX]:
            await self.tables.store.heal(label, now_ms())
        return found


def fits(label: Label, player: str, game: str, seats: int) -> bool:
    if label.private and not player:
        return False
    return game in ("", label.game) and seats in (0, label.players)


def lay_table(
    prepared: tuple[str, bytes],
    player: PlayerClaims,
    choice: Choice,
    bots: tuple[str, ...],
    nonce: bytes,
    *,
    start_when_full: bool,
) -> Table:
    """A new table with its host on seat 0."""
    id, commit = prepared
    options = choice.options
    bare = Table(
        id=id,
        host=player.id,
        game=choice.game,
        players=choice.players,
        private=options.private,
        quick=not (options.private or options.card_file or options.position),
        start_when_full=start_when_full,
        commit=commit,
        created_ms=now_ms(),
        listed=listed(options).SerializeToString(),
        seats=lay_seats(choice.seats, bots),
    )
    return sit(bare, player.id, player.name, nonce, 0)[0]
