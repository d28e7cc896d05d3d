"""Space Race told to a person: questions, answers, news and rules in words."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from starport_games.kernel.effects import HIDDEN, Effect
from starport_games.space_race import codes
from starport_games.space_race.codes import (
    C_HAND,
    C_ROUNDS,
    DAMAGES,
    DOWN,
    FACTIONS,
    M_BID,
    M_PICK,
    M_SHIP,
    OVER,
    UP,
    move_kind,
    move_value,
    pick_move,
    picked_card,
    picked_face,
    repair_count,
)
from starport_games.space_race.pack import Pack
from starport_games.space_race.rules import row_of
from starport_games.space_race.state import State
from starport_games.space_race.words import COIN_WORDS, RESOURCE_WORDS
from starport_starport.race_table import RaceTable, card_text, damage_words, danger_words, gift_words
from starport_starport.scribe import DIM, Cast, News, paragraphs

RULES = """
Three rounds. In each round everybody gets six cards, keeps one, passes the rest on, and so on: all choose at
the same time and in secret. A card is played face up into your ship, or face down as Fuel.

Then a danger comes: all bid in secret, Fuel in a flight, Crew in a fight. What you get hangs on your rank among
the bids: wrenches repair damage, damage costs points. Everything bid is gone.

Points: scanners and robot parts 2, crystals and power sources 1 each; 3 for each robot of head, torso and legs;
3 for every four crystals; each power source 2 for each top card of its colour (scanner, robot part, crystal).

5 for the most loot carriers (2 for the second most), 3 for each rival with fewer drones, 5 for the most Fuel
left, 5 for the most Crew left. A scanner played face up shows you the next danger.
"""
PLAIN_FACTS = {
    codes.ROUND_STARTED: "round {} begins",
    codes.ROUND_ENDED: "round {} is over",
}


class RaceScribe:
    """The Scribe of Space Race."""

    def __init__(self) -> None:
        self._table = RaceTable()

    def table(self, view: State, cast: Cast) -> RenderableType:
        return self._table.draw(view, cast)

    # ----------------------------------------------------------------------------------------------------- questions

    def question(self, view: State, cast: Cast) -> str:
        if view.phase == codes.PICK:
            return "Keep a card: face up into your ship, or face down as Fuel"
        if view.phase == codes.BID:
            resource = RESOURCE_WORDS[view.pack.danger_type[view.danger]].capitalize()
            return f"How much {resource} do you bid? It is gone afterwards"
        if view.phase == codes.REPAIR:
            wrenches = 0 if cast.own is None else row_of(view, cast.own)
            return f"You have {wrenches} wrench{'' if wrenches == 1 else 'es'}: what do you repair?"
        return "Choose your ship"

    def menu(self, view: State, moves: Sequence[int]) -> RenderableType:
        table = Table.grid(padding=(0, 1))
        if not moves or move_kind(moves[0]) != M_PICK:
            table.add_column(justify="right", style="bold")
            for number, move in enumerate(moves, 1):
                table.add_row(str(number), self.move_words(view, move))
            return table
        numbers = {move: number for number, move in enumerate(moves, 1)}
        for header in ("up", "Fuel"):
            table.add_column(header, justify="right", style="bold")
        table.add_column()
        table.add_column()
        table.add_column(overflow="fold", style=DIM)
        table.add_row(Text("up", style=DIM), Text("Fuel", style=DIM))
        for card in dict.fromkeys(picked_card(move) for move in moves):
            up, down = numbers.get(pick_move(card, UP), ""), numbers.get(pick_move(card, DOWN), "")
            table.add_row(
                str(up), str(down), view.pack.names[card], card_text(view.pack, card), gift_words(view.pack, card)
            )
        return table

    def move_words(self, view: State, move: int) -> str:
        pack = view.pack
        kind = move_kind(move)
        value = move_value(move)
        if kind == M_PICK:
            card = picked_card(move)
            face = "face up" if picked_face(move) == UP else "face down as Fuel"
            return f"Play {pack.names[card]} ({card_text(pack, card).plain}) {face}"
        if kind == M_BID:
            return f"Bid {value}" if value else "Bid nothing"
        if kind == M_SHIP:
            cockpit, engine = pack.faction_names[value // FACTIONS], pack.faction_names[value % FACTIONS]
            return f"Fly the cockpit of the {cockpit} with the engine of the {engine}"
        return f"Repair {damage_words([repair_count(move, kind) for kind in range(DAMAGES)])}"

    # ------------------------------------------------------------------------------------------------------- details

    def details(self, view: State, move: int) -> RenderableType | None:
        if move_kind(move) == M_PICK:
            return self._table.card_details(view.pack, picked_card(move))
        if move_kind(move) == M_BID:
            return self._table.danger_details(view.pack, view.danger)
        return None

    def look_up(self, view: State, words: str) -> RenderableType | None:
        pack = view.pack
        card = find(pack.ids, pack.names, words)
        if card is not None:
            return self._table.card_details(pack, card)
        danger = find(pack.danger_ids, pack.danger_names, words)
        return None if danger is None else self._table.danger_details(pack, danger)

    # ---------------------------------------------------------------------------------------------------------- news

    def news(self, view: State, effect: Effect, cast: Cast) -> News | None:
        pack = view.pack
        values = effect.values
        seat = effect.seat if 0 <= effect.seat < len(cast.names) else None
        if effect.kind in PLAIN_FACTS:
            return News(PLAIN_FACTS[effect.kind].format(values[0]))
        match effect.kind:
            case codes.SHIP_CHOSEN:
                return News(f"flies {self._table.ship_words(pack, values[0], values[1])}", seat)
            case codes.COIN_FLIPPED:
                return News(f"hands go {COIN_WORDS[values[0]]}")
            case codes.PICK_COMMITTED | codes.BID_COMMITTED | codes.REPAIR_COMMITTED:
                return News("answered", seat, small=True)
            case codes.PICKS_REVEALED:
                return News(revealed_words(pack, values), seat)
            case codes.DANGER_PEEKED if values[0] != HIDDEN:
                return News(f"saw the next danger: {danger_words(pack, values[0])}", seat)
            case codes.DANGER_PEEKED:
                return News("looked at the next danger", seat)
            case codes.DANGER_REVEALED:
                return News(f"the danger: {danger_words(pack, values[0])}")
            case codes.BIDS_REVEALED:
                return News("the bids are " + by_seat(values, cast))
            case codes.RANKS_ASSIGNED:
                return News("the ranks are " + by_seat(values, cast))
        return self._results(effect, seat, cast)

    def _results(self, effect: Effect, seat: int | None, cast: Cast) -> News | None:
        values = effect.values
        match effect.kind:
            case codes.DAMAGE_REMOVED:
                return News(f"repaired {damage_words(values)}", seat)
            case codes.DAMAGE_DRAWN:
                kinds = [sum(value == kind for value in values) for kind in range(DAMAGES)]
                return News(f"took damage: {damage_words(kinds)}", seat)
            case codes.DAMAGE_DECK_REBUILT:
                return News("the repaired damage was shuffled into a new deck", small=True)
            case codes.BIDS_DISCARDED if len(values) > 1:
                return News(f"spent {len(values) - 1} {RESOURCE_WORDS[values[0]].capitalize()}", seat)
            case codes.GAME_ENDED:
                return News("won: " + ", ".join(cast.name(winner) for winner in values))
        return None

    def progress(self, view: State) -> tuple[int, int, str]:
        rounds, picks = view.pack.constant[C_ROUNDS], view.pack.constant[C_HAND]
        each = picks + 1  # and the danger
        if view.phase == OVER:
            return rounds * each, rounds * each, "over"
        if view.round == 0:
            return 0, rounds * each, "choosing ships"
        done = (view.round - 1) * each + (view.pick - 1 if view.pick else picks)
        where = f"pick {view.pick} of {picks}" if view.pick else "danger"
        return done, rounds * each, f"round {view.round} of {rounds}, {where}"

    def rules(self) -> RenderableType:
        return paragraphs(RULES)


def revealed_words(pack: Pack, values: list[int]) -> str:
    face, card = values[0], values[1]
    if face == UP:
        return f"played {pack.names[card]} ({card_text(pack, card).plain})"
    return "played a card face down as Fuel" if card == HIDDEN else f"played {pack.names[card]} face down as Fuel"


def by_seat(values: list[int], cast: Cast) -> str:
    return ", ".join(f"{cast.name(seat)}: {value}" for seat, value in enumerate(values))


def find(ids: Sequence[str], names: Sequence[str], words: str) -> int | None:
    wanted = words.casefold()
    if wanted in ids:
        return ids.index(wanted)
    return next((index for index, name in enumerate(names) if wanted in name.casefold()), None)
