"""Wild Space told to a person: questions, answers, news and rules in words."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from starport.v1 import match_pb2
from starport_games.kernel.effects import HIDDEN, Effect
from starport_games.wild_space import codes
from starport_games.wild_space.codes import (
    F_ACTION,
    F_DRAW,
    F_PLAY,
    F_TAKE,
    F_TRIGGERS,
    M_ABILITY,
    M_CHOOSE,
    M_DRAW_POOL,
    M_EXPLORE,
    M_LAND,
    M_PLAY,
    M_REFRESH,
    M_SMUGGLER_EXPLORE,
    M_SMUGGLER_LAND,
    M_SQUARE,
    M_TAKE_POOL,
    TURNS,
    move_card,
    move_condition,
    move_kind,
    move_number,
)
from starport_games.wild_space.grammar import FILTERS
from starport_games.wild_space.state import State
from starport_games.wild_space.tables import effect_of
from starport_starport.scribe import DIM, Cast, News, paragraphs
from starport_starport.wild_table import WildTable, pool_card
from starport_starport.wild_words import (
    Names,
    ability_words,
    card_words,
    condition_words,
    effect_words,
    filter_words,
    sector_words,
    steps_words,
)

PLAIN_MOVES = {
    codes.M_PASS_TURN: "Pass this turn: no ship can move",
    codes.M_DRAW_PILE: "Draw the top card of the pile",
    codes.M_PASS: "Pass",
    codes.M_TAKE_PILE: "Take the top card of the pile into play, whatever it is",
    codes.M_DONE: "Leave it at that",
    codes.M_END_TURN: "End the turn",
}
PLAIN_QUESTIONS = {
    codes.F_SHIP: "Your turn: move a ship",
    codes.F_END: "Everything is done: end the turn",
    codes.F_SMUGGLER: "You move for the Smuggler: where does its ship go?",
}
# Facts with one card, in words for everybody; the card's name comes in place of {}.
CARD_FACTS = {
    codes.E_PAID: "discarded {} as the price",
    codes.E_REMOVED: "gave up {}",
    codes.E_USED_ABILITY: "used the ability of {}",
    codes.E_USED_SQUARE: "used the veteran square that {} brought",
    codes.E_DREW_PILE: "drew {} from the pile",
    codes.E_TOOK_PILE: "took {} from the pile into play",
    codes.E_PUT: "played {}",
    codes.E_CAPTAIN: "got {}",
}
SLOT_FACTS = {
    codes.E_DREW_POOL: "drew {} from the pool",
    codes.E_TOOK_POOL: "took {} from the pool into play",
    codes.E_SMUGGLER_ADDED: "took {} from slot {slot} of the pool",
    codes.E_SMUGGLER_DISCARDED: "discarded {} from slot {slot} of the pool",
}
RULES = """
Ten turns each. In a turn you move one ship: land it on half a planet (perhaps for a price) and get what is
written there, or let a landed ship explore: draw 3 cards or play one. Each of your 5 ships lands once and
explores once.

Cards you play join your crew; their ability can be used right then. Veterans (★) move your token one square
along your captain’s track. A crew of 3, 6 or 9 cards turns up the face-down planets and may land there.

At any time in your turn you may refresh the pool: discard a card of your hand, and three new cards come.

Credits: 5 for the third and each further animal of a species, 15 for each set of all six species, the missions
of emissaries, credits on robots and on the squares your token has passed. Solo: beat the Smuggler; a tie is a
loss.
"""


class WildScribe:
    """The Scribe of Wild Space."""

    def __init__(self, options: match_pb2.Options) -> None:
        self._names = Names(options)
        self._table = WildTable(self._names)

    def table(self, view: State, cast: Cast) -> RenderableType:
        return self._table.draw(view, cast)

    # ----------------------------------------------------------------------------------------------------- questions

    def question(self, view: State, cast: Cast) -> str:
        if not view.stack:
            return "Your answer"
        frame = view.stack[-1]
        kind = frame & 15
        left = frame >> 8 & 15
        if kind in PLAIN_QUESTIONS:
            return PLAIN_QUESTIONS[kind]
        if kind == F_ACTION:
            return "Choose one"
        if kind == F_DRAW:
            return "Draw a card" if left == 1 else f"Draw a card ({left} to come)"
        if kind == F_PLAY:
            more = "" if left == 1 else f" ({left} to come)"
            return f"You may play {filter_words(FILTERS[frame >> 4 & 15])}{more}"
        if kind == F_TAKE:
            return "You may take a card straight into play"
        if kind == F_TRIGGERS:
            return f"{self._names.card_name(view.book, frame >> 4 & 4095)} came into play"
        return "Your answer"

    def menu(self, view: State, moves: Sequence[int]) -> RenderableType:
        """Refreshing is possible at nearly every question, once for each card of the hand: that is one line."""
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", style="bold")
        table.add_column(overflow="fold")
        refreshes = Text()
        for number, move in enumerate(moves, 1):
            if move_kind(move) == M_REFRESH:
                refreshes.append("  " if refreshes else "")
                refreshes.append(str(number), style="bold")
                refreshes.append(f" {self._names.card_name(view.book, move_card(move))}", style=DIM)
            else:
                table.add_row(str(number), Text(self.move_words(view, move)))
        if not refreshes:
            return table
        return Group(table, Text.assemble(("Or new cards for the pool, at the price of ", DIM), refreshes))

    def move_words(self, view: State, move: int) -> str:
        kind = move_kind(move)
        book = view.book
        number = move_number(move)
        if kind in PLAIN_MOVES:
            return PLAIN_MOVES[kind]
        if kind == M_LAND:
            return self._landing(view, move)
        if kind == M_EXPLORE:
            where = self._names.sector_name(book, view.planets, number)
            return f"Explore {where}: draw 3 cards or play a card"
        if kind == M_CHOOSE:
            frame = view.stack[-1]
            return sentence(effect_words(effect_of(frame >> 4 & 511 if number == 1 else frame >> 13 & 511)))
        if kind == M_DRAW_POOL:
            return f"Draw {self._card(view, pool_card(view, number))} from the pool"
        if kind == M_TAKE_POOL:
            return f"Take {self._card(view, pool_card(view, number))} from the pool into play"
        if kind == M_PLAY:
            return f"Play {self._card(view, move_card(move))}"
        if kind == M_REFRESH:
            return f"Discard {self._names.card_name(book, move_card(move))} and get a new pool"
        if kind == M_ABILITY:
            return self._ability(view, move)
        if kind == M_SQUARE:
            return f"Veteran square: {effect_words(effect_of(view.stack[-1] >> 17))}"
        return self._smuggling(view, move)

    def _card(self, view: State, card: int) -> str:
        found = self._names.card(view.book, card)
        return self._names.card_name(view.book, card) if found is None else card_words(found)

    def _landing(self, view: State, move: int) -> str:
        sector = move_number(move)
        planet = self._names.planet(view.book, view.planets[sector >> 1])
        where = self._names.sector_name(view.book, view.planets, sector)
        if planet is None:
            return f"Land on {where}"
        half = (planet.left, planet.right)[sector & 1]
        options = " or ".join(effect_words(option) for option in half.options)
        if not half.conditions:
            return f"Land on {where}: {options}"
        condition = half.conditions[max(move_condition(move), 1) - 1]
        paid = move_card(move)
        price = condition_words(condition)
        if paid >= 0:
            verb = "discard" if condition.is_cost and paid not in view.players[view.active].crew else "give up"
            price = f"{verb} {self._names.card_name(view.book, paid)}"
        return f"Land on {where}: {price} → {options}"

    def _ability(self, view: State, move: int) -> str:
        found = self._names.card(view.book, view.stack[-1] >> 4 & 4095)
        words = "its ability" if found is None or found.ability is None else ability_words(found.ability)
        paid = move_card(move)
        return f"Use it: {words}" + (f", paying with {self._names.card_name(view.book, paid)}" if paid >= 0 else "")

    def _smuggling(self, view: State, move: int) -> str:
        explores = move_kind(move) == M_SMUGGLER_EXPLORE
        hostile = move_card(move)
        found = self._names.hostile(view.book, hostile)
        what = "" if found is None else f": it {steps_words(found, int(explores))}"
        return f"{'Explore' if explores else 'Land on'} {self._names.hostile_name(view.book, hostile)}{what}"

    # ------------------------------------------------------------------------------------------------------- details

    def details(self, view: State, move: int) -> RenderableType | None:
        kind = move_kind(move)
        card = move_card(move)
        if kind in (M_LAND, M_EXPLORE):
            planet = self._names.planet(view.book, view.planets[move_number(move) >> 1])
            return None if planet is None else self._table.planet_details(planet)
        if kind in (M_SMUGGLER_LAND, M_SMUGGLER_EXPLORE):
            hostile = self._names.hostile(view.book, card)
            return None if hostile is None else self._table.hostile_details(hostile)
        if kind in (M_DRAW_POOL, M_TAKE_POOL):
            card = pool_card(view, move_number(move))
        if kind in (M_ABILITY, M_SQUARE):
            card = view.stack[-1] >> 4 & 4095
        found = self._names.card(view.book, card)
        return None if found is None else self._table.card_details(found)

    def look_up(self, view: State, words: str) -> RenderableType | None:
        found = self._names.find(words)
        if found is None:
            return None
        return self._table.details_of(found)

    # ---------------------------------------------------------------------------------------------------------- news

    def news(self, view: State, effect: Effect, cast: Cast) -> News | None:
        kind = effect.kind
        values = effect.values
        seat = effect.seat if 0 <= effect.seat < len(cast.names) else None
        book = view.book
        if kind in CARD_FACTS:
            return News(CARD_FACTS[kind].format(self._names.card_name(book, values[0])), seat)
        if kind in SLOT_FACTS:
            return News(SLOT_FACTS[kind].format(self._names.card_name(book, values[1]), slot=values[0]), seat)
        if kind in (codes.E_LANDED, codes.E_EXPLORED):
            verb = "landed on" if kind == codes.E_LANDED else "explored"
            return News(f"{verb} {self._names.sector_name(book, view.planets, values[0])}", seat)
        if kind in (codes.E_SMUGGLER_LANDED, codes.E_SMUGGLER_EXPLORED):
            verb = "landed on" if kind == codes.E_SMUGGLER_LANDED else "explored"
            return News(f"{verb} {self._names.hostile_name(book, values[0])}", seat)
        return self._other_news(view, effect, seat)

    def _other_news(self, view: State, effect: Effect, seat: int | None) -> News | None:
        book = view.book
        values = effect.values
        names = [self._names.card_name(book, value) for value in values]
        match effect.kind:
            case codes.E_STARTED:
                return News("began the game", values[0])
            case codes.E_PASSED_TURN:
                return News("could not move a ship", seat)
            case codes.E_TOKEN:
                return News(f"moved the veteran token to square {values[0]}", seat)
            case codes.E_REFRESHED:
                return News(f"discarded {names[0]} for a new pool", seat)
            case codes.E_FILLED:
                return News(
                    f"{self._names.card_name(book, values[1])} came into slot {values[0]} of the pool", small=True
                )
            case codes.E_RESHUFFLED:
                return News(f"the discard pile was shuffled: {values[0]} cards are the new pile")
            case codes.E_GAVE_UP:
                return News("passed", seat)
            case codes.E_ENDED_TURN:
                return News("ended the turn", seat, small=True)
            case codes.E_REVEALED:
                planet = self._names.planet(book, values[1])
                name = "a planet" if planet is None else planet.name
                words = "" if planet is None else f": {sector_words(planet.left)} | {sector_words(planet.right)}"
                return News(f"{name} was turned up{words}")
            case codes.E_HOSTILE_SHOWN:
                return News(f"{self._names.hostile_name(book, values[0])} was turned up for the Smuggler")
            case codes.E_OVER:
                return News("the game is over")
            case codes.E_DEALT if HIDDEN not in values:
                return News(f"got {', '.join(names)}", seat)
            case codes.E_CHOSE:
                return News(f"chose option {values[0]}", seat, small=True)
        return None

    def progress(self, view: State) -> tuple[int, int, str]:
        done = sum(player.turns for player in view.players)
        total = TURNS * len(view.players)
        return done, total, f"turn {min(done // len(view.players) + 1, TURNS)} of {TURNS}"

    def rules(self) -> RenderableType:
        return paragraphs(RULES)


def sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
