"""A match folded from its records: pure bookkeeping around an engine state, without any waiting.

Records go in through `fold`; what the service wants to add comes out of `propose_*` as a Proposal. A proposal changes
nothing until the log has said yes and the very same record is folded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from starport.v1 import bus_pb2, match_pb2
from starport_games.kernel.contract import Duty, Refusal
from starport_games.kernel.deal import Deal, commitment, seed_key
from starport_games.kernel.effects import SPECTATOR, Effect, shown
from starport_wire.codec import Codec, encode_scores, game_name, open_codec

DECISION_ID_CHARS = 16
NO_DEADLINE = 0
NO_OPTIONS = match_pb2.Options()
RETURN_BANK_PART = 4  # who comes back has at least this part of the bank again


class LogBroken(RuntimeError):
    """A stored record does not follow from those before it. This is a bug or tampering: it is seen, never skipped."""


class Refusing(Exception):
    """The engine refused a move."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code}: {refusal.why}")
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Step:
    """What one record brought, as far as viewers are concerned."""

    version: int
    effects: list[Effect] = field(default_factory=list)
    seat_changed: match_pb2.SeatChanged | None = None
    ending: match_pb2.Ending | None = None

    def visible_to(self, viewer: int) -> bool:
        return self.seat_changed is not None or self.ending is not None or bool(shown(self.effects, viewer))


@dataclass(frozen=True, slots=True)
class Proposal:
    """A record that would be the next one, and the match as it would then be."""

    record: match_pb2.Record
    data: bytes
    step: Step
    after: Match


class Seating:
    """One seat of a started match: who plays it and how it answers."""

    __slots__ = ("absent", "answered", "asked_ms", "bank_ms", "bot", "plan", "timeouts")

    def __init__(self, plan: match_pb2.SeatPlan, bank_ms: int, bot: bool) -> None:
        self.plan = plan
        self.bot = bot  # a house bot plays it from the beginning
        self.bank_ms = bank_ms
        self.absent = False
        self.answered = 0  # decisions answered so far, by whomever
        self.asked_ms = 0  # since when the open decision waits; 0 while none is open
        self.timeouts = 0  # in a row

    def copy(self) -> Seating:
        copy = Seating(self.plan, self.bank_ms, self.bot)
        copy.absent = self.absent
        copy.answered = self.answered
        copy.asked_ms = self.asked_ms
        copy.timeouts = self.timeouts
        return copy

    @property
    def house(self) -> bool:
        """Whether a house bot answers for it now."""
        return self.absent or self.bot


class Match:
    """One match at its newest known version."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.version = 0
        self.tip = b""  # SHA-256 of the last record
        self.secret = b""
        self.commit = b""
        self.started_ms = 0
        self.ended = False
        self.options = NO_OPTIONS
        self.clock: match_pb2.Clock | None = None
        self.codec: Codec
        self.state: Any = None
        self.seats: list[Seating] = []
        self.commands: dict[tuple[int, str], int] = {}  # (seat, command id) -> version
        self.numbers: list[int] = []  # updates seen so far: the spectator's first, then by seat
        self.deciding: dict[int, Duty] = {}  # the seats that are asked now

    @property
    def started(self) -> bool:
        return self.started_ms > 0

    def viewers(self) -> range:
        return range(SPECTATOR, len(self.seats))

    def number(self, viewer: int) -> int:
        return self.numbers[viewer + 1]

    # -- folding

    def fold(self, data: bytes, *, check_digest: bool = True) -> Step:
        """Take the next stored record in."""
        record = match_pb2.Record.FromString(data)
        if record.version != self.version + 1 or record.previous != self.tip:
            raise LogBroken(f"match {self.id}: record {record.version} does not follow {self.version}")
        match record.WhichOneof("event"):
            case "prepared":
                self._fold_prepared(record.prepared)
                step = Step(record.version)
            case "started":
                step = self._fold_started(record)
            case "moved":
                step = self._replay(record, check_digest)
                self.take_move(record, step)
            case "seat_changed":
                step = Step(record.version, seat_changed=record.seat_changed)
                self.take_seat_change(record)
            case _:
                raise LogBroken(f"match {self.id}: record {record.version} holds no event")
        self._advance(record, data, step)
        return step

    def _advance(self, record: match_pb2.Record, data: bytes, step: Step) -> None:
        self.version = record.version
        self.tip = sha256(data).digest()
        for viewer in self.viewers() if self.started else ():
            if record.HasField("started") or step.visible_to(viewer):
                self.numbers[viewer + 1] += 1

    def _fold_prepared(self, event: match_pb2.Prepared) -> None:
        if event.match != self.id or event.commit != commitment(event.secret):
            raise LogBroken(f"match {self.id}: its first record belongs to another match, or its commitment is wrong")
        self.secret, self.commit = event.secret, event.commit

    def _fold_started(self, record: match_pb2.Record) -> Step:
        event = record.started
        self.options = event.options
        self.clock = event.options.clock if event.options.HasField("clock") else None
        self.codec = open_codec(event.options)
        self.state = self.codec.first_state(self.deal(event.seats))
        if self.digest(self.state) != event.digest:
            raise LogBroken(f"match {self.id}: the deal does not give the stored position")
        self.started_ms = record.at_ms
        house = match_pb2.SEAT_KIND_HOUSE
        self.seats = [Seating(plan, event.options.clock.bank_ms, plan.kind == house) for plan in event.seats]
        self.numbers = [0] * (len(self.seats) + 1)
        self._ask(record.at_ms)
        return Step(record.version, [self.codec.decode_effect(effect) for effect in event.opening])

    def _replay(self, record: match_pb2.Record, check_digest: bool) -> Step:
        """Play a stored move once more; the same must come of it."""
        event = record.moved
        effects = self.codec.game.play(self.state, event.seat, self.codec.decode_move(event.move))
        if isinstance(effects, Refusal):
            raise LogBroken(f"match {self.id}: move {record.version} is refused with {effects.code}")
        if check_digest and self.digest(self.state) != event.digest:
            raise LogBroken(f"match {self.id}: the position after move {record.version} is not the stored one")
        self.remember(record)
        ending = event.ending if event.HasField("ending") else None
        if (ending is not None) != self.codec.game.over(self.state) or (ending and ending.secret != self._revealed()):
            raise LogBroken(f"match {self.id}: move {record.version} does not end the match as stored")
        return Step(record.version, effects, ending=ending)

    def remember(self, record: match_pb2.Record) -> None:
        """Once stored, a command id is never applied again."""
        if record.HasField("moved"):
            self.commands[record.moved.seat, record.moved.command_id] = record.version

    def take_move(self, record: match_pb2.Record, step: Step) -> None:
        event = record.moved
        seating = self.seats[event.seat]
        self.ended = step.ending is not None
        self._charge(seating, record.at_ms)
        seating.answered += 1
        seating.asked_ms = 0
        if event.mover == match_pb2.MOVER_CLOCK:
            # A declined question that the others must not hear of does not count: absence would tell them (WS-INFO-15).
            seating.timeouts += bool(shown(step.effects, SPECTATOR))
        elif event.mover == match_pb2.MOVER_OWNER:
            seating.timeouts = 0
        self._ask(record.at_ms)

    def take_seat_change(self, record: match_pb2.Record) -> None:
        seating = self.seats[record.seat_changed.seat]
        if seating.asked_ms:
            # Whoever answers now gets the free time again; what a house bot used costs the owner nothing.
            self._charge(seating, record.at_ms)
            seating.asked_ms = record.at_ms
        seating.absent = record.seat_changed.absent
        seating.timeouts = 0
        if not seating.absent:  # with an empty bank and no free time nobody could come back
            seating.bank_ms = max(seating.bank_ms, self.options.clock.bank_ms // RETURN_BANK_PART)

    def _charge(self, seating: Seating, now_ms: int) -> None:
        if self.clock is not None and seating.asked_ms and not seating.house:
            used = max(0, now_ms - seating.asked_ms - self.clock.free_ms)
            seating.bank_ms = max(0, seating.bank_ms - used)

    def _ask(self, now_ms: int) -> None:
        """Note who is asked, and since when."""
        self.deciding = {decider.seat: decider.duty for decider in self.codec.game.deciders(self.state)}
        for seat, seating in enumerate(self.seats):
            if seat not in self.deciding:
                seating.asked_ms = 0
            elif not seating.asked_ms:
                seating.asked_ms = now_ms

    # -- what is so

    def deal(self, seats: Sequence[match_pb2.SeatPlan]) -> Deal:
        return Deal(seed_key(self.secret, self.id, [plan.nonce for plan in seats]))

    def _revealed(self) -> bytes:
        """A position brings its own generator, so there the secret decided nothing."""
        return b"" if self.options.position else self.secret

    def digest(self, state: Any) -> bytes:
        return bytes.fromhex(self.codec.game.digest(state))

    def decision_id(self, seat: int) -> str:
        return decision_name(self.id, seat, self.seats[seat].answered)

    def deadline(self, seat: int, house_wait_ms: int) -> int:
        """When the seat's time is out, milliseconds since 1970; NO_DEADLINE when it has all the time."""
        seating = self.seats[seat]
        if not seating.asked_ms:
            return NO_DEADLINE
        if seating.house:
            return seating.asked_ms + house_wait_ms
        if self.clock is None:
            return NO_DEADLINE
        return seating.asked_ms + self.clock.free_ms + seating.bank_ms

    def next_deadline(self, house_wait_ms: int) -> int | None:
        deadlines = [self.deadline(seat, house_wait_ms) for seat in self.deciding]
        return min((at for at in deadlines if at != NO_DEADLINE), default=None)

    def house_turns(self) -> list[bus_pb2.HouseTurn]:
        if self.ended:
            return []
        return [
            bus_pb2.HouseTurn(seat=seat, bot=self.seats[seat].plan.bot, decision_id=self.decision_id(seat))
            for seat in self.deciding
            if self.seats[seat].house
        ]

    # -- what could come next

    def copy(self) -> Match:
        """The same match, to be led one step further; the index of commands is shared."""
        copy = Match.__new__(Match)
        copy.__dict__.update(self.__dict__)  # what a move changes in place is copied, the rest is replaced whole
        copy.state = self.codec.game.clone(self.state)
        copy.seats = [seating.copy() for seating in self.seats]
        copy.numbers = self.numbers[:]
        return copy

    def propose_move(
        self, seat: int, move: int, mover: match_pb2.Mover.ValueType, command_id: str, now_ms: int
    ) -> Proposal:
        """The record of this move; Refusing when the rules say no. The match stays as it is."""
        game, codec = self.codec.game, self.codec
        after = self.copy()
        state = after.state
        written = game.canonical(state, move)
        effects = game.play(state, seat, move)
        if isinstance(effects, Refusal):
            raise Refusing(effects)
        record = self._next(now_ms)
        event = record.moved
        event.seat, event.command_id, event.mover = seat, command_id, mover
        event.move.CopyFrom(codec.encode_move(written))
        event.effects.extend(map(codec.encode_effect, effects))
        event.digest = self.digest(state)
        if game.over(state):
            event.ending.secret = self._revealed()
            event.ending.scores.extend(encode_scores(game.score(state)))
        step = Step(record.version, effects, ending=event.ending if event.HasField("ending") else None)
        after.take_move(record, step)
        return after.proposal(record, step)

    def propose_seat_change(self, seat: int, absent: bool, now_ms: int) -> Proposal:
        record = self._next(now_ms)
        record.seat_changed.seat, record.seat_changed.absent = seat, absent
        after = self.copy()
        after.take_seat_change(record)
        return after.proposal(record, Step(record.version, seat_changed=record.seat_changed))

    def proposal(self, record: match_pb2.Record, step: Step) -> Proposal:
        data = record.SerializeToString()
        self._advance(record, data, step)
        return Proposal(record, data, step, self)

    def _next(self, now_ms: int) -> match_pb2.Record:
        return match_pb2.Record(version=self.version + 1, at_ms=now_ms, previous=self.tip)

    def finished(self, scores: Sequence[match_pb2.SeatScore], ended_ms: int) -> bus_pb2.Finished:
        return bus_pb2.Finished(
            options=public_options(self.options),
            seats=[public_plan(seating.plan) for seating in self.seats],
            scores=scores,
            started_ms=self.started_ms,
            ended_ms=ended_ms,
            rated=not self.options.position and not self.options.card_file,
            absent=[seat for seat, seating in enumerate(self.seats) if seating.absent],
        )


def decision_name(match: str, seat: int, answered: int) -> str:
    """Names a question by what the seat itself knows: how many it has answered. So it tells nobody anything."""
    return sha256(f"{match} {seat} {answered}".encode()).hexdigest()[:DECISION_ID_CHARS]


def first_record(id: str, secret: bytes, now_ms: int) -> match_pb2.Record:
    """The host's promise, before anyone could influence the deal."""
    prepared = match_pb2.Prepared(match=id, secret=secret, commit=commitment(secret))
    return match_pb2.Record(version=1, at_ms=now_ms, prepared=prepared)


def second_record(
    prepared: Match, options: match_pb2.Options, seats: Sequence[match_pb2.SeatPlan], now_ms: int
) -> match_pb2.Record:
    """Deals the match; the record tells the opening and the digest of the first position."""
    codec = open_codec(options)
    state = codec.first_state(prepared.deal(seats))
    started = match_pb2.Started(
        options=options,
        seats=seats,
        opening=[codec.encode_effect(effect) for effect in codec.game.opening(state)] if not options.position else [],
        digest=bytes.fromhex(codec.game.digest(state)),
    )
    return match_pb2.Record(version=2, at_ms=now_ms, previous=prepared.tip, started=started)


def public_options(options: match_pb2.Options) -> match_pb2.Options:
    """Without what a viewer could read secrets from (a position) and what is merely big (a card file)."""
    told = match_pb2.Options()
    told.CopyFrom(options)
    told.ClearField("position")
    told.ClearField("card_file")
    return told


def public_plan(plan: match_pb2.SeatPlan) -> match_pb2.SeatPlan:
    return match_pb2.SeatPlan(kind=plan.kind, player=plan.player, name=plan.name, bot=plan.bot)


def game_of(match: Match) -> str:
    return game_name(match.options)
