"""The table of Space Race as a person sees it: ships, hands, damage, the danger and the bids."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from starport_games.kernel.effects import HIDDEN
from starport_games.space_race.codes import (
    ALIEN_DRONE,
    C_HAND,
    C_ROUNDS,
    COLOURED,
    CREW,
    CRYSTAL,
    DAMAGES,
    LOOT_CARRIER,
    NONE,
    OVER,
    PIECES,
    POWER_SOURCE,
    ROBOT_PART,
    ROWS,
    SCANNER,
)
from starport_games.space_race.pack import Pack
from starport_games.space_race.scoring import TOTAL, count_seat, how_many
from starport_games.space_race.state import State
from starport_games.space_race.words import (
    COIN_WORDS,
    COLOUR_WORDS,
    DANGER_WORDS,
    KIND_WORDS,
    PIECE_WORDS,
    RESOURCE_WORDS,
    row_text,
)
from starport_starport.scribe import DIM, Cast
from starport_starport.wild_table import columns, fit

COLOUR_STYLES = ("dark_orange", "green", "magenta")
DAMAGE_NAMES = ("fire", "hull breach", "alien invasion")
DAMAGE_MANY = ("fires", "hull breaches", "alien invasions")
GIFTS = {
    SCANNER: "{corner} points; shows you the next danger",
    ROBOT_PART: "{corner} points; head + torso + legs are a robot: 3 more",
    CRYSTAL: "{corner} point; every four crystals: 3 more",
    POWER_SOURCE: "{corner} point; 2 for each top card of its colour",
    LOOT_CARRIER: "most carriers: 5, second most: 2",
    ALIEN_DRONE: "3 for each rival with fewer drones",
    CREW: "bid it in fights; most Crew left: 5",
}
ORDINALS = ("1st", "2nd", "3rd", "4th")


class RaceTable:
    """Draws views of one table."""

    def draw(self, view: State, cast: Cast) -> RenderableType:
        parts: list[RenderableType] = [self._ships(view, cast)]
        danger = self._danger(view, cast)
        if danger is not None:
            parts += ["", danger]
        own = cast.own
        if own is not None and view.hands[own] and HIDDEN not in view.hands[own] and view.answers[own] != NONE:
            parts += ["", self._hand(view.pack, view.hands[own])]
        return Panel(Group(*parts), title=Text(self._heading(view)), border_style="blue")

    def _heading(self, view: State) -> str:
        rounds, picks = view.pack.constant[C_ROUNDS], view.pack.constant[C_HAND]
        if view.phase == OVER:
            return "Space Race · the game is over"
        if view.round == 0:
            return "Space Race · choosing ships"
        where = f"pick {view.pick} of {picks}" if view.pick else "danger"
        coin = "" if view.coin == NONE or not view.pick else f" · hands go {COIN_WORDS[view.coin]}"
        return f"Space Race · round {view.round} of {rounds} · {where}{coin}"

    # --------------------------------------------------------------------------------------------------------- ships

    def _ships(self, view: State, cast: Cast) -> RenderableType:
        table = columns("who", *(cast.name(seat) for seat in range(view.seats)))
        for seat, column in enumerate(table.columns[1:]):
            column.header_style = cast.style(seat)
            column.ratio = 1
        table.columns[0].style = DIM
        rows: list[tuple[str, list[Text | str]]] = [
            (
                "ship",
                [self.ship_words(view.pack, view.cockpits[seat], view.engines[seat]) for seat in range(view.seats)],
            ),
            ("scanners", [self._stack(view, seat, SCANNER) for seat in range(view.seats)]),
            ("robot parts", [self._robot(view, seat) for seat in range(view.seats)]),
            ("crystals", [self._stack(view, seat, CRYSTAL) for seat in range(view.seats)]),
            ("power", [self._stack(view, seat, POWER_SOURCE, top=False) for seat in range(view.seats)]),
            ("loot", [str(how_many(view, seat, LOOT_CARRIER)) for seat in range(view.seats)]),
            ("drones", [str(how_many(view, seat, ALIEN_DRONE)) for seat in range(view.seats)]),
            ("Fuel", [str(len(view.fuel[seat])) for seat in range(view.seats)]),
            ("Crew", [str(len(view.crew[seat])) for seat in range(view.seats)]),
            ("damage", [self._damage(view, seat) for seat in range(view.seats)]),
            ("cards in hand", [self._holding(view, seat) for seat in range(view.seats)]),
            ("points so far", [Text(str(count_seat(view, seat)[TOTAL]), style="bold") for seat in range(view.seats)]),
        ]
        if any(bid != NONE for bid in view.bids):
            rows.insert(-1, ("bid", ["–" if bid == NONE else str(bid) for bid in view.bids]))
        for name, cells in rows:
            table.add_row(name, *cells)
        return table

    def ship_words(self, pack: Pack, cockpit: int, engine: int) -> str:
        if NONE in (cockpit, engine):
            return "–"
        return (
            pack.faction_names[cockpit]
            if cockpit == engine
            else f"{pack.faction_names[cockpit]}/{pack.faction_names[engine]}"
        )

    def _stack(self, view: State, seat: int, kind: int, *, top: bool = True) -> Text:
        """The colours in the order of play; the last one lies on top."""
        text = Text()
        cards = [card for card in view.up[seat] if view.pack.kind[card] == kind]
        for index, card in enumerate(cards):
            colour = view.pack.colour[card]
            last = top and index == len(cards) - 1
            text.append(" " if text else "")
            text.append(COLOUR_WORDS[colour], style=f"{'bold ' if last else ''}{COLOUR_STYLES[colour]}")
        return text or Text("–", style=DIM)

    def _robot(self, view: State, seat: int) -> Text:
        text = Text()
        for piece in range(PIECES):
            for card in view.up[seat]:
                if view.pack.kind[card] == ROBOT_PART and view.pack.piece[card] == piece:
                    text.append(" " if text else "")
                    text.append(PIECE_WORDS[piece], style=COLOUR_STYLES[view.pack.colour[card]])
        tops = [card for card in view.up[seat] if view.pack.kind[card] == ROBOT_PART]
        if tops:
            colour = view.pack.colour[tops[-1]]
            text.append(f" (top {COLOUR_WORDS[colour]})", style=COLOUR_STYLES[colour])
        return text or Text("–", style=DIM)

    def _damage(self, view: State, seat: int) -> Text:
        counts = view.damage[seat * DAMAGES : (seat + 1) * DAMAGES]
        return Text(damage_words(counts), style="red") if any(counts) else Text("–", style=DIM)

    def _holding(self, view: State, seat: int) -> str:
        return f"{len(view.hands[seat])}" + (", has chosen" if view.answers[seat] != NONE else "")

    # -------------------------------------------------------------------------------------------------- danger, hand

    def _danger(self, view: State, cast: Cast) -> RenderableType | None:
        if view.danger != NONE:
            return self.danger_details(view.pack, view.danger)
        own = cast.own
        if own is not None and view.scanned[own] >= 0:
            return Group(
                Text("What your scanner saw, the next danger:"), self.danger_details(view.pack, view.scanned[own])
            )
        return None

    def _hand(self, pack: Pack, hand: list[int]) -> RenderableType:
        table = fit(columns("Your hand", "", "what it does"), 20, 16)
        for card in hand:
            table.add_row(pack.names[card], card_text(pack, card), gift_words(pack, card))
        return table

    def card_details(self, pack: Pack, card: int) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        table.add_row(Text("id", style=DIM), pack.ids[card])
        table.add_row(Text("kind", style=DIM), card_text(pack, card))
        table.add_row(Text("face up", style=DIM), gift_words(pack, card))
        table.add_row(Text("face down", style=DIM), "1 Fuel: bid it in flights; most Fuel left: 5")
        return Panel(table, title=Text(pack.names[card]), expand=False, border_style=DIM)

    def danger_details(self, pack: Pack, danger: int) -> RenderableType:
        kind = pack.danger_type[danger]
        table = Table.grid(padding=(0, 2))
        for rank in range(ROWS):
            row = pack.row(danger, rank + 1)
            style = "green" if row > 0 else "red" if row < 0 else ""
            table.add_row(Text(f"{ORDINALS[rank]} bid", style=DIM), Text(row_text(row), style=style))
        title = f"{pack.danger_names[danger]}: a {DANGER_WORDS[kind]}, bid {RESOURCE_WORDS[kind].capitalize()}"
        return Panel(table, title=Text(title), expand=False, border_style="red")


def card_text(pack: Pack, card: int) -> Text:
    """`orange scanner`, `green robot head`, `crew`."""
    kind = pack.kind[card]
    name = f"robot {PIECE_WORDS[pack.piece[card]]}" if kind == ROBOT_PART else KIND_WORDS[kind].replace("-", " ")
    if kind >= COLOURED:
        return Text(name)
    colour = pack.colour[card]
    return Text(f"{COLOUR_WORDS[colour]} {name}", style=COLOUR_STYLES[colour])


def gift_words(pack: Pack, card: int) -> str:
    return GIFTS[pack.kind[card]].format(corner=pack.corner(card))


def danger_words(pack: Pack, danger: int) -> str:
    kind = pack.danger_type[danger]
    rows = ", ".join(f"{ORDINALS[rank]} {row_text(pack.row(danger, rank + 1))}" for rank in range(ROWS))
    return f"{pack.danger_names[danger]} ({DANGER_WORDS[kind]}: bid {RESOURCE_WORDS[kind].capitalize()}; {rows})"


def damage_words(counts: list[int]) -> str:
    parts = [
        f"{count} {DAMAGE_NAMES[kind] if count == 1 else DAMAGE_MANY[kind]}"
        for kind, count in enumerate(counts)
        if count
    ]
    return ", ".join(parts) or "nothing"
