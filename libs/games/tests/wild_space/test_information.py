"""Who learns what, and when (WS-INFO). Whole random matches are searched for secrets in tests/conformance."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starport_games import position
from starport_games.kernel.contract import Refusal
from starport_games.kernel.deal import Deal, key_of_words, read_deal
from starport_games.kernel.effects import HIDDEN, SPECTATOR, shown
from starport_games.kernel.errors import BadInput, GapError
from starport_games.wild_space import baseline
from wild_space.table import GAME, OPTIONS, Table

# Seat 0 acts; seats 1 and 2 and the spectator look on.
OTHERS = (1, 2, SPECTATOR)
VIEWERS = (0, *OTHERS)
PILES = "pool: b2 b3 b4\npile: b5 b6 b7 b8 b9"


def three(text: str) -> Table:
    return Table.load(f"seats: 3\n{text}")


def heard(table: Table, *moves: str) -> dict[int, list[str]]:
    """What each viewer hears while these moves are played."""
    told: dict[int, list[str]] = {viewer: [] for viewer in VIEWERS}
    for line in moves:
        seat, move = table._read(line)
        effects = GAME.play(table.state, seat, move)
        assert not isinstance(effects, Refusal), f"{line}: {effects}; legal: {table.legal(seat)}"
        for viewer, texts in told.items():
            texts += [GAME.effect_text(table.state, effect) for effect in shown(effects, viewer)]
    return told


def heard_by_others(table: Table, *moves: str) -> list[str]:
    """What all who look on hear, which is the same for each of them."""
    told = heard(table, *moves)
    assert told[1] == told[2] == told[SPECTATOR]
    return told[1]


def seen(table: Table, viewer: int) -> Table:
    return Table(GAME.view(table.state, viewer))


def views(table: Table) -> list[str]:
    """What all who look on see."""
    return [seen(table, viewer).text() for viewer in OTHERS]


# -- cards on their way


@pytest.mark.rule("WS-INFO-1")
def test_a_card_from_the_pile_is_shown_to_its_drawer_only() -> None:
    table = three(f"{PILES}\n0 hand: a1\nstack: end | draw 2")
    told = heard(table, "0: draw pile")
    assert told[0] == ["drew-from-pile b5"]
    assert [told[viewer] for viewer in OTHERS] == [["drew-from-pile ?"]] * 3
    assert seen(table, 0).line("0 hand") == "a1 b5"
    assert [seen(table, viewer).line("0 hand") for viewer in OTHERS] == ["?*2"] * 3
    # The drawer knows no more of the pile than the others do.
    assert [seen(table, viewer).line("pile") for viewer in VIEWERS] == ["?*4"] * 4


@pytest.mark.rule("WS-INFO-1")
def test_the_first_hands_are_shown_to_their_seats_only() -> None:
    table = Table.start(3, "opening")
    for viewer in VIEWERS:
        effects = shown(GAME.opening(table.state), viewer)
        told = [GAME.effect_text(table.state, effect) for effect in effects]
        hands = [text for text in told if text.startswith("dealt ")]
        own = [" ".join(["dealt", *table.hand(seat)]) for seat in range(3)]
        assert hands == [own[seat] if seat == viewer else "dealt ? ? ?" for seat in range(3)]


@pytest.mark.rule("WS-INFO-2")
def test_a_card_from_the_pool_is_public_when_taken_and_then_secret() -> None:
    table = three(f"{PILES}\n0 hand: a1\nstack: end | draw 1")
    told = heard(table, "0: draw pool 2")
    assert [texts[0] for texts in told.values()] == ["drew-from-pool 2 b3"] * 4
    assert seen(table, 0).line("0 hand") == "a1 b3"
    assert [seen(table, viewer).line("0 hand") for viewer in OTHERS] == ["?*2"] * 3
    assert all("b3" not in seen(table, viewer).line("pool") for viewer in VIEWERS)


@pytest.mark.rule("WS-INFO-3")
@pytest.mark.parametrize(
    ("stack", "move", "filled", "pool"),
    [
        ("end | draw 2", "draw pool 2", ["pool-filled 2 b5"], "b2 b5 b4"),
        ("end | take", "take pool 3", ["pool-filled 3 b5"], "b2 b3 b5"),
        ("end", "refresh a1", ["pool-filled 1 b5", "pool-filled 2 b6", "pool-filled 3 b7"], "b5 b6 b7"),
    ],
)
def test_a_replacement_is_public_with_the_move_that_caused_it(
    stack: str, move: str, filled: list[str], pool: str
) -> None:
    table = three(f"{PILES}\n0 hand: a1 a2\nstack: {stack}")
    told = heard(table, f"0: {move}")
    for viewer in VIEWERS:
        assert [text for text in told[viewer] if text.startswith("pool-filled")] == filled
        assert seen(table, viewer).line("pool") == pool


@pytest.mark.rule("WS-INFO-3", "WS-INFO-4", "WS-INFO-6")
def test_all_that_the_smuggler_moves_is_public() -> None:
    table = Table.load(f"""{PILES}
hostile hx: I; discard 2, add 2; add 1; robot
seats: 1
active: smuggler
hostile shown: hx""")
    told = heard(table, "0: smuggler-land hx")
    lines = ["smuggler-landed hx", "smuggler-discarded 2 b3", "pool-filled 2 b5", "smuggler-added 2 b5"]
    for viewer in (0, SPECTATOR):
        assert told[viewer] == [*lines, "pool-filled 2 b6"]
        view = seen(table, viewer)
        assert (view.line("pool"), view.line("discard"), view.line("smuggler crew")) == ("b2 b6 b4", "b3", "b5")


DISCARDS = f"""{PILES}
card x1: specialist owl military; discard(any) -> draw 1
card x2: specialist owl military; remove -> play any
planet px: home; [discard(any)] draw 1; [remove] draw 1
planets: H1=px
0 hand: a1 a2
0 crew: x1 x2 r1"""


@pytest.mark.rule("WS-INFO-4")
@pytest.mark.parametrize(
    ("stack", "move", "event", "discard"),
    [
        ("ship", "land H1 left pay a1", "paid a1", "a1"),
        ("ship", "land H1 right pay r1", "removed r1", "r1"),
        ("end | triggers x1 ability", "ability pay a2", "paid a2", "a2"),
        ("end | triggers x2 ability", "ability pay r1", "removed r1", "r1"),
        ("end", "refresh a2", "refreshed a2 b2 b3 b4", "a2 b2 b3 b4"),
    ],
)
def test_every_discard_is_public_with_its_identity(stack: str, move: str, event: str, discard: str) -> None:
    table = three(f"{DISCARDS}\nstack: {stack}")
    told = heard(table, f"0: {move}")
    for viewer in VIEWERS:
        assert event in told[viewer]
        assert seen(table, viewer).line("discard") == discard


@pytest.mark.rule("WS-INFO-5")
def test_the_discard_pile_lies_open_as_a_set_and_in_no_order() -> None:
    orders = ("a1 b1 r1 e1", "e1 r1 a1 b1", "b1 e1 a1 r1")
    tables = [three(f"{PILES}\ndiscard: {cards}") for cards in orders]
    assert [table.discard() for table in tables] == [cards.split() for cards in orders]
    for viewer in VIEWERS:
        assert len({seen(table, viewer).text() for table in tables}) == 1
        assert sorted(seen(tables[0], viewer).line("discard").split()) == ["a1", "b1", "e1", "r1"]


@pytest.mark.rule("WS-INFO-5")
def test_a_reshuffle_tells_how_many_cards_and_not_in_which_order() -> None:
    text = "pool: b2 b3 b4\npile: b5\ndiscard: a1 a2 a3 a4 a5 a6 a7\nstack: end | draw 1\ndeal: sha256"
    tables = [three(f"{text} {number:064x} 0") for number in range(20)]
    told = [heard(table, "0: draw pile") for table in tables]
    assert len({tuple(table.pile()) for table in tables}) > 1  # different orders
    assert {tuple(sorted(table.pile())) for table in tables} == {("a1", "a2", "a3", "a4", "a5", "a6", "a7")}
    for viewer in VIEWERS:
        assert {texts[viewer][-1] for texts in told} == {"reshuffled 7"}
        assert {tuple(texts[viewer]) for texts in told} == {tuple(told[0][viewer])}
        assert len({seen(table, viewer).text() for table in tables}) == 1
        assert seen(tables[0], viewer).line("pile") == "?*7"
        assert seen(tables[0], viewer).line("discard") == ""


@pytest.mark.rule("WS-INFO-6")
@pytest.mark.parametrize(
    ("stack", "move", "events", "crew"),
    [
        ("end | play any", "play a2", ["put-into-play a2"], "r1 a2"),
        ("end | take", "take pile", ["took-from-pile b5", "put-into-play b5"], "r1 b5"),
        ("end | take", "take pool 1", ["took-from-pool 1 b2", "pool-filled 1 b5", "put-into-play b2"], "r1 b2"),
    ],
)
def test_a_card_put_into_play_is_public(stack: str, move: str, events: list[str], crew: str) -> None:
    table = three(f"{PILES}\n0 hand: a1 a2 a3\n0 crew: r1\nstack: {stack}")
    told = heard(table, f"0: {move}")
    for viewer in VIEWERS:
        assert told[viewer] == events
        assert seen(table, viewer).line("0 crew") == crew


# -- what a viewer is given


@pytest.mark.rule("WS-INFO-7")
def test_legal_answers_go_to_the_seat_that_has_the_decision() -> None:
    table = three(f"{PILES}\n0 hand: a1 r1\n1 hand: r2\nstack: end | play robot")
    answers = ["play r1", "pass", "refresh a1", "refresh r1"]
    assert seen(table, 0).legal(0) == answers
    report = position.Report(GAME, table.state, [])
    assert position.as_json(report, 0)["legal"] == {"0": answers}
    for viewer in OTHERS:
        assert [seen(table, viewer).legal(seat) for seat in range(3)] == [[], [], []]
        assert position.as_json(report, viewer)["legal"] == {}
        assert not [line for line in position.as_text(report, viewer).splitlines() if line.endswith(("r1", "pass"))]


@pytest.mark.rule("WS-INFO-8")
@pytest.mark.parametrize(
    ("card", "able", "unable"),
    [
        ("specialist owl military; discard(robot) -> draw 1", "r1 a2", "a1 a2"),
        ("specialist owl military; discard(veteran) -> play any", "av a2", "a1 a2"),
        ("specialist owl military; play robot", "r1 a2", "a1 a2"),
        ("specialist owl military veteran", "e1 a2", "a1 a2"),  # the square
        ("specialist owl military veteran; play robot", "r1 e1", "a1 a2"),
    ],
)
def test_not_using_an_ability_and_not_being_able_to_are_the_same_event(card: str, able: str, unable: str) -> None:
    text = f"{PILES}\ncaptain cx: owl pilot; play emissary, credits 2\n0 captain: cx\ncard x1: {card}"
    could = three(f"{text}\n0 hand: x1 {able}\nstack: end | play any")
    could_not = three(f"{text}\n0 hand: x1 {unable}\nstack: end | play any")
    assert heard_by_others(could, "0: play x1") == heard_by_others(could_not, "0: play x1")
    assert "done" in could.answers()
    assert could_not.answers() == ["end-turn"]
    assert views(could) == views(could_not)
    assert heard_by_others(could, "0: done") == []
    assert views(could) == views(could_not)
    assert heard_by_others(could, "0: end-turn") == heard_by_others(could_not, "0: end-turn") == ["ended-turn"]


@pytest.mark.rule("WS-INFO-9")
def test_numbers_of_cards_ships_and_turns_are_public() -> None:
    table = three(f"""{PILES}
discard: e1 e2
0 hand: a1 a2 a3
1 hand: a4
0 ships: H1.left H2.right*
0 token: 1
0 turns: 3
1 turns: 3
2 turns: 2
first: 2
active: 2""")
    for viewer in VIEWERS:
        view = seen(table, viewer)
        assert [len(player.hand) for player in view.state.players] == [3, 1, 0]
        assert (view.state.left, len(view.state.discard)) == (5, 2)
        assert view.ships(0) == ["H1 left", "H2 right*"]
        assert [view.reserve(seat) for seat in range(3)] == [3, 5, 5]
        assert [view.turns(seat) for seat in range(3)] == [3, 3, 2]
        assert (view.token(0), view.line("active")) == (1, "2")


@pytest.mark.rule("WS-INFO-10")
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_the_bot_answers_its_view_as_it_answers_the_position(seed: int, seats: int) -> None:
    table = Table.start(seats, f"bot {seed}")
    while not GAME.over(table.state):
        seat = table.asked()
        view = GAME.view(table.state, seat)
        assert GAME.legal(view, seat) == GAME.legal(table.state, seat)
        assert GAME.default(view, seat) == GAME.default(table.state, seat)
        chance = [Deal(key_of_words(f"tie {seed}")) for _ in range(2)]
        move = baseline.choose(view, seat, chance[0])
        assert move == baseline.choose(table.state, seat, chance[1])
        GAME.step(table.state, seat, move)


@pytest.mark.rule("WS-INFO-10")
@pytest.mark.parametrize(
    ("stack", "move"),
    [
        ("end | draw 1", "draw pile"),
        ("end | draw 1", "draw pool 1"),
        ("end | take", "take pile"),
        ("end", "refresh a1"),
        ("end", "end-turn"),
    ],
)
def test_a_view_cannot_be_played_on_to_what_it_hides(stack: str, move: str) -> None:
    # The end of this turn turns planet 3.
    table = three(f"{PILES}\n0 hand: a1\n0 crew: a2 a3\nstack: {stack}")
    view = seen(table, 0)
    assert move in view.legal(0)
    with pytest.raises(GapError):
        view.play(f"0: {move}")
    table.play(f"0: {move}")


@pytest.mark.rule("WS-INFO-11")
@pytest.mark.parametrize("active", [0, 1, 2])
def test_a_spectator_has_the_view_of_a_seat_with_no_hand(active: int) -> None:
    text = f"{PILES}\nactive: {active}\nplanets: P3=p3\ndiscard: e1 e2\n0 hand: a1 a2 a3\n1 hand: a4 a5"
    table = three(text)
    spectator = seen(table, SPECTATOR).text()
    assert [seen(table, SPECTATOR).line(f"{seat} hand") for seat in range(3)] == ["?*3", "?*2", ""]
    assert seen(table, SPECTATOR).line("stack") == "?"
    # Seat 2 holds nothing, so when it is not asked it sees exactly this.
    assert (seen(table, 2).text() == spectator) == (active != 2)


@pytest.mark.rule("WS-INFO-11")
def test_the_spectator_of_a_solo_game_does_not_see_the_hand() -> None:
    table = Table.load(f"{PILES}\nseats: 1\nhostile shown: hostile-01\n0 hand: a1 a2\nstack: end | draw 1")
    assert seen(table, SPECTATOR).line("0 hand") == "?*2"
    assert seen(table, SPECTATOR).line("stack") == "?"
    assert heard(table, "0: draw pile")[SPECTATOR] == ["drew-from-pile ?"]
    assert seen(table, SPECTATOR).line("0 hand") == "?*3"


@pytest.mark.rule("WS-INFO-12")
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_after_the_end_everything_is_shown_and_not_before(seed: int, seats: int) -> None:
    table = Table.start(seats, f"end {seed}")
    record, before = [], table.clone()
    for seat, text in table.walk(seed):
        record.append((seat, text))
        if not GAME.over(table.state):
            before = table.clone()
    for viewer in range(SPECTATOR, seats):
        earlier = seen(before, viewer)
        assert earlier.line("deal") == "?"
        assert earlier.state.deck == [HIDDEN] * len(before.pile())
        hidden = [player.hand for seat, player in enumerate(earlier.state.players) if seat != viewer]
        assert all(card == HIDDEN for hand in hidden for card in hand)
        assert GAME.same(GAME.view(table.state, viewer), table.state)
        assert seen(table, viewer).text() == table.text()
    # With the generator's key and the moves anyone can play the match again from its first card.
    deal = read_deal(seen(table, SPECTATOR).line("deal"))
    again = GAME.start(OPTIONS, seats, Deal(deal.key))
    for seat, text in record:
        GAME.step(again, seat, GAME.read_move(again, text))
    assert GAME.same(again, table.state)


# -- messages


def in_the_open(table: Table, viewer: int) -> set[str]:
    """The ids that this viewer may read off the table: open zones, its own hand, planets that lie face up."""
    state = table.state
    cards = [card for card in [*state.pool, *state.discard] if card >= 0]
    for seat, player in enumerate(state.players):
        cards += player.crew + (player.hand if seat == viewer else [])
    found = {state.book.ids[card] for card in cards}
    found |= {state.book.planet_ids[planet] for place, planet in enumerate(state.planets) if state.faceup >> place & 1}
    if state.smuggler is not None:
        found |= {state.book.hostile_ids[hostile] for hostile in [*state.smuggler.shown, *state.smuggler.aside]}
    return found


@pytest.mark.rule("WS-INFO-13")
@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_messages_name_only_what_lies_open_to_their_reader(seed: int, seats: int) -> None:
    table = Table.start(seats, f"messages {seed}")
    book = table.state.book
    ids = {*book.ids, *book.planet_ids, *book.hostile_ids}
    chance = Deal(key_of_words(f"messages {seed}"))
    for _ in range(150):
        if GAME.over(table.state):
            return
        seat = table.asked()
        moves = GAME.legal(table.state, seat)
        move = moves[chance.below(len(moves))]
        named = set(GAME.move_text(table.state, move).split())
        before = {viewer: in_the_open(table, viewer) for viewer in range(SPECTATOR, seats)}
        effects = GAME.play(table.state, seat, move)
        assert not isinstance(effects, Refusal)
        if GAME.over(table.state):
            return
        for viewer, known in before.items():
            now = in_the_open(table, viewer)
            assert ids.intersection(re.findall(r"[\w-]+", seen(table, viewer).text())) <= now
            told = " ".join(GAME.effect_text(table.state, effect) for effect in shown(effects, viewer))
            # Every card that a move names was paid, discarded or put into play by it, and so lay open.
            assert "reshuffled" in told or ids.intersection(told.split()) <= known | now | named


@pytest.mark.rule("WS-INFO-13")
def test_hidden_cards_are_all_the_same_gap() -> None:
    table = three(f"{PILES}\n0 hand: a1 a2\n1 hand: a3 a4 a5\nstack: end | draw 2")
    table.play("0: draw pile", "0: draw pile")  # and nothing of the drawn cards stays behind in the pile
    state = GAME.view(table.state, SPECTATOR)
    assert state.deck == [HIDDEN] * 3
    assert [player.hand for player in state.players] == [[HIDDEN] * 4, [HIDDEN] * 3, []]
    assert state.planets[2:] == [HIDDEN] * 3
    assert state.deal is None
    solo = Table.load("""\
        seats: 1
        hostile h1: I; add 1; add 1; robot
        hostile h2: III; add 1; add 1; robot
        hostile h3: II; add 1; add 1; robot
        hostile shown: h1
        hostile hidden: h2 h3""")
    for viewer in (0, SPECTATOR):  # of the next one its back is seen
        assert seen(solo, viewer).line("hostile hidden") == "?III ?"


@pytest.mark.rule("WS-INFO-14")
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(0, 200))
def test_a_view_does_not_depend_on_the_views_taken_before(seed: int, seats: int, moves: int) -> None:
    table = Table.start(seats, f"reconnect {seed}")
    record = []
    looked = {viewer: seen(table, viewer).text() for viewer in range(SPECTATOR, seats)}
    for entry in table.walk(seed, moves):
        record.append(entry)
        looked = {viewer: seen(table, viewer).text() for viewer in looked}
    # The same match while nobody looked, also written down and read back in the middle.
    absent = Table.start(seats, f"reconnect {seed}")
    absent.play(*(f"{seat}: {text}" for seat, text in record[: len(record) // 2]))
    absent = Table(GAME.read_position(absent.text()))
    absent.play(*(f"{seat}: {text}" for seat, text in record[len(record) // 2 :]))
    assert {viewer: seen(absent, viewer).text() for viewer in looked} == looked


# -- another seat's turn


@pytest.mark.rule("WS-INFO-15")
def test_of_another_turn_one_sees_what_happens_on_the_table() -> None:
    table = three(f"""{PILES}
card x1: specialist owl military veteran; discard(any) -> take
planet px: home; [own(robot) | discard(any)] play any; draw 1
planets: H1=px
captain cx: owl pilot; draw 2, credits 2
0 captain: cx
0 hand: x1 a1 a2 a3""")
    moves = ["land H1 left cond 2 pay a1", "play x1", "ability pay a2", "take pool 1", "square", "draw pool 2"]
    moves += ["draw pile", "refresh a3", "end-turn"]
    assert heard_by_others(table, *(f"0: {move}" for move in moves)) == [
        "landed H1 left 2",
        "paid a1",
        "put-into-play x1",
        "token-moved 1",
        "used-ability x1",
        "paid a2",
        "took-from-pool 1 b2",
        "pool-filled 1 b5",
        "put-into-play b2",
        "used-square x1",
        "drew-from-pool 2 b3",
        "pool-filled 2 b6",
        "drew-from-pile ?",
        "refreshed a3 b5 b6 b4",
        "pool-filled 1 b8",
        "pool-filled 2 b9",
        "reshuffled 6",
        f"pool-filled 3 {table.pool()[2]}",
        "ended-turn",
        "planet-revealed P3 p3",
    ]
    stuck = three(f"{PILES}\n0 ships: H1.left* H1.right* H2.left* H2.right*")
    assert heard_by_others(stuck, "0: pass-turn") == ["passed-turn"]
    explorer = three(f"{PILES}\n0 ships: H1.left")
    assert heard_by_others(explorer, "0: explore H1 left") == ["explored H1 left"]


TURN = f"""{PILES}
card x1: specialist owl military; draw 2
card x2: specialist owl military; own(robot) -> play any
card x3: specialist owl military veteran; take
0 crew: r1 x1 x2 x3
0 hand: a1 a2"""
QUESTIONS = [
    # the decision, the silent answer, how its first card is told, the move that moves that card
    ("action play any / draw 2", "choose 2", ["chose 2", "drew-from-pile ?"], "draw pile"),
    ("action play any / draw 2", "choose 1", ["chose 1", "put-into-play a1"], "play a1"),
    ("action draw 2 / take", "choose 2", ["chose 2", "took-from-pile b5", "put-into-play b5"], "take pile"),
    ("triggers x1 ability", "ability", ["used-ability x1", "drew-from-pile ?"], "draw pile"),
    ("triggers x2 ability", "ability", ["used-ability x2", "put-into-play a2"], "play a2"),
    ("triggers x3 square draw 2", "square", ["used-square x3", "drew-from-pile ?"], "draw pile"),
    ("triggers x3 ability square play any", "square", ["used-square x3", "put-into-play a1"], "play a1"),
    ("triggers x3 ability", "ability", ["used-ability x3", "took-from-pile b5", "put-into-play b5"], "take pile"),
]


@pytest.mark.rule("WS-INFO-15")
@pytest.mark.parametrize(("frame", "silent", "told", "first"), QUESTIONS)
def test_a_choice_ability_or_square_is_seen_with_the_first_card_it_moves(
    frame: str, silent: str, told: list[str], first: str
) -> None:
    table = three(f"{TURN}\nstack: end | {frame}")
    before = views(table)
    own = told[0]
    answered = heard(table, f"0: {silent}")
    assert answered[0] == [own]
    assert [answered[viewer] for viewer in OTHERS] == [[]] * 3
    assert views(table) == before
    moved = heard(table, f"0: {first}")
    assert all(moved[viewer] == told for viewer in OTHERS)
    assert own not in moved[0]  # its seat knew
    if first == "draw pile":  # the second card does not tell it again
        assert heard_by_others(table, "0: draw pile") == ["drew-from-pile ?"]


@pytest.mark.rule("WS-INFO-15")
def test_a_refresh_before_the_first_card_does_not_tell_the_question() -> None:
    table = three(f"{TURN}\nstack: end | triggers x1 ability")
    fills = [f"pool-filled {slot} b{slot + 4}" for slot in (1, 2, 3)]
    assert heard_by_others(table, "0: ability", "0: refresh a1") == ["refreshed a1 b2 b3 b4", *fills]
    assert heard_by_others(table, "0: draw pile")[:2] == ["used-ability x1", "drew-from-pile ?"]
    # When the refresh takes the last card it could play, the right lapses and was never heard of.
    lapsed = three(f"{TURN.replace('0 hand: a1 a2', '0 hand: a1')}\nstack: end | triggers x2 ability")
    assert heard_by_others(lapsed, "0: ability", "0: refresh a1", "0: end-turn") == [
        "refreshed a1 b2 b3 b4",
        *fills,
        "ended-turn",
        "planet-revealed P3 p3",
    ]


@pytest.mark.rule("WS-INFO-15")
@pytest.mark.parametrize(
    "answers",
    [["choose 1", "pass"], ["choose 2", "pass"], ["choose 2", "refresh r2"]],
)
def test_a_choice_that_moves_no_card_is_never_seen(answers: list[str]) -> None:
    table = three(f"{PILES}\n0 hand: a1 r2\nstack: end | action play pilot / play robot")
    told = heard_by_others(table, *(f"0: {answer}" for answer in answers), "0: end-turn")
    assert not [text for text in told if text.startswith(("chose", "gave"))]
    assert [text for text in told if not text.startswith(("refreshed", "pool-filled"))] == ["ended-turn"]


@pytest.mark.rule("WS-INFO-15")
def test_declining_and_being_unable_leave_the_same_messages_and_views() -> None:
    # Two options, then a veteran's square and ability: one hand can follow none of them, the others decline in turn.
    text = f"""{PILES}
card x1: specialist owl military veteran; play robot
captain cx: owl pilot; play engineer, credits 2
planet px: home; play veteran x2; play robot / play engineer
planets: H1=px
0 captain: cx"""
    games = [
        ("x1 a1 a2", ["land H1 left", "play x1", "end-turn"]),
        ("x1 r1 a1", ["land H1 left", "play x1", "done", "end-turn"]),
        ("x1 r1 b1", ["land H1 left", "play x1", "ability", "pass", "square", "pass", "end-turn"]),
        ("x1 av b1", ["land H1 left", "play x1", "done", "pass", "end-turn"]),
        ("x1 av b1", ["land H1 left", "play x1", "square", "pass", "pass", "end-turn"]),
    ]
    outcomes = []
    for hand, moves in games:
        table = three(f"{text}\n0 hand: {hand}")
        outcomes.append((heard_by_others(table, *(f"0: {move}" for move in moves)), views(table)))
    assert outcomes[0][0] == ["landed H1 left 0", "put-into-play x1", "token-moved 1", "ended-turn"]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    # The same of options: none possible, or one chosen and then passed.
    unable, able = three(f"{text}\n0 hand: a1 a2"), three(f"{text}\n0 hand: b1 r1")
    told = heard_by_others(unable, "0: land H1 right", "0: end-turn")
    assert told == heard_by_others(able, "0: land H1 right", "0: choose 2", "0: pass", "0: end-turn")
    assert views(unable) == views(able)


@pytest.mark.rule("WS-INFO-15")
def test_nobody_else_sees_which_decision_is_open() -> None:
    stacks = ["end", "end | draw 3", "end | play any x2", "end | take", "end | action draw 1 / play any"]
    stacks += [
        "end | triggers x1 ability",
        "end | draw 1 | triggers x3 ability square draw 1",
        "end | take by choice 2",
    ]
    tables = [three(f"{TURN}\n0 ships: H1.left\nstack: {stack}") for stack in stacks]
    assert [table.line("stack") for table in tables] == stacks
    assert all(views(table) == views(tables[0]) for table in tables)
    assert [seen(table, 0).line("stack") for table in tables] == stacks


# -- refusals


def refusal(table: Table, line: str) -> Refusal:
    seat, move = table._read(line)
    answer = GAME.play(table.clone().state, seat, move)
    assert isinstance(answer, Refusal), line
    return answer


# In the pile, in another hand, out of the game, and no card at all.
ELSEWHERE = ("b5", "a9", "e3", "no-such-card")


@pytest.mark.rule("WS-INFO-16")
@pytest.mark.parametrize(
    ("stack", "move", "code"),
    [
        ("end | play any", "play", "CARD"),
        ("end", "refresh", "CARD"),
        ("ship", "land H1 left pay", "PAYMENT"),
        ("ship", "land H1 right pay", "PAYMENT"),
        ("end | triggers x1 ability", "ability pay", "PAYMENT"),
        ("end | triggers x2 ability", "ability pay", "PAYMENT"),
    ],
)
def test_a_card_elsewhere_is_refused_like_one_that_does_not_exist(stack: str, move: str, code: str) -> None:
    table = three(f"{DISCARDS}\n1 hand: a9\nstack: {stack}")
    answers = {refusal(table, f"0: {move} {card}") for card in ELSEWHERE}
    assert {answer.code for answer in answers} == {code}
    assert len(answers) == 1


@pytest.mark.rule("WS-INFO-16")
def test_moves_name_planets_by_their_place_and_a_planet_face_down_tells_nothing() -> None:
    text = f"{PILES}\n0 hand: a1\nplanet py: 3; [own(robot)] draw 1; draw 1\nplanet pz: 3; draw 1; [remove] take"
    one, other = (three(f"{text}\nplanets: P3=({planet})") for planet in ("py", "pz"))
    for move in ("land py left", "land pz left", "explore py left"):
        for table in (one, other):
            with pytest.raises(BadInput):
                GAME.read_move(table.state, move)
    for side in ("left", "right"):
        for more in ("", " cond 1", " cond 2", " pay a1", " cond 1 pay a1"):
            told = {refusal(table, f"0: land P3 {side}{more}") for table in (one, other)}
            assert [answer.code for answer in told] == ["FACE_DOWN"]


@pytest.mark.rule("WS-INFO-16")
def test_a_hostile_planet_not_revealed_is_refused_alike_whether_or_not_it_is_among_the_five() -> None:
    table = Table.load("""\
        seats: 1
        hostile h1: I; add 1; add 1; robot
        hostile h2: I; add 1; add 1; robot
        hostile h3: I; add 1; add 1; robot
        active: smuggler
        hostile shown: h1
        hostile hidden: h2""")
    for verb in ("smuggler-land", "smuggler-explore"):
        answers = {refusal(table, f"0: {verb} {hostile}") for hostile in ("h2", "h3", "nowhere")}
        assert [answer.code for answer in answers] == ["HOSTILE"]
