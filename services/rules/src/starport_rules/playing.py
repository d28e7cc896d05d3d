"""Answering a decision: check, append, tell. Nobody hears of a move before it is stored."""

from __future__ import annotations

from dataclasses import dataclass

from starport.v1 import match_pb2, rules_pb2
from starport_chassis.refusals import Refused, aborted, failed, invalid
from starport_games.kernel.errors import BadInput
from starport_rules.gate import Gate, not_yours
from starport_rules.match import Match, Proposal, Refusing
from starport_rules.matches import Matches, Room, lost_race, now_ms
from starport_rules.settings import APPEND_TRIES_MAX, COMMAND_ID_CHARS_MAX
from starport_rules.telling import add_newest, told

OWN_COMMANDS = "starport:"  # command ids that begin so are the host's


@dataclass(frozen=True, slots=True)
class Player:
    """The use case behind Play and behind the plays of a session."""

    matches: Matches
    gate: Gate

    async def play(self, request: rules_pb2.PlayRequest) -> match_pb2.Update:
        """The update that the move became; a repeated command gets the first answer again."""
        room = await self.matches.started(request.match)
        mover = await self.gate.seat(request.token, room, request.seat)
        check_command(request.command_id, mover)
        move = decode(room.match, request.move)
        async with room.lock:
            if room.dated:
                await self.matches.catch_up(room)
            for _ in range(APPEND_TRIES_MAX):
                version = room.match.commands.get((request.seat, request.command_id))
                if version is not None:
                    return await self._again(room.match, version, request)
                if mover == match_pb2.MOVER_OWNER and room.match.seats[request.seat].absent and not room.match.ended:
                    await self._seat_back(room, request.seat)
                    continue
                try:
                    proposal = propose(room.match, request, move, mover)
                except Refused:
                    if not await self.matches.behind(room):
                        raise
                    continue
                update = await self._store(room, request, proposal)
                if update is not None:
                    return update
        raise lost_race()

    async def _store(self, room: Room, request: rules_pb2.PlayRequest, proposal: Proposal) -> match_pb2.Update | None:
        step = await self.matches.commit(room, proposal)
        if step is None:
            return None
        after, seat = room.match, request.seat
        update = told(after, step, seat, after.number(seat))
        return add_newest(update, after, seat, request.want, self.matches.settings.house_wait_ms)

    async def _again(self, match: Match, version: int, request: rules_pb2.PlayRequest) -> match_pb2.Update:
        """The answer of long ago, derived from the log once more."""
        records = await self.matches.read(match.id)
        then = Match(match.id)
        for data in records[: version - 1]:
            then.fold(data, check_digest=False)
        step = then.fold(records[version - 1])
        update = told(then, step, request.seat, then.number(request.seat))
        return add_newest(update, then, request.seat, request.want, self.matches.settings.house_wait_ms)

    async def _seat_back(self, room: Room, seat: int) -> None:
        await self.matches.commit(room, room.match.propose_seat_change(seat, False, now_ms()))

    async def take_back(self, request: rules_pb2.TakeBackRequest) -> None:
        """The owner is here again; the house bot lets go of the seat."""
        room = await self.matches.started(request.match)
        mover = await self.gate.seat(request.token, room, request.seat)
        if mover != match_pb2.MOVER_OWNER:
            raise failed("NOT_ABSENT", "a house bot has nothing to take back")
        async with room.lock:
            await self.matches.catch_up(room)
            for _ in range(APPEND_TRIES_MAX):
                if room.match.ended:
                    raise failed("OVER", "the match is over")
                if not room.match.seats[request.seat].absent:
                    return
                await self._seat_back(room, request.seat)
        raise lost_race()


def decode(match: Match, move: match_pb2.Move) -> int:
    try:
        return match.codec.decode_move(move)
    except BadInput as why:
        raise invalid("MALFORMED", str(why)) from None


def propose(match: Match, request: rules_pb2.PlayRequest, move: int, mover: match_pb2.Mover.ValueType) -> Proposal:
    """The record of the answer, as far as this replica knows the match; Refused when it cannot be."""
    seat = request.seat
    if match.ended:
        raise failed("OVER", "the match is over")
    if mover == match_pb2.MOVER_HOUSE and not match.seats[seat].house:
        raise not_yours()  # its owner came back while the house bot was waiting
    if request.decision_id != match.decision_id(seat):
        raise aborted("STALE", "this is not the decision that the seat is asked; look at the newest update")
    try:
        return match.propose_move(seat, move, mover, request.command_id, now_ms())
    except Refusing as why:
        raise failed(why.refusal.code, why.refusal.why) from None


def check_command(id: str, mover: match_pb2.Mover.ValueType) -> None:
    if not 0 < len(id) <= COMMAND_ID_CHARS_MAX:
        raise invalid("MALFORMED", f"command_id: 1 to {COMMAND_ID_CHARS_MAX} characters, chosen anew for every move")
    if mover == match_pb2.MOVER_OWNER and id.startswith(OWN_COMMANDS):
        raise invalid("MALFORMED", f"command_id: {OWN_COMMANDS!r} begins the ids of the host alone")
