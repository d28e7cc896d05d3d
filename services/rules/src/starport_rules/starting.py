"""Preparing and starting a match: first the promise of a secret, then the nonces, then the deal."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from starport.v1 import match_pb2, rules_pb2
from starport_chassis.refusals import failed, invalid
from starport_eventlog import StoreDown, new_match_id
from starport_games.kernel.errors import BadInput
from starport_rules.gate import Gate
from starport_rules.match import Match, Proposal, first_record, second_record
from starport_rules.matches import Matches, lost_race, now_ms, store_down
from starport_rules.settings import (
    APPEND_TRIES_MAX,
    CARD_FILE_BYTES_MAX,
    NAME_CHARS_MAX,
    NONCE_BYTES_MAX,
    POSITION_BYTES_MAX,
)
from starport_wire.codec import open_codec, seat_count

SECRET_BYTES = 32
BANK_MS_MAX = 7 * 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Starter:
    """The use cases behind Prepare and Start."""

    matches: Matches
    gate: Gate

    async def prepare(self, request: rules_pb2.PrepareRequest) -> rules_pb2.PrepareResponse:
        self.gate.lobby(request.token)
        settings = self.matches.settings
        for _ in range(APPEND_TRIES_MAX):  # an id that is taken is next to impossible
            id = new_match_id(settings.partitions)
            record = first_record(id, secrets.token_bytes(SECRET_BYTES), now_ms())
            try:
                stored = await self.matches.eventlog.append(
                    id, 1, record.SerializeToString(), bus=None, ttl_s=settings.prepared_ttl_s
                )
            except StoreDown as why:
                raise store_down(why) from None
            if stored:
                return rules_pb2.PrepareResponse(match=id, commit=record.prepared.commit)
        raise lost_race()

    async def start(self, request: rules_pb2.StartRequest) -> None:
        """Starting twice with the same words is one start, so that a lobby may repeat a call that it lost."""
        self.gate.lobby(request.token)
        check(request.options, request.seats)
        room = await self.matches.room(request.match)
        async with room.lock:
            for _ in range(APPEND_TRIES_MAX):
                if room.match.started:
                    if same_start(room.match, request):
                        return
                    raise failed("STARTED", "this match was started already, with other options or seats")
                if await self.matches.commit(room, propose(room.match, request)) is not None:
                    return
        raise lost_race()


def propose(prepared: Match, request: rules_pb2.StartRequest) -> Proposal:
    try:
        record = second_record(prepared, request.options, request.seats, now_ms())
    except BadInput as why:
        raise invalid("MALFORMED", str(why)) from None
    after = Match(prepared.id)
    after.version, after.tip = prepared.version, prepared.tip
    after.secret, after.commit = prepared.secret, prepared.commit
    data = record.SerializeToString()
    return Proposal(record, data, after.fold(data), after)


def check(options: match_pb2.Options, seats: Sequence[match_pb2.SeatPlan]) -> None:
    """Everything that can be wrong with a start, in one clear line."""
    if len(options.card_file.encode()) > CARD_FILE_BYTES_MAX:
        raise invalid("MALFORMED", f"options.card_file: at most {CARD_FILE_BYTES_MAX} bytes")
    if len(options.position.encode()) > POSITION_BYTES_MAX:
        raise invalid("MALFORMED", f"options.position: at most {POSITION_BYTES_MAX} bytes")
    clock = options.clock
    if options.HasField("clock") and not (0 <= clock.bank_ms <= BANK_MS_MAX and 0 <= clock.free_ms <= BANK_MS_MAX):
        raise invalid("MALFORMED", f"options.clock: bank_ms and free_ms lie between 0 and {BANK_MS_MAX}")
    if options.HasField("clock") and clock.bank_ms + clock.free_ms == 0:
        raise invalid("MALFORMED", "options.clock: give a bank, free time or both")
    try:
        open_codec(options)
        needed = seat_count(options)
    except BadInput as why:
        raise invalid("MALFORMED", str(why)) from None
    if len(seats) != needed:
        raise invalid("MALFORMED", f"seats: this match has {needed}, not {len(seats)}")
    for seat, plan in enumerate(seats):
        check_seat(seat, plan)


def check_seat(seat: int, plan: match_pb2.SeatPlan) -> None:
    if plan.kind not in (match_pb2.SEAT_KIND_PLAYER, match_pb2.SEAT_KIND_HOUSE):
        raise invalid("MALFORMED", f"seats[{seat}].kind: PLAYER or HOUSE")
    if plan.kind == match_pb2.SEAT_KIND_HOUSE and not plan.bot:
        raise invalid("MALFORMED", f"seats[{seat}].bot: a house seat needs a bot")
    if plan.kind == match_pb2.SEAT_KIND_PLAYER and not plan.player:
        raise invalid("MALFORMED", f"seats[{seat}].player: a player's seat needs the player's id")
    if len(plan.nonce) > NONCE_BYTES_MAX:
        raise invalid("MALFORMED", f"seats[{seat}].nonce: at most {NONCE_BYTES_MAX} bytes")
    if max(len(plan.name), len(plan.player), len(plan.bot)) > NAME_CHARS_MAX:
        raise invalid("MALFORMED", f"seats[{seat}]: names have at most {NAME_CHARS_MAX} characters")


def same_start(match: Match, request: rules_pb2.StartRequest) -> bool:
    return match.options == request.options and [s.plan for s in match.seats] == list(request.seats)
