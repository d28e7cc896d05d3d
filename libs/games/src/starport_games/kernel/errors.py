"""Bad input from outside: one line that says what, where and why, and never a traceback."""

from __future__ import annotations


class BadInput(ValueError):
    """Something a person or another program wrote cannot be used; str() is the one line to show."""


class GapError(BadInput):
    """A move needs something that this position does not tell (it is a view, with gaps)."""
