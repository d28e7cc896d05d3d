"""Noninterference: change all that a viewer must not know, and nothing that reaches this viewer changes."""

from __future__ import annotations

from typing import Any

import pytest

from starport_games.checking import CHECKS, viewers
from starport_games.kernel.contract import Refusal
from starport_games.kernel.deal import Deal, key_of_words
from starport_games.kernel.effects import SPECTATOR, shown
from starport_games.space_race.codes import DOWN, HANDS_PASSED, NONE, picked_face
from tests.conformance.helpers import HELPERS
from tests.conformance.tables import TABLES, Table, accepted, samples, texts

DISGUISES = 3


def disguises(table: Table, state: Any, viewer: int, open_too: bool) -> list[Any]:
    """Several disguises, each a sound position that really differs by more than the generator."""
    found: list[Any] = []
    for number in range(DISGUISES):
        deal = Deal(key_of_words(f"disguise {number}"))
        other = HELPERS[table.name].disguise(table.game.clone(state), viewer, deal, open_too)
        assert CHECKS[table.name].broken(other) is None
        assert without_deal(table, other) != without_deal(table, state), "a disguise that changes nothing"
        found.append(other)
    return found


def without_deal(table: Table, state: Any) -> list[str]:
    lines: list[str] = table.game.position_text(state).splitlines()
    return [line for line in lines if not line.startswith("deal:")]


def refusals(table: Table, state: Any, seat: int) -> list[str]:
    """What this seat hears of every move that it could try."""
    game = table.game
    answers: list[str] = []
    scratch = game.clone(state)
    for move in game.move_space(state):
        answer = game.play(scratch, seat, move)
        if isinstance(answer, Refusal):
            answers.append(f"{move} {answer.code} {answer.why}")
        else:
            answers.append(f"{move} accepted")
            scratch = game.clone(state)
    return answers


@pytest.mark.rule("WS-INFO-11", "WS-INFO-13", "SR-VIEW-3", "SR-VIEW-4", "SR-VIEW-6")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_views_and_legal_answers_tell_no_secret(table: Table) -> None:
    game = table.game
    for state in samples(table):
        for viewer in viewers(game, state):
            seen = game.position_text(game.view(state, viewer))
            for other in disguises(table, state, viewer, open_too=True):
                assert game.position_text(game.view(other, viewer)) == seen
                assert game.legal(other, viewer) == game.legal(state, viewer)


@pytest.mark.rule("WS-INFO-16")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_refusals_tell_no_secret(table: Table) -> None:
    game = table.game
    for state in samples(table)[::2]:
        for viewer in viewers(game, state):
            other = disguises(table, state, viewer, open_too=True)[0]
            assert refusals(table, other, viewer) == refusals(table, state, viewer)


@pytest.mark.rule("WS-INFO-1", "WS-INFO-8", "WS-INFO-15", "SR-VIEW-5", "SR-VIEW-7")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_secret_answers_look_alike(table: Table) -> None:
    compared = 0
    for state in (*samples(table), *samples(table, "alike"), *samples(table, "more alike")):
        for viewer in viewers(table.game, state):
            for other in disguises(table, state, viewer, open_too=False):
                compared += alike(table, state, other, viewer)
    assert compared, "no secret answer was met: the test proved nothing"


def alike(table: Table, state: Any, other: Any, viewer: int) -> int:
    """How many answers of other seats were compared; each must look the same in both positions."""
    game = table.game
    count = 0
    for decider in game.deciders(state):
        seat = decider.seat
        if seat == viewer:
            continue
        for move in game.legal(state, seat):
            twin = HELPERS[table.name].counterpart(state, other, seat, move)
            if twin is None:
                continue
            here, there = game.clone(state), game.clone(other)
            told = shown(accepted(game, here, seat, move), viewer)
            told_there = shown(accepted(game, there, seat, twin), viewer)
            assert texts(game, here, told) == texts(game, there, told_there)
            assert game.position_text(game.view(here, viewer)) == game.position_text(game.view(there, viewer))
            count += 1
    return count


@pytest.mark.rule("WS-INFO-8", "WS-INFO-15")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_unseen_answers_reach_nobody_else(table: Table) -> None:
    game = table.game
    match = table.match("unseen")
    views: dict[int, str] = {}
    while not game.over(match.state):
        seat, move = match.random_answer()
        others = [viewer for viewer in viewers(game, match.state) if viewer != seat]
        if not HELPERS[table.name].unseen(match.state, move):
            match.answer(seat, move)
            continue
        views = {viewer: game.position_text(game.view(match.state, viewer)) for viewer in others}
        effects = match.answer(seat, move)
        for viewer in others:
            assert texts(game, match.state, shown(effects, viewer)) == []
            assert game.position_text(game.view(match.state, viewer)) == views[viewer]
    assert views or table.name == "space-race", "no unseen answer was met: the test proved nothing"


@pytest.mark.rule("SR-VIEW-3", "SR-VIEW-7")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("viewer", [SPECTATOR, 0])
def test_cards_played_face_down_tell_nothing_when_revealed(seats: int, viewer: int) -> None:
    table = Table("space-race", seats, ())
    game = table.game
    state = table.start("face down")
    for seat in range(1, seats):
        accepted(game, state, seat, game.default(state, seat))  # the default is face down
    found = 0
    for number in range(40):
        deal = Deal(key_of_words(f"face down {number}"))
        other = HELPERS[table.name].disguise(state, viewer, deal, True)
        if any(picked_face(other.answers[seat]) != DOWN for seat in range(1, seats)):
            continue
        found += 1
        here = accepted(game, game.clone(state), 0, game.default(state, 0))
        there = accepted(game, other, 0, game.default(other, 0))
        lines = []
        for effects in (here, there):
            kept = [e for e in effects if not (e.kind == HANDS_PASSED and e.seat == viewer)]  # its new hand
            lines.append(texts(game, state, shown(kept, viewer)))
        assert lines[0] == lines[1]
    assert found


@pytest.mark.rule("SR-VIEW-1", "SR-VIEW-2")
@pytest.mark.parametrize("table", [table for table in TABLES if table.name == "space-race"], ids=str)
def test_a_seat_of_space_race_sees_its_own_and_the_public_part(table: Table) -> None:
    public = ("phase", "round", "pick", "coin", "danger", "up", "crew", "damage", "bids", "cockpits", "engines")
    piles = ("crew_gone", "danger_gone", "damage_gone")
    for state in samples(table):
        for viewer in range(SPECTATOR, table.seats):
            seen = table.game.view(state, viewer)
            for name in (*public, *piles):
                assert getattr(seen, name) == getattr(state, name), name
            for name in ("hands", "fuel"):
                assert [len(cards) for cards in getattr(seen, name)] == [len(cards) for cards in getattr(state, name)]
            for name in ("answers", "scanned"):
                assert [x == NONE for x in getattr(seen, name)] == [x == NONE for x in getattr(state, name)]
            assert len(seen.fuel_gone) == len(state.fuel_gone)
            assert len(seen.space_deck) - seen.space_at == len(state.space_deck) - state.space_at
            for name in ("hands", "fuel", "answers", "scanned") if viewer >= 0 else ():
                assert getattr(seen, name)[viewer] == getattr(state, name)[viewer], name


@pytest.mark.rule("WS-INFO-5", "WS-INFO-9")
@pytest.mark.parametrize("table", [table for table in TABLES if table.name == "wild-space"], ids=str)
def test_a_seat_of_wild_space_sees_its_own_and_the_public_part(table: Table) -> None:
    for state in samples(table):
        for viewer in viewers(table.game, state):
            seen = table.game.view(state, viewer)
            assert (seen.left, seen.pool, seen.faceup, seen.active) == (
                state.left,
                state.pool,
                state.faceup,
                state.active,
            )
            assert sorted(seen.discard) == sorted(state.discard)
            for seat, (shown_side, side) in enumerate(zip(seen.players, state.players, strict=True)):
                for name in ("crew", "token", "reserve", "landed", "explored", "turns"):
                    assert getattr(shown_side, name) == getattr(side, name), name
                assert len(shown_side.hand) == len(side.hand)
                assert seat != viewer or shown_side.hand == side.hand
            for place in range(5):
                assert not state.faceup >> place & 1 or seen.planets[place] == state.planets[place]
