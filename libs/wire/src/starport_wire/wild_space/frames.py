"""Frames of the decision stack: packed ints to messages and back."""

from __future__ import annotations

from typing import Final

from starport.v1 import wild_space_pb2
from starport.v1.wild_space_pb2 import CardEffect, WildSpaceFrame
from starport_games.kernel.errors import BadInput
from starport_games.wild_space.book import Book
from starport_games.wild_space.codes import (
    BY_ABILITY,
    BY_CHOICE,
    BY_SQUARE,
    DRAW,
    F_ACTION,
    F_DRAW,
    F_END,
    F_OVER,
    F_PLAY,
    F_SHIP,
    F_SMUGGLER,
    F_TAKE,
    F_TRIGGERS,
    PLAY,
    TAKE,
    effect_code,
)
from starport_games.wild_space.grammar import DRAW_MAX, FILTERS, PLAY_MAX, SECTOR_OPTIONS_MAX
from starport_wire.values import Names, enum_index, number

PLAIN: Final = {F_SHIP: "ship", F_END: "end", F_SMUGGLER: "smuggler", F_OVER: "over"}
PLAIN_KINDS: Final = {field: kind for kind, field in PLAIN.items()}
WRITTEN_MAX: Final = 4096  # frames that are kept as messages; a set has a few hundred
Sourced = WildSpaceFrame.Draw | WildSpaceFrame.PlayFromHand | WildSpaceFrame.Take


class Frames:
    """Of one book. A frame is written once and kept: the same few come again and again."""

    def __init__(self, book: Book) -> None:
        self.names = Names(book.ids, "card")
        self.captains = frozenset(book.captains)
        self.written: dict[int, WildSpaceFrame] = {}

    def message(self, frame: int) -> WildSpaceFrame:
        """Shared: copy it into other messages, never change it."""
        found = self.written.get(frame)
        if found is None:
            found = WildSpaceFrame()
            self._write(found, frame)
            if len(self.written) < WRITTEN_MAX:
                self.written[frame] = found
        return found

    def _write(self, message: WildSpaceFrame, frame: int) -> None:
        kind = frame & 15
        if kind in PLAIN:
            getattr(message, PLAIN[kind]).SetInParent()
        elif kind == F_ACTION:
            _write_effect(message.action.first, frame >> 4 & 511)
            _write_effect(message.action.second, frame >> 13 & 511)
        elif kind == F_TRIGGERS:
            message.triggers.card = self.names.ids[frame >> 4 & 4095]
            message.triggers.ability = bool(frame >> 16 & 1)
            if frame >> 17:
                _write_effect(message.triggers.square, frame >> 17)
        elif kind == F_DRAW:
            message.draw.left = frame >> 8 & 15
            self._write_origin(message.draw, frame)
        elif kind == F_PLAY:
            message.play.filter = (frame >> 4 & 15) + 1  # type: ignore[assignment]  # CardFilter is FILTERS from 1 on
            message.play.left = frame >> 8 & 15
            self._write_origin(message.play, frame)
        elif kind == F_TAKE:
            message.take.SetInParent()
            self._write_origin(message.take, frame)
        else:
            raise ValueError(f"{frame} is no frame of Wild Space")

    def _write_origin(self, part: Sourced, frame: int) -> None:
        origin, argument = frame >> 12 & 3, frame >> 14 & 4095
        if origin == BY_CHOICE:
            part.origin.choice = argument
        elif origin == BY_ABILITY:
            part.origin.ability = self.names.ids[argument]
        elif origin == BY_SQUARE:
            part.origin.square = self.names.ids[argument]

    def read(self, message: WildSpaceFrame) -> int:
        field = message.WhichOneof("frame")
        if field is None:
            raise BadInput("a frame of the stack that says nothing")
        if field in PLAIN_KINDS:
            return PLAIN_KINDS[field]
        if field == "action":
            return F_ACTION | _read_effect(message.action.first) << 4 | _read_effect(message.action.second) << 13
        if field == "triggers":
            return self._read_triggers(message.triggers)
        if field == "draw":
            left = number(message.draw.left, 1, DRAW_MAX, "cards left to draw")
            return F_DRAW | left << 8 | self._read_origin(message.draw)
        if field == "play":
            which = enum_index(message.play.filter, len(FILTERS), "the filter of a frame")
            left = number(message.play.left, 1, PLAY_MAX, "cards left to play")
            return F_PLAY | which << 4 | left << 8 | self._read_origin(message.play)
        return F_TAKE | self._read_origin(message.take)

    def _read_triggers(self, triggers: WildSpaceFrame.Triggers) -> int:
        frame = F_TRIGGERS | self._crew_card(triggers.card) << 4 | int(triggers.ability) << 16
        if triggers.HasField("square"):
            frame |= _read_effect(triggers.square) << 17
        return frame

    def _read_origin(self, part: Sourced) -> int:
        if not part.HasField("origin"):
            return 0
        field = part.origin.WhichOneof("origin")
        if field is None:
            raise BadInput("an origin that says nothing")
        if field == "choice":
            return BY_CHOICE << 12 | number(part.origin.choice, 1, SECTOR_OPTIONS_MAX, "the choice of an origin") << 14
        if field == "ability":
            return BY_ABILITY << 12 | self._crew_card(part.origin.ability) << 14
        return BY_SQUARE << 12 | self._crew_card(part.origin.square) << 14

    def _crew_card(self, id: str) -> int:
        card = self.names.known(id)
        if card in self.captains:
            raise BadInput(f"{id} is a captain, which no frame can be about")
        return card


def _write_effect(message: wild_space_pb2.CardEffect, effect: int) -> None:
    kind, count = effect & 3, effect >> 2 & 7
    if kind == DRAW:
        message.draw.count = count
    elif kind == PLAY:
        message.play.filter = (effect >> 5) + 1  # type: ignore[assignment]  # CardFilter is FILTERS from 1 on
        message.play.count = count
    else:
        message.take.SetInParent()


def _read_effect(message: CardEffect) -> int:
    field = message.WhichOneof("effect")
    if field == "draw":
        return effect_code(DRAW, number(message.draw.count, 1, DRAW_MAX, "cards to draw"), 0)
    if field == "play":
        which = enum_index(message.play.filter, len(FILTERS), "the filter of an effect")
        return effect_code(PLAY, number(message.play.count, 1, PLAY_MAX, "cards to play"), which)
    if field == "take":
        return effect_code(TAKE, 1, 0)
    raise BadInput("an effect that says nothing")
