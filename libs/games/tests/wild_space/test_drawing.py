"""The action of a sector, drawing, refreshing and empty piles: sections 8 to 11 of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starport_games.kernel.deal import QuickDeal
from wild_space.table import OPTIONS, Table

STOCK = """\
pool: a1 a2 a3
pile: a4 a5 a6 a7 a8 a9
"""
# Few cards and much drawing, so that both piles run empty again and again.
SCARCE = """\
card d1: specialist owl pilot; draw 2
card d2: robot; discard(any) -> draw 3
card d3: specialist bear engineer veteran; remove -> play any
card d4: robot veteran; discard(any) -> take
planet q3: 3; [discard(any)] draw 5; [remove] take
planets: P3=q3
pool: a1 d1 d2
0 hand: d3 r1 b1
1 hand: d4 e1
0 crew: b2 b3
1 crew: b4 b5
"""


# -- the action


@pytest.mark.rule("WS-ACT-1")
def test_after_landing_exactly_one_printed_option_is_resolved() -> None:
    table = Table.load("0 hand: b1\n" + STOCK)
    table.play("0: land H2 right")
    assert table.answers() == ["choose 1", "choose 2"]
    for none in ("end-turn", "pass", "draw pile", "play b1"):
        assert table.refused(f"0: {none}") == "PHASE"
    first, second = table.clone(), table.clone()
    first.play("0: choose 1", "0: draw pile")
    second.play("0: choose 2", "0: play b1")
    for done in (first, second):
        assert done.answers() == ["end-turn"]  # not the other one too
        assert done.refused("0: choose 2") == "PHASE"
    assert (first.hand(), first.crew(), second.hand(), second.crew()) == (["b1", "a4"], [], [], ["b1"])


@pytest.mark.rule("WS-ACT-2")
def test_after_exploring_exactly_one_of_two_options_is_resolved() -> None:
    table = Table.load("0 hand: b1\n0 ships: H1.left\n" + STOCK)
    table.play("0: explore H1 left")
    assert table.answers() == ["choose 1", "choose 2"]
    for none in ("end-turn", "pass", "draw pile", "play b1"):
        assert table.refused(f"0: {none}") == "PHASE"
    first, second = table.clone(), table.clone()
    first.play("0: choose 1", "0: draw pile", "0: draw pile", "0: draw pile")
    second.play("0: choose 2", "0: play b1")
    for done in (first, second):
        assert done.answers() == ["end-turn"]
        assert done.refused("0: choose 1") == "PHASE"


@pytest.mark.rule("WS-ACT-3")
def test_a_single_option_starts_at_once() -> None:
    table = Table.load("0 hand: b1\n" + STOCK)
    drawing, playing = table.clone(), table.clone()
    drawing.play("0: land H1 left")
    assert drawing.answers() == ["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"]
    assert drawing.refused("0: choose 1") == "PHASE"
    playing.play("0: land H1 right")
    assert playing.answers() == ["play b1", "pass"]
    assert playing.refused("0: choose 1") == "PHASE"


@pytest.mark.rule("WS-ACT-4")
@pytest.mark.parametrize(
    ("options", "hand", "stock", "open_ones"),
    [
        ("draw 1 / play any", "", STOCK, [1]),
        ("draw 1 / play any", "b1", "", [2]),
        ("play robot / draw 1", "b1 e1", STOCK, [2]),
        ("play robot / draw 1", "r1", STOCK, [1, 2]),
        ("play veteran / play emissary", "e1", STOCK, [2]),
        ("take / play any", "b1", "", [2]),
        ("take / play any", "", STOCK, [1]),
        ("draw 1 / take", "", "pool: a1", [1, 2]),
    ],
)
def test_only_possible_options_can_be_chosen(options: str, hand: str, stock: str, open_ones: list[int]) -> None:
    table = Table.load(f"planet q: home; {options}; draw 1\nplanets: H1=q\n0 hand: {hand}\n{stock}")
    table.play("0: land H1 left")
    assert table.answers() == [f"choose {option}" for option in open_ones]
    for option in (0, 1, 2, 3):
        if option not in open_ones:
            assert table.refused(f"0: choose {option}") == "OPTION"


@pytest.mark.rule("WS-ACT-5")
def test_an_action_without_a_possible_option_goes_to_the_end_window() -> None:
    for ships, move in (("", "land H2 right"), ("H2.right", "explore H2 right"), ("", "land H1 right")):
        table = Table.load(f"0 ships: {ships}\n")  # no hand, and nothing to draw
        table.play(f"0: {move}")
        assert (table.asked(), table.legal()) == (0, ["end-turn"])


@pytest.mark.rule("WS-ACT-6")
def test_a_draw_that_has_started_goes_on_to_its_end() -> None:
    table = Table.load("0 hand: b1\n0 ships: H1.left\n" + STOCK)
    table.play("0: explore H1 left", "0: choose 1")
    for drawn in range(3):
        assert len(table.hand()) == 1 + drawn
        for way_out in ("pass", "done", "end-turn", "choose 2"):
            assert table.refused(f"0: {way_out}") == "PHASE"
        assert all(answer.startswith("draw ") for answer in table.answers())
        table.play("0: draw pile")
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-ACT-7")
def test_play_and_take_may_always_be_declined() -> None:
    head = "planet q: home; play any; take\nplanets: H1=q\ncaptain cq: owl pilot; take, play any\n0 captain: cq\n"
    for move in ("land H1 left", "land H1 right"):
        sector = Table.load(head + "0 hand: b1\n" + STOCK)
        sector.play(f"0: {move}")
        assert "pass" in sector.answers()
        sector.play("0: pass")
        assert (sector.hand(), sector.crew(), sector.answers()) == (["b1"], [], ["end-turn"])
    for effect in ("play any", "discard(robot) -> take"):
        card = f"card x: specialist owl pilot; {effect}\n"
        ability = Table.load(head + card + "0 hand: x b1 r1\n" + STOCK)
        ability.play("0: land H1 left", "0: play x")
        ability.play("0: ability" + (" pay r1" if "discard" in effect else ""), "0: pass")
        assert (ability.crew(), ability.answers()) == (["x"], ["end-turn"])
    square = Table.load(head + "0 hand: av bv b1\n0 ships: H2.left\nstack: end | play any x2\n" + STOCK)
    square.play("0: play av", "0: square")
    assert square.answers()[-1] == "pass"
    square.play("0: pass", "0: play bv", "0: square", "0: pass")
    assert (square.crew(), square.hand(), square.answers()) == (["av", "bv"], ["b1"], ["end-turn"])


@pytest.mark.rule("WS-ACT-8")
def test_two_plays_are_separate_and_each_is_resolved_before_the_next() -> None:
    cards = "card x: specialist owl pilot; play robot\ncard y: robot; draw 1\n"
    table = Table.load(cards + "0 hand: x y b1 b2\nstack: end | play any x2\n" + STOCK)
    table.play("0: play x")
    assert table.answers() == ["ability", "done"]
    assert table.refused("0: play b1") == "PHASE"  # not yet the second play
    table.play("0: ability")
    assert table.answers() == ["play y", "pass"]
    table.play("0: play y", "0: ability")
    assert table.refused("0: play b1") == "PHASE"
    table.play("0: draw pile")
    assert table.answers() == ["play b1", "play b2", "play a4", "pass"]  # with what the first one brought
    given_up = table.clone()
    table.play("0: play a4")
    assert (table.crew(), table.answers()) == (["x", "y", "a4"], ["end-turn"])
    given_up.play("0: pass")
    assert (given_up.crew(), given_up.answers()) == (["x", "y"], ["end-turn"])


@pytest.mark.rule("WS-ACT-8")
def test_pass_gives_up_all_remaining_plays() -> None:
    table = Table.load("0 hand: b1 b2\nstack: end | play any x2\n" + STOCK)
    table.play("0: pass")
    assert (table.hand(), table.answers()) == (["b1", "b2"], ["end-turn"])


@pytest.mark.rule("WS-ACT-9")
def test_possibility_is_judged_again_after_a_refresh_or_a_draw() -> None:
    table = Table.load("planet q: home; play robot / draw 1; draw 1\nplanets: H1=q\n0 hand: r1 b1\n" + STOCK)
    table.play("0: land H1 left")
    assert table.answers() == ["choose 1", "choose 2"]
    table.play("0: refresh r1")
    assert table.answers() == ["choose 2"]
    assert table.refused("0: choose 1") == "OPTION"
    # An option that becomes possible: with both piles and the pool empty, a refresh is what fills the pool.
    empty = Table.load("planet q: home; draw 1 / play any; draw 1\nplanets: H1=q\n0 hand: b1 b2\n")
    empty.play("0: land H1 left")
    assert empty.answers() == ["choose 2"]
    empty.play("0: refresh b1")
    assert empty.answers() == ["choose 1", "choose 2"]
    # A second play whose only card is drawn in the first one.
    chain = Table.load("card x: specialist owl pilot; draw 1\n0 hand: x\nstack: end | play any x2\n" + STOCK)
    chain.play("0: play x")
    declined = chain.clone()
    declined.play("0: done")
    assert declined.answers() == ["end-turn"]
    chain.play("0: ability", "0: draw pile")
    assert chain.answers() == ["play a4", "pass"]


# -- drawing


@pytest.mark.rule("WS-DRAW-1", "WS-DRAW-2")
@pytest.mark.parametrize(("source", "card"), [("pile", "a4"), ("pool 1", "a1"), ("pool 2", "a2"), ("pool 3", "a3")])
def test_each_card_comes_from_the_pile_or_a_slot_to_the_hand(source: str, card: str) -> None:
    table = Table.load("0 hand: b1\n" + STOCK)
    table.play("0: land H1 left")
    for _ in range(2):  # asked anew for each single card
        assert table.answers() == ["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"]
        table.play(f"0: draw {source}")
    assert table.hand()[:2] == ["b1", card]
    assert (len(table.hand()), table.crew(), table.discard()) == (3, [], [])


@pytest.mark.rule("WS-DRAW-3", "WS-DRAW-5")
def test_a_pool_card_is_replaced_at_once_in_its_slot_and_can_be_drawn_next() -> None:
    table = Table.load(STOCK)
    table.play("0: land H1 left")
    assert table.play("0: draw pool 2") == ["drew-from-pool 2 a2", "pool-filled 2 a4"]
    assert (table.pool(), table.pile()[0]) == (["a1", "a4", "a3"], "a5")
    table.play("0: draw pool 2")
    assert (table.hand(), table.pool()) == (["a2", "a4"], ["a1", "a5", "a3"])


@pytest.mark.rule("WS-DRAW-4")
def test_draw_n_is_n_decisions_each_with_what_the_last_one_showed() -> None:
    table = Table.load("0 ships: H1.left\n" + STOCK)
    table.play("0: explore H1 left", "0: choose 1")
    seen: list[tuple[list[str], list[str]]] = []
    for move in ("draw pool 3", "draw pile", "draw pool 3"):
        assert table.asked() == 0
        seen.append((table.hand(), table.pool()))
        table.play(f"0: {move}")
    seen.append((table.hand(), table.pool()))
    assert seen == [
        ([], ["a1", "a2", "a3"]),
        (["a3"], ["a1", "a2", "a4"]),
        (["a3", "a5"], ["a1", "a2", "a4"]),
        (["a3", "a5", "a4"], ["a1", "a2", "a6"]),
    ]
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-DRAW-6")
def test_there_is_no_hand_limit() -> None:
    hand = " ".join(f"{letter}{i}" for letter in "ab" for i in range(1, 10))
    table = Table.load(f"0 hand: {hand}\npool: r1 r2 r3\npile: e1 e2 e3 av bv\n")
    table.play("0: land H1 left", "0: draw pile", "0: draw pile")
    assert len(table.hand()) == 20
    assert table.answers() == ["end-turn"]  # nothing asks to discard
    table.play("0: end-turn")
    assert (len(table.hand()), table.discard()) == (20, [])


@pytest.mark.rule("WS-DRAW-7")
def test_what_cannot_be_drawn_lapses() -> None:
    table = Table.load("0 ships: H1.left\npool: a1 a2\n")
    table.play("0: explore H1 left", "0: choose 1", "0: draw pool 2", "0: draw pool 1")
    assert (table.hand(), table.pool(), table.legal()) == (
        ["a2", "a1"],
        ["-", "-", "-"],
        ["end-turn", "refresh a2", "refresh a1"],
    )


@pytest.mark.rule("WS-DRAW-8")
def test_an_empty_slot_or_pile_is_no_source() -> None:
    table = Table.load("pool: - a2 -\nstack: end | draw 2\n")
    assert table.answers() == ["draw pool 2"]
    for source in ("pile", "pool 1", "pool 3", "pool 0", "pool 4"):
        assert table.refused(f"0: draw {source}") == "SOURCE"
    taking = Table.load("pool: - a2 -\nstack: end | take\n")
    assert taking.answers() == ["take pool 2", "pass"]
    for source in ("pile", "pool 1", "pool 3"):
        assert taking.refused(f"0: take {source}") == "SOURCE"


@pytest.mark.rule("WS-DRAW-9")
@pytest.mark.parametrize("source", ["sector", "ability", "square"])
def test_every_draw_follows_the_same_rules(source: str) -> None:
    def open_draw(stock: str) -> Table:
        cards = "card x: specialist owl pilot; draw 2\n0 hand: x av\nplanet q: home; draw 2; play any\n"
        table = Table.load(f"{cards}planets: H1=q\n{stock}")
        if source == "sector":
            table.play("0: land H1 left")
        elif source == "ability":
            table.play("0: land H1 right", "0: play x", "0: ability")
        else:
            table.play("0: land H1 right", "0: play av", "0: square")  # the first square of cap-0 draws two
        return table

    table = open_draw(STOCK)
    before = table.hand()
    assert table.answers() == ["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"]
    assert table.refused("0: pass") == "PHASE"
    assert table.refused("0: done") == "PHASE"
    table.play("0: draw pool 1")
    assert table.pool() == ["a4", "a2", "a3"]
    table.play("0: draw pool 1")
    assert (table.hand(), table.pool()) == ([*before, "a1", "a4"], ["a5", "a2", "a3"])
    assert table.answers() == ["end-turn"]
    short = open_draw("pool: - - a3")
    assert short.refused("0: draw pool 1") == "SOURCE"
    short.play("0: draw pool 3")
    assert short.answers() == ["end-turn"]


# -- refreshing


@pytest.mark.rule("WS-REFR-1")
def test_a_refresh_discards_a_hand_card_then_the_pool_then_refills_from_the_left() -> None:
    table = Table.load("0 hand: b1 b2\ndiscard: e1\n" + STOCK)
    told = table.play("0: refresh b2")
    assert told == ["refreshed b2 a1 a2 a3", "pool-filled 1 a4", "pool-filled 2 a5", "pool-filled 3 a6"]
    assert (table.hand(), table.pool(), table.pile()) == (["b1"], ["a4", "a5", "a6"], ["a7", "a8", "a9"])
    assert table.discard() == ["e1", "b2", "a1", "a2", "a3"]


@pytest.mark.rule("WS-REFR-2", "WS-REFR-8")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_every_hand_card_may_refresh_at_every_decision_of_ones_turn(seed: int, seats: int) -> None:
    table = Table.start(seats, f"refresh {seed}")
    for _ in table.walk(seed):
        if table.asked() < 0:
            break
        refreshes = [text for text in table.legal() if text.startswith("refresh ")]
        assert refreshes == [f"refresh {card}" for card in table.hand(table.asked())]


@pytest.mark.rule("WS-REFR-2", "WS-REFR-3", "WS-REFR-4", "WS-REFR-5", "WS-REFR-6")
@pytest.mark.parametrize(
    ("before", "asked"),
    [
        ([], "land H1 left"),  # before the ship move
        (["land H1 left"], "draw pile"),
        (["land H1 left", "draw pile"], "draw pile"),  # between two draws
        (["land H1 left", "draw pile", "draw pool 1"], "end-turn"),  # after the action
        (["explore H2 left"], "choose 1"),
        (["land H1 right"], "play x"),
        (["land H1 right", "play x"], "ability"),
        (["land H1 right", "play x", "ability"], "play y"),
        (["land H1 right", "play x", "ability", "play y"], "ability pay b1"),  # nested
        (["land H1 right", "play x", "ability", "play y", "ability pay b2"], "take pile"),
        (["land H1 right", "play x", "ability", "play y", "ability pay b2", "take pool 1"], "end-turn"),
    ],
)
def test_refreshing_is_open_before_between_within_and_after(before: list[str], asked: str) -> None:
    cards = "card x: specialist owl pilot; play robot\ncard y: robot; discard(any) -> take\n"
    table = Table.load(cards + "0 hand: x y b1 b2 b3 r1\n0 ships: H2.left\n" + STOCK)
    table.play(*(f"0: {move}" for move in before))
    assert table.answers()[0] == asked
    pool = table.pool()
    assert "refresh b3" in table.legal()
    stack = table.line("stack")
    table.play("0: refresh b3")
    assert table.discard()[-4:] == ["b3", *pool]
    assert not set(table.pool()) & set(pool)
    assert table.line("stack") == stack  # and the open decision stays
    assert table.answers()[0] == asked


@pytest.mark.rule("WS-REFR-7", "WS-REFR-2")
def test_refreshing_may_be_repeated_while_the_hand_lasts() -> None:
    table = Table.load("0 hand: b1 r1 e1 av\n" + STOCK)
    for left, card in enumerate(["e1", "b1", "av", "r1"]):
        assert len(table.hand()) == 4 - left
        table.play(f"0: refresh {card}")
    assert table.hand() == []
    assert not any(text.startswith("refresh") for text in table.legal())
    assert table.refused("0: refresh b1") == "CARD"
    assert table.refused(f"0: refresh {table.pool()[0]}") == "CARD"


@pytest.mark.rule("WS-REFR-8")
@pytest.mark.parametrize("card", ["b1", "av", "r1", "rp", "rv", "e1"])
def test_any_hand_card_pays_for_a_refresh(card: str) -> None:
    table = Table.load("0 hand: b1 av r1 rp rv e1\n0 crew: b2\n" + STOCK)
    table.play(f"0: refresh {card}")
    assert table.discard() == [card, "a1", "a2", "a3"]
    assert table.refused("0: refresh b2") == "CARD"  # a crew card does not


@pytest.mark.rule("WS-REFR-9")
def test_a_refresh_changes_no_right_but_rights_are_judged_again() -> None:
    drawing = Table.load("0 hand: b1\nstack: end | draw 2\n" + STOCK)
    drawing.play("0: refresh b1")
    assert drawing.line("stack") == "end | draw 2"
    playing = Table.load("0 hand: b1 r1 r2\nstack: end | play robot x2\n" + STOCK)
    playing.play("0: refresh r1")
    assert playing.line("stack") == "end | play robot x2"
    playing.play("0: refresh r2")  # the last match
    assert playing.answers() == ["end-turn"]
    card = "card x: specialist owl pilot; discard(robot) -> draw 1\n0 crew: x\n"
    ability = Table.load(card + "0 hand: b1 r1 r2\nstack: end | triggers x ability\n" + STOCK)
    ability.play("0: refresh r1")
    assert ability.answers() == ["ability pay r2", "done"]
    ability.play("0: refresh r2")  # the last payment
    assert ability.answers() == ["end-turn"]
    # Beside a square that can be used, the ability is closed to use but not asked about alone.
    both = Table.load(card + "0 hand: b1 r1\nstack: end | triggers x ability square draw 1\n" + STOCK)
    both.play("0: refresh r1")
    assert both.answers() == ["square", "done"]
    assert both.refused("0: ability pay b1") == "TRIGGER"


@pytest.mark.rule("WS-REFR-10")
def test_nobody_refreshes_in_the_turn_of_another() -> None:
    table = Table.load("0 hand: b1\n1 hand: b2\n" + STOCK)
    assert table.refused("1: refresh b2") == "SEAT"
    table.play("0: land H1 left")
    assert table.refused("1: refresh b2") == "SEAT"
    table.play("0: draw pile", "0: draw pile")
    assert table.refused("1: refresh b2") == "SEAT"
    table.play("0: end-turn")
    assert table.refused("0: refresh b1") == "SEAT"
    solo = Table.load(
        "hostile h1: I; add 1; add 2; robot\nseats: 1\nactive: smuggler\n0 hand: b1\nhostile shown: h1\n" + STOCK
    )
    assert solo.legal() == ["smuggler-land h1"]
    assert solo.refused("0: refresh b1") == "PHASE"


@pytest.mark.rule("WS-REFR-11")
def test_a_reshuffle_in_a_refresh_takes_what_was_just_discarded() -> None:
    found: set[str] = set()
    for seed in range(1, 30):
        table = Table.load(f"0 hand: b1\npool: a1 a2 a3\npile: a4\ndeal: {QuickDeal(seed).text()}\n")
        told = table.play("0: refresh b1")
        # The discards, then the one card of the pile, then the four discards as the new pile.
        assert told[:3] == ["refreshed b1 a1 a2 a3", "pool-filled 1 a4", "reshuffled 4"]
        assert table.pool()[0] == "a4"
        assert (len(table.pile()), table.discard()) == (2, [])
        assert sorted(table.pool()[1:] + table.pile()) == ["a1", "a2", "a3", "b1"]
        found |= set(table.pool()[1:])
    assert found == {"a1", "a2", "a3", "b1"}  # each of them may come straight back
    # What was discarded earlier is shuffled together with them, and not alone before them.
    earlier = Table.load("0 hand: b1\npool: a1 a2 a3\npile: a4\ndiscard: e1\n")
    told = earlier.play("0: refresh b1")
    assert told[:3] == ["refreshed b1 a1 a2 a3", "pool-filled 1 a4", "reshuffled 5"]
    assert (len(earlier.pile()), earlier.discard()) == (3, [])


@pytest.mark.rule("WS-REFR-12")
def test_a_pool_with_empty_slots_can_be_refreshed() -> None:
    table = Table.load("0 hand: b1 b2\npool: - a2 -\n")
    told = table.play("0: refresh b1")
    assert told[:2] == ["refreshed b1 a2", "reshuffled 2"]
    assert sorted(table.pool()) == ["-", "a2", "b1"]
    assert table.pool()[2] == "-"
    void = Table.load("0 hand: b1 b2\n")
    void.play("0: refresh b1")
    assert void.pool() == ["b1", "-", "-"]


# -- empty piles


@pytest.mark.rule("WS-PILE-1")
def test_the_discard_pile_becomes_the_draw_pile_as_soon_as_that_is_empty() -> None:
    orders: set[tuple[str, ...]] = set()
    for seed in range(1, 60):
        table = Table.load(
            f"pool: a1 a2 a3\npile: a4\ndiscard: b1 b2 b3\nstack: end | draw 1\ndeal: {QuickDeal(seed).text()}\n"
        )
        assert table.play("0: draw pile") == ["drew-from-pile a4", "reshuffled 3"]  # nobody needs a card yet
        assert (table.discard(), sorted(table.pile())) == ([], ["b1", "b2", "b3"])
        orders.add(tuple(table.pile()))
    assert len(orders) == 6  # shuffled: every order comes up


@pytest.mark.rule("WS-PILE-2")
def test_the_test_runs_after_every_card_that_leaves_the_pile_and_every_discard() -> None:
    # A refill takes the last card.
    refill = Table.load("pool: a1 a2 a3\npile: a4\ndiscard: b1\nstack: end | draw 1\n")
    assert refill.play("0: draw pool 1") == ["drew-from-pool 1 a1", "pool-filled 1 a4", "reshuffled 1"]
    # A card taken into play was the last one.
    take = Table.load("pool: a1 a2 a3\npile: a4\ndiscard: b1\nstack: end | take\n")
    assert take.play("0: take pile") == ["took-from-pile a4", "reshuffled 1", "put-into-play a4"]
    # A payment, by discard and by remove.
    planet = "planet q: home; [discard(any)] draw 1; [remove] draw 1\nplanets: H1=q\npool: a1 a2 a3\n"
    paid = Table.load(planet + "0 hand: b1\n")
    assert paid.play("0: land H1 left pay b1") == ["landed H1 left 1", "paid b1", "reshuffled 1"]
    assert (paid.pile(), paid.discard()) == (["b1"], [])
    removed = Table.load(planet + "0 crew: b1\n")
    assert removed.play("0: land H1 right pay b1") == ["landed H1 right 1", "removed b1", "reshuffled 1"]
    assert (removed.pile(), removed.discard()) == (["b1"], [])
    # The cards of a refresh count as one discard: all four are shuffled together.
    refreshed = Table.load("0 hand: b1\npool: a1 a2 a3\n")
    assert refreshed.play("0: refresh b1")[:2] == ["refreshed b1 a1 a2 a3", "reshuffled 4"]
    # One discard of the Smuggler.
    solo = Table.load(
        "hostile h1: I; discard 2, discard 2; add 2; robot\nseats: 1\nactive: smuggler\nhostile shown: h1\n"
        "pool: a1 a2 a3\n"
    )
    told = solo.play("0: smuggler-land h1")
    assert told[1:4] == ["smuggler-discarded 2 a2", "reshuffled 1", "pool-filled 2 a2"]
    assert told[4:7] == told[1:4]


@pytest.mark.rule("WS-PILE-3")
def test_with_both_piles_empty_nothing_happens_until_a_discard() -> None:
    planet = "planet q: home; draw 1; [discard(any)] draw 1\nplanets: H1=q\n"
    table = Table.load(planet + "0 hand: b1\n1 hand: b2\npool: a1 a2 a3\n")
    assert table.play("0: land H1 left", "0: draw pool 2")[1:] == ["drew-from-pool 2 a2"]
    assert (table.pool(), table.pile(), table.discard()) == (["a1", "-", "a3"], [], [])
    table.play("0: end-turn")
    assert table.pool() == ["a1", "-", "a3"]
    told = table.play("1: land H1 right pay b2")
    assert told[1:] == ["paid b2", "reshuffled 1", "pool-filled 2 b2"]
    assert (table.pool(), table.pile(), table.discard()) == (["a1", "b2", "a3"], [], [])


@pytest.mark.rule("WS-PILE-4")
def test_empty_slots_are_refilled_leftmost_first_before_any_decision() -> None:
    card = "card x: specialist owl pilot; discard(any) -> draw 1\n"
    table = Table.load(card + "0 hand: x b1 b2\npool: - a2 -\nstack: end | play any x2\n")
    told = table.play("0: play x", "0: ability pay b1")
    assert told[-2:] == ["reshuffled 1", "pool-filled 1 b1"]
    assert table.pool() == ["b1", "a2", "-"]  # slot 3 stays empty
    assert table.answers() == ["draw pool 1", "draw pool 2"]
    loaded = Table.load("pool: - a2 -\npile: a4 a5 a6\n")
    assert (loaded.pool(), loaded.pile()) == (["a4", "a2", "a5"], ["a6"])


def check_piles(table: Table) -> None:
    assert "-" not in table.pool() or (table.pile() == [] and table.discard() == [])
    assert table.pile() or not table.discard()


@pytest.mark.rule("WS-PILE-5", "WS-PILE-7")
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_pool_is_full_or_both_piles_are_empty_and_no_card_is_lost(seed: int) -> None:
    table = Table.load(SCARCE + f"deal: {QuickDeal(seed).text()}\n")
    cards = table.all_cards()
    check_piles(table)
    for _ in table.walk(seed):
        check_piles(table)
        assert table.all_cards() == cards


def test_the_scarce_table_runs_dry_and_is_filled_again() -> None:
    dry = refilled = 0
    for seed in range(10):
        table = Table.load(SCARCE)
        before = False
        for _ in table.walk(seed):
            empty = "-" in table.pool()
            dry += empty
            refilled += before and not empty
            before = empty
    assert dry > 20  # otherwise the test above would prove little
    assert refilled > 10


@pytest.mark.rule("WS-PILE-5", "WS-PILE-7")
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_the_whole_deck_is_always_partitioned(seed: int, seats: int) -> None:
    table = Table.start(seats, f"piles {seed}")
    deck = sorted(OPTIONS.book.ids[card] for card in OPTIONS.book.crew)
    assert len(deck) == len(set(deck)) == 102
    assert table.all_cards() == deck
    for _ in table.walk(seed):
        check_piles(table)
        assert table.all_cards() == deck


@pytest.mark.rule("WS-PILE-6")
def test_a_reshuffle_takes_the_discard_pile_only() -> None:
    table = Table.load(
        "0 hand: r1 r2\n1 hand: r3\n0 crew: e1\n1 crew: e2 e3\npool: a1 a2 a3\npile: a4\ndiscard: b1 b2\n"
        "stack: end | draw 1\n"
    )
    assert "reshuffled 2" in table.play("0: draw pile")
    assert sorted(table.pile()) == ["b1", "b2"]
    assert (table.hand(0), table.hand(1)) == (["r1", "r2", "a4"], ["r3"])
    assert (table.crew(0), table.crew(1), table.pool()) == (["e1"], ["e2", "e3"], ["a1", "a2", "a3"])
