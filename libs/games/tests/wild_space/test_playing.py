"""Putting cards into play (WS-PLAY) and their abilities (WS-ABIL)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starport_games.kernel.errors import BadInput
from wild_space.table import GAME, Table

MIXED = "0 hand: a1 b1 r1 rp rv av e1"


def playing(what: str, hand: str = MIXED) -> Table:
    """A seat that may put cards into play right now."""
    return Table.load(f"{hand}\npool: b2 b3 b4\npile: b5 b6 b7 b8\nstack: end | {what}")


def playable(what: str) -> list[str]:
    return [text.removeprefix("play ") for text in playing(what).answers() if text.startswith("play ")]


# -- putting into play


@pytest.mark.rule("WS-PLAY-1")
def test_a_played_card_goes_from_the_hand_to_the_crew_and_counts_at_once() -> None:
    table = Table.load("""\
        0 hand: a1 b1
        0 crew: a2
        pool: b2 b3 b4
        pile: b5 b6
        stack: end | play any""")
    told = table.play("0: play a1")
    assert table.hand() == ["b1"]
    assert table.crew() == ["a2", "a1"]
    assert told == ["put-into-play a1"]
    # Face up: everybody sees it, in the crew's own order. With the captain these are three, so planet 3 opens.
    assert GAME.view(table.state, 1).players[0].crew == table.state.players[0].crew
    table.play("0: end-turn")
    assert table.face_up() == ["H1", "H2", "P3"]


@pytest.mark.rule("WS-PLAY-1")
def test_a_possession_is_met_by_a_card_put_into_play_a_moment_ago() -> None:
    table = Table.load("""\
        card x1: specialist owl military; own(robot) -> draw 1
        0 hand: x1 r1
        pool: b2 b3 b4
        pile: b5 b6
        stack: end | play any x2""")
    table.play("0: play r1", "0: play x1")
    assert table.answers() == ["ability", "done"]


@pytest.mark.rule("WS-PLAY-2")
def test_play_any_takes_every_hand_card() -> None:
    assert playable("play any") == ["a1", "b1", "r1", "rp", "rv", "av", "e1"]


@pytest.mark.rule("WS-PLAY-3")
@pytest.mark.parametrize(
    ("what", "cards"),
    [
        ("play specialist", ["a1", "b1", "av"]),
        ("play robot", ["r1", "rp", "rv"]),
        ("play emissary", ["e1"]),
    ],
)
def test_play_of_a_class_takes_cards_of_that_class_only(what: str, cards: list[str]) -> None:
    assert playable(what) == cards
    others = {"a1", "b1", "r1", "rp", "rv", "av", "e1"} - set(cards)
    assert {playing(what).refused(f"0: play {card}") for card in others} == {"FILTER"}


@pytest.mark.rule("WS-PLAY-4")
def test_play_robot_or_emissary_takes_both_classes_and_no_specialist() -> None:
    assert playable("play robot-or-emissary") == ["r1", "rp", "rv", "e1"]
    assert playing("play robot-or-emissary").refused("0: play a1") == "FILTER"


@pytest.mark.rule("WS-PLAY-5")
def test_play_of_an_occupation_takes_specialists_and_robots_that_have_it() -> None:
    assert playable("play pilot") == ["a1", "rp", "av"]
    assert playable("play engineer") == ["b1"]
    assert {playing("play pilot").refused(f"0: play {card}") for card in ("b1", "r1", "rv", "e1")} == {"FILTER"}


@pytest.mark.rule("WS-PLAY-6")
def test_play_veteran_takes_cards_with_the_medal() -> None:
    assert playable("play veteran") == ["rv", "av"]
    assert playing("play veteran").refused("0: play rp") == "FILTER"


TAKE = """\
    card x1: emissary owl; 2 per robot; discard(any) -> draw 1
    pool: a1 r1 x1
    pile: av b1 b2 b3
    stack: end | take"""


@pytest.mark.rule("WS-PLAY-7")
@pytest.mark.parametrize(("source", "card"), [("pile", "av"), ("pool 1", "a1"), ("pool 2", "r1"), ("pool 3", "x1")])
def test_take_puts_the_top_of_the_pile_or_a_pool_card_of_any_class_into_play(source: str, card: str) -> None:
    table = Table.load(TAKE)
    assert table.answers() == ["take pile", "take pool 1", "take pool 2", "take pool 3", "pass"]
    table.play(f"0: take {source}")
    assert table.crew() == [card]


@pytest.mark.rule("WS-PLAY-8")
def test_a_card_taken_is_in_play_without_any_further_question() -> None:
    table = Table.load("pool: a1 a2 a3\npile: r1 b1\nstack: end | take")
    told = table.play("0: take pile")
    assert told == ["took-from-pile r1", "put-into-play r1"]
    assert table.crew() == ["r1"]
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-PLAY-9")
def test_a_taken_card_never_passes_through_the_hand() -> None:
    # The emissary's condition asks for a hand card: with an empty hand it cannot be met by the card itself.
    table = Table.load(TAKE)
    table.play("0: take pool 3")
    assert table.hand() == []
    assert table.legal() == ["end-turn"]
    assert table.refused("0: refresh x1") == "CARD"
    # With another card in hand only that one pays, and only that one refreshes.
    table = Table.load(TAKE + "\n    0 hand: b9")
    table.play("0: take pool 3")
    assert table.legal() == ["ability pay b9", "done", "refresh b9"]
    assert table.refused("0: ability pay x1") == "PAYMENT"


@pytest.mark.rule("WS-PLAY-10")
def test_the_slot_of_a_taken_card_is_filled_before_its_triggers_are_resolved() -> None:
    table = Table.load("""\
        card x1: specialist owl military; draw 1
        pool: a1 x1 a3
        pile: b1 b2 b3
        stack: end | take""")
    told = table.play("0: take pool 2")
    assert told == ["took-from-pool 2 x1", "pool-filled 2 b1", "put-into-play x1"]
    assert table.pool() == ["a1", "b1", "a3"]
    table.play("0: ability", "0: draw pool 2")
    assert table.hand() == ["b1"]


@pytest.mark.rule("WS-PLAY-11")
def test_putting_a_card_into_play_costs_no_other_card() -> None:
    table = playing("play any")
    before = table.all_cards()
    table.play("0: play a1")
    assert table.hand() == ["b1", "r1", "rp", "rv", "av", "e1"]
    assert table.discard() == []
    assert table.all_cards() == before
    # A seat that owns nothing but the one card can play it all the same.
    table = playing("play any", "0 hand: a1")
    table.play("0: play a1")
    assert table.crew() == ["a1"]


@pytest.mark.rule("WS-PLAY-12")
def test_a_crew_has_no_largest_size() -> None:
    ids = [f"z{i}" for i in range(150)]
    cards = "\n".join(f"card {id}: robot" for id in ids)
    table = Table.load(f"{cards}\n0 crew: {' '.join(ids)}\n0 hand: a1\nstack: end | play any")
    table.play("0: play a1")
    assert len(table.crew()) == 151


@pytest.mark.rule("WS-PLAY-13")
@pytest.mark.parametrize(
    ("card", "token", "answers"),
    [
        ("a1", 0, ["end-turn"]),  # neither ability nor medal
        ("xa", 0, ["ability", "done"]),
        ("av", 0, ["square", "done"]),
        ("xv", 0, ["ability", "square", "done"]),
        ("xv", 1, ["ability", "done"]),  # the next square holds credits
        ("av", 1, ["end-turn"]),
        ("xv", 3, ["ability", "done"]),  # the track is at its end
    ],
)
def test_a_card_in_play_opens_its_ability_and_the_square_it_earned(card: str, token: int, answers: list[str]) -> None:
    table = Table.load(f"""\
        card xa: specialist owl military; draw 1
        card xv: specialist owl military veteran; draw 1
        0 hand: {card}
        0 token: {token}
        pool: b2 b3 b4
        pile: b5 b6
        stack: end | play any""")
    table.play(f"0: play {card}")
    assert table.answers() == answers


# -- abilities


@pytest.mark.rule("WS-ABIL-1")
def test_a_card_has_at_most_one_ability_with_at_most_one_condition() -> None:
    with pytest.raises(BadInput, match="at most one ability"):
        Table.load("card x1: specialist owl pilot; draw 1; draw 2")
    with pytest.raises(BadInput):
        Table.load("card x1: specialist owl pilot; draw 1 / draw 2")
    with pytest.raises(BadInput):
        Table.load("card x1: specialist owl pilot; discard(any) -> own(robot) -> draw 1")
    with pytest.raises(BadInput):
        Table.load("card x1: specialist owl pilot; [discard(any) | own(robot)] draw 1")
    book = Table.load("seats: 2").state.book
    assert len(book.effect) == len(book.condition) == len(book.ids)  # one place for each, on every card


OPEN = """\
    card x1: specialist owl military; draw 1
    card x2: specialist owl military; discard(any) -> draw 2
    card x3: specialist owl military; own(robot) -> draw 2
    pool: b2 b3 b4
    pile: b5 b6 b7 b8 b9"""


@pytest.mark.rule("WS-ABIL-2")
def test_an_ability_is_open_only_when_its_card_is_put_into_play() -> None:
    table = Table.load(f"{OPEN}\n    0 crew: x1 r1 x3\n    0 hand: a1 x2")
    assert table.refused("0: ability") == "PHASE"
    table.play("0: land H1 right")  # play any
    assert table.refused("0: ability") == "PHASE"
    table.play("0: play x2")
    assert table.answers() == ["ability pay a1", "done"]  # of x2 only; those in the crew stay silent
    table.play("0: done")
    assert table.refused("0: ability pay a1") == "PHASE"
    table.play("0: end-turn", "1: land H1 left", "1: draw pile", "1: draw pile", "1: end-turn")
    assert table.refused("0: ability pay a1") == "PHASE"


@pytest.mark.rule("WS-ABIL-3")
def test_using_an_ability_is_optional() -> None:
    table = Table.load(f"{OPEN}\n    0 hand: x1\n    stack: end | play any")
    table.play("0: play x1")
    assert table.answers() == ["ability", "done"]
    table.play("0: done")
    assert table.answers() == ["end-turn"]
    assert table.hand() == []


@pytest.mark.rule("WS-ABIL-4")
def test_an_unmet_condition_prevents_the_ability_but_not_the_play() -> None:
    for card in ("x2", "x3"):
        table = Table.load(f"{OPEN}\n    0 hand: {card}\n    stack: end | play any")
        assert f"play {card}" in table.answers()
        table.play(f"0: play {card}")
        assert table.crew() == [card]
        assert table.answers() == ["end-turn"]


CHAIN = """\
    card c1: specialist owl military; play any
    card c2: specialist owl military; play any
    card c3: specialist owl military; draw 1
    card c4: specialist owl military; discard(engineer) -> play any
    card c5: specialist owl military; own(robot) -> play any
    pool: b2 b3 b4
    pile: b5 b6 b7 b8 b9"""


@pytest.mark.rule("WS-ABIL-5")
def test_the_triggers_of_a_card_are_settled_before_anything_else_goes_on() -> None:
    table = Table.load(f"{CHAIN}\n    0 hand: c1 c2 c3 a1 a2\n    stack: end | play any x2")
    table.play("0: play c1", "0: ability", "0: play c2", "0: ability")
    # c2 was brought by c1: its play comes first, then what that brings, only then the sector's second play.
    table.play("0: play c3")
    assert table.answers() == ["ability", "done"]
    table.play("0: ability")
    assert table.answers() == ["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"]
    table.play("0: draw pile")
    assert table.line("stack") == "end | play any"
    table.play("0: play a1")
    assert table.answers() == ["end-turn"]
    assert table.crew() == ["c1", "c2", "c3", "a1"]


@pytest.mark.rule("WS-ABIL-6")
def test_a_chain_goes_on_as_long_as_each_link_meets_its_own_condition() -> None:
    table = Table.load(f"{CHAIN}\n    0 hand: c1 c4 c5 c2 b1 r1 a1\n    stack: end | play any")
    table.play("0: play c1", "0: ability", "0: play c4", "0: ability pay b1", "0: play r1")
    # The chain ends with the robot, which has no ability; the same hand with c5 last meets no condition.
    assert table.answers() == ["end-turn"]
    table = Table.load(f"{CHAIN}\n    0 hand: c1 c4 c5 c2 b1 a1\n    stack: end | play any")
    table.play("0: play c1", "0: ability", "0: play c4", "0: ability pay b1", "0: play c5")
    assert table.answers() == ["end-turn"]  # no robot in the crew: what c4 had paid does not help c5
    table = Table.load(f"{CHAIN}\n    0 hand: c1 c4 c5 c2 b1 a1\n    0 crew: r1\n    stack: end | play any")
    table.play("0: play c1", "0: ability", "0: play c4", "0: ability pay b1", "0: play c5", "0: ability")
    table.play("0: play c2", "0: ability", "0: play a1")
    assert table.crew() == ["r1", "c1", "c4", "c5", "c2", "a1"]


@pytest.mark.rule("WS-ABIL-6")
@given(st.integers(1, 60))
def test_a_chain_may_have_any_length(links: int) -> None:
    ids = [f"z{i}" for i in range(links)]
    cards = "\n".join(f"card {id}: specialist owl military; play any" for id in ids)
    table = Table.load(f"{cards}\n0 hand: {' '.join(ids)} a1\nstack: end | play any")
    for id in ids:
        table.play(f"0: play {id}", "0: ability")
    table.play("0: play a1")
    assert table.crew() == [*ids, "a1"]
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-ABIL-7")
@pytest.mark.parametrize(
    ("ability", "rest", "usable"),
    [
        ("draw 1", "pool: b2 b3 b4\npile: b5", True),
        ("draw 1", "pool: - - b4", True),
        ("draw 1", "", False),  # nothing to draw
        ("take", "", False),
        ("play robot", "0 hand: x1 r1", True),
        ("play robot", "0 hand: x1 a1", False),  # nothing to play
        ("own(robot) -> draw 1", "0 crew: r1\npool: b2 b3 b4\npile: b5", True),
        ("own(robot) -> draw 1", "pool: b2 b3 b4\npile: b5", False),  # condition unmet
        ("own(robot) -> draw 1", "0 crew: r1", False),  # condition met, effect impossible
        ("own(robot) -> play emissary", "0 crew: r1\n0 hand: x1 a1", False),
        ("discard(any) -> play robot", "0 hand: x1 a1", True),  # a cost needs no possible effect
        ("discard(any) -> play robot", "0 hand: x1", False),
        ("discard(robot) -> draw 1", "0 hand: x1 a1\npool: b2 b3 b4\npile: b5", False),
        ("remove -> play robot", "0 crew: a1", True),
        ("remove -> play robot", "0 hand: x1 r1", False),  # nobody but itself and the captain
    ],
)
def test_when_an_ability_is_usable(ability: str, rest: str, usable: bool) -> None:
    hand = "" if "0 hand" in rest else "0 hand: x1\n"
    table = Table.load(f"card x1: specialist owl military; {ability}\n{hand}{rest}\nstack: end | play specialist")
    table.play("0: play x1")
    assert any(text.startswith("ability") for text in table.answers()) == usable
    assert ("done" in table.answers()) == usable


@pytest.mark.rule("WS-ABIL-8")
def test_a_cost_may_be_paid_for_an_effect_that_can_do_nothing() -> None:
    table = Table.load("""\
        card x1: specialist owl military; remove -> play robot
        0 crew: a1 a2
        0 hand: x1 b1
        pool: b2 b3 b4
        pile: b5
        stack: end | play any""")
    table.play("0: play x1")
    assert table.answers() == ["ability pay a1", "ability pay a2", "done"]
    table.play("0: ability pay a2")
    assert table.crew() == ["a1", "x1"]
    assert table.discard() == ["a2"]
    assert table.answers() == ["end-turn"]  # no robot in hand: it lapsed


@pytest.mark.rule("WS-ABIL-9")
def test_triggers_that_cannot_be_used_are_closed_without_asking() -> None:
    # Empty pile and pool, no hand: neither the ability (draw) nor the square (draw 2) can do anything.
    table = Table.load("""\
        card x1: specialist owl military veteran; draw 1
        0 hand: x1
        stack: end | play any""")
    table.play("0: play x1")
    assert table.token() == 1
    assert table.line("stack") == "end"


@pytest.mark.rule("WS-ABIL-9", "WS-VET-4")
def test_an_unusable_trigger_beside_a_usable_one_is_judged_again_afterwards() -> None:
    text = """\
        card x1: specialist owl military veteran; discard(any) -> play any
        0 hand: x1
        pool: b2 b3 b4
        pile: b5 b6 b7 b8
        stack: end | play any"""
    table = Table.load(text)
    table.play("0: play x1")
    assert table.answers() == ["square", "done"]  # no hand card to pay with yet
    assert table.refused("0: ability") == "TRIGGER"
    table.play("0: square", "0: draw pile", "0: draw pile")
    assert table.answers() == ["ability pay b5", "ability pay b6", "done"]
    # Given up with `done`, it is gone for good.
    table = Table.load(text)
    table.play("0: play x1", "0: done")
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-ABIL-10")
def test_an_ability_is_used_once_per_time_its_card_is_put_into_play() -> None:
    table = Table.load("""\
        card x1: specialist owl military veteran; draw 1
        0 hand: x1
        pool: b2 b3 b4
        pile: b5 b6 b7 b8
        stack: end | play any""")
    table.play("0: play x1", "0: ability", "0: draw pile")
    assert table.answers() == ["square", "done"]  # the card's triggers are still open, its ability is not
    assert table.refused("0: ability") == "TRIGGER"


@pytest.mark.rule("WS-ABIL-10")
def test_a_card_put_into_play_again_may_be_used_again() -> None:
    table = Table.load("""\
        card x1: specialist owl military; draw 1
        card x2: specialist owl military; remove -> draw 4
        0 hand: x1 x2
        pile: b5
        stack: end | play any x2""")
    assert table.pool() == ["b5", "-", "-"]
    table.play("0: play x1", "0: ability", "0: draw pool 1", "0: play x2", "0: ability pay x1")
    # The discard pile was reshuffled at once and put the removed card into the pool.
    assert table.pool() == ["x1", "-", "-"]
    table.play("0: draw pool 1", "0: end-turn", "1: land H1 right", "1: end-turn", "0: land H1 right")
    table.play("0: refresh b5")
    table.play("0: play x1")
    assert table.answers() == ["ability", "done"]


@pytest.mark.rule("WS-ABIL-11")
def test_done_gives_up_everything_still_open_on_the_card() -> None:
    table = Table.load("""\
        card x1: specialist owl military veteran; draw 1
        0 hand: x1 a1
        pool: b2 b3 b4
        pile: b5 b6 b7 b8
        stack: end | play any""")
    table.play("0: play x1")
    assert table.answers() == ["ability", "square", "done"]
    table.play("0: done")
    assert table.answers() == ["end-turn"]
    assert table.refused("0: ability") == "PHASE"
    assert table.refused("0: square") == "PHASE"
    table.play("0: refresh a1")  # not even a refresh brings it back
    assert table.answers() == ["end-turn"]


REMOVED_MEANWHILE = """\
    card v1: specialist owl military veteran; draw 1
    card x1: specialist owl military; remove -> play any
    captain cap-t: lizard botanist; play any, draw 1, take
    0 captain: cap-t
    0 hand: v1 x1 a1"""


@pytest.mark.rule("WS-ABIL-12")
def test_a_card_that_leaves_the_crew_loses_an_ability_it_has_not_used() -> None:
    table = Table.load(f"{REMOVED_MEANWHILE}\n    pool: b2 b3 b4\n    pile: b5 b6 b7\n    stack: end | play any")
    table.play("0: play v1", "0: square", "0: play x1")
    assert "ability pay v1" in table.answers()
    table.play("0: ability pay v1", "0: play a1")
    assert table.answers() == ["end-turn"]  # a draw was possible, but v1 is no longer there to be used
    kept = Table.load(f"{REMOVED_MEANWHILE}\n    pool: b2 b3 b4\n    pile: b5 b6 b7\n    stack: end | play any")
    kept.play("0: play v1", "0: square", "0: play x1", "0: done")
    assert kept.answers() == ["ability", "done"]


@pytest.mark.rule("WS-ABIL-12")
def test_a_lost_ability_stays_lost_when_the_card_comes_back_in_the_same_turn() -> None:
    # The pile is empty, so the removed card is at once the only card to draw.
    table = Table.load("""\
        card v1: specialist owl military veteran; draw 1
        card x1: specialist owl military; remove -> draw 1
        card x2: specialist owl military; play any
        captain cap-t: lizard botanist; play any, draw 1
        0 captain: cap-t
        0 hand: v1 x2 x1 a1
        stack: end | play any""")
    table.play("0: play v1", "0: square", "0: play x2", "0: ability", "0: play x1", "0: ability pay v1")
    assert table.pool() == ["v1", "-", "-"]
    table.play("0: draw pool 1")
    # Back in hand, but nothing lets it be played again here; the open ability of its first time is gone.
    assert table.line("stack") == "end"
    again = Table.load("""\
        card v1: specialist owl military veteran; discard(any) -> draw 1
        card x1: specialist owl military; remove -> draw 1
        captain cap-t: lizard botanist; play any, credits 1
        0 captain: cap-t
        0 crew: x1 v1
        0 token: 1
        0 hand: a1 a2
        stack: end | triggers v1 ability | play any | triggers x1 ability""")
    again.play("0: ability pay v1", "0: draw pool 1", "0: play v1")
    assert again.token() == 2
    assert again.answers() == ["ability pay a1", "ability pay a2", "done"]  # the second time's own ability
    again.play("0: done")
    assert again.answers() == ["end-turn"]  # the first time's does not reappear below it


@pytest.mark.rule("WS-ABIL-13")
@pytest.mark.parametrize(
    ("effect", "answers"),
    [
        ("play any", ["play a1", "play b5", "pass"]),
        ("draw 2", ["draw pile", "draw pool 1", "draw pool 2", "draw pool 3"]),
        ("take", ["take pile", "take pool 1", "take pool 2", "take pool 3", "pass"]),
    ],
)
def test_an_activated_ability_is_carried_out_even_if_its_card_leaves_meanwhile(effect: str, answers: list[str]) -> None:
    table = Table.load(f"""\
        card x1: specialist owl military; {effect}
        card x2: specialist owl military; remove -> draw 1
        0 hand: a1
        0 crew: x1 x2
        pool: b2 b3 b4
        pile: b5 b6 b7
        stack: end | {effect} by ability x1 | triggers x2 ability""")
    table.play("0: ability pay x1", "0: draw pile")
    assert table.crew() == ["x2"]
    assert table.answers() == answers


@pytest.mark.rule("WS-ABIL-14")
def test_paying_may_destroy_the_effect() -> None:
    table = Table.load("""\
        card x1: specialist owl military; discard(robot) -> play robot
        0 hand: x1 r1
        pool: b2 b3 b4
        pile: b5
        stack: end | play any""")
    table.play("0: play x1")
    assert table.answers() == ["ability pay r1", "done"]
    table.play("0: ability pay r1")
    assert table.discard() == ["r1"]
    assert table.hand() == []
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-ABIL-15")
def test_the_one_combination_that_could_cycle_is_no_card() -> None:
    with pytest.raises(BadInput, match="WS-DECK-24"):
        Table.load("card x1: specialist owl pilot; remove -> take")


@pytest.mark.rule("WS-ABIL-15")
@given(st.integers(0, 10**6), st.booleans())
def test_every_chain_ends_however_greedy_the_seat_is(seed: int, takes: bool) -> None:
    # Everything brings more into play: what bounds a turn without refreshes is the number of cards.
    ids = [f"z{i}" for i in range(12)]
    kinds = ["take" if takes else "discard(any) -> take", "play any", "remove -> play any", "discard(any) -> play any"]
    cards = "\n".join(
        f"card {id}: specialist owl military{' veteran' if i % 3 else ''}; {kinds[i % 4]}" for i, id in enumerate(ids)
    )
    table = Table.load(f"""{cards}
captain cap-t: lizard botanist; take, play any, take, play any
0 captain: cap-t
0 hand: {" ".join(ids[:4])}
pool: {" ".join(ids[4:7])}
pile: {" ".join(ids[7:])}
stack: end | take""")
    for step in range(500):
        wanted = [text for text in table.answers() if text not in ("pass", "done")]
        if wanted == ["end-turn"]:
            return
        assert wanted
        table.play(f"0: {wanted[(seed >> step % 20) % len(wanted)]}")
    pytest.fail("the chain did not end")
