"""Conditions of sectors and abilities: section 7 of the rules."""

from __future__ import annotations

import pytest

from starport_games.wild_space.grammar import OCCUPATIONS
from wild_space.table import GAME, Table

STOCK = """\
pool: a1 a2 a3
pile: a4 a5 a6 a7
"""
HAND = "a9 b9 av bv r2 rp rv e2"


def sector(condition: str, hand: str = "", crew: str = "b1 b2") -> Table:
    """Seat 0 may land on P3, whose left sector asks for the condition and draws two cards."""
    return Table.load(
        f"planet q3: 3; [{condition}] draw 2; play any\nplanets: P3=q3\n0 hand: {hand}\n0 crew: {crew}\n{STOCK}"
    )


def ability(card: str, hand: str = "", crew: str = "", more: str = "") -> Table:
    """Seat 0 has just landed where one card may be played, and holds x, which is this card."""
    return Table.load(
        f"card x: {card}\n{more}\n0 hand: x {hand}\n0 crew: {crew}\n0 ships: H1.right\n{STOCK}stack: end | play any"
    )


def payments(table: Table) -> list[str]:
    """The cards with which one may land on the left of P3."""
    found = [text for text in table.legal() if text.startswith("land P3 left")]
    return [text.removeprefix("land P3 left pay ") for text in found]


@pytest.mark.rule("WS-COND-1")
def test_discard_any_takes_one_hand_card_of_ones_choice() -> None:
    table = sector("discard(any)", HAND)
    assert payments(table) == HAND.split()
    for card in HAND.split():
        paid = table.clone()
        paid.play(f"0: land P3 left pay {card}")
        assert card not in paid.hand()
        assert (len(paid.hand()), paid.discard()) == (7, [card])
    assert sector("discard(any)").refused("0: land P3 left") == "CONDITION"


@pytest.mark.rule("WS-COND-2")
@pytest.mark.parametrize(
    ("wanted", "matching"), [("specialist", "a9 b9 av bv"), ("robot", "r2 rp rv"), ("emissary", "e2")]
)
def test_discard_of_a_class_takes_a_card_of_that_class(wanted: str, matching: str) -> None:
    table = sector(f"discard({wanted})", HAND)
    assert payments(table) == matching.split()
    for card in HAND.split():
        if card in matching.split():
            table.clone().play(f"0: land P3 left pay {card}")
        else:
            assert table.refused(f"0: land P3 left pay {card}") == "PAYMENT"


@pytest.mark.rule("WS-COND-3")
def test_discard_of_an_occupation_takes_a_specialist_or_robot_that_has_it() -> None:
    table = sector("discard(pilot)", HAND)
    assert payments(table) == ["a9", "av", "rp"]
    assert table.refused("0: land P3 left pay b9") == "PAYMENT"
    assert table.refused("0: land P3 left pay e2") == "PAYMENT"
    assert payments(sector("discard(engineer)", HAND)) == ["b9", "bv"]
    assert payments(sector("discard(military)", HAND)) == []


@pytest.mark.rule("WS-COND-4")
def test_discard_veteran_takes_a_card_with_the_medal() -> None:
    table = sector("discard(veteran)", HAND)
    assert payments(table) == ["av", "bv", "rv"]
    assert table.refused("0: land P3 left pay a9") == "PAYMENT"
    assert sector("discard(veteran)", "a9 r2 e2").refused("0: land P3 left pay a9") == "CONDITION"


@pytest.mark.rule("WS-COND-5")
def test_owning_a_robot_and_owning_an_emissary_are_two_conditions() -> None:
    sector("own(robot)", crew="r1 b1").play("0: land P3 left")
    sector("own(emissary)", crew="e1 b1").play("0: land P3 left")
    assert sector("own(robot)", crew="e1 b1").refused("0: land P3 left") == "CONDITION"
    assert sector("own(emissary)", crew="r1 b1").refused("0: land P3 left") == "CONDITION"
    both = sector("own(robot) | own(emissary)", crew="e1 b1")
    assert both.refused("0: land P3 left cond 1") == "CONDITION"
    both.play("0: land P3 left cond 2")


@pytest.mark.rule("WS-COND-6")
def test_owning_an_occupation_counts_specialists_robots_and_the_captain() -> None:
    sector("own(pilot)", crew="b1 a9").play("0: land P3 left")
    sector("own(pilot)", crew="b1 rp").play("0: land P3 left")
    assert sector("own(pilot)", crew="b1 e1").refused("0: land P3 left") == "CONDITION"
    sector("own(botanist)", crew="b1 e1").play("0: land P3 left")  # the captain is a botanist
    assert sector("own(scientist)", crew="b1 e1").refused("0: land P3 left") == "CONDITION"  # seat 1’s captain


@pytest.mark.rule("WS-COND-7")
def test_remove_sends_a_card_of_the_own_crew_to_the_discard_pile() -> None:
    table = sector("remove", "a9", crew="b1 r1 e1")
    assert payments(table) == ["b1", "r1", "e1"]
    assert table.play("0: land P3 left pay r1")[:2] == ["landed P3 left 1", "removed r1"]
    assert (table.crew(), table.discard(), table.hand()) == (["b1", "e1"], ["r1"], ["a9"])
    others = Table.load(f"planet q3: 3; [remove] draw 2; play any\nplanets: P3=q3\n0 crew: b1 b2\n1 crew: b3\n{STOCK}")
    assert others.refused("0: land P3 left pay b3") == "PAYMENT"


@pytest.mark.rule("WS-COND-8")
def test_the_hand_owns_nothing_and_the_crew_is_not_discarded() -> None:
    assert sector("own(robot)", hand="r1 r2").refused("0: land P3 left") == "CONDITION"
    assert sector("own(pilot)", hand="a9 rp").refused("0: land P3 left") == "CONDITION"
    assert sector("discard(any)", hand="a9", crew="b1 b2").refused("0: land P3 left pay b1") == "PAYMENT"
    assert sector("discard(robot)", hand="a9", crew="r1 b2").refused("0: land P3 left pay r1") == "CONDITION"
    assert sector("remove", hand="a9", crew="r1 b2").refused("0: land P3 left pay a9") == "PAYMENT"


@pytest.mark.rule("WS-COND-9")
def test_a_possession_spends_nothing_and_one_card_serves_any_number() -> None:
    table = Table.load(
        "card x: specialist owl pilot; own(robot) -> play any\n"
        "card y: specialist owl pilot; own(robot) -> draw 1\n"
        "planet q3: 3; [own(robot)] play any; play any\nplanets: P3=q3\n"
        f"0 crew: r1 b1\n0 hand: x y\n{STOCK}"
    )
    table.play("0: land P3 left", "0: play x", "0: ability", "0: play y", "0: ability", "0: draw pile")
    assert (table.crew(), table.discard(), table.hand()) == (["r1", "b1", "x", "y"], [], ["a4"])


@pytest.mark.rule("WS-COND-10")
def test_exactly_one_matching_card_pays_and_the_seat_chooses_it() -> None:
    for chosen, kept in (("r2", "rp"), ("rp", "r2")):
        table = sector("discard(robot)", "r2 rp a9")
        assert payments(table) == ["r2", "rp"]
        table.play(f"0: land P3 left pay {chosen}")
        assert (table.discard(), table.hand()) == ([chosen], [kept, "a9"])
    for chosen, kept in (("r2", "rp"), ("rp", "r2")):
        table = ability("specialist owl pilot; discard(robot) -> draw 1", "r2 a9 rp")
        table.play("0: play x")
        assert table.answers() == ["ability pay r2", "ability pay rp", "done"]
        table.play(f"0: ability pay {chosen}")
        assert table.discard() == [chosen]
        assert sorted(table.hand()) == sorted(["a9", kept])


@pytest.mark.rule("WS-COND-11")
@pytest.mark.parametrize(
    ("condition", "move"),
    [
        ("discard(any)", "land P3 left"),  # missing
        ("remove", "land P3 left"),
        ("own(engineer)", "land P3 left pay a9"),  # superfluous
        ("own(engineer)", "land P3 left pay b1"),
        ("own(engineer)", "land P3 right pay a9"),  # no condition there
        ("discard(robot)", "land P3 left pay a9"),  # not matching
        ("discard(robot)", "land P3 left pay r3"),  # a robot that is not in the hand
        ("discard(robot)", "land P3 left pay nobody"),  # no card at all
        ("remove", "land P3 left pay b5"),
    ],
)
def test_a_wrong_payment_for_a_landing_is_refused(condition: str, move: str) -> None:
    assert sector(condition, "a9 r2").refused(f"0: {move}") == "PAYMENT"


@pytest.mark.rule("WS-COND-11")
@pytest.mark.parametrize(
    ("text", "pay"),
    [
        ("discard(any) -> draw 1", ""),
        ("remove -> draw 1", ""),
        ("own(robot) -> draw 1", " pay a9"),
        ("own(robot) -> draw 1", " pay r1"),
        ("draw 1", " pay a9"),
        ("discard(robot) -> draw 1", " pay a9"),
        ("discard(robot) -> draw 1", " pay r1"),
        ("remove -> draw 1", " pay a9"),
    ],
)
def test_a_wrong_payment_for_an_ability_is_refused(text: str, pay: str) -> None:
    table = ability(f"specialist owl pilot; {text}", "a9 r2", "r1")
    table.play("0: play x")
    assert table.refused(f"0: ability{pay}") == "PAYMENT"


@pytest.mark.rule("WS-COND-12")
@pytest.mark.parametrize(
    ("card", "helper"),
    [
        ("robot; own(robot) -> draw 1", "r1"),
        ("specialist owl pilot; own(pilot) -> draw 1", "rp"),
        ("robot pilot; own(pilot) -> draw 1", "a9"),
        ("emissary owl; 2 per robot; own(emissary) -> draw 1", "e1"),
    ],
)
def test_a_card_does_not_count_for_its_own_possession(card: str, helper: str) -> None:
    alone = ability(card)
    alone.play("0: play x")
    assert (alone.crew(), alone.answers()) == (["x"], ["end-turn"])
    helped = ability(card, crew=helper)
    helped.play("0: play x")
    assert helped.answers() == ["ability", "done"]
    helped.play("0: ability", "0: draw pile")


@pytest.mark.rule("WS-COND-13")
def test_a_card_put_into_play_cannot_be_discarded_for_its_own_cost() -> None:
    alone = ability("specialist owl pilot; discard(any) -> draw 2")
    alone.play("0: play x")
    assert (alone.crew(), alone.answers()) == (["x"], ["end-turn"])
    helped = ability("specialist owl pilot; discard(any) -> draw 2", "b9")
    helped.play("0: play x")
    assert helped.answers() == ["ability pay b9", "done"]
    assert helped.refused("0: ability pay x") == "PAYMENT"


@pytest.mark.rule("WS-COND-14")
def test_a_card_cannot_be_removed_for_its_own_cost() -> None:
    alone = ability("specialist owl pilot; remove -> draw 2")
    alone.play("0: play x")
    assert (alone.crew(), alone.answers()) == (["x"], ["end-turn"])
    helped = ability("specialist owl pilot; remove -> draw 2", crew="b9")
    helped.play("0: play x")
    assert helped.answers() == ["ability pay b9", "done"]
    assert helped.refused("0: ability pay x") == "PAYMENT"
    helped.play("0: ability pay b9")
    assert (helped.crew(), helped.discard()) == (["x"], ["b9"])


@pytest.mark.rule("WS-COND-15")
def test_the_captain_is_never_removed() -> None:
    assert sector("remove").refused("0: land P3 left pay cap-0") == "PAYMENT"
    home = "planet qh: home; [remove] draw 2; play any\nplanets: H1=qh\n"
    table = Table.load(home + STOCK)
    assert table.refused("0: land H1 left pay cap-0") == "CONDITION"  # nobody else is there
    assert "land H1 left" not in " ".join(table.legal())
    played = ability("specialist owl pilot; remove -> draw 2", crew="b9")
    played.play("0: play x")
    assert played.refused("0: ability pay cap-0") == "PAYMENT"


@pytest.mark.rule("WS-COND-16")
def test_a_card_with_pending_triggers_may_be_removed() -> None:
    more = "card y: specialist owl pilot; remove -> draw 1\ncaptain cq: owl pilot; play any\n0 captain: cq"
    # While the ability of x is being resolved and its square is pending.
    busy = ability("specialist bear engineer veteran; play any", "y b9", "b1", more)
    busy.play("0: play x", "0: ability", "0: play y")
    assert busy.answers() == ["ability pay b1", "ability pay x", "done"]
    busy.play("0: ability pay x", "0: draw pile")
    assert (busy.crew(), busy.discard()) == (["b1", "y"], ["x"])
    # While the ability of x is still pending, because its square goes first.
    pending = ability("specialist bear engineer veteran; draw 1", "y", "b1", more)
    pending.play("0: play x", "0: square", "0: play y")
    assert pending.answers() == ["ability pay b1", "ability pay x", "done"]
    pending.play("0: ability pay x", "0: draw pile")
    assert (pending.crew(), pending.discard()) == (["b1", "y"], ["x"])
    # And every ordinary one.
    assert payments(sector("remove", crew="b1 av r1 e1")) == ["b1", "av", "r1", "e1"]


@pytest.mark.rule("WS-COND-17")
def test_choosing_and_paying_is_one_move() -> None:
    table = ability("specialist owl pilot; discard(any) -> draw 2", "b9 r2")
    table.play("0: play x")
    assert table.refused("0: ability") == "PAYMENT"  # there is no such thing as choosing first
    told = table.play("0: ability pay b9")
    assert told == ["used-ability x", "paid b9"]
    assert table.answers()[0] == "draw pile"  # no decision between: the effect is asked next
    assert table.discard() == ["b9"]
    landing = sector("discard(any)", "b9 r2")
    assert landing.refused("0: land P3 left") == "PAYMENT"
    assert landing.play("0: land P3 left pay b9") == ["landed P3 left 1", "paid b9"]
    assert landing.answers()[0] == "draw pile"


@pytest.mark.rule("WS-COND-18")
def test_a_condition_is_not_tested_again_after_the_activation() -> None:
    table = Table.load(
        "card y: specialist owl pilot; remove -> draw 1\n"
        "planet q3: 3; [own(robot)] play any x2; play any\nplanets: P3=q3\n"
        f"0 crew: r1 b1\n0 hand: y b9\n{STOCK}"
    )
    table.play("0: land P3 left", "0: play y", "0: ability pay r1", "0: draw pile")
    assert "r1" in table.discard()
    assert table.answers() == ["play b9", "play a4", "pass"]  # the second play, though the robot is gone
    table.play("0: play b9")
    assert table.crew() == ["b1", "y", "b9"]


@pytest.mark.rule("WS-COND-18")
def test_a_condition_counts_at_the_moment_of_activation_not_before() -> None:
    # When the frame of x opens, the only payment is there; a refresh spends it before the activation.
    table = ability("specialist owl pilot; discard(robot) -> draw 2", "r2 b9")
    table.play("0: play x")
    assert table.answers() == ["ability pay r2", "done"]
    table.play("0: refresh r2")
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-COND-19")
@pytest.mark.parametrize("occupation", OCCUPATIONS)
def test_a_robot_without_occupation_satisfies_no_occupation_condition(occupation: str) -> None:
    captain = "botanist" if occupation != "botanist" else "pilot"
    table = Table.load(
        f"captain cq: owl {captain}; draw 1\n0 captain: cq\n"
        f"planet q3: 3; [own({occupation})] draw 2; [discard({occupation})] draw 2\nplanets: P3=q3\n"
        f"0 crew: r1 r2\n0 hand: r3 rv\n{STOCK}"
    )
    assert table.refused("0: land P3 left") == "CONDITION"
    assert table.refused("0: land P3 right pay r3") == "CONDITION"
    with_match = Table.load(
        f"card m: specialist owl {occupation}\nplanet q3: 3; [discard({occupation})] draw 2; draw 1\n"
        f"planets: P3=q3\n0 crew: r1 r2\n0 hand: r3 m\n{STOCK}"
    )
    assert payments(with_match) == ["m"]
    assert with_match.refused("0: land P3 left pay r3") == "PAYMENT"


@pytest.mark.rule("WS-COND-20")
def test_paid_and_removed_cards_lie_face_up_on_the_discard_pile() -> None:
    table = ability("specialist owl pilot; remove -> play any", "y b9", "b1", "card y: robot; discard(any) -> draw 1")
    table.play("0: play x", "0: ability pay b1", "0: play y", "0: ability pay b9")
    assert table.discard() == ["b1", "b9"]
    for viewer in (0, 1, -1):
        seen = Table(GAME.view(table.state, viewer))
        assert sorted(seen.discard()) == ["b1", "b9"]
