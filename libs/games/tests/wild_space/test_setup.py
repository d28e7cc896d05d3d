"""The first position: section 3 of the rules."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from starport_games.kernel.deal import Deal, QuickDeal, key_of_words
from starport_games.kernel.errors import BadInput
from starport_games.wild_space.codes import SPECTATOR
from wild_space.table import GAME, OPTIONS, Table
from wild_space.walks import busy

BOOK = OPTIONS.book
CAPTAINS = {BOOK.ids[card] for card in BOOK.captains}
DECK = sorted(BOOK.ids[card] for card in BOOK.crew)
PLACE_TIERS = [0, 0, 3, 6, 9]
SEATS = [1, 2, 3, 4, 5]
HOSTILE = "".join(f"hostile h{n}: I; add 1; add 1; robot\n" for n in range(5)) + (
    "hostile shown: h0 h1\nhostile hidden: h2 h3 h4\n"
)
every_seat_count = pytest.mark.parametrize("seats", SEATS)


def deals(seats: int, count: int = 60) -> list[Table]:
    """Freshly dealt games, each from a seed of its own."""
    return [Table.start(seats, f"deal {number}") for number in range(count)]


def planets(table: Table) -> list[str]:
    """The planets at H1 H2 P3 P6 P9, face up or not."""
    return [BOOK.planet_ids[planet] for planet in table.state.planets]


def of_tier(tier: int) -> set[str]:
    return {id for id, number in zip(BOOK.planet_ids, BOOK.planet_tier, strict=True) if number == tier}


def viewers(table: Table) -> list[int]:
    return [SPECTATOR, *range(table.state.seats)]


def seen(table: Table, viewer: int) -> Table:
    return Table(GAME.view(table.state, viewer))


# -- seats and planets


@pytest.mark.rule("WS-SETUP-1")
@pytest.mark.parametrize("seats", [-1, 0, 6, 7, 100])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(BadInput, match="1 to 5 seats"):
        Table.start(seats, "crowd")
    with pytest.raises(BadInput):
        Table.load(f"seats: {seats}")


@pytest.mark.rule("WS-SETUP-1")
@every_seat_count
def test_one_to_five_seats_play_and_one_plays_solo(seats: int) -> None:
    table = Table.start(seats, "table")
    deciders: set[int] = set()
    smuggler_moves = 0
    for seat, move in table.walk(seats):
        deciders.add(seat)
        smuggler_moves += move.startswith("smuggler-")
    assert deciders == set(range(seats))
    assert [score.name for score in GAME.score(table.state)][seats:] == (["smuggler"] if seats == 1 else [])
    assert smuggler_moves == (10 if seats == 1 else 0)


@pytest.mark.rule("WS-SETUP-2")
@every_seat_count
def test_both_home_planets_lie_face_up(seats: int) -> None:
    for table in deals(seats, 10):
        assert table.face_up() == ["H1", "H2"]
        assert set(planets(table)[:2]) == of_tier(0)
        for viewer in viewers(table):
            shown = seen(table, viewer).line("planets").split()
            assert shown[:2] == [f"H1={planets(table)[0]}", f"H2={planets(table)[1]}"]


@pytest.mark.rule("WS-SETUP-3")
@every_seat_count
def test_one_random_planet_of_each_tier_lies_face_down_in_ascending_order(seats: int) -> None:
    found: list[set[str]] = [set() for _ in PLACE_TIERS]
    for table in deals(seats):
        for place, planet in enumerate(planets(table)):
            assert planet in of_tier(PLACE_TIERS[place])
            found[place].add(planet)
        for viewer in viewers(table):
            assert seen(table, viewer).line("planets").split()[2:] == ["P3=(?)", "P6=(?)", "P9=(?)"]
        assert not {"P3", "P6", "P9"} & set(table.face_up())
    assert found[2:] == [of_tier(3), of_tier(6), of_tier(9)]  # each of them comes up


@pytest.mark.rule("WS-SETUP-4", "WS-SETUP-3")
@every_seat_count
def test_nothing_tells_which_planets_lie_face_down_and_which_are_unused(seats: int) -> None:
    table = Table.start(seats, "secret planets")
    views = [seen(table, viewer).text() for viewer in viewers(table)]
    facts = [GAME.effect_text(table.state, effect) for effect in GAME.opening(table.state)]
    for place in (2, 3, 4):
        for other in of_tier(PLACE_TIERS[place]) - {planets(table)[place]}:
            swapped = table.clone()
            laid = swapped.state.planets[:]
            laid[place] = BOOK.planet_ids.index(other)
            swapped.state.planets = laid
            assert swapped.text() != table.text()
            assert [seen(swapped, viewer).text() for viewer in viewers(swapped)] == views
            assert [GAME.effect_text(swapped.state, fact) for fact in GAME.opening(swapped.state)] == facts


@pytest.mark.rule("WS-SETUP-4")
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(SEATS))
def test_unused_planets_are_out_of_the_game_and_never_shown_during_it(seed: int, seats: int) -> None:
    table = Table.start(seats, f"unused {seed}")
    used = planets(table)
    unused = set(BOOK.planet_ids) - set(used)
    assert len(used) == len(set(used)) == 5
    for _ in busy(table, seed):
        assert planets(table) == used
        if not GAME.over(table.state):
            for viewer in viewers(table):
                assert not unused & set(seen(table, viewer).text().replace("=", " ").split())


# -- captains, ships, tokens


@pytest.mark.rule("WS-SETUP-5")
@every_seat_count
def test_every_seat_has_a_random_captain_of_its_own_face_up(seats: int) -> None:
    players = max(seats, 2)  # the Smuggler has one too
    found: list[set[str]] = [set() for _ in range(players)]
    for table in deals(seats):
        dealt = [table.captain(player) for player in range(players)]
        assert len(set(dealt)) == players
        assert set(dealt) <= CAPTAINS
        for player, captain in enumerate(dealt):
            found[player].add(captain)
        for viewer in viewers(table):
            assert [seen(table, viewer).captain(player) for player in range(players)] == dealt
    assert found == [CAPTAINS] * players  # each comes up for each


@pytest.mark.rule("WS-SETUP-5")
@every_seat_count
def test_captains_that_were_not_dealt_leave_the_game(seats: int) -> None:
    table = Table.start(seats, "left captains")
    dealt = {table.captain(player) for player in range(max(seats, 2))}
    for _ in busy(table, seats):
        assert CAPTAINS & set(table.text().split()) == dealt
        assert not CAPTAINS & set(table.all_cards())


@pytest.mark.rule("WS-SETUP-6")
@every_seat_count
def test_the_captain_is_the_first_card_of_a_crew_of_one(seats: int) -> None:
    for table in deals(seats, 10):
        for player in range(max(seats, 2)):
            crew = [BOOK.ids[card] for card in table.state.players[player].crew]
            assert crew == [table.captain(player)]
            assert crew[0] in CAPTAINS


@pytest.mark.rule("WS-SETUP-6")
@pytest.mark.parametrize("seats", SEATS[1:])
def test_two_more_cards_make_the_first_crew_three(seats: int) -> None:
    table = Table.start(seats, "three", replace(OPTIONS, first=0))
    for missing in (2, 1, 0):
        later = table.clone()
        player = later.state.players[0]
        player.crew += player.hand[missing:][: 2 - missing]
        player.hand = player.hand[:missing]
        later.play(f"0: {later.legal()[0]}")
        while "end-turn" not in later.legal():
            later.play(f"0: {'pass' if 'pass' in later.legal() else later.legal()[0]}")
        later.play("0: end-turn")
        assert ("P3" in later.face_up()) == (missing == 0)


@pytest.mark.rule("WS-SETUP-7")
@every_seat_count
def test_five_ships_are_in_reserve(seats: int) -> None:
    for table in deals(seats, 10):
        for seat in range(seats):
            assert (table.reserve(seat), table.ships(seat)) == (5, [])
    # A seat that lands whenever it can does so five times.
    table = Table.load(f"seats: {seats}\nplanets: P3=p3\n0 crew: b1 b2\n{HOSTILE if seats == 1 else ''}")
    for landings in range(6):
        while table.asked() != 0 or table.legal()[0].startswith("smuggler"):
            table.play(f"{table.asked()}: {table.legal()[0]}")
        assert (len(table.ships()), table.reserve()) == (landings, 5 - landings)
        sector = ("H1 left", "H1 right", "H2 left", "H2 right", "P3 left", "P3 right")[landings]
        if landings == 5:
            assert table.refused(f"0: land {sector}") == "NO_SHIP"
        else:
            table.play(f"0: land {sector}", "0: end-turn")


@pytest.mark.rule("WS-SETUP-8")
@every_seat_count
def test_the_token_begins_before_the_first_square(seats: int) -> None:
    moved: set[int] = set()
    for number, table in enumerate(deals(seats, 20)):
        assert [table.token(seat) for seat in range(seats)] == [0] * seats
        assert [score.parts["captain"] for score in GAME.score(table.state)[:seats]] == [0] * seats
        first: dict[int, str] = {}
        for seat, _, told in busy(table, number):
            for fact in told:
                if fact.startswith("token-moved"):
                    first.setdefault(seat, fact)
        assert all(fact == "token-moved 1" for fact in first.values())
        moved |= set(first)
    assert moved == set(range(seats))


# -- cards


@pytest.mark.rule("WS-SETUP-9")
@every_seat_count
def test_everything_but_the_captains_is_one_face_down_pile(seats: int) -> None:
    assert len(DECK) == len(set(DECK)) == 102
    for table in deals(seats, 10):
        assert table.all_cards() == DECK
        left = 102 - 3 - 3 * seats  # the Smuggler has no hand
        assert len(table.pile()) == left
        for viewer in viewers(table):
            assert seen(table, viewer).line("pile") == f"?*{left}"


@pytest.mark.rule("WS-SETUP-9")
def test_the_pile_is_shuffled_so_that_any_card_may_lie_anywhere() -> None:
    deals_count = 1500
    slots: list[set[str]] = [set(), set(), set()]
    tops: set[str] = set()
    bottoms: set[str] = set()
    neighbours = 0
    for number in range(deals_count):
        table = Table(GAME.start(OPTIONS, 2, QuickDeal(number)))
        for slot, card in enumerate(table.pool()):
            slots[slot].add(card)
        pile = table.pile()
        tops.add(pile[0])
        bottoms.add(pile[-1])
        order = [DECK.index(card) for card in pile]
        neighbours += sum(b - a == 1 for a, b in pairwise(order))
    for cards in (*slots, tops, bottoms):
        assert cards == set(DECK)
    # Of the 92 pairs in the pile one in 102 follow each other by their ids: about 0.9 a deal.
    assert 0.8 < neighbours / deals_count < 1.0


@pytest.mark.rule("WS-SETUP-10", "WS-SETUP-11", "WS-SETUP-12")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_further_seat_takes_the_next_three_cards_of_the_same_pile(seed: int) -> None:
    """The pile is shuffled alike for two to five seats, so what one more seat changes is what that seat was dealt."""
    tables = {seats: Table.start(seats, f"order {seed}") for seats in SEATS[1:]}
    for seats in SEATS[1:-1]:
        fewer, more = tables[seats], tables[seats + 1]
        assert fewer.pool() == more.pool()  # filled before any hand was dealt
        assert [fewer.hand(seat) for seat in range(seats)] == [more.hand(seat) for seat in range(seats)]
        assert fewer.pile() == more.hand(seats) + more.pile()


@pytest.mark.rule("WS-SETUP-10", "WS-SETUP-11", "WS-SETUP-12", "WS-SETUP-15")
@pytest.mark.parametrize("seats", SEATS[1:])
def test_the_deal_is_the_one_that_the_protocol_describes(seats: int) -> None:
    """docs/protocol.md, “What each game draws”, followed by hand with the generator alone."""
    key = key_of_words("by hand")
    table = Table(GAME.start(OPTIONS, seats, Deal(key)))
    deal = Deal(key)
    for tier, planet in zip((3, 6, 9), planets(table)[2:], strict=True):
        tiles = [id for id, number in zip(BOOK.planet_ids, BOOK.planet_tier, strict=True) if number == tier]
        assert planet == tiles[deal.below(len(tiles))]
    captains, cards = BOOK.captains[:], BOOK.crew[:]
    deal.shuffle(captains)
    deal.shuffle(cards)
    assert [table.captain(seat) for seat in range(seats)] == [BOOK.ids[card] for card in captains[:seats]]
    from_the_top = [BOOK.ids[card] for card in reversed(cards)]
    assert table.pool() == from_the_top[:3]
    for seat in range(seats):
        assert table.hand(seat) == from_the_top[3 + 3 * seat : 6 + 3 * seat]
    assert table.pile() == from_the_top[3 + 3 * seats :]
    assert table.asked() == deal.below(seats)
    assert table.line("deal") == deal.text()  # and no other chance was used


@pytest.mark.rule("WS-SETUP-10")
@every_seat_count
def test_the_pool_is_told_before_the_hands(seats: int) -> None:
    table = Table.start(seats, "told")
    told = [GAME.effect_text(table.state, fact) for fact in GAME.opening(table.state)]
    pool = [f"pool-filled {slot} {card}" for slot, card in enumerate(table.pool(), 1)]
    hands = [f"dealt {' '.join(table.hand(seat))}" for seat in range(seats)]
    places = [next(i for i, fact in enumerate(told) if fact.startswith(wanted)) for wanted in pool]
    assert places == sorted(places)
    assert told[places[-1] + 1 :][:seats] == hands


@pytest.mark.rule("WS-SETUP-11")
@every_seat_count
def test_each_seat_has_a_secret_hand_of_three(seats: int) -> None:
    for table in deals(seats, 10):
        hands = [table.hand(seat) for seat in range(seats)]
        assert [len(hand) for hand in hands] == [3] * seats
        assert not set(table.pool()) & {card for hand in hands for card in hand}
        for viewer in viewers(table):
            for seat in range(seats):
                shown = seen(table, viewer).line(f"{seat} hand")
                assert shown == (" ".join(hands[seat]) if seat == viewer else "?*3")


@pytest.mark.rule("WS-SETUP-13")
@every_seat_count
def test_the_discard_pile_is_empty_until_something_is_discarded(seats: int) -> None:
    first = replace(OPTIONS, first=0)
    for number in range(10):
        table = Table.start(seats, f"discard {number}", first)
        assert table.discard() == []
        refreshed = [table.hand(0)[0], *table.pool()]
        table.play(f"0: refresh {refreshed[0]}")
        assert table.discard() == refreshed


# -- chance


@pytest.mark.rule("WS-SETUP-14")
@every_seat_count
def test_each_seat_is_as_likely_to_begin(seats: int) -> None:
    players = max(seats, 2)  # the Smuggler may begin as well (WS-SOLO-6)
    rounds = 400
    begins = Counter(
        GAME.start(OPTIONS, seats, Deal(key_of_words(f"first {number}"))).active for number in range(rounds * players)
    )
    assert set(begins) == set(range(players))
    # Chi-square of these fixed seeds; 18.5 is passed by one fair generator in a thousand with four degrees of freedom.
    assert sum((count - rounds) ** 2 / rounds for count in begins.values()) < 18.5


@pytest.mark.rule("WS-SETUP-14")
@every_seat_count
def test_the_host_may_name_who_begins(seats: int) -> None:
    players = max(seats, 2)
    for named in range(players):
        options = GAME.options({"first": str(named)})
        for number in range(20):
            state = GAME.start(options, seats, Deal(key_of_words(f"named {number}")))
            assert (state.first, state.active) == (named, named)
            assert [decider.seat for decider in GAME.deciders(state)] == [0 if seats == 1 else named]
    for nobody in range(players, 5):
        with pytest.raises(BadInput, match="first"):
            GAME.start(GAME.options({"first": str(nobody)}), seats, Deal(key_of_words("nobody")))


@pytest.mark.rule("WS-SETUP-15")
@settings(max_examples=30, deadline=None)
@given(st.text(max_size=20), st.sampled_from(SEATS), st.sampled_from(["easy", "normal", "hard"]))
def test_the_same_seed_and_options_give_the_same_first_position(seed: str, seats: int, level: str) -> None:
    options = GAME.options({"difficulty": level})
    one, two = Table.start(seats, seed, options), Table.start(seats, seed, options)
    assert one.text() == two.text()
    assert GAME.same(one.state, two.state)
    assert Table.start(seats, seed + "!", options).text() != one.text()


@pytest.mark.rule("WS-SETUP-15")
@pytest.mark.parametrize("seats", [1, 5])
def test_the_first_position_is_the_same_in_every_process(seats: int) -> None:
    command = [sys.executable, "-m", "starport_games", "new", "--game", "wild-space", "--seats", str(seats)]
    printed = {
        subprocess.run(
            [*command, "--seed", "everywhere"],
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            check=True,
            text=True,
            timeout=60,
        ).stdout
        for salt in ("1", "2")
    }
    assert printed == {Table.start(seats, "everywhere").text()}


# -- colours


@pytest.mark.rule("WS-SETUP-16")
@pytest.mark.parametrize("word", ["colour", "color", "colours"])
def test_the_game_knows_no_colours(word: str) -> None:
    with pytest.raises(BadInput):
        GAME.options({word: "red"})
    with pytest.raises(BadInput):
        Table.load(f"0 {word}: red")


SIDES = ["0 hand: a1 b1 e1\n0 crew: rp", "0 hand: a2 av\n0 token: 1", "0 hand: r1\n0 ships: H1.left*\n0 crew: bv"]
SIDES = [f"{side}\n0 captain: c{number}\n" for number, side in enumerate(SIDES)]
COMMON = """\
captain c0: owl pilot; draw 1, play any
captain c1: bear pilot; credits 2, draw 1
captain c2: rhino engineer; take
seats: 3
pool: a3 a4 a5
pile: a6 a7 a8 a9 b2 b3 b4 b5 b6 b7 b8 b9 r2 r3 rv e2 e3
"""


@pytest.mark.rule("WS-SETUP-16")
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 2))
def test_what_sits_at_another_seat_plays_the_same(seed: int, shift: int) -> None:
    """A colour could only go with a seat, and nothing depends on the seat but the order of turns."""

    def around(by: int) -> Table:
        sides = [side.replace("0 ", f"{(seat + by) % 3} ") for seat, side in enumerate(SIDES)]
        return Table.load(COMMON + f"first: {by}\n" + "".join(sides))

    one, other = around(0), around(shift)
    asked, answers = one.asked(), one.legal()
    for seat, move, told in busy(one, seed):
        assert seat == asked
        assert other.asked() == (seat + shift) % 3
        assert other.legal() == answers
        assert other.play(f"{other.asked()}: {move}") == told
        asked = one.asked()
        answers = one.legal() if asked >= 0 else []
    assert other.asked() < 0
    scores = GAME.score(other.state)
    for score, moved in zip(GAME.score(one.state), scores[shift:] + scores[:shift], strict=True):
        assert (score.parts, score.rank, score.won) == (moved.parts, moved.rank, moved.won)
