"""Names of players: what one may look like, and when two are the same."""

from __future__ import annotations

import unicodedata

from starport_chassis.refusals import invalid
from starport_lobby.settings import NAME_CHARS_MAX, NAME_CHARS_MIN

MARKS_IN_A_ROW_MAX = 2  # real writing needs no taller towers of accents
BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # letters and symbols to Unicode, but nobody can see them
SPACE = " "


def clean_name(given: str) -> str:
    """The name as it is shown; refused with NAME_BAD when it cannot be one."""
    if len(given) > 4 * NAME_CHARS_MAX:  # composing accents shortens a name, but not that much
        raise bad_length()
    name = unicodedata.normalize("NFC", given)
    if not NAME_CHARS_MIN <= len(name) <= NAME_CHARS_MAX:
        raise bad_length()
    if name != SPACE.join(part for part in name.split(SPACE) if part):
        raise invalid("NAME_BAD", "a name has no space at its ends and no two in a row")
    if not name.isprintable() or not BLANKS.isdisjoint(name):
        raise invalid("NAME_BAD", "a name has only characters that can be seen")
    if tallest_marks(name) > MARKS_IN_A_ROW_MAX:
        raise invalid("NAME_BAD", f"a name has at most {MARKS_IN_A_ROW_MAX} accents on one letter")
    if not any(character.isalnum() for character in name):
        raise invalid("NAME_BAD", "a name has at least one letter or digit")
    return name


def same_name(name: str) -> str:
    """Two names are the same when this is: capitals, wide letters and ligatures make no difference."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def tallest_marks(name: str) -> int:
    tallest = marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        tallest = max(tallest, marks)
    return tallest


def bad_length() -> Exception:
    return invalid("NAME_BAD", f"a name has {NAME_CHARS_MIN} to {NAME_CHARS_MAX} characters")
