"""Quick matches: any seat at a fitting public table, or a new table for others to find.

A new table is stored only if none of its kind waits, and those who look for one at the same lobby take turns. So
players who come at once meet, instead of each waiting alone.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from starport.v1 import lobby_pb2
from starport_chassis.refusals import Refused
from starport_chassis.tokens import PlayerClaims
from starport_lobby.choices import Choice, check_bots, check_nonce, check_options, check_quick
from starport_lobby.players import now_ms
from starport_lobby.seating import Seating, lay_table
from starport_lobby.settings import QUICK_LOOKS_AT, QUICK_TRIES_MAX
from starport_lobby.shelf import lost_race, refuse_full
from starport_lobby.store import Label, Stored
from starport_lobby.table import must_sit, sit

# Somebody was faster at that table: look for another.
MISSED = ("TABLE_FULL", "STARTED", "RACE")


@dataclass(frozen=True, slots=True)
class Seeker:
    player: PlayerClaims
    choice: Choice
    nonce: bytes


@dataclass(frozen=True, slots=True)
class QuickMatch:
    """The use case behind QuickMatch."""

    seating: Seating
    _turns: WeakValueDictionary[tuple[str, int], asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def find(self, request: lobby_pb2.QuickMatchRequest) -> tuple[Stored, int]:
        player = await self.seating.verifier.player(request.token)
        choice = check_options(request.options)
        check_quick(request.options)
        seeker = Seeker(player, choice, check_nonce(request.nonce))
        kind = (choice.game, choice.players)
        turn = self._turns.get(kind)
        if turn is None:
            turn = self._turns[kind] = asyncio.Lock()
        async with turn:
            found = await self._seat(seeker)
        started = await self.seating.starter.start_if_full(found)
        return started, must_sit(started.table, player.id)

    async def _seat(self, seeker: Seeker) -> Stored:
        prepared: tuple[str, bytes] | None = None
        tables = self.seating.tables
        for _ in range(QUICK_TRIES_MAX):
            waiting = await tables.store.waiting(seeker.choice.game, seeker.choice.players, QUICK_LOOKS_AT)
            for label in waiting:
                found = await self._try(label, seeker)
                if found is not None:
                    return found
            if waiting:
                continue
            if prepared is None:
                refuse_full(await tables.store.room_left(seeker.player.id, now_ms()), tables.settings)
                prepared = await self.seating.starter.prepare()
            bots = check_bots((), seeker.choice)
            table = lay_table(prepared, seeker.player, seeker.choice, bots, seeker.nonce, start_when_full=True)
            added = await tables.add_first(table, seeker.choice.options)
            if added is not None:
                return added
        raise lost_race()

    async def _try(self, label: Label, seeker: Seeker) -> Stored | None:
        """A seat at this table; a player who waits there already gets the same again."""
        player = seeker.player
        try:
            return await self.seating.tables.change(
                label.id, lambda table: sit(table, player.id, player.name, seeker.nonce, None)[0], player.id
            )
        except Refused as refused:
            if refused.code == "NO_TABLE":
                await self.seating.tables.store.heal(label, now_ms())
            elif refused.code not in MISSED:
                raise
            return None
