"""Positions as text, written (reading.py reads them back): docs/notation-space-race.md has every line."""

from __future__ import annotations

from starport_games.kernel.effects import HIDDEN
from starport_games.kernel.lines import write_line
from starport_games.space_race.codes import BID, DAMAGES, NONE, REPAIR, ROWS
from starport_games.space_race.facts import gap_runs
from starport_games.space_race.moves import counts_text, move_text
from starport_games.space_race.pack import CONSTANT_NAMES, Pack
from starport_games.space_race.state import State, deal_text
from starport_games.space_race.words import (
    COIN_WORDS,
    COLOUR_WORDS,
    DAMAGE_WORDS,
    DANGER_WORDS,
    KIND_WORDS,
    PHASE_WORDS,
    PIECE_WORDS,
    row_text,
)

GAME_NAME = "space-race"


def position_text(state: State) -> str:
    """One text for each position; equal positions have equal texts."""
    lines = [f"game: {GAME_NAME}", f"pack: {state.pack.label}"]
    lines += definitions(state.pack)
    lines += [f"seats: {state.seats}", f"round: {state.round}"]
    if state.pick:
        lines.append(f"pick: {state.pick}")
    lines.append(f"phase: {PHASE_WORDS[state.phase]}")
    if state.coin != NONE:
        lines.append(f"coin: {COIN_WORDS[state.coin]}")
    for seat in range(state.seats):
        lines += seat_lines(state, seat)
    lines += table_lines(state)
    lines.append(f"deal: {deal_text(state.deal)}")
    return "\n".join(lines) + "\n"


def definitions(pack: Pack) -> list[str]:
    """What this position adds to its card file."""
    base = pack.base
    lines: list[str] = []
    if base is None:
        return lines
    for i, name in enumerate(CONSTANT_NAMES):
        if pack.constant[i] != base.constant[i]:
            lines.append(f"constant {name}: {pack.constant[i]}")
    for i, id in enumerate(pack.ids):
        if id not in base.ids:
            words = [KIND_WORDS[pack.kind[i]]]
            if pack.colour[i] != NONE:
                words.append(COLOUR_WORDS[pack.colour[i]])
            if pack.piece[i] != NONE:
                words.append(PIECE_WORDS[pack.piece[i]])
            lines.append(f"card {id}: {' '.join(words)}")
    for i, id in enumerate(pack.danger_ids):
        if id not in base.danger_ids:
            rows = [row_text(row) for row in pack.rows[i * ROWS : (i + 1) * ROWS]]
            lines.append(f"danger {id}: {'; '.join([DANGER_WORDS[pack.danger_type[i]], *rows])}")
    return lines


def seat_lines(state: State, seat: int) -> list[str]:
    pack = state.pack
    lines: list[str] = []
    if state.cockpits[seat] != NONE:
        cockpit, engine = state.cockpits[seat], state.engines[seat]
        lines.append(f"{seat} ship: {pack.factions[cockpit]} {pack.factions[engine]}")
    zones = (("hand", state.hands), ("up", state.up), ("fuel", state.fuel), ("crew", state.crew))
    for name, zone in zones:
        if zone[seat]:
            lines.append(write_line(f"{seat} {name}", words_of(zone[seat], pack.ids)))
    damage = counts_text(state.damage[seat * DAMAGES : (seat + 1) * DAMAGES])
    if damage:
        lines.append(f"{seat} damage: {damage}")
    if state.bids[seat] != NONE and state.phase == REPAIR:
        lines.append(f"{seat} bid: {state.bids[seat]}")
    if state.answers[seat] != NONE:
        lines.append(f"{seat} answer: {move_text(state, state.answers[seat])}")
    if state.scanned[seat] != NONE:
        lines.append(write_line(f"{seat} scanned", words_of([state.scanned[seat]], pack.danger_ids)))
    return lines


def table_lines(state: State) -> list[str]:
    pack = state.pack
    lines = [
        write_line("space deck", words_of(state.space_deck[state.space_at :], pack.ids)),
        write_line("danger deck", words_of(state.danger_deck[state.danger_at :], pack.danger_ids)),
        write_line("damage deck", words_of(state.damage_deck[state.damage_at :], DAMAGE_WORDS)),
    ]
    if state.danger != NONE and state.phase in (BID, REPAIR):
        lines.append(f"danger: {pack.danger_ids[state.danger]}")
    piles = (
        ("fuel discard", state.fuel_gone, pack.ids),
        ("crew discard", state.crew_gone, pack.ids),
        ("danger discard", state.danger_gone, pack.danger_ids),
    )
    for name, pile, ids in piles:
        if pile:
            lines.append(write_line(name, words_of(pile, ids)))
    gone = counts_text(state.damage_gone)
    if gone:
        lines.append(f"damage discard: {gone}")
    return lines


def words_of(cards: list[int], ids: list[str] | tuple[str, ...]) -> list[str]:
    return gap_runs(["?" if card == HIDDEN else ids[card] for card in cards])
