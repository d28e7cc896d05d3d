"""The decision-stack machine (WS-DEC) and its refusal codes in their order (19.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starport_games.kernel.contract import Duty, Refusal
from starport_games.kernel.deal import Deal, key_of_words
from starport_games.kernel.errors import BadInput
from starport_games.wild_space.codes import M_LAND, MOVE_KINDS, move_code
from wild_space.table import GAME, OPTIONS, Table

PILES = "pool: b2 b3 b4\npile: b5 b6 b7 b8 b9"


def code_of(table: Table, seat: int, move: int) -> str:
    answer = GAME.play(table.clone().state, seat, move)
    assert isinstance(answer, Refusal)
    return answer.code


def where_cards_lie(table: Table) -> list[list[str]]:
    return [table.hand(), table.crew(), table.pool(), table.discard()]


# -- the machine


@pytest.mark.rule("WS-DEC-1")
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_at_most_one_decision_is_open_for_exactly_one_seat(seed: int, seats: int) -> None:
    table = Table.start(seats, f"one {seed}")
    for _ in table.walk(seed, 120):
        deciders = GAME.deciders(table.state)
        assert len(deciders) == (0 if GAME.over(table.state) else 1)
        answering = [seat for seat in range(5) if seat < seats and GAME.legal(table.state, seat)]
        assert answering == [decider.seat for decider in deciders]
        assert all(decider.duty is Duty.MUST for decider in deciders)


@pytest.mark.rule("WS-DEC-2")
def test_a_decision_with_a_single_answer_is_asked_all_the_same() -> None:
    # The only card there is; then the end of a turn with nothing in hand to refresh with.
    table = Table.load("pool: b2\nstack: end | draw 2")
    assert table.legal() == ["draw pool 1"]
    assert Table.load(f"{PILES}\nstack: end").legal() == ["end-turn"]
    # A choice of which one option is possible, a forced pass, the last ship.
    choice = Table.load(f"{PILES}\nstack: end | action play any / draw 1")
    assert choice.legal() == ["choose 2"]
    ships = "H1.left* H1.right* H2.left* H2.right*"
    stuck = Table.load(f"{PILES}\n0 ships: {ships}")
    assert stuck.legal() == ["pass-turn"]
    last = Table.load(f"{PILES}\n0 ships: {ships} P3.left")
    assert last.legal() == ["explore P3 left"]
    solo = Table.load(f"{PILES}\nseats: 1\nactive: smuggler\nhostile shown: hostile-01*\nhostile aside: hostile-05")
    assert solo.legal() == ["smuggler-explore hostile-01"]


@pytest.mark.rule("WS-DEC-3")
@pytest.mark.parametrize(
    ("ability", "crew", "hand", "piles"),
    [
        (ability, crew, hand, piles)
        for ability in (
            "draw 1",
            "take",
            "play robot",
            "own(robot) -> draw 1",
            "own(robot) -> play pilot",
            "discard(any) -> draw 1",
            "discard(robot) -> play robot",
            "remove -> play any",
        )
        for crew in ("", "r1")
        for hand in ("", "a1", "r2")
        for piles in ("", PILES)
    ],
)
def test_a_trigger_is_asked_for_exactly_when_using_it_can_matter(
    ability: str, crew: str, hand: str, piles: str
) -> None:
    head = f"card x1: specialist owl military; {ability}\n0 crew: {crew}"
    table = Table.load(f"{head}\n0 hand: x1 {hand}\n{piles}\nstack: end | play specialist")
    table.play("0: play x1")
    asked = "done" in table.answers()
    # By hand: whether any card could be moved by it, as a price or by the effect.
    condition, _, effect = ability.rpartition(" -> ")
    price = {
        "": True,
        "own(robot)": crew == "r1",
        "discard(any)": hand != "",
        "discard(robot)": hand == "r2",
        "remove": crew != "",
    }[condition]
    gain = {"play robot": hand == "r2", "play pilot": hand == "a1", "play any": hand != ""}.get(effect, piles != "")
    costs = condition.startswith(("discard", "remove"))
    assert asked == (price and (costs or gain))
    if asked:
        declined = table.clone()
        declined.play("0: done")
        for answer in table.answers()[:-1]:
            used = table.clone()
            used.play(f"0: {answer}")
            # A price shows at once (with empty piles it even lies in the pool, to be drawn again), a gain a move later.
            if not costs:
                used.play(f"0: {used.answers()[0]}")
            assert used.all_cards() == declined.all_cards()
            assert where_cards_lie(used) != where_cards_lie(declined)


@pytest.mark.rule("WS-DEC-4", "WS-DEC-5")
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(0, 250))
def test_exactly_the_listed_moves_are_accepted_and_a_refusal_changes_nothing(seed: int, seats: int, moves: int) -> None:
    table = Table.start(seats, f"exact {seed}")
    for _ in table.walk(seed, moves):
        pass
    state, before = table.state, GAME.clone(table.state)
    seat = max(table.asked(), 0)
    listed = GAME.legal(state, seat)
    assert len(set(listed)) == len(listed)
    accepted = set()
    for move in GAME.move_space(state):
        canonical = GAME.canonical(state, move)
        if canonical in listed:
            trial = GAME.clone(state)
            assert not isinstance(GAME.play(trial, seat, move), Refusal), GAME.move_text(state, move)
            accepted.add(canonical)
        else:
            assert isinstance(GAME.play(state, seat, move), Refusal), GAME.move_text(state, move)
    assert accepted == set(listed)
    # Everything is as it was, the generator included.
    assert GAME.same(state, before)
    assert GAME.position_text(state) == GAME.position_text(before)
    for other in range(seats):
        if other != seat:
            assert GAME.legal(state, other) == []
            assert all(isinstance(GAME.play(state, other, move), Refusal) for move in listed)
    assert GAME.same(state, before)


@pytest.mark.rule("WS-DEC-4")
def test_a_refusal_does_not_touch_the_generator() -> None:
    # A refresh here would reshuffle; the refused one must not use up a random number.
    table = Table.load("0 hand: a1 a2\npool: b2 b3 b4\npile: b5\ndiscard: b6 b7 b8 b9")
    untouched = table.clone()
    for move in ("refresh a9", "land P3 left", "draw pile", "explore H1 left", "pass-turn"):
        table.refused(f"0: {move}")
    assert GAME.same(table.state, untouched.state)
    assert table.play("0: refresh a1") == untouched.play("0: refresh a1")


@pytest.mark.rule("WS-DEC-5")
def test_the_one_shorthand_is_the_number_of_a_lone_condition() -> None:
    table = Table.load(f"""{PILES}
planet px: home; [discard(any)] draw 1; [discard(any) | own(robot)] draw 1
planets: H1=px
0 hand: a1
0 crew: r1""")
    assert table.answers()[:3] == ["land H1 left pay a1", "land H1 right cond 1 pay a1", "land H1 right cond 2"]
    short, long = table.clone(), table.clone()
    assert short.play("0: land H1 left pay a1") == long.play("0: land H1 left cond 1 pay a1")
    assert GAME.same(short.state, long.state)
    assert table.refused("0: land H1 right pay a1") == "CONDITION"
    assert table.refused("0: land H2 left cond 1") == "CONDITION"


@pytest.mark.rule("WS-DEC-6")
def test_void_frames_are_popped_after_a_refresh_and_after_any_other_move() -> None:
    table = Table.load(f"""{PILES}
card x1: specialist owl military; play robot
0 crew: x1
0 hand: r1 a1
stack: end | play robot | play robot | triggers x1 ability""")
    refreshed = table.clone()
    refreshed.play("0: refresh r1")  # the last robot is gone, and with it every frame above the end
    assert refreshed.line("stack") == "end"
    other = table.clone()
    other.play("0: refresh a1")
    assert other.line("stack").endswith("triggers x1 ability")
    played = table.clone()
    played.play("0: ability", "0: play r1")
    assert played.line("stack") == "end"
    drawn = Table.load("pool: b2\nstack: end | draw 3 | draw 2")
    drawn.play("0: draw pool 1")
    assert drawn.line("stack") == "end"


@pytest.mark.rule("WS-DEC-7")
def test_new_triggers_are_settled_before_the_frame_below_goes_on() -> None:
    table = Table.load(f"""{PILES}
card x1: specialist owl military; draw 2
card x2: specialist owl military; play any
0 hand: x1 x2 a1 a2
stack: end | play any x2""")
    table.play("0: play x2")
    assert table.line("stack") == "end | play any | triggers x2 ability"
    table.play("0: ability", "0: play x1")
    assert table.refused("0: play a1") == "PHASE"
    table.play("0: ability", "0: draw pile")
    assert table.refused("0: play a1") == "PHASE"
    table.play("0: draw pile", "0: play a1")
    assert table.answers() == ["end-turn"]


@pytest.mark.rule("WS-DEC-8")
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_the_game_is_a_function_of_options_seed_and_accepted_moves(seed: int, seats: int) -> None:
    first = Table.start(seats, f"pure {seed}")
    record = list(first.walk(seed, 100))
    again = GAME.start(OPTIONS, seats, Deal(key_of_words(f"pure {seed}")))
    for seat, text in record:
        move = GAME.read_move(again, text)
        assert isinstance(GAME.play(again, seat, move_code(M_LAND, number=200)), Refusal)  # leaves no trace
        GAME.step(again, seat, move)
    assert GAME.same(first.state, again)
    assert GAME.position_text(first.state) == GAME.position_text(again)
    assert GAME.digest(first.state) == GAME.digest(again)


@pytest.mark.rule("WS-DEC-9")
def test_what_is_automatic_never_asks() -> None:
    # Token, refill and reshuffle happen inside the one move; the next question is about the square.
    table = Table.load("0 hand: b9\npool: av b3 b4\npile: b5\ndiscard: b6 b7\nstack: end | take")
    told = table.play("0: take pool 1")
    assert [text.split()[0] for text in told] == [
        "took-from-pool",
        "pool-filled",
        "reshuffled",
        "put-into-play",
        "token-moved",
    ]
    assert table.answers() == ["square", "done"]
    # Planets are revealed inside end-turn, and the next seat is asked at once.
    grown = Table.load(f"{PILES}\n0 crew: a1 a2 a3 a4 a5\nstack: end")
    told = grown.play("0: end-turn")
    assert told == ["ended-turn", "planet-revealed P3 p3", "planet-revealed P6 p6"]
    assert grown.asked() == 1
    # All of a hostile planet's effects, and the next planet, belong to the one Smuggler move.
    solo = Table.load(f"""{PILES}
hostile hx: I; add 1; discard 1, add 1, add 2; robot
seats: 1
active: smuggler
hostile shown: hx* hostile-01
hostile hidden: hostile-05""")
    solo.play("0: smuggler-explore hx")
    assert solo.crew(1) == ["b5", "b3"]
    assert solo.line("hostile shown") == "hostile-05 hostile-01"
    assert solo.answers()[0] == "land H1 left"


# -- refusal codes


LANDING = f"""{PILES}
planet pz: 6; [own(robot)] draw 1; [discard(robot) | own(robot)] draw 1
planet py: 3; [discard(any)] draw 1; [remove] draw 1
0 hand: a1"""


def landing(more: str) -> Table:
    return Table.load(f"{LANDING}\n{more}")


@pytest.mark.rule("WS-DEC-10")
def test_over_comes_before_everything() -> None:
    table = Table.load("stack: over")
    assert table.refused("0: end-turn") == "OVER"
    assert table.refused("7: land H1 left") == "OVER"
    assert code_of(table, 0, 0) == "OVER"  # no move at all
    assert table.legal(0) == []


@pytest.mark.rule("WS-DEC-10")
def test_malformed_comes_before_the_seat() -> None:
    table = Table.load(PILES)
    unknown = [
        0,
        -1,
        MOVE_KINDS + 1,
        1 << 40,
        move_code(M_LAND, number=10),  # no such sector
        move_code(14, card=3),  # an end of turn with a card
        move_code(13, number=1),
        move_code(2, number=1, condition=1),
    ]
    for move in unknown:
        assert code_of(table, 0, move) == "MALFORMED"
        assert code_of(table, 1, move) == "MALFORMED"
        assert code_of(table, 99, move) == "MALFORMED"
    for text in ("land P4 left", "land P3 middle", "fly P3 left", "explore X1 right", ""):
        with pytest.raises(BadInput):
            GAME.read_move(table.state, text)


@pytest.mark.rule("WS-DEC-10")
def test_the_seat_comes_before_the_phase() -> None:
    table = Table.load(f"{PILES}\n0 hand: a1\n1 hand: a2")
    for seat in (1, 2, -1):
        for move in ("land H1 left", "draw pile", "refresh a2", "end-turn", "smuggler-land hostile-01"):
            assert table.refused(f"{seat}: {move}") == "SEAT"


EVERY_MOVE = {
    "land H1 left": "ship",
    "explore H1 left": "ship",
    "pass-turn": "ship",
    "choose 1": "action",
    "draw pile": "draw",
    "draw pool 1": "draw",
    "play a1": "play",
    "pass": "play take",
    "take pile": "take",
    "take pool 1": "take",
    "ability": "triggers",
    "square": "triggers",
    "done": "triggers",
    "end-turn": "end",
    "smuggler-land hostile-01": "smuggler",
    "smuggler-explore hostile-01": "smuggler",
}


@pytest.mark.rule("WS-DEC-10")
@pytest.mark.parametrize(
    "stack",
    [
        "ship",
        "end",
        "end | action draw 1 / play any",
        "end | draw 1",
        "end | play any",
        "end | take",
        "end | triggers x1 ability",
    ],
)
def test_a_move_of_another_decision_is_refused_by_phase(stack: str) -> None:
    table = Table.load(f"""{PILES}
card x1: specialist owl military; draw 1
0 crew: x1
0 hand: a1
stack: {stack}""")
    frame = stack.rpartition("| ")[2].split()[0]
    for move, frames in EVERY_MOVE.items():
        seat, number = 0, GAME.read_move(table.state, move)
        answer = GAME.play(table.clone().state, seat, number)
        phase = isinstance(answer, Refusal) and answer.code == "PHASE"
        assert phase == (frame not in frames.split()), move
    assert not isinstance(GAME.play(table.clone().state, 0, GAME.read_move(table.state, "refresh a1")), Refusal)


@pytest.mark.rule("WS-DEC-10")
def test_landing_codes_in_their_order() -> None:
    used = "H1.left* H1.right* H2.left* H2.right*"
    # Each line mends the first fault of the line before it, so the code moves on to the next fault.
    steps = [
        (f"planets: P6=(pz)\n0 ships: {used} P6.left", "NO_SHIP"),
        ("planets: P6=(pz)\n0 ships: P6.left", "FACE_DOWN"),
        ("planets: P6=pz\n0 ships: P6.left", "CREW"),
        ("planets: P6=pz\n0 ships: P6.left\n0 crew: a2 a3 a4 a5 a6", "OWN_SHIP"),
        ("planets: P6=pz\n0 crew: a2 a3 a4 a5 a6", "CONDITION"),
        ("planets: P6=pz\n0 crew: r1 a2 a3 a4 a5", "PAYMENT"),
    ]
    for position, code in steps:
        assert landing(position).refused("0: land P6 left pay b9") == code
    landing("planets: P6=pz\n0 crew: r1 a2 a3 a4 a5").play("0: land P6 left")


@pytest.mark.rule("WS-DEC-10")
def test_condition_is_unmet_not_printed_or_not_named() -> None:
    six = "planets: P6=pz P3=py\n0 crew: a2 a3 a4 a5 a6"
    assert landing(six).refused("0: land P6 right pay a1") == "CONDITION"  # two, none named
    assert landing(six).refused("0: land P6 right cond 1 pay a1") == "CONDITION"  # no robot in hand
    assert landing(six).refused("0: land P6 right cond 2") == "CONDITION"  # no robot in the crew
    assert landing(six).refused("0: land P6 right cond 3") == "CONDITION"
    assert landing(six).refused("0: land H1 left cond 1") == "CONDITION"  # none is printed
    assert landing(six).refused("0: land P3 left cond 2 pay a1") == "CONDITION"
    assert landing(six).refused("0: land P3 left cond 0 pay a1") == "CONDITION"


@pytest.mark.rule("WS-DEC-10")
def test_payment_is_missing_superfluous_or_not_matching() -> None:
    six = "planets: P6=pz P3=py\n0 crew: r1 a3 a4 a5 a6"
    assert landing(six).refused("0: land P3 left") == "PAYMENT"  # missing
    assert landing(six).refused("0: land P3 left pay a3") == "PAYMENT"  # of the crew, not of the hand
    assert landing(six).refused("0: land P3 right pay a1") == "PAYMENT"  # of the hand, not of the crew
    assert landing(six).refused("0: land P3 right pay cap-0") == "PAYMENT"
    assert landing(six).refused("0: land H1 left pay a1") == "PAYMENT"  # superfluous
    assert landing(six).refused("0: land P6 right cond 2 pay a1") == "PAYMENT"
    robot = landing(six)
    robot.state.players[0].hand.append(robot.state.book.ids.index("r2"))
    assert robot.refused("0: land P6 right cond 1 pay a1") == "PAYMENT"  # not matching


@pytest.mark.rule("WS-DEC-10")
def test_codes_of_exploring_and_of_passing_the_turn() -> None:
    table = Table.load(f"{PILES}\n0 ships: H1.left H1.right*\n1 ships: H2.left")
    assert table.refused("0: explore H2 left") == "NOT_LANDED"  # another seat's ship
    assert table.refused("0: explore H2 right") == "NOT_LANDED"
    assert table.refused("0: explore P9 right") == "NOT_LANDED"  # face down: says nothing else
    assert table.refused("0: explore H1 right") == "EXPLORED"
    assert table.refused("0: pass-turn") == "MUST_MOVE"


@pytest.mark.rule("WS-DEC-10")
def test_codes_of_choosing_drawing_taking_playing_and_refreshing() -> None:
    choose = Table.load(f"{PILES}\n0 hand: a1\nstack: end | action play robot / draw 1")
    for number in (0, 1, 3, 255):  # none such, or not possible
        assert choose.refused(f"0: choose {number}") == "OPTION"
    for what, verb in (("draw 2", "draw"), ("take", "take")):
        source = Table.load(f"pool: b2\nstack: end | {what}")
        for origin in ("pile", "pool 0", "pool 2", "pool 3", "pool 4"):
            assert source.refused(f"0: {verb} {origin}") == "SOURCE"
    play = Table.load(f"{PILES}\n0 hand: a1 r1\n1 hand: r2\nstack: end | play robot")
    for card in ("r2", "r3", "b2", "b5", "no-such-card"):  # not in hand comes before not matching
        assert play.refused(f"0: play {card}") == "CARD"
        assert play.refused(f"0: refresh {card}") == "CARD"
    assert play.refused("0: play a2") == "CARD"
    assert play.refused("0: play a1") == "FILTER"


@pytest.mark.rule("WS-DEC-10")
def test_codes_of_triggers_and_of_the_smuggler() -> None:
    table = Table.load(f"""{PILES}
card x1: specialist owl military veteran; discard(robot) -> draw 1
0 crew: x1
0 hand: a1
stack: end | triggers x1 ability square draw 1""")
    assert table.refused("0: ability pay a1") == "TRIGGER"  # unusable comes before a wrong payment
    closed = Table.load(f"""{PILES}
card x1: specialist owl military veteran; discard(robot) -> draw 1
0 crew: x1
0 hand: a1 r1
stack: end | triggers x1 ability""")
    assert closed.refused("0: square") == "TRIGGER"
    for pay in ("", " pay a1", " pay r2", " pay x1", " pay no-such-card"):
        assert closed.refused(f"0: ability{pay}") == "PAYMENT"
    solo = Table.load("""\
seats: 1
active: smuggler
hostile shown: hostile-01 hostile-05*
hostile hidden: hostile-02
hostile aside: hostile-03""")
    wrong = ["land hostile-05", "explore hostile-01", "land hostile-02", "land hostile-03", "land nowhere"]
    for move in wrong:
        assert solo.refused(f"0: smuggler-{move}") == "HOSTILE"


# -- the absent seat


def default(text: str) -> str:
    table = Table.load(text)
    move = GAME.default(table.state, table.asked())
    assert move in GAME.legal(table.state, table.asked())
    return GAME.move_text(table.state, move)


@pytest.mark.rule("WS-DEC-11")
def test_the_default_of_a_ship_move() -> None:
    assert default(f"{PILES}\n0 ships: H1.left* H1.right H2.left") == "explore H1 right"
    assert default(f"{PILES}\n0 ships: H1.left*\n0 hand: a1") == "land H1 right"
    assert default(f"{PILES}\n0 ships: H1.left* H1.right* H2.left* H2.right*\n0 hand: a1") == "pass-turn"
    paid = f"{PILES}\nplanet px: home; [discard(any)] draw 1; draw 1\nplanets: H1=px\n0 hand: a1 a2"
    assert default(paid) == "land H1 left pay a1"  # a landing's price is all it ever spends


@pytest.mark.rule("WS-DEC-11")
@pytest.mark.parametrize(
    ("options", "hand", "answer"),
    [
        ("play any / draw 1", "a1", "choose 2"),
        ("draw 2 / draw 1", "a1", "choose 1"),
        ("play any / take", "a1", "choose 1"),
        ("play robot / take", "a1", "choose 2"),
        ("take / play any", "a1", "choose 1"),
    ],
)
def test_the_default_of_an_option(options: str, hand: str, answer: str) -> None:
    assert default(f"{PILES}\n0 hand: {hand}\nstack: end | action {options}") == answer


@pytest.mark.rule("WS-DEC-11")
def test_the_other_defaults() -> None:
    assert default(f"{PILES}\n0 hand: a1\nstack: end | draw 2") == "draw pile"
    assert default("pool: - b2 b3\n0 hand: a1\nstack: end | draw 2") == "draw pool 2"
    assert default(f"{PILES}\n0 hand: a1\nstack: end | play any") == "pass"
    assert default(f"{PILES}\n0 hand: a1\nstack: end | take") == "pass"
    triggers = "card x1: specialist owl military; draw 1\n0 crew: x1\nstack: end | triggers x1 ability"
    assert default(f"{PILES}\n0 hand: a1\n{triggers}") == "done"
    assert default(f"{PILES}\n0 hand: a1\nstack: end") == "end-turn"
    solo = "seats: 1\nactive: smuggler\nhostile shown: hostile-01* hostile-05"
    assert default(f"{PILES}\n0 hand: a1\n{solo}") == "smuggler-explore hostile-01"


@pytest.mark.rule("WS-DEC-11")
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_a_game_of_absent_seats_ends_and_spends_only_landing_prices(seed: int, seats: int) -> None:
    table = Table.start(seats, f"absent {seed}")
    decisions = 0
    while not GAME.over(table.state):
        seat = table.asked()
        move = GAME.default(table.state, seat)
        text = GAME.move_text(table.state, move)
        hand = len(table.hand(seat))
        table.play(f"{seat}: {text}")
        decisions += 1
        spent = hand - len(table.hand(seat))
        assert spent <= (1 if text.startswith("land ") else 0)
    assert all(table.turns(seat) == 10 for seat in range(len(table.state.players)))
    assert decisions < 60 * seats + 20
