"""Moves as people write them: `pick scanner-02 up`, `bid 3`, `repair fire 1`, `ship ravens wolves`."""

from __future__ import annotations

from collections.abc import Iterator

from starport_games.kernel.effects import HIDDEN
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip
from starport_games.space_race.codes import (
    BID_MAX,
    COUNT_MASK,
    DAMAGES,
    DOWN,
    FACTIONS,
    M_BID,
    M_PICK,
    M_REPAIR,
    M_SHIP,
    NONE,
    UP,
    bid_move,
    move_kind,
    move_value,
    pick_move,
    picked_card,
    picked_face,
    repair_count,
    repair_move,
    ship_move,
)
from starport_games.space_race.pack import Pack
from starport_games.space_race.rules import malformed
from starport_games.space_race.state import State
from starport_games.space_race.words import DAMAGE_WORDS, FACE_WORDS, ID, NO_SUCH_CARD

FORMS = "pick <card> up|down, bid <n>, repair <kind> <n> …, ship <cockpit> <engine>"


def move_text(state: State, move: int) -> str:
    """ValueError for a number that packs no move."""
    if move == HIDDEN:
        return "?"
    if malformed(state, move):
        raise ValueError(f"{move} is no move of Space Race")
    kind = move_kind(move)
    value = move_value(move)
    if kind == M_PICK:
        card = picked_card(move)
        id = NO_SUCH_CARD if card == NONE else state.pack.ids[card]
        return f"pick {id} {FACE_WORDS[picked_face(move)]}"
    if kind == M_BID:
        return f"bid {value}"
    if kind == M_SHIP:
        factions = state.pack.factions
        return f"ship {factions[value // FACTIONS]} {factions[value % FACTIONS]}"
    assert kind == M_REPAIR  # noqa: S101 - `malformed` let nothing else pass
    counts = [repair_count(move, i) for i in range(DAMAGES)]
    return f"repair {counts_text(counts) or 'nothing'}"


def counts_text(counts: list[int]) -> str:
    """`fire 2 breach 1`; empty when there is nothing."""
    return " ".join(f"{word} {n}" for word, n in zip(DAMAGE_WORDS, counts, strict=True) if n)


def read_move(pack: Pack, text: str) -> int:
    """An id on no card gives the move with card NONE, refused like a card that is held elsewhere."""
    words = text.split()
    match words:
        case ["pick", id, face] if face in FACE_WORDS and ID.fullmatch(id) is not None:
            card = pack.ids.index(id) if id in pack.ids else NONE
            return pick_move(card, FACE_WORDS.index(face))
        case ["bid", count]:
            return bid_move(small_number(text, count, BID_MAX))
        case ["ship", cockpit, engine] if cockpit in pack.factions and engine in pack.factions:
            return ship_move(pack.factions.index(cockpit), pack.factions.index(engine))
        case ["repair", *pairs]:
            return repair_move(*read_counts(text, pairs))
    raise BadInput(f"{clip(text)} is no move; write {FORMS}")


def read_counts(text: str, words: list[str]) -> tuple[int, int, int]:
    """`fire 2 breach 1`, each kind at most once, or `nothing`."""
    counts = dict.fromkeys(DAMAGE_WORDS, 0)
    if words == ["nothing"]:
        return 0, 0, 0
    seen: set[str] = set()
    if not words or len(words) % 2:
        raise BadInput(f"{clip(text)}: write <kind> <n> pairs, kinds {', '.join(DAMAGE_WORDS)}")
    for kind, count in zip(words[::2], words[1::2], strict=True):
        if kind not in counts or kind in seen:
            raise BadInput(f"{clip(text)}: {clip(kind)} is not one more kind of {', '.join(DAMAGE_WORDS)}")
        seen.add(kind)
        counts[kind] = small_number(text, count, COUNT_MASK)
    return counts["fire"], counts["breach"], counts["invasion"]


def small_number(text: str, word: str, most: int) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 9 or int(word) > most:
        raise BadInput(f"{clip(text)}: {clip(word)} is not a whole number from 0 to {most}")
    return int(word)


def move_space(state: State) -> Iterator[int]:
    """Every move that could be written down here, with bids and repairs a little past what anyone has."""
    for cockpit in range(FACTIONS):
        for engine in range(FACTIONS):
            yield ship_move(cockpit, engine)
    for card in range(NONE, len(state.pack.ids)):
        yield pick_move(card, UP)
        yield pick_move(card, DOWN)
    most = max(len(held) for held in state.fuel + state.crew)
    for bid in range(most + 3):
        yield bid_move(bid)
    limits = [min(max(state.damage[kind::DAMAGES]) + 1, COUNT_MASK) for kind in range(DAMAGES)]
    for fire in range(limits[0] + 1):
        for breach in range(limits[1] + 1):
            for invasion in range(limits[2] + 1):
                yield repair_move(fire, breach, invasion)
