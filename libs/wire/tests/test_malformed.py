"""Whatever message arrives: it is decoded to something the engine can use, or refused with one line."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st

from starport.v1 import match_pb2
from starport_games import registry
from starport_games.checking import Match, viewers
from starport_games.kernel.contract import Refusal
from starport_games.kernel.errors import BadInput
from starport_wire.codec import Codec, make_options, open_codec

LINE_CHARS_MAX = 400
DEPTH_MAX = 6
EXAMPLES = 400
GAMES = [(name, seats) for name, game in registry.ALL.items() for seats in (game.seat_counts[0], game.seat_counts[-1])]
per_game = pytest.mark.parametrize(("name", "seats"), GAMES)
fuzz = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)

NUMBERS = [0, 1, 2, 3, 4, 5, 15, 16, 31, 32, 255, 256, 9999, 10000, 2**31 - 1]
IDS = "owl-03 bear-01 robot-07 captain-owl three-1 hostile-03 frontier@1 crew-03 scanner-02 flight-1 ravens starport@1"
WORDS = ["", "-", "?", "no such card", "no-such-card", "x\ny", "ü" * 90, *IDS.split()]
BYTES = [b"", bytes(32), bytes(31)]
F = FieldDescriptor
Chance = st.randoms(use_true_random=False)


def anything(chance: Random, field: FieldDescriptor, depth: int) -> Any:
    """A value that the field can hold: also numbers that no enum has."""
    if field.type == F.TYPE_MESSAGE:
        inner = GetMessageClass(field.message_type)()  # type: ignore[arg-type]  # a message field has one
        return filled(chance, inner, depth + 1)
    if field.type == F.TYPE_BOOL:
        return chance.random() < 0.5
    if field.type == F.TYPE_STRING:
        return chance.choice(WORDS)
    if field.type == F.TYPE_BYTES:
        return chance.choice(BYTES)
    if field.type == F.TYPE_ENUM:
        return chance.randint(-1, 14)
    if field.type in (F.TYPE_SINT32, F.TYPE_INT64):
        return chance.choice([-1, 1]) * chance.choice(NUMBERS)
    return chance.choice([*NUMBERS, 2**64 - 1 if field.type == F.TYPE_UINT64 else 2**32 - 1])


def filled(chance: Random, message: Any, depth: int = 0) -> Any:
    """This message with some of its fields filled with anything."""
    fields = list(message.DESCRIPTOR.fields)
    for _ in range(chance.randint(0, 4) if fields and depth <= DEPTH_MAX else 0):
        put(chance, message, chance.choice(fields), depth)
    return message


def put(chance: Random, message: Any, field: FieldDescriptor, depth: int) -> None:
    value = anything(chance, field, depth)
    if field.is_repeated:
        getattr(message, field.name).extend([value] * chance.randint(0, 3))
    elif field.type == F.TYPE_MESSAGE:
        getattr(message, field.name).CopyFrom(value)
    else:
        setattr(message, field.name, value)


def changed(chance: Random, good: Any) -> Any:
    """A good message with one field, anywhere in it, cleared or filled with anything."""
    message = type(good)()
    message.CopyFrom(good)
    part = message
    for depth in range(DEPTH_MAX):
        fields = [field for field, _ in part.ListFields()]
        if not fields or chance.random() < 0.3:
            fields = list(part.DESCRIPTOR.fields)
        if not fields:
            break
        field = chance.choice(fields)
        value = getattr(part, field.name)
        inner = field.type == F.TYPE_MESSAGE
        if inner and not field.is_repeated and part.HasField(field.name) and chance.random() < 0.8:
            part = value
        elif inner and field.is_repeated and len(value) and chance.random() < 0.8:
            part = chance.choice(value)
        elif field.is_repeated and len(value) and chance.random() < 0.5:
            del value[chance.randrange(len(value))]
            break
        elif chance.random() < 0.3:
            part.ClearField(field.name)
            break
        else:
            put(chance, part, field, depth)
            break
    return message


def one(chance: Random, good: list[Any]) -> Any:
    sample = chance.choice(good)
    return filled(chance, type(sample)()) if chance.random() < 0.3 else changed(chance, sample)


@cache
def samples(name: str, seats: int) -> tuple[Codec, list[Any], list[Any], list[Any], list[Any]]:
    """The codec, some positions, and messages of moves, effects and states from one match."""
    codec = open_codec(make_options(name, seats))
    match = Match(name, seats, (), "samples")
    game = codec.game
    positions = [game.clone(match.state)]
    effects = [codec.encode_effect(effect) for effect in codec.opening(match.state)]
    moves: list[Any] = []
    states: list[Any] = []
    for told in match.play():
        effects += [codec.encode_effect(effect) for effect in told]
        if len(match.moves) % 7 == 0:
            positions.append(game.clone(match.state))
            states.append(codec.encode_state(match.state))
            states += [codec.encode_state(game.view(match.state, viewer)) for viewer in viewers(game, match.state)]
            for decider in game.deciders(match.state):
                moves += [codec.encode_move(move) for move in game.legal(match.state, decider.seat)[:5]]
    return codec, positions, moves, effects, states


def decoded(decode: Callable[[Any], Any], message: Message) -> Any | None:
    """What it means, or None when it was refused as it should be."""
    try:
        return decode(message)
    except BadInput as why:
        line = str(why)
        assert line
        assert "\n" not in line
        assert len(line) <= LINE_CHARS_MAX
        return None


@per_game
@fuzz
@given(chance=Chance)
def test_moves(name: str, seats: int, chance: Random) -> None:
    codec, positions, good, _, _ = samples(name, seats)
    message = one(chance, good)
    move = decoded(codec.decode_move, message)
    if move is None:
        return
    assert codec.decode_move(codec.encode_move(move)) == move
    state = codec.game.clone(chance.choice(positions))
    kept = codec.game.position_text(state)
    for seat in range(-1, seats + 1):
        if isinstance(codec.game.play(state, seat, move), Refusal):
            assert codec.game.position_text(state) == kept
        else:
            break


@per_game
@fuzz
@given(chance=Chance)
def test_effects(name: str, seats: int, chance: Random) -> None:
    codec, positions, _, good, _ = samples(name, seats)
    message = one(chance, good)
    effect = decoded(codec.decode_effect, message)
    if effect is not None:
        assert codec.decode_effect(codec.encode_effect(effect)).same(effect)
        assert codec.game.effect_text(positions[0], effect)


@per_game
@settings(fuzz, max_examples=2 * EXAMPLES)
@given(chance=Chance)
def test_states(name: str, seats: int, chance: Random) -> None:
    codec, _, _, _, good = samples(name, seats)
    message = one(chance, good)
    state = decoded(codec.decode_state, message)
    if state is None:
        return
    game = codec.game
    assert game.same(codec.decode_state(codec.encode_state(state)), state)
    game.position_text(state)
    game.score(state)
    for viewer in viewers(game, state):
        game.view(state, viewer)
    for decider in game.deciders(state):
        for move in decoded(lambda seat: game.legal(state, seat), decider.seat) or []:  # type: ignore[arg-type]
            game.move_text(state, move)


@per_game
@pytest.mark.parametrize("kind", ["move", "effect", "state"])
def test_an_empty_message_and_another_game_are_refused(name: str, seats: int, kind: str) -> None:
    codec, *_ = samples(name, seats)
    other = next(open_codec(make_options(*game)) for game in GAMES if game[0] != name)
    strange = Match(other.game.name, other.seats, (), "other")
    seat = other.game.deciders(strange.state)[0].seat
    decode: Callable[[Any], Any] = getattr(codec, f"decode_{kind}")
    wrong: dict[str, list[Any]] = {
        "move": [match_pb2.Move(), other.encode_move(other.game.legal(strange.state, seat)[0])],
        "effect": [match_pb2.Effect(), other.encode_effect(other.opening(strange.state)[0])],
        "state": [match_pb2.State(), other.encode_state(strange.state)],
    }
    for message in wrong[kind]:
        with pytest.raises(BadInput, match=r"^this is no (move|fact|position) of "):
            decode(message)


WILD, RACE = "wild_space", "space_race"


@pytest.mark.parametrize(
    ("field", "move", "why"),
    [
        (WILD, {}, "a move of Wild Space that says nothing"),
        (WILD, {"land": {}}, "the place of a sector is not said, or is 0, which this host does not know"),
        (WILD, {"land": {"sector": {"place": 3}}}, "the side of a sector is not said, or is 0, which this host does"),
        (WILD, {"explore": {"sector": {"place": 6, "side": 1}}}, "the place of a sector is not said, or is 6"),
        (WILD, {"land": {"sector": {"place": 3, "side": 2}, "condition": 16}}, "a condition is a whole number from 0"),
        (WILD, {"choose": {"option": 256}}, "option is a whole number from 0 to 255, not 256"),
        (WILD, {"draw_pool": {"slot": 4_000_000_000}}, "slot is a whole number from 0 to 255, not 4000000000"),
        (WILD, {"play": {}}, "the move names no card"),
        (WILD, {"smuggler_land": {}}, "the move names no card"),
        (RACE, {}, "a move of Space Race that says nothing"),
        (RACE, {"pick": {"face": 1}}, "the pick names no card"),
        (RACE, {"pick": {"card": "crew-03"}}, "the face of a pick is not said"),
        (RACE, {"pick": {"card": "crew-03", "face": 3}}, "the face of a pick is not said, or is 3"),
        (RACE, {"bid": {"count": 10_000}}, "a bid is a whole number from 0 to 9999, not 10000"),
        (RACE, {"repair": {"damage": {"fire": 32}}}, "fire is a whole number from 0 to 31, not 32"),
        (RACE, {"ship": {"cockpit": "ravens", "engine": "owls"}}, "there is no faction 'owls'"),
    ],
)
def test_no_moves(field: str, move: dict[str, Any], why: str) -> None:
    codec, *_ = samples(field.replace("_", "-"), 4 if field == RACE else 5)
    with pytest.raises(BadInput) as told:
        codec.decode_move(match_pb2.Move(**{field: move}))  # type: ignore[arg-type]  # a dict stands for a message
    assert str(told.value).startswith(why)


@pytest.mark.rule("WS-INFO-16")
@pytest.mark.parametrize("name", list(registry.ALL))
def test_an_id_that_no_card_has_is_refused_like_a_card_elsewhere(name: str) -> None:
    """Otherwise the difference would tell which cards of its own a hidden position contains."""
    codec = open_codec(make_options(name, 2))
    match = Match(name, 2, (), "strangers")
    game = codec.game
    compared = 0
    while not game.over(match.state):
        for decider in game.deciders(match.state):
            for message in elsewhere(codec, match.state, decider.seat):
                refusal = game.play(match.state, decider.seat, codec.decode_move(message))
                renamed(message).card = "never-printed"
                assert game.play(match.state, decider.seat, codec.decode_move(message)) == refusal
                compared += 1
        match.answer(*match.random_answer())
    assert compared > 100


def elsewhere(codec: Codec, state: Any, seat: int) -> list[match_pb2.Move]:
    """Moves that are refused because the card is not in the hand."""
    found: list[match_pb2.Move] = []
    for move in list(codec.game.move_space(state))[::23]:
        message = codec.encode_move(move)
        refusal = codec.game.play(codec.game.clone(state), seat, move)
        if renamed(message) is not None and isinstance(refusal, Refusal) and refusal.code in ("CARD", "PHASE"):
            found.append(message)
    return found


def renamed(message: match_pb2.Move) -> Any:
    """The part of a move that names a card, or None."""
    for game, field in ((message.wild_space, "play"), (message.wild_space, "refresh"), (message.space_race, "pick")):
        if game.WhichOneof("move") == field:
            return getattr(game, field)
    return None
