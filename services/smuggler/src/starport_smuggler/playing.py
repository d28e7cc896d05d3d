"""Answering house turns: what the bus asks for is looked at, decided and played through the players' own door."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from time import monotonic

import grpc
import structlog
from google.protobuf.message import DecodeError
from prometheus_client import Counter

from starport.v1 import bus_pb2, match_pb2, rules_pb2, rules_pb2_grpc
from starport_chassis import ServiceTokens, code_of
from starport_eventlog import BusMessage
from starport_games.kernel.deal import Deal
from starport_smuggler.deciding import decide, guess
from starport_smuggler.settings import (
    COMMANDS,
    COMPANY_S,
    GIVE_UP_S,
    IN_A_ROW_S,
    MOVES_IN_A_ROW_MAX,
    RECENT_MAX,
    RETRY_MAX_S,
    RETRY_MIN_S,
)

log = structlog.get_logger("smuggler")
MOVES = Counter("starport_smuggler_moves", "Moves of house bots, by game and bot", ["game", "bot"])
LATE = Counter("starport_smuggler_late", "Turns that somebody else had answered, or that were no longer ours", ["code"])
WAITS = Counter("starport_smuggler_waits", "Times that a turn had to wait for the rules service")

WANT = rules_pb2.Want(view=True, legal=True)
# Somebody was faster, the match is over, its owner took the seat back, or the match is gone: nothing is left to do.
SETTLED = {"STALE", "OVER", "NOT_YOURS", "NO_MATCH"}
# The same call may work a little later.
PASSING = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.RESOURCE_EXHAUSTED}


class BadEntry(ValueError):
    """A bus entry that cannot be read; trying again would not help."""


class Recent:
    """The ids of the newest answered decisions."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._ids: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, id: str) -> bool:
        return id in self._ids

    def add(self, id: str) -> None:
        self._ids[id] = None
        if len(self._ids) > self._most:
            self._ids.popitem(last=False)


class HousePlayer:
    """The handler of the bus consumer.

    An entry is done when each decision that it names is answered, by whomever. The rules service takes one answer to a
    decision, however many replicas give one. Command ids name the decision and the replica: a repeated call gets its
    first answer again, and the slower of two replicas hears STALE and lets go, instead of playing on side by side.
    """

    def __init__(
        self,
        stub: rules_pb2_grpc.RulesServiceAsyncStub,
        tokens: ServiceTokens,
        chance: Deal,
        *,
        name: str,
        think_s: float = 0.0,
        deadline_s: float = 5.0,
    ) -> None:
        self._stub = stub
        self._tokens = tokens
        self._chance = chance
        self._name = name
        self._think_s = think_s
        self._deadline_s = deadline_s
        self._answered = Recent(RECENT_MAX)
        self._company_until = 0.0  # another replica was met; monotonic seconds

    async def handle(self, message: BusMessage) -> None:
        try:
            entry = bus_pb2.BusEntry.FromString(message.body)
        except DecodeError as why:
            raise BadEntry(f"not a bus entry: {why}") from None
        turns = [turn for turn in entry.house_turns if turn.decision_id not in self._answered]
        if entry.match != message.match:
            raise BadEntry(f"the entry of match {message.match} names match {entry.match[:40]!r}")
        # Side by side, so that the seats of a simultaneous choice think at the same time.
        done = await asyncio.gather(*(self._answer(entry, turn) for turn in turns), return_exceptions=True)
        for failure in done:
            if failure is not None:
                raise failure

    async def _answer(self, entry: bus_pb2.BusEntry, turn: bus_pb2.HouseTurn) -> None:
        """Tries until the turn is settled; a rules service that is away is waited for."""
        give_up = monotonic() + GIVE_UP_S
        wait_s = RETRY_MIN_S
        while True:
            try:
                return await self._take_turn(entry, turn)
            except grpc.aio.AioRpcError as error:
                code = code_of(error)
                if code in SETTLED:
                    LATE.labels(code).inc()
                    if code == "STALE":  # otherwise the same question may be ours again, when its owner leaves again
                        self._too_late(turn.decision_id)
                    return None
                if (error.code() not in PASSING and code != "RACE") or monotonic() > give_up:
                    raise
                WAITS.inc()
                log.warning("waiting", match=entry.match, seat=turn.seat, why=error.details())
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, RETRY_MAX_S)

    async def _take_turn(self, entry: bus_pb2.BusEntry, turn: bus_pb2.HouseTurn) -> None:
        """The decision of this turn, and those that the seat is asked right after it, without waiting for the bus.

        Stopping between two moves loses nothing: each decision has a bus entry of its own. With other replicas around
        one move is enough, for they get those entries too, and the same move would be prepared twice.
        """
        observed = await self._stub.Observe(
            rules_pb2.ObserveRequest(token=self._token(), match=entry.match, seat=turn.seat, want=WANT),
            timeout=self._deadline_s,
        )
        update = observed.update
        if update.decision.id != turn.decision_id:
            LATE.labels("STALE").inc()
            if update.decision.id:  # the seat is past it
                self._too_late(turn.decision_id)
            return
        until = monotonic() + IN_A_ROW_S
        for _ in range(MOVES_IN_A_ROW_MAX):
            update = await self._move(entry, turn, observed.options, update)
            now = monotonic()
            if not update.HasField("decision") or now > until or now < self._company_until:
                return

    def _too_late(self, decision_id: str) -> None:
        """Somebody else has answered: probably another replica."""
        self._answered.add(decision_id)
        self._company_until = monotonic() + COMPANY_S

    async def _move(
        self, entry: bus_pb2.BusEntry, turn: bus_pb2.HouseTurn, options: match_pb2.Options, update: match_pb2.Update
    ) -> match_pb2.Update:
        decision = update.decision
        if not decision.legal:
            raise RuntimeError(f"decision {decision.id} of match {entry.match} has no legal answer")
        if self._think_s:
            await asyncio.sleep(self._think_s)
        move = decide(turn.bot, options, update, turn.seat, self._chance)
        try:
            after = await self._play(entry.match, turn.seat, decision.id, move)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.FAILED_PRECONDITION or code_of(error) in SETTLED:
                raise
            # A listed move that is refused is somebody's bug; the match goes on all the same.
            log.exception("move_refused", match=entry.match, seat=turn.seat, code=code_of(error))
            move = guess([other for other in decision.legal if other != move] or [move], self._chance)
            after = await self._play(entry.match, turn.seat, decision.id, move)
        self._answered.add(decision.id)
        MOVES.labels(entry.game, turn.bot).inc()
        return after

    async def _play(self, match: str, seat: int, decision_id: str, move: match_pb2.Move) -> match_pb2.Update:
        request = rules_pb2.PlayRequest(
            token=self._token(),
            match=match,
            seat=seat,
            command_id=f"{COMMANDS}{decision_id}:{self._name}",
            decision_id=decision_id,
            move=move,
            want=WANT,
        )
        return (await self._stub.Play(request, timeout=self._deadline_s)).update

    def _token(self) -> str:
        return self._tokens.mint("house")
