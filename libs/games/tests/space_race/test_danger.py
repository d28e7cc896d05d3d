"""The Danger Phase: section 7 of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from space_race.table import (
    GAME,
    PACK,
    asked,
    at,
    damage,
    do,
    finished,
    line,
    names,
    refused,
    start,
    texts,
    told,
)
from starport_games.kernel.deal import Deal
from starport_games.kernel.effects import shown
from starport_games.space_race.rules import rank_of
from starport_games.space_race.words import read_row, row_text

FLIGHT = """\
seats: 3
round: 3
phase: bid
danger: flight-1
0 fuel: crystal-01 crystal-02 crystal-03
0 crew: crew-01 crew-02
1 fuel: scanner-01 scanner-02
1 crew: crew-03
"""
# Rows that test one thing each; d9 has the rows of the rulebook's example.
ROWS = """\
danger d9: flight; 2 wrenches; 1 damage; 2 damage; 3 damage
danger dc: flight; clear; clear; clear; 1 damage
danger dw: flight; 2 wrenches; 2 wrenches; clear; 1 damage
seats: 2
round: 3
phase: bid
"""


def outcome(extra: str, *lines: str) -> tuple[object, list[str]]:
    state = at(ROWS + extra)
    effects = do(state, *lines)
    return (damage(state, 0), damage(state, 1)), names(effects)


@pytest.mark.rule("SR-DANGER-2", "SR-DANGER-3", "SR-DANGER-6", "SR-DEC-3")
def test_flight_is_bid_in_fuel_fight_in_crew_from_none_to_all() -> None:
    state = at(FLIGHT)
    assert texts(state, 0) == ["bid 0", "bid 1", "bid 2", "bid 3"]
    assert texts(state, 1) == ["bid 0", "bid 1", "bid 2"]
    assert refused(state, "0 bid 4") == "BID"
    assert GAME.move_text(state, GAME.default(state, 0)) == "bid 0"
    fight = at(FLIGHT.replace("flight-1", "fight-1"))
    assert texts(fight, 0) == ["bid 0", "bid 1", "bid 2"]
    assert texts(fight, 1) == ["bid 0", "bid 1"]


@pytest.mark.rule("SR-DANGER-4", "SR-DANGER-5")
def test_bids_are_secret_until_the_last_and_stand() -> None:
    state = at(FLIGHT)
    first = do(state, "1 bid 2")
    for viewer in (0, 2, -1):
        assert told(state, shown(first, viewer), "BidCommitted") == ["seat 1: bid ?"]
        assert line(GAME.view(state, viewer), "1 answer") == "?"
    assert line(GAME.view(state, 1), "1 answer") == "bid 2"
    assert refused(state, "1 bid 0") == "SEAT"
    last = do(state, "0 bid 1")
    assert told(state, shown(last, -1), "BidsRevealed") == ["bid 1 2 0"]


@pytest.mark.rule("SR-DANGER-7")
def test_who_holds_nothing_is_not_asked() -> None:
    state = at(FLIGHT)
    assert asked(state) == [0, 1]
    assert refused(state, "2 bid 0") == "SEAT"
    nobody = at("""\
        seats: 2
        round: 3
        0 hand: crystal-01
        1 hand: crystal-02
        danger deck: flight-3
        """)
    effects = do(nobody, "0 pick crystal-01 up", "1 pick crystal-02 up")
    assert told(nobody, effects, "BidsRevealed") == ["bid 0 0"]
    assert GAME.over(nobody)


@pytest.mark.rule("SR-DANGER-8", "SR-DANGER-23")
def test_what_was_bid_is_lost_and_the_rest_is_not_touched() -> None:
    state = at(FLIGHT)
    do(state, "0 bid 3", "1 bid 1")
    assert line(state, "0 fuel") is None
    assert line(state, "1 fuel") == "scanner-02"
    assert line(state, "0 crew") == "crew-01 crew-02"
    assert line(state, "1 crew") == "crew-03"
    assert line(state, "fuel discard") == "crystal-01 crystal-02 crystal-03 scanner-01"


@pytest.mark.rule("SR-DANGER-9", "SR-DANGER-10", "SR-DANGER-11", "SR-DANGER-12")
@pytest.mark.parametrize(
    ("bids", "ranks"),
    [
        ([4, 2, 2, 1], [1, 2, 2, 3]),  # the rulebook's example
        ([0, 1, 2, 3], [4, 3, 2, 1]),
        ([5, 5, 0, 1], [1, 1, 3, 2]),
        ([3, 3, 3], [1, 1, 1]),
        ([0, 0], [1, 1]),
    ],
)
def test_ranks(bids: list[int], ranks: list[int]) -> None:
    assert [rank_of(bids, seat) for seat in range(len(bids))] == ranks


@pytest.mark.rule("SR-DANGER-9", "SR-DANGER-10", "SR-DANGER-11")
@given(st.lists(st.integers(0, 18), min_size=2, max_size=4))
def test_ranks_follow_the_bids_without_gaps(bids: list[int]) -> None:
    ladder = sorted(set(bids), reverse=True)
    assert [rank_of(bids, seat) for seat in range(len(bids))] == [ladder.index(bid) + 1 for bid in bids]


@pytest.mark.rule("SR-DANGER-13", "SR-DANGER-20")
def test_the_rulebook_example_gives_each_rank_its_row() -> None:
    """Bids 4, 2, 2, 1: rank 1 has wrenches, rank 2 draws one card, rank 3 two; row 4 does not occur."""
    state = at("""\
        danger d9: flight; 2 wrenches; 1 damage; 2 damage; 3 damage
        seats: 4
        round: 3
        phase: bid
        danger: d9
        0 fuel: crew-01 crew-02 crew-03 crew-04
        1 fuel: crew-05 crew-06
        2 fuel: crew-07 crew-08
        3 fuel: crew-09
        0 damage: invasion 1
        damage deck: breach fire fire breach
        """)
    effects = do(state, "0 bid 4", "1 bid 2", "2 bid 2", "3 bid 1")
    assert told(state, effects, "RanksAssigned") == ["rank 1 2 2 3"]
    assert [damage(state, seat) for seat in range(4)] == [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]


@pytest.mark.rule("SR-DANGER-14", "SR-DANGER-15")
def test_clear_does_nothing() -> None:
    held, facts = outcome("danger: dc\n0 fuel: crew-01\n0 damage: fire 1\n1 damage: breach 2", "0 bid 1")
    assert held == ((1, 0, 0), (0, 2, 0))
    assert "DamageRemoved" not in facts
    assert "DamageDrawn" not in facts


@pytest.mark.rule("SR-DANGER-14")
def test_every_row_is_one_thing() -> None:
    """A row is stored as one number, so it cannot be two of clear, wrenches and damage."""
    assert [read_row(text) for text in ("clear", "1 wrench", "2 wrenches", "3 damage")] == [0, 1, 2, -3]
    for text in ("0 wrenches", "0 damage", "1 wrench 1 damage", "-1 damage", "", "wrench"):
        assert read_row(text) is None
    assert all(read_row(row_text(row)) == row for row in PACK.rows)


@pytest.mark.rule("SR-DANGER-16")
def test_wrenches_remove_what_is_there_and_the_rest_is_lost() -> None:
    held, facts = outcome("danger: dw\n0 fuel: crew-01\n0 damage: fire 1", "0 bid 1")
    assert held == ((0, 0, 0), (0, 0, 0))
    assert facts.count("DamageRemoved") == 1


@pytest.mark.rule("SR-DANGER-17", "SR-DEC-4")
def test_the_owner_chooses_only_where_there_is_a_choice() -> None:
    # all of one kind: no question
    held, facts = outcome("danger: dw\n0 fuel: crew-01\n0 damage: breach 3", "0 bid 1")
    assert held == ((0, 1, 0), (0, 0, 0))
    assert "RepairCommitted" not in facts
    # no more Damage than wrenches: no question
    held, facts = outcome("danger: dw\n0 fuel: crew-01\n0 damage: fire 1 breach 1", "0 bid 1")
    assert held == ((0, 0, 0), (0, 0, 0))
    assert "RepairCommitted" not in facts
    # a choice
    state = at(ROWS + "danger: dw\n0 fuel: crew-01\n0 damage: fire 2 breach 1\n1 damage: fire 9")
    do(state, "0 bid 1")
    assert asked(state) == [0]
    assert texts(state, 0) == ["repair fire 1 breach 1", "repair fire 2"]
    for wrong in ("fire 1", "fire 3", "breach 2", "fire 2 breach 1", "nothing", "fire 1 invasion 1"):
        assert refused(state, f"0 repair {wrong}") == "REPAIR"
    assert refused(state, "1 repair fire 2") == "SEAT"
    do(state, "0 repair fire 2")
    assert damage(state, 0) == (0, 1, 0)
    assert damage(state, 1) == (7, 0, 0)


@pytest.mark.rule("SR-DEC-4")
@pytest.mark.parametrize(
    ("constants", "held", "answer"),
    [
        ("", "fire 1 breach 1 invasion 1", "repair breach 1 invasion 1"),
        ("", "fire 3 breach 1", "repair fire 1 breach 1"),
        ("", "fire 3 invasion 3", "repair invasion 2"),
        ("constant damage-fire: -5\n", "fire 1 breach 1 invasion 1", "repair fire 1 invasion 1"),
        ("constant damage-breach: -3\n", "fire 1 breach 2 invasion 1", "repair breach 1 invasion 1"),
        ("constant damage-breach: -1\n", "fire 3 breach 1", "repair fire 1 breach 1"),
    ],
)
def test_the_default_repair_takes_the_worst_first(constants: str, held: str, answer: str) -> None:
    state = at(constants + ROWS + f"danger: dw\n0 fuel: crew-01\n0 damage: {held}")
    do(state, "0 bid 1")
    assert GAME.move_text(state, GAME.default(state, 0)) == answer
    assert GAME.default(state, 0) in GAME.legal(state, 0)


@pytest.mark.rule("SR-DANGER-18")
def test_removed_damage_goes_to_the_discard_pile() -> None:
    state = at(ROWS + "danger: dw\n0 fuel: crew-01\n0 damage: fire 1 invasion 1\ndamage discard: fire 2")
    do(state, "0 bid 1")
    assert line(GAME.view(state, 1), "damage discard") == "fire 3 invasion 1"


@pytest.mark.rule("SR-DANGER-19", "SR-VIEW-2")
def test_drawn_damage_is_seen_by_all() -> None:
    state = at(ROWS + "danger: d9\n0 fuel: crew-01\ndamage deck: invasion fire")
    effects = do(state, "0 bid 1")
    for viewer in (0, 1, -1):
        assert told(state, shown(effects, viewer), "DamageDrawn") == ["seat 1: damage invasion"]
    assert damage(state, 1) == (0, 0, 1)
    assert line(state, "damage deck") == "fire"


@pytest.mark.rule("SR-DANGER-21")
def test_all_removals_come_before_any_draw_and_draws_go_in_seat_order() -> None:
    """Seat 1 repairs a Fire; seat 0 draws two: the last card, and that very Fire from the discards."""
    state = at("""\
        danger dm: flight; 1 wrench; 2 damage; 3 damage; 3 damage
        seats: 3
        round: 3
        phase: bid
        danger: dm
        1 fuel: crew-01 crew-02
        0 fuel: crew-03
        1 damage: fire 1
        damage deck: breach
        """)
    effects = do(state, "1 bid 2", "0 bid 1")
    assert [name for name in names(effects) if name.startswith("Damage")] == [
        "DamageRemoved",
        "DamageDrawn",
        "DamageDeckRebuilt",
        "DamageDrawn",
    ]
    assert [damage(state, seat) for seat in range(3)] == [(1, 1, 0), (0, 0, 0), (0, 0, 0)]
    ordered = at(ROWS.replace("seats: 2", "seats: 3") + "danger: d9\n2 fuel: crew-01\ndamage deck: fire breach")
    do(ordered, "2 bid 1")
    assert [damage(ordered, seat) for seat in range(3)] == [(1, 0, 0), (0, 1, 0), (0, 0, 0)]


@pytest.mark.rule("SR-DANGER-22", "SR-CONTENT-9")
def test_an_empty_damage_deck_is_rebuilt_from_the_discards_by_the_game_s_own_chance() -> None:
    key = "07" * 32
    state = at(f"""\
        danger dx: flight; clear; 9 damage; 9 damage; 9 damage
        seats: 2
        round: 3
        phase: bid
        danger: dx
        0 fuel: crew-01
        damage deck: invasion
        damage discard: fire 4 breach 2
        deal: sha256 {key} 5
        """)
    effects = do(state, "0 bid 1")
    deal = Deal(bytes.fromhex(key), 5)
    deck = [0, 0, 0, 0, 1, 1]
    deal.shuffle(deck)
    rebuilt = [effect for effect in effects if names([effect]) == ["DamageDeckRebuilt"]]
    assert [effect.values for effect in rebuilt] == [[deal.at, *deck]]
    assert set(shown(rebuilt, 0)[0].values) == {-2}  # nobody learns the new order
    assert damage(state, 1) == (4, 2, 1)  # seven of the nine: then both are empty and the draw does nothing
    assert state.deal is not None
    assert state.deal.at == deal.at
    assert line(state, "damage discard") is None


@pytest.mark.rule("SR-DANGER-24", "SR-VIEW-7", "SR-VIEW-3")
def test_bid_fuel_is_discarded_face_down_and_crew_face_up() -> None:
    state = at(FLIGHT.replace("round: 3", "round: 2"))
    effects = do(state, "0 bid 2", "1 bid 0")
    assert told(state, shown(effects, 0), "BidsDiscarded") == ["seat 0: resource fuel, card crystal-01 crystal-02"]
    for viewer in (1, 2, -1):
        assert told(state, shown(effects, viewer), "BidsDiscarded") == ["seat 0: resource fuel, card ?x2"]
        assert line(GAME.view(state, viewer), "fuel discard") == "?x2"
    fight = at(FLIGHT.replace("round: 3", "round: 2").replace("flight-1", "fight-1"))
    effects = do(fight, "0 bid 1", "1 bid 1")
    assert told(fight, shown(effects, -1), "BidsDiscarded") == [
        "seat 0: resource crew, card crew-01",
        "seat 1: resource crew, card crew-03",
    ]
    assert line(GAME.view(fight, -1), "crew discard") == "crew-01 crew-03"


@pytest.mark.rule("SR-DANGER-25")
def test_the_longest_held_goes_first() -> None:
    state = at(FLIGHT.replace("flight-1", "fight-1"))
    do(state, "0 bid 1", "1 bid 0")
    assert line(state, "0 crew") == "crew-02"


@pytest.mark.rule("SR-DANGER-26")
def test_used_danger_cards_are_public_and_never_return() -> None:
    state = at(FLIGHT.replace("round: 3", "round: 2") + "danger discard: fight-1\n")
    do(state, "0 bid 1", "1 bid 0")
    assert line(GAME.view(state, -1), "danger discard") == "fight-1 flight-1"
    over, log = finished("danger", 3)
    revealed = [effect.values[0] for effect in log if names([effect]) == ["DangerRevealed"]]
    assert len(set(revealed)) == 3
    assert over.danger_gone == revealed
    assert len(over.danger_deck) - over.danger_at == 5


@pytest.mark.rule("SR-DANGER-1")
def test_the_top_danger_card_is_the_one_revealed() -> None:
    first = start("danger", 3).danger_deck
    _, log = finished("danger", 3)
    assert [effect.values[0] for effect in log if names([effect]) == ["DangerRevealed"]] == first[:3]
