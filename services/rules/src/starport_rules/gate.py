"""Who may do what in a match: tokens against seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from starport.v1 import match_pb2
from starport_chassis.refusals import denied
from starport_chassis.tokens import SeatClaims, ServiceTokens, TokenVerifier, kind_of
from starport_games.kernel.effects import SPECTATOR
from starport_rules.match import Match
from starport_rules.matches import Matches, Room

LOBBY = "lobby"
HOUSE = "house"
TOKENS_SORTED_MAX = 10_000

token_kind = lru_cache(maxsize=TOKENS_SORTED_MAX)(kind_of)


@dataclass(frozen=True, slots=True)
class Gate:
    """Checks tokens; every refusal is a Refused."""

    matches: Matches
    players: TokenVerifier
    services: ServiceTokens

    def lobby(self, token: str) -> None:
        if self.services.verify(token) != LOBBY:
            raise denied("NOT_YOURS", "only the lobby prepares and starts matches")

    async def seat(self, token: str, room: Room, seat: int) -> match_pb2.Mover.ValueType:
        """Who answers for this seat with this token."""
        if token_kind(token) == "service":
            await self._house(token, room, seat)
            return match_pb2.MOVER_HOUSE
        claims = await self.players.seat(token)
        if not fits(claims, room.match, seat):
            raise not_yours()
        return match_pb2.MOVER_OWNER

    async def _house(self, token: str, room: Room, seat: int) -> None:
        if self.services.verify(token) != HOUSE or seat >= len(room.match.seats):
            raise not_yours()
        if not room.match.seats[seat].house:
            await self.matches.refresh(room)
            if not room.match.seats[seat].house:
                raise not_yours()

    async def viewer(self, token: str, room: Room, seat: int | None) -> int:
        """As whom this token may look: a seat, or the spectator."""
        match = room.match
        if seat is not None:
            await self.seat(token, room, seat)
            return seat
        if match.options.private and (await self.players.seat(token)).match != match.id:
            raise not_yours()
        return SPECTATOR


def fits(claims: SeatClaims, match: Match, seat: int) -> bool:
    return claims.match == match.id and claims.seat == seat and seat < len(match.seats)


def not_yours() -> Exception:
    return denied("NOT_YOURS", "this token is not for this seat of this match")
