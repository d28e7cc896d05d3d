"""Checks a card set against the constraints of the shipped one (rules document, 23.2)."""

from __future__ import annotations

from pathlib import Path

from starport_games.kernel.errors import BadInput
from starport_games.wild_space.constraint_tables import RULES
from starport_games.wild_space.constraints import Problem, problems
from starport_games.wild_space.content import file_label, read
from starport_games.wild_space.grammar import CardSet

__all__ = ["Problem", "check", "main_lines"]


def check(cardset: CardSet) -> list[Problem]:
    """Every broken constraint of WS-DECK-1 to 26, in that order; an empty list is a good set."""
    return problems(RULES, cardset)


def main_lines(path: Path | None) -> tuple[bool, list[str]]:
    """Whether the file is a good set, and the lines to print about it; None is the shipped file."""
    try:
        cards = read(path)
    except BadInput as error:
        return False, [str(error)]
    found = check(cards)
    if found:
        return False, [f"{file_label(path)}: {problem}" for problem in found]
    crew = f"{len(cards.cards)} crew cards"
    worlds = f"{len(cards.planets)} planets, {len(cards.hostiles)} hostile planets"
    return True, [f"{file_label(path)}: ok ({crew}, {worlds})"]
