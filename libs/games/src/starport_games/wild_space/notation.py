"""A whole position as text; docs/notation.md describes the lines."""

from __future__ import annotations

from starport_games.kernel.lines import write_line
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    BY_ABILITY,
    BY_CHOICE,
    EMPTY,
    F_ACTION,
    F_DRAW,
    F_END,
    F_OVER,
    F_PLAY,
    F_SHIP,
    F_SMUGGLER,
    F_TRIGGERS,
    HIDDEN,
    PLACES,
)
from starport_games.wild_space.grammar import CATEGORIES, FILTERS
from starport_games.wild_space.moves import PLACE_NAMES, SIDES
from starport_games.wild_space.setup import DIFFICULTIES
from starport_games.wild_space.state import Player, Smuggler, State
from starport_games.wild_space.tables import effect_of

GAME_NAME = "wild-space"
SECTOR_NAMES = [f"{place}.{side}" for place in PLACE_NAMES for side in SIDES]
PLAIN_FRAMES = {F_SHIP: "ship", F_END: "end", F_SMUGGLER: "smuggler", F_OVER: "over"}


def position_text(state: State) -> str:
    """Everything about a position, one `key: value` a line; the same state always gives the same text."""
    solo = state.smuggler is not None
    names = player_names(state.seats)
    lines = [
        f"game: {GAME_NAME}",
        f"set: {state.book.label}",
        *state.book.definitions,
        f"seats: {state.seats}",
    ]
    if state.smuggler is not None:
        lines.append(f"difficulty: {DIFFICULTIES[state.smuggler.difficulty - 1]}")
        lines.append(f"smuggler: {'seat' if state.smuggler.own_seat else 'player'}")
    lines += [f"first: {names[state.first]}", f"active: {names[state.active]}"]
    lines.append(write_line("planets", [_planet_text(state, place) for place in range(PLACES)]))
    for name, player in zip(names, state.players, strict=True):
        lines += _player_lines(state.book, name, player, hand=not (solo and name == "smuggler"))
    if state.smuggler is not None:
        lines += _hostile_lines(state.book, state.smuggler)
    lines.append(write_line("pool", _cards(state.book, state.pool)))
    lines.append(write_line("pile", _cards(state.book, state.deck[: state.left][::-1])))
    lines.append(write_line("discard", _cards(state.book, state.discard)))
    frames = [frame_text(state.book, frame) for frame in state.stack]
    lines.append(write_line("stack", frames or ["?"], " | "))
    lines.append(f"deal: {'?' if state.deal is None else state.deal.text()}")
    return "\n".join(lines) + "\n"


def player_names(seats: int) -> list[str]:
    """How the lines of each player begin: its seat number, or `smuggler`."""
    return ["0", "smuggler"] if seats == 1 else [str(seat) for seat in range(seats)]


def _planet_text(state: State, place: int) -> str:
    planet = state.planets[place]
    name = "?" if planet == HIDDEN else state.book.planet_ids[planet]
    return f"{PLACE_NAMES[place]}={name if state.faceup >> place & 1 else f'({name})'}"


def _cards(book: Book, cards: list[int]) -> list[str]:
    """Ids, `-` for an empty slot, and `?*12` for twelve cards that are not known."""
    ids = book.ids
    if HIDDEN not in cards:
        return ["-" if card == EMPTY else ids[card] for card in cards]
    words: list[str] = []
    gaps = 0
    for card in [*cards, EMPTY]:
        if card == HIDDEN:
            gaps += 1
            continue
        if gaps:
            words.append("?" if gaps == 1 else f"?*{gaps}")
            gaps = 0
        words.append("-" if card == EMPTY else ids[card])
    return words[:-1]


def _player_lines(book: Book, name: str, player: Player, hand: bool) -> list[str]:
    lines = [f"{name} captain: {book.ids[player.crew[0]]}", f"{name} turns: {player.turns}"]
    if hand:
        lines.append(f"{name} token: {player.token}")
        lines.append(write_line(f"{name} ships", _ships(player)))
        lines.append(write_line(f"{name} hand", _cards(book, player.hand)))
    lines.append(write_line(f"{name} crew", _cards(book, player.crew[1:])))
    return lines


def _ships(player: Player) -> list[str]:
    ships: list[str] = []
    for sector, name in enumerate(SECTOR_NAMES):
        if player.landed >> sector & 1:
            ships.append(name)
        elif player.explored >> sector & 1:
            ships.append(f"{name}*")
    return ships


def _hostile_lines(book: Book, smuggler: Smuggler) -> list[str]:
    ids = book.hostile_ids
    shown = [ids[h] + ("*" if loaded else "") for h, loaded in zip(smuggler.shown, smuggler.loaded, strict=True)]
    hidden = [_hidden_hostile(book, h) for h in reversed(smuggler.hidden)]
    return [
        write_line("hostile shown", shown),
        write_line("hostile hidden", hidden),
        write_line("hostile aside", [ids[h] for h in smuggler.aside]),
    ]


def _hidden_hostile(book: Book, hostile: int) -> str:
    if hostile >= 0:
        return book.hostile_ids[hostile]
    return "?" if hostile == HIDDEN else f"?{CATEGORIES[HIDDEN - hostile - 1]}"


def frame_text(book: Book, frame: int) -> str:
    kind = frame & 15
    if kind in PLAIN_FRAMES:
        return PLAIN_FRAMES[kind]
    if kind == F_ACTION:
        return f"action {effect_of(frame >> 4 & 511)} / {effect_of(frame >> 13 & 511)}"
    if kind == F_TRIGGERS:
        words = ["triggers", book.ids[frame >> 4 & 4095]]
        if frame >> 16 & 1:
            words.append("ability")
        if frame >> 17:
            words.append(f"square {effect_of(frame >> 17)}")
        return " ".join(words)
    left = frame >> 8 & 15
    if kind == F_DRAW:
        text = f"draw {left}"
    elif kind == F_PLAY:
        text = f"play {FILTERS[frame >> 4 & 15]}" + (f" x{left}" if left > 1 else "")
    else:
        text = "take"
    return text + _origin_text(book, frame >> 12 & 3, frame >> 14 & 4095)


def _origin_text(book: Book, origin: int, argument: int) -> str:
    if origin == 0:
        return ""
    if origin == BY_CHOICE:
        return f" by choice {argument}"
    return f" by {'ability' if origin == BY_ABILITY else 'square'} {book.ids[argument]}"
