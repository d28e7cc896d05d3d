"""What viewers are told: the one place where facts and positions of a match become messages."""

from __future__ import annotations

from collections.abc import Iterable

from starport.v1 import match_pb2, rules_pb2
from starport_games.kernel.contract import Duty
from starport_games.kernel.effects import shown
from starport_rules.match import Match, Step

DUTIES = {Duty.MUST: match_pb2.DUTY_MUST, Duty.MAY: match_pb2.DUTY_MAY}


def told(match: Match, step: Step, viewer: int, number: int) -> match_pb2.Update:
    """A step as this viewer may know it, without what only the newest update carries."""
    encode = match.codec.encode_effect
    update = match_pb2.Update(match=match.id, number=number, effects=map(encode, shown(step.effects, viewer)))
    if step.seat_changed is not None:
        update.seats.append(step.seat_changed)
    if step.ending is not None:
        update.ending.CopyFrom(step.ending)
    return update


def add_newest(
    update: match_pb2.Update, match: Match, viewer: int, want: rules_pb2.Want, house_wait_ms: int
) -> match_pb2.Update:
    """Adds what holds now: who is asked, the viewer's own decision, and the position where it is wanted."""
    game = match.codec.game
    view = game.view(match.state, viewer)
    if want.view:
        update.view.CopyFrom(match.codec.encode_state(view))
    if match.ended:
        return update
    for decider in game.deciders(view):
        update.waiting_for.append(decider.seat)
    if viewer in match.deciding:
        fill_decision(update.decision, match, viewer, want.legal, house_wait_ms)
    return update


def decision_of(match: Match, seat: int, house_wait_ms: int) -> match_pb2.Decision | None:
    """The question that this seat is asked now, with all its answers."""
    if seat not in match.deciding:
        return None
    decision = match_pb2.Decision()
    fill_decision(decision, match, seat, True, house_wait_ms)
    return decision


def fill_decision(decision: match_pb2.Decision, match: Match, seat: int, legal: bool, house_wait_ms: int) -> None:
    decision.id = match.decision_id(seat)
    decision.duty = DUTIES[match.deciding[seat]]
    if match.clock is not None:
        decision.deadline_ms = match.deadline(seat, house_wait_ms)
        decision.bank_ms = match.seats[seat].bank_ms
    if legal:
        seen = match.codec.game.view(match.state, seat)
        decision.legal.extend(map(match.codec.encode_move, match.codec.game.legal(seen, seat)))


def history(match_id: str, records: Iterable[bytes], viewer: int, after: int) -> list[match_pb2.Update]:
    """The viewer's updates with a number past `after`, from the records of the log alone."""
    match = Match(match_id)
    updates: list[match_pb2.Update] = []
    for data in records:
        before = match.number(viewer) if match.started else 0
        step = match.fold(data, check_digest=False)
        number = match.number(viewer) if match.started else 0
        if number > max(before, after):
            updates.append(told(match, step, viewer, number))
    return updates
