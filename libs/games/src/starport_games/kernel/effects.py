"""What a move brought about, as facts that carry who may see them; `shown` is how they leave."""

from __future__ import annotations

from typing import Final

HIDDEN: Final = -2  # stands for a card or number that the viewer must not know
SPECTATOR: Final = -1  # the viewer who holds no seat

PUBLIC: Final = 0  # everyone sees all of it
PARTLY: Final = 1  # its seat sees all of it, others only the first `open` values, HIDDEN for the rest
OWNER: Final = 2  # only its seat hears of it
OTHERS: Final = 3  # everyone but its seat hears of it (its seat was told earlier)
HOST: Final = 4  # only the log keeps it


class Effect:
    """One fact: what kind (a number of the game's own table), about which seat, with which values."""

    __slots__ = ("kind", "open", "seat", "sight", "values")

    def __init__(self, kind: int, seat: int, values: list[int], sight: int = PUBLIC, open: int = 0) -> None:
        self.kind = kind
        self.seat = seat  # -1 when it is about nobody
        self.values = values
        self.sight = sight
        self.open = open

    def same(self, other: Effect) -> bool:
        return (
            self.kind == other.kind
            and self.seat == other.seat
            and self.values == other.values
            and self.sight == other.sight
            and self.open == other.open
        )


def shown(effects: list[Effect], viewer: int) -> list[Effect]:
    """These effects as this viewer may hear of them: some gone, some with gaps, always as PUBLIC facts."""
    told: list[Effect] = []
    for effect in effects:
        sight = effect.sight
        own = effect.seat == viewer and viewer != SPECTATOR  # a fact about nobody (-1) is not the spectator's
        if sight == HOST or (sight == OWNER and not own) or (sight == OTHERS and own):
            continue
        values = effect.values[:]
        if sight == PARTLY and not own:
            for i in range(effect.open, len(values)):
                values[i] = HIDDEN
        told.append(Effect(effect.kind, effect.seat, values))
    return told
