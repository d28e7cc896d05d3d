"""Whether the stored history of a match is what its guests lived through: nothing lost, nothing doubled."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from starport.v1 import match_pb2, scoring_pb2
from starport_games.kernel.contract import Refusal
from starport_games.kernel.deal import Deal, commitment, seed_key
from starport_wire.codec import encode_scores, game_name
from tests.integration.guests import Table


def check_chain(stored: Sequence[bytes]) -> list[match_pb2.Record]:
    """Versions without a gap, each record holding the hash of the one before it."""
    records = [match_pb2.Record.FromString(data) for data in stored]
    assert [record.version for record in records] == list(range(1, len(records) + 1))
    before = [b"", *(sha256(data).digest() for data in stored)]
    assert [record.previous for record in records] == before[:-1]
    return records


def check_match(table: Table, stored: Sequence[bytes]) -> list[match_pb2.Moved]:
    """A whole match; returns its moves."""
    records = check_chain(stored)
    moves = [record.moved for record in records[2:] if record.HasField("moved")]
    state = _replay(table, records[0].prepared, records[1].started, moves)
    _check_answers(table, moves)
    game, codec = table.codec.game, table.codec
    assert game.over(state)
    ending = moves[-1].ending
    assert list(ending.scores) == encode_scores(game.score(state))
    assert commitment(ending.secret) == table.commit
    for seat, seen in table.seen.items():
        assert seen[-1].view == codec.encode_state(game.view(state, seat))
        assert seen[-1].ending == ending
    return moves


def _replay(
    table: Table, prepared: match_pb2.Prepared, started: match_pb2.Started, moves: Sequence[match_pb2.Moved]
) -> Any:
    """The stored moves on the library alone, from the deal to which every guest added."""
    assert prepared.commit == table.commit
    nonces = [plan.nonce for plan in started.seats]
    assert nonces[: len(table.nonces)] == table.nonces
    game, codec = table.codec.game, table.codec
    state = codec.first_state(Deal(seed_key(prepared.secret, table.id, nonces)))
    assert bytes.fromhex(game.digest(state)) == started.digest
    for moved in moves:
        effects = game.play(state, moved.seat, codec.decode_move(moved.move))
        assert not isinstance(effects, Refusal), effects
        assert bytes.fromhex(game.digest(state)) == moved.digest
        assert [codec.encode_effect(effect) for effect in effects] == list(moved.effects)
    return state


def _check_answers(table: Table, moves: Sequence[match_pb2.Moved]) -> None:
    """What was answered to guests is stored, once, in their order, and nothing else is stored in their name."""
    commands = [(moved.seat, moved.command_id) for moved in moves]
    assert len(set(commands)) == len(commands), "a command was applied twice"
    for seat in range(len(table.players)):
        mine = [moved for moved in moves if moved.seat == seat]
        sent = [answer.request for answer in table.answers if answer.request.seat == seat]
        assert {moved.mover for moved in mine} <= {match_pb2.MOVER_OWNER}
        assert [moved.command_id for moved in mine] == [request.command_id for request in sent]
        assert [moved.move for moved in mine] == [request.move for request in sent]  # listed moves are canonical
    house = {moved.mover for moved in moves if moved.seat >= len(table.players)}
    assert house <= {match_pb2.MOVER_HOUSE}, "a clock had to move for a house bot"


def check_result(table: Table, result: scoring_pb2.Result) -> None:
    ending = table.seen[0][-1].ending
    assert result.match == table.id
    assert result.game == game_name(table.options)
    assert [seat.score for seat in result.seats] == list(ending.scores)
    people = [seat.player for seat in result.seats][: len(table.players)]
    assert people == table.players
    assert all(not seat.player for seat in result.seats[len(table.players) :])
