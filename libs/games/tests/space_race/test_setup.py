"""Setting up, rounds and ships: sections 2 and 3 of the rules."""

from __future__ import annotations

import pytest

from space_race.table import (
    CHOOSE,
    GAME,
    OPTIONS,
    PACK,
    asked,
    at,
    do,
    finished,
    line,
    names,
    play_out,
    refused,
    start,
)
from space_race.table import texts as legal_texts
from starport_games.kernel.deal import Deal, key_of_words
from starport_games.kernel.errors import BadInput
from starport_games.space_race.codes import NONE


@pytest.mark.rule("SR-SETUP-1")
def test_two_to_four_seats() -> None:
    for seats in (2, 3, 4):
        assert start("a", seats).seats == seats
    for seats in (-1, 0, 1, 5):
        with pytest.raises(BadInput, match=f"2 to 4 seats, not {seats}"):
            start("a", seats)


@pytest.mark.rule("SR-SETUP-2", "SR-SETUP-5")
def test_ships_are_given_in_pack_order() -> None:
    state = start("a", 4)
    ships = [line(state, f"{seat} ship") for seat in range(4)]
    assert ships == ["ravens ravens", "jackals jackals", "vultures vultures", "wolves wolves"]
    assert asked(state) == [0, 1, 2, 3]  # the draft is on: nobody was asked for a ship


@pytest.mark.rule("SR-SETUP-3", "SR-SETUP-4", "SR-SETUP-5", "SR-DEC-1")
def test_ships_are_chosen_one_seat_at_a_time() -> None:
    state = start("a", 3, CHOOSE)
    assert asked(state) == [0]
    assert len(GAME.legal(state, 0)) == 16
    assert GAME.legal(state, 1) == []
    assert refused(state, "1 ship ravens ravens") == "SEAT"
    assert names(do(state, "0 ship wolves ravens")) == ["ShipChosen"]
    assert line(GAME.view(state, 2), "0 ship") == "wolves ravens"
    assert asked(state) == [1]
    assert refused(state, "1 ship wolves jackals") == "SHIP"
    assert refused(state, "1 ship jackals ravens") == "SHIP"
    assert len(GAME.legal(state, 1)) == 9
    assert GAME.move_text(state, GAME.default(state, 1)) == "ship ravens jackals"
    do(state, "1 ship ravens jackals")
    assert len(legal_texts(state, 2)) == 4
    told = names(do(state, "2 ship vultures vultures"))
    assert told == ["ShipChosen", "RoundStarted", "HandsDealt", "HandsDealt", "HandsDealt", "CoinFlipped"]
    assert asked(state) == [0, 1, 2]


@pytest.mark.rule("SR-SETUP-4")
def test_the_ship_changes_no_score() -> None:
    chosen = start("a", 2, CHOOSE)
    do(chosen, "0 ship wolves vultures", "1 ship vultures ravens")
    given = start("a", 2)
    for _ in play_out(chosen, 7):
        pass
    for _ in play_out(given, 7):
        pass
    assert GAME.score(chosen) == GAME.score(given)


@pytest.mark.rule("SR-SETUP-6", "SR-SETUP-8")
def test_all_cards_are_shuffled_whatever_the_player_count() -> None:
    for seats in (2, 3, 4):
        state = start("shuffle", seats, CHOOSE)
        for deck, whole in (
            (state.space_deck, list(range(72))),
            (state.danger_deck, list(range(8))),
            (state.damage_deck, PACK.damage_kind),
        ):
            assert sorted(deck) == sorted(whole)
            assert deck != whole
        spectator = GAME.view(state, -1)
        assert set(spectator.space_deck + spectator.danger_deck + spectator.damage_deck) == {-2}


@pytest.mark.rule("SR-SETUP-7")
def test_every_seat_begins_with_nothing() -> None:
    state = start("a", 4)
    assert state.up == state.fuel == state.crew == [[], [], [], []]
    assert set(state.damage) == {0}


@pytest.mark.rule("SR-SETUP-9", "SR-INV-5", "SR-DRAFT-15")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_space_deck_is_never_rebuilt(seats: int) -> None:
    first = start("deck", seats)
    order = [card for hand in first.hands for card in hand] + first.space_deck[first.space_at :]
    state, log = finished("deck", seats)
    dealt = [card for effect in log if names([effect]) == ["HandsDealt"] for card in effect.values]
    assert dealt == order[: 18 * seats]
    assert state.space_deck[state.space_at :] == order[18 * seats :]
    assert len(order) == 72
    assert state.hands == [[]] * seats
    plays = [effect.seat for effect in log if names([effect]) == ["PicksRevealed"]]
    assert [plays.count(seat) for seat in range(seats)] == [18] * seats


@pytest.mark.rule("SR-SETUP-10", "SR-DRAFT-3")
def test_chance_is_drawn_in_the_documented_order() -> None:
    deal = Deal(key_of_words("order"))
    space = list(range(72))
    danger = list(range(8))
    damage = PACK.damage_kind[:]
    for deck in (space, danger, damage):
        deal.shuffle(deck)
    coins = [deal.below(2) for _ in range(3)]
    state, log = finished("order", 4)
    flips = [effect for effect in log if names([effect]) == ["CoinFlipped"]]
    assert [effect.values[0] for effect in flips] == coins
    dealt = [card for effect in log if names([effect]) == ["HandsDealt"] for card in effect.values]
    revealed = [effect.values[0] for effect in log if names([effect]) == ["DangerRevealed"]]
    drawn = [kind for effect in log if names([effect]) == ["DamageDrawn"] for kind in effect.values]
    assert dealt == space
    assert revealed == danger[:3]
    assert drawn == damage[: len(drawn)]
    assert state.deal is not None
    assert state.deal.at == deal.at


@pytest.mark.rule("SR-ROUND-1", "SR-ROUND-2", "SR-ROUND-3", "SR-SCORE-1")
def test_three_rounds_of_upgrade_then_danger_then_the_count() -> None:
    _, log = finished("rounds", 3)
    marks = [
        name
        for name in names(log)
        if name in ("RoundStarted", "CoinFlipped", "DangerRevealed", "RoundEnded", "GameScored", "GameEnded")
    ]
    one = ["RoundStarted", "CoinFlipped", "DangerRevealed", "RoundEnded"]
    assert marks == one * 3 + ["GameScored"] * 3 + ["GameEnded"]
    assert names(log)[-4:] == ["GameScored"] * 3 + ["GameEnded"]


@pytest.mark.rule("SR-ROUND-4")
def test_what_a_ship_has_carries_over_to_the_next_round() -> None:
    state = at("""\
        seats: 2
        round: 1
        0 hand: crystal-01
        1 hand: crystal-02
        0 up: scanner-01
        0 fuel: robot-part-01 robot-part-02
        0 crew: crew-01
        0 damage: breach 2
        danger deck: flight-3 flight-1 fight-1
        """)
    do(state, "0 pick crystal-01 up", "1 pick crystal-02 up", "0 bid 1")
    assert line(state, "round") == "2"
    assert line(state, "0 up") == "scanner-01 crystal-01"
    assert line(state, "0 fuel") == "robot-part-02"
    assert line(state, "0 crew") == "crew-01"
    assert line(state, "0 damage") == "breach 2"


def test_settings_are_named_when_wrong() -> None:
    with pytest.raises(BadInput, match="no setting 'speed'"):
        GAME.options({"speed": "fast"})
    with pytest.raises(BadInput, match="auto_ships is on or off, not 'maybe'"):
        GAME.options({"auto_ships": "maybe"})
    assert OPTIONS.auto_ships
    assert not CHOOSE.auto_ships


def test_before_the_ships_are_chosen_there_is_no_coin_and_no_hand() -> None:
    state = start("a", 2, CHOOSE)
    assert state.coin == NONE
    assert state.hands == [[], []]
