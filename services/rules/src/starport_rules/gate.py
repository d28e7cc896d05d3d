"""Who may do what in a match: tokens against seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from starport.v1 import match_pb2
from starport_chassis.refusals import denied
from starport_chassis.tokens import SeatClaims, ServiceTokens, TokenVerifier, kind_of
from starport_games.kernel.effects import SPECTATOR
from starport_rules.match import Match

LOBBY = "lobby"
HOUSE = "house"
TOKENS_SORTED_MAX = 10_000

token_kind = lru_cache(maxsize=TOKENS_SORTED_MAX)(kind_of)


@dataclass(frozen=True, slots=True)
class Gate:
    """Checks tokens; every refusal is a Refused."""

    players: TokenVerifier
    services: ServiceTokens

    def lobby(self, token: str) -> None:
        if self.services.verify(token) != LOBBY:
            raise denied("NOT_YOURS", "only the lobby prepares and starts matches")

    async def seat(self, token: str, match: Match, seat: int) -> match_pb2.Mover.ValueType:
        """Who answers for this seat with this token."""
        if token_kind(token) == "service":
            house = seat < len(match.seats) and match.seats[seat].house
            if self.services.verify(token) != HOUSE or not house:
                raise not_yours()
            return match_pb2.MOVER_HOUSE
        claims = await self.players.seat(token)
        if not fits(claims, match, seat):
            raise not_yours()
        return match_pb2.MOVER_OWNER

    async def viewer(self, token: str, match: Match, seat: int | None) -> int:
        """As whom this token may look: a seat, or the spectator."""
        if seat is not None:
            await self.seat(token, match, seat)
            return seat
        if match.options.private and (await self.players.seat(token)).match != match.id:
            raise not_yours()
        return SPECTATOR


def fits(claims: SeatClaims, match: Match, seat: int) -> bool:
    return claims.match == match.id and claims.seat == seat and seat < len(match.seats)


def not_yours() -> Exception:
    return denied("NOT_YOURS", "this token is not for this seat of this match")
