"""The table of Wild Space as a person sees it: planets, pool, hand, crews, ships and the Smuggler."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from starport_games.kernel.effects import HIDDEN
from starport_games.wild_space import scoring
from starport_games.wild_space.book import ICON_CLASS, ICON_MEDAL, ICON_OCCUPATION, Book
from starport_games.wild_space.codes import EMPTY, PLACES, POOL_SLOTS, TURNS
from starport_games.wild_space.grammar import CATEGORIES, ICONS, Card, Hostile, Planet
from starport_games.wild_space.moves import SIDES
from starport_games.wild_space.setup import DIFFICULTIES
from starport_games.wild_space.state import Player, Smuggler, State
from starport_starport.scribe import DIM, Cast
from starport_starport.wild_words import (
    NEEDED,
    Names,
    gift_words,
    hostile_icons_words,
    icon_words,
    kind_words,
    sector_words,
    square_words,
    steps_words,
)

SPECIES_STYLES = {
    "bear": "red",
    "rhino": "bright_black",
    "owl": "blue",
    "lizard": "green",
    "monkey": "yellow",
    "octopus": "magenta",
}
LANDED = "▲"
EXPLORED = "✔"
SMUGGLER = 1  # its place among the players of the solo game


def columns(*headers: str, title: str | None = None) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=True, title=title, title_justify="left")
    table.title_style = "bold"
    table.header_style = DIM
    for header in headers:
        table.add_column(header, overflow="fold")
    return table


def fit(table: Table, *widths: int) -> Table:
    """The first columns as narrow as they can be; what they leave is for the last ones."""
    for column, width in zip(table.columns, widths, strict=False):
        column.no_wrap = True
        column.min_width = width
    return table


def kind_text(card: Card) -> Text:
    return Text(kind_words(card), style=SPECIES_STYLES.get(card.species or "", "cyan"))


class WildTable:
    """Draws views of one table."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def draw(self, view: State, cast: Cast) -> RenderableType:
        parts: list[RenderableType] = [self._planets(view, cast), self._sides(view, cast)]
        if view.smuggler is not None:
            parts.append(self._smuggler(view, view.smuggler))
        own = cast.own
        if own is not None and own < len(view.players) and (view.smuggler is None or own != SMUGGLER):
            parts.append(self._crew(view, view.players[own]))
        elif view.smuggler is not None:
            parts.append(self._crew(view, view.players[SMUGGLER]))
        parts.append(self.cards(view.book, view.pool, "Pool", "slot"))
        if own is not None and own < len(view.players) and HIDDEN not in view.players[own].hand:
            parts.append(self.cards(view.book, view.players[own].hand, "Your hand", ""))
        spaced: list[RenderableType] = []
        for part in parts:
            spaced += [part, ""]
        return Panel(Group(*spaced[:-1]), title=Text(self._heading(view, cast)), border_style="blue")

    def _heading(self, view: State, cast: Cast) -> str:
        turn = min(view.players[view.active].turns + 1, TURNS)
        whose = "the game is over" if view.over() else f"turn {turn} of {TURNS}: {cast.name(view.active)}"
        return f"Wild Space · {whose} · pile {view.left}, discarded {len(view.discard)}"

    # ------------------------------------------------------------------------------------------------------- planets

    def _planets(self, view: State, cast: Cast) -> RenderableType:
        table = fit(columns("planet", "crew", "left", "right"), 12, 4)
        for place in range(PLACES):
            planet = self.names.planet(view.book, view.planets[place])
            if planet is None or not view.faceup >> place & 1:
                table.add_row(Text("face down", style=DIM), NEEDED[place])
                continue
            halves = [self._sector(view, cast, planet, place * 2 + side) for side in range(2)]
            table.add_row(Text(planet.name, style="bold"), NEEDED[place] or "–", *halves)
        return table

    def _sector(self, view: State, cast: Cast, planet: Planet, sector: int) -> Text:
        text = Text(sector_words((planet.left, planet.right)[sector & 1]))
        for seat, player in enumerate(view.players):
            mark = LANDED if player.landed >> sector & 1 else EXPLORED if player.explored >> sector & 1 else ""
            if mark:
                text.append(f" {mark}{cast.name(seat)}", style=cast.style(seat))
        return text

    # --------------------------------------------------------------------------------------------------------- sides

    def _sides(self, view: State, cast: Cast) -> RenderableType:
        table = Table.grid(padding=(0, 2), expand=True)
        table.add_column(no_wrap=True)
        table.add_column(ratio=1)
        credits = scoring.totals(view)
        for seat, player in enumerate(view.players):
            smuggles = view.smuggler is not None and seat == SMUGGLER
            own = f"crew {len(player.crew)}"
            if not smuggles:
                own += f" · hand {len(player.hand)} · ships left {player.reserve} · veteran square {player.token}"
            about = Text(f"{own} · ")
            about.append(f"credits {credits[seat]}", style="bold")
            table.add_row(cast.subject(seat), about)
            table.add_row("", self._icons(scoring.icon_counts(view.book, player.crew)))
        return table

    def _icons(self, counts: list[int]) -> Text:
        """Animals, skills and the rest, most of them first."""
        text = Text()
        for start, end in ((0, ICON_OCCUPATION), (ICON_OCCUPATION, ICON_CLASS), (ICON_CLASS + 1, ICON_MEDAL + 1)):
            icons = sorted((icon for icon in range(start, end) if counts[icon]), key=lambda icon: -counts[icon])
            for index, icon in enumerate(icons):
                text.append(", " if index else " | " if text else "", style=DIM)
                style = SPECIES_STYLES.get(ICONS[icon], "")
                text.append(f"{counts[icon]} {icon_words(ICONS[icon], counts[icon])}", style=style)
        return text

    def _crew(self, view: State, player: Player) -> RenderableType:
        """The cards whose text still matters: the captain's track, missions and credits; the others by name."""
        book = view.book
        captain = self.names.card(book, player.crew[0])
        text = Text()
        if captain is not None:
            text.append(f"{captain.name}, {kind_words(captain)}", style="bold")
            text.append("  veteran track: ")
            for square, what in enumerate(captain.track, 1):
                style = "bold green" if square <= player.token else DIM
                text.append(f"{'●' if square <= player.token else '○'} {square_words(what)}  ", style=style)
        scored: list[Card] = []
        others: list[Card] = []
        for card in player.crew[1:]:
            found = self.names.card(book, card)
            if found is not None:
                (scored if found.mission is not None or found.credits else others).append(found)
        for found in scored:
            text.append(f"\n{found.name}, ")
            text.append(kind_text(found))
            text.append(f": {gift_words(found)}", style=DIM)
        if others:
            text.append("\n")
        for index, found in enumerate(others):
            text.append(", " if index else "")
            text.append(found.name, style=SPECIES_STYLES.get(found.species or "", "cyan"))
        return Group(Text("Crew", style="bold"), text)

    # ------------------------------------------------------------------------------------------------------ Smuggler

    def _smuggler(self, view: State, smuggler: Smuggler) -> RenderableType:
        table = fit(columns("the Smuggler’s planets", "landing", "exploring", "scores"), 12)
        for hostile, loaded in zip(smuggler.shown, smuggler.loaded, strict=True):
            found = self.names.hostile(view.book, hostile)
            if found is not None:
                table.add_row(*self._hostile(found, loaded=bool(loaded)))
        for hostile in smuggler.aside:
            found = self.names.hostile(view.book, hostile)
            if found is not None:
                table.add_row(Text(f"{found.name} {EXPLORED}", style=DIM), "", "", hostile_icons_words(found))
        if smuggler.hidden:
            table.add_row(Text(self._hidden(smuggler), style=DIM))
        level = DIFFICULTIES[smuggler.difficulty - 1]
        table.columns[0].header = f"the Smuggler ({level})"
        return table

    def _hostile(self, hostile: Hostile, *, loaded: bool) -> list[Text]:
        steps = [Text(steps_words(hostile, half)) for half in range(2)]
        steps[0].stylize(DIM if loaded else "")
        steps[1].stylize("" if loaded else DIM)
        name = Text(hostile.name + (f" {LANDED}" if loaded else ""), style="bold yellow")
        return [name, *steps, Text(hostile_icons_words(hostile))]

    def _hidden(self, smuggler: Smuggler) -> str:
        count = len(smuggler.hidden)
        first = smuggler.hidden[-1]
        category = "" if first >= HIDDEN else f", next {CATEGORIES[HIDDEN - first - 1]}"
        return f"{count} hidden{category}"

    # --------------------------------------------------------------------------------------------------------- cards

    def cards(self, book: Book, cards: Sequence[int], title: str, numbered: str) -> Table:
        table = fit(columns(title, "", "what it does"), 20, 18)
        for index, card in enumerate(cards, 1):
            found = self.names.card(book, card)
            label = f"{index} " if numbered else ""
            if found is None:
                table.add_row(f"{label}{'empty' if card == EMPTY else self.names.card_name(book, card)}")
            else:
                table.add_row(f"{label}{found.name}", kind_text(found), gift_words(found) or "–")
        if not cards:
            table.add_row(Text("no cards", style=DIM))
        return table

    # ------------------------------------------------------------------------------------------------------- details

    def details_of(self, thing: Card | Planet | Hostile) -> RenderableType:
        if isinstance(thing, Planet):
            return self.planet_details(thing)
        return self.hostile_details(thing) if isinstance(thing, Hostile) else self.card_details(thing)

    def card_details(self, card: Card) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        table.add_row(Text("id", style=DIM), card.id)
        table.add_row(Text("kind", style=DIM), kind_text(card))
        table.add_row(Text("veteran", style=DIM), "moves your veteran token" if card.veteran else "no")
        table.add_row(Text("when played", style=DIM), gift_words(card) or "nothing more")
        return Panel(table, title=Text(card.name), expand=False, border_style=DIM)

    def planet_details(self, planet: Planet) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        for side, sector in zip(SIDES, (planet.left, planet.right), strict=True):
            table.add_row(Text(side, style=DIM), sector_words(sector))
        table.add_row(Text("exploring", style=DIM), "draw 3 cards or play a card, on every planet")
        return Panel(table, title=Text(planet.name), expand=False, border_style=DIM)

    def hostile_details(self, hostile: Hostile) -> RenderableType:
        table = Table.grid(padding=(0, 2))
        table.add_row(Text("landing", style=DIM), steps_words(hostile, 0))
        table.add_row(Text("exploring", style=DIM), steps_words(hostile, 1))
        table.add_row(Text("at the end", style=DIM), hostile_icons_words(hostile))
        return Panel(table, title=Text(hostile.name), expand=False, border_style=DIM)


def pool_card(view: State, slot: int) -> int:
    return view.pool[slot - 1] if 1 <= slot <= POOL_SLOTS else EMPTY
