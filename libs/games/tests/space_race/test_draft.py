"""The Upgrade Phase: sections 4, 5 and 6 of the rules."""

from __future__ import annotations

import pytest

from space_race.table import (
    GAME,
    PACK,
    asked,
    at,
    do,
    finished,
    ids,
    line,
    names,
    play_out,
    refused,
    start,
    texts,
    told,
)
from starport_games.kernel.effects import HIDDEN, shown
from starport_games.space_race import codes

THREE = """\
seats: 3
round: 3
coin: {coin}
0 hand: scanner-01 crew-01 crystal-01
1 hand: scanner-02 crew-02 crystal-02
2 hand: scanner-03 crew-03 crystal-03
danger deck: fight-2
"""
TWO_LAST = """\
seats: 2
round: 3
0 hand: {mine}
1 hand: crystal-09
0 up: {ship}
danger deck: fight-2
"""


@pytest.mark.rule("SR-DRAFT-1", "SR-DRAFT-2")
def test_six_cards_each_from_the_top_seat_by_seat() -> None:
    from_deck = start("deal", 3).space_deck
    state = start("deal", 3)
    assert state.hands == [from_deck[0:6], from_deck[6:12], from_deck[12:18]]


@pytest.mark.rule("SR-DRAFT-3", "SR-DRAFT-11")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_public_flip_and_six_picks_a_phase(seats: int) -> None:
    state, log = finished("picks", seats)
    phases = " ".join(names(log)).split("RoundStarted")[1:]
    assert len(phases) == 3
    for phase in phases:
        assert phase.count("CoinFlipped") == 1
        assert phase.count("PicksRevealed") == 6 * seats
    public = [text.split(",")[0] for text in told(state, shown(log, -1), "CoinFlipped")]
    assert public == [text.split(",")[0] for text in told(state, log, "CoinFlipped")]
    assert set(public) <= {"coin left", "coin right"}
    sizes = [len(effect.values) - 2 for effect in log if names([effect]) == ["HandsPassed"] and effect.seat == 0]
    assert sizes == [5, 4, 3, 2, 1] * 3


@pytest.mark.rule("SR-DRAFT-4", "SR-DRAFT-14", "SR-DEC-2")
def test_one_card_of_the_own_hand_either_way() -> None:
    state = at(THREE.format(coin="left"))
    assert texts(state, 0) == [
        f"pick {card} {face}" for card in ("scanner-01", "crew-01", "crystal-01") for face in ("up", "down")
    ]
    assert refused(state, "0 pick crew-02 up") == "CARD"  # in another hand
    assert refused(state, "0 pick loot-carrier-01 up") == "CARD"  # in the deck
    assert refused(state, "0 pick moon-base-77 up") == "CARD"  # nowhere: told apart by nothing
    assert refused(state, "0 bid 1") == "PHASE"
    assert refused(state, "0 ship ravens ravens") == "PHASE"
    assert refused(state, "0 repair fire 1") == "PHASE"


@pytest.mark.rule("SR-DEC-2")
def test_the_default_pick_is_the_lowest_id_face_down() -> None:
    state = at(THREE.format(coin="left"))
    assert GAME.move_text(state, GAME.default(state, 0)) == "pick crew-01 down"
    assert GAME.move_text(state, GAME.default(state, 2)) == "pick crew-03 down"


@pytest.mark.rule("SR-DRAFT-5", "SR-DRAFT-6", "SR-DRAFT-8")
def test_choices_stay_secret_until_the_last_and_are_laid_together() -> None:
    state = at(THREE.format(coin="left"))
    first = do(state, "2 pick crystal-03 down") + do(state, "0 pick crew-01 up")
    assert names(first) == ["PickCommitted", "PickCommitted"]
    for viewer in (1, -1):
        heard = shown(first, viewer)
        assert [effect.values for effect in heard] == [[HIDDEN, HIDDEN]] * 2  # neither card nor way of playing
        assert line(GAME.view(state, viewer), "0 answer") == "?"
    assert line(state, "0 crew") is None
    assert line(state, "2 fuel") is None
    last = do(state, "1 pick scanner-02 down")
    assert names(last)[:4] == ["PickCommitted", "PicksRevealed", "PicksRevealed", "PicksRevealed"]
    assert told(state, shown(last, 0), "PicksRevealed") == [
        "seat 0: face up, card crew-01",
        "seat 1: face down, card ?",
        "seat 2: face down, card ?",
    ]
    public = GAME.view(state, -1)
    assert line(public, "0 crew") == "crew-01"
    assert line(public, "1 fuel") == "?"


@pytest.mark.rule("SR-DRAFT-7", "SR-DEC-7")
def test_a_committed_choice_stands() -> None:
    state = at(THREE.format(coin="left"))
    do(state, "0 pick crew-01 up")
    assert refused(state, "0 pick crew-01 down") == "SEAT"
    assert refused(state, "0 pick crystal-01 up") == "SEAT"
    assert GAME.legal(state, 0) == []
    assert asked(state) == [1, 2]


@pytest.mark.rule("SR-DRAFT-9", "SR-SCAN-1", "SR-SCAN-5")
def test_place_then_look_then_pass() -> None:
    state = at(THREE.format(coin="left"))
    effects = do(state, "0 pick scanner-01 up", "1 pick scanner-02 down", "2 pick scanner-03 up")
    assert names(effects) == ["PickCommitted"] * 3 + ["PicksRevealed"] * 3 + ["DangerPeeked"] * 2 + ["HandsPassed"] * 3
    assert told(state, effects, "DangerPeeked") == ["seat 0: danger fight-2", "seat 2: danger fight-2"]
    assert asked(state) == [0, 1, 2]  # the look asked nobody anything: the next pick is open


@pytest.mark.rule("SR-DRAFT-10", "SR-COMP-11")
@pytest.mark.parametrize(("coin", "receives"), [("left", [2, 0, 1]), ("right", [1, 2, 0])])
def test_hands_go_to_the_neighbour_the_coin_shows(coin: str, receives: list[int]) -> None:
    """Left is to the next higher seat, so seat 0 receives from the last one."""
    state = at(THREE.format(coin=coin))
    effects = do(state, "0 pick scanner-01 down", "1 pick scanner-02 down", "2 pick scanner-03 down")
    for seat in range(3):
        source = receives[seat] + 1
        assert ids(state.hands[seat]) == [f"crew-0{source}", f"crystal-0{source}"]
    source = receives[0]
    assert told(state, effects, "HandsPassed")[0] == (
        f"seat 0: pick 5, from {source}, card crew-0{source + 1} crystal-0{source + 1}"
    )


@pytest.mark.rule("SR-DRAFT-12")
@pytest.mark.parametrize("face", ["up", "down"])
def test_the_last_card_is_played_either_way_and_nothing_is_passed(face: str) -> None:
    state = at(TWO_LAST.format(mine="crew-01", ship="crystal-01"))
    assert texts(state, 0) == ["pick crew-01 up", "pick crew-01 down"]
    effects = do(state, f"0 pick crew-01 {face}", "1 pick crystal-09 up")
    assert "HandsPassed" not in names(effects)
    assert "DangerRevealed" in names(effects)
    assert line(state, "0 crew") == ("crew-01" if face == "up" else None)
    assert line(state, "0 fuel") == ("crew-01" if face == "down" else None)


@pytest.mark.rule("SR-DRAFT-13")
@pytest.mark.parametrize("coin", ["left", "right"])
def test_two_seats_swap_hands_whatever_the_coin_says(coin: str) -> None:
    state = at(f"""\
        seats: 2
        coin: {coin}
        round: 3
        0 hand: crew-01 crystal-01
        1 hand: crew-02 crystal-02
        """)
    do(state, "0 pick crew-01 up", "1 pick crew-02 up")
    assert [ids(hand) for hand in state.hands] == [["crystal-02"], ["crystal-01"]]
    assert names(finished("two", 2)[1]).count("CoinFlipped") == 3


@pytest.mark.rule("SR-PLACE-1", "SR-PLACE-2", "SR-PLACE-3", "SR-PLACE-4", "SR-PLACE-5", "SR-PLACE-6", "SR-PLACE-7")
@pytest.mark.parametrize(
    "card",
    ["scanner-09", "robot-part-09", "crystal-08", "power-source-09", "loot-carrier-09", "alien-drone-09"],
)
def test_face_up_cards_are_added_on_top_and_nothing_moves(card: str) -> None:
    """Stacks are told by the order of play; no place is asked for, and older cards stay where they are."""
    ship = "crystal-01 scanner-01 robot-part-01 power-source-01 crystal-02"
    state = at(TWO_LAST.format(mine=card, ship=ship))
    effects = do(state, f"0 pick {card} up", "1 pick crystal-09 up")
    assert names(effects).count("PickCommitted") == 2  # the only decisions on the way
    assert line(state, "0 up") == f"{ship} {card}"


@pytest.mark.rule("SR-PLACE-4")
def test_crew_stands_in_front_and_fuel_lies_behind() -> None:
    state = at("""\
        seats: 2
        round: 3
        0 hand: crew-02 crystal-01
        1 hand: crew-03 crystal-02
        0 crew: crew-01
        1 fuel: crew-09
        """)
    do(state, "0 pick crew-02 up", "1 pick crew-03 down")
    assert (line(state, "0 crew"), line(state, "0 fuel")) == ("crew-01 crew-02", None)
    assert (line(state, "1 crew"), line(state, "1 fuel")) == (None, "crew-09 crew-03")


@pytest.mark.rule("SR-PLACE-5", "SR-PLACE-6", "SR-SCORE-3")
def test_the_newest_card_of_a_kind_is_on_top_and_covered_ones_keep_their_points() -> None:
    """Scanners 01 and 04 are orange and green: only the later one matches a Power Source."""
    for order, power in (("scanner-04 scanner-01", 2), ("scanner-01 scanner-04", 0)):
        state = at(f"seats: 2\nphase: over\n0 up: power-source-01 {order}\n")
        parts = GAME.score(state)[0].parts
        assert (parts["power"], parts["corner"]) == (power, 5)


@pytest.mark.rule("SR-PLACE-8", "SR-SCAN-2")
def test_a_card_face_down_is_fuel_and_nothing_else() -> None:
    state = at(TWO_LAST.format(mine="scanner-01", ship="power-source-01"))
    before = GAME.score(state)[0].parts
    effects = do(state, "0 pick scanner-01 down", "1 pick crystal-09 up")
    assert "DangerPeeked" not in names(effects)
    after = GAME.score(state)[0].parts
    assert dict(after) == {**before, "fuel": 5}  # fight-2 has a wrench for rank 1, and all bids are 0
    assert line(state, "0 fuel") == "scanner-01"


@pytest.mark.rule("SR-PLACE-7", "SR-PLACE-9")
def test_fuel_is_never_turned_up_and_ships_only_grow_but_for_bids_and_repairs() -> None:
    for seats in (2, 4):
        state = start("grow", seats)
        fuel_seen: set[int] = set()
        ups = [list(up) for up in state.up]
        for _ in play_out(state, 3):
            for seat in range(seats):
                assert state.up[seat][: len(ups[seat])] == ups[seat]
                ups[seat] = list(state.up[seat])
                fuel_seen.update(state.fuel[seat])
        assert not fuel_seen & {card for up in state.up for card in up}
        assert not fuel_seen & set(state.crew_gone)


@pytest.mark.rule("SR-PLACE-10", "SR-SCORE-20")
def test_damage_covers_nothing_and_does_nothing_but_cost_points() -> None:
    ship = "seats: 2\nphase: over\n0 up: scanner-01 power-source-01 robot-part-01 crystal-01\n"
    sound = GAME.score(at(ship))[0].parts
    hurt = GAME.score(at(ship + "0 damage: fire 1 breach 1 invasion 1\n"))[0].parts
    assert dict(hurt) == {**sound, "damage": -6}


@pytest.mark.rule("SR-SCAN-3", "SR-SCAN-4", "SR-SCAN-7")
def test_all_see_that_a_seat_looked_and_only_it_sees_what() -> None:
    state = at(THREE.format(coin="left"))
    effects = do(state, "0 pick scanner-01 up", "1 pick crew-02 up", "2 pick crew-03 up")
    assert told(state, shown(effects, 0), "DangerPeeked") == ["seat 0: danger fight-2"]
    for viewer in (1, 2, -1):
        assert told(state, shown(effects, viewer), "DangerPeeked") == ["seat 0: danger ?"]
        assert line(GAME.view(state, viewer), "0 scanned") == "?"
        assert line(GAME.view(state, viewer), "1 scanned") is None
        assert "fight-2" not in GAME.position_text(GAME.view(state, viewer))
    own = GAME.view(state, 0)
    assert line(own, "0 scanned") == "fight-2"
    card = own.scanned[0]  # the whole card: its type and all four rows
    assert own.pack.danger_type[card] == codes.FIGHT
    assert own.pack.rows[card * 4 : card * 4 + 4] == [1, -1, -2, -3]


@pytest.mark.rule("SR-SCAN-6", "SR-SCAN-8", "SR-DANGER-1")
def test_a_look_moves_nothing_lasts_until_the_reveal_and_shows_the_card_revealed() -> None:
    state = at(THREE.format(coin="left"))
    do(state, "0 pick scanner-01 up", "1 pick crew-02 up", "2 pick crew-03 up")
    assert line(state, "danger deck") == "fight-2"
    do(state, "0 pick scanner-03 up", "1 pick crystal-01 up", "2 pick scanner-02 up")
    assert [line(state, f"{seat} scanned") for seat in range(3)] == ["fight-2", None, "fight-2"]
    assert line(GAME.view(state, 0), "0 scanned") == "fight-2"
    effects = do(state, *(f"{seat} pick {ids(state.hands[seat])[0]} down" for seat in range(3)))
    assert told(state, effects, "DangerRevealed") == ["danger fight-2"]
    for viewer in (0, 1, 2, -1):
        told_danger = told(state, shown(effects, viewer), "DangerRevealed")
        assert told_danger == ["danger fight-2"]
    assert state.scanned == [-1, -1, -1]


@pytest.mark.rule("SR-SCAN-6")
def test_looks_of_one_phase_see_the_card_of_that_round() -> None:
    for seats in (2, 3, 4):
        _, log = finished("looks", seats)
        looked: set[int] = set()
        rounds = 0
        for effect in log:
            name = names([effect])[0]
            if name == "DangerPeeked":
                looked.add(effect.values[0])
            elif name == "DangerRevealed":
                assert looked <= {effect.values[0]}
                rounds += len(looked)
                looked = set()
        assert rounds > 0
    assert len(PACK.danger_ids) == 8
