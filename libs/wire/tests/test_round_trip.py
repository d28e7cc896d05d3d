"""Every game at every seat count and under all its settings: what is encoded is decoded to the same again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starport.v1 import match_pb2
from starport_games import registry
from starport_games.checking import CHECKS, Match, Settings, viewers
from starport_games.kernel.deal import QuickDeal
from starport_games.kernel.effects import Effect, shown
from starport_wire.codec import BY_NAME, Codec, encode_scores, game_name, make_options, open_codec, seat_count

Table = tuple[str, int, Settings]


def tables() -> Iterator[Table]:
    for name, game in registry.ALL.items():
        for seats in game.seat_counts:
            for variant in CHECKS[name].variants(seats):
                yield name, seats, variant


TABLES = list(tables())
per_table = pytest.mark.parametrize("table", TABLES, ids=lambda t: "-".join([t[0], str(t[1]), *(v for _, v in t[2])]))


def codec_of(table: Table) -> Codec:
    name, seats, variant = table
    return open_codec(make_options(name, seats, dict(variant)))


def check_state(codec: Codec, state: Any) -> None:
    message = codec.encode_state(state)
    sent = message.SerializeToString(deterministic=True)
    for received in (message, match_pb2.State.FromString(sent)):
        read = codec.decode_state(received)
        assert codec.game.same(read, state)
        assert codec.game.position_text(read) == codec.game.position_text(state)
        # Equal positions are equal bytes: nothing of the engine's inner life is sent along.
        assert codec.encode_state(read).SerializeToString(deterministic=True) == sent


def check_effects(codec: Codec, effects: list[Effect]) -> None:
    for effect in effects:
        message = codec.encode_effect(effect)
        for received in (message, match_pb2.Effect.FromString(message.SerializeToString())):
            assert codec.decode_effect(received).same(effect), (effect.kind, effect.values)


def check_move(codec: Codec, move: int) -> None:
    message = codec.encode_move(move)
    assert codec.decode_move(message) == move
    assert codec.decode_move(match_pb2.Move.FromString(message.SerializeToString())) == move


def check_position(codec: Codec, state: Any, effects: list[Effect]) -> None:
    game = codec.game
    check_state(codec, state)
    check_effects(codec, effects)
    for viewer in viewers(game, state):
        check_state(codec, game.view(state, viewer))
        check_effects(codec, shown(effects, viewer))
    for decider in game.deciders(state):
        for move in game.legal(state, decider.seat):
            check_move(codec, move)


def test_every_game_of_the_registry_is_on_the_wire() -> None:
    assert set(BY_NAME) == set(registry.ALL)


@per_table
@settings(max_examples=2, deadline=None, derandomize=True, database=None)
@given(words=st.integers(0, 2**64 - 1).map("wire {}".format))
def test_a_match_round_trips(table: Table, words: str) -> None:
    codec = codec_of(table)
    match = Match(*table, words)
    check_position(codec, match.state, codec.opening(match.state))
    for effects in match.play():
        check_position(codec, match.state, effects)


@per_table
def test_every_move_that_can_be_written_round_trips(table: Table) -> None:
    codec = codec_of(table)
    match = Match(*table, "moves")
    for _ in match.play():
        if len(match.moves) in (1, 30):
            for move in codec.game.move_space(match.state):
                check_move(codec, move)


@per_table
def test_a_quick_generator_round_trips(table: Table) -> None:
    """Positions written for simulations have one."""
    codec = codec_of(table)
    state = codec.first_state(QuickDeal(7))
    check_state(codec, state)
    check_effects(codec, codec.opening(state))


@per_table
def test_a_decoded_position_is_played_on_alike(table: Table) -> None:
    codec = codec_of(table)
    kept, read = Match(*table, "on"), Match(*table, "on")
    read.state = codec.decode_state(codec.encode_state(kept.state))
    for one, other in zip(kept.play(), read.play(), strict=True):
        assert [effect.values for effect in one] == [effect.values for effect in other]
    assert codec.game.same(kept.state, read.state)


@per_table
def test_options_say_what_was_asked_for(table: Table) -> None:
    name, seats, variant = table
    options = make_options(name, seats, dict(variant))
    codec = open_codec(options)
    match = Match(name, seats, variant, "options")
    first = codec.first_state(match.first().deal.clone())
    assert game_name(options) == name
    assert codec.game.name == name
    assert type(first) is type(match.state)
    deciders = {decider.seat for decider in codec.game.deciders(first)}
    for _ in match.play():
        deciders |= {decider.seat for decider in codec.game.deciders(match.state)}
    assert seat_count(options) == len(deciders)


def test_scores_keep_their_parts() -> None:
    match = Match("space-race", 3, (), "scores")
    for _ in match.play():
        pass
    scores = match.game.score(match.state)
    for message, score in zip(encode_scores(scores), scores, strict=True):
        assert {part.name: part.value for part in message.parts} == score.parts
        assert (message.seat, message.name) == (score.seat, score.name)
        assert (message.total, message.rank, message.won) == (score.total, score.rank, score.won)
