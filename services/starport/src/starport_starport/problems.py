"""What goes wrong for a person, in one line that says what to do."""

from __future__ import annotations

EXIT_FAILED = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


class Problem(Exception):
    """Ends the command; the line is all that is printed."""

    def __init__(self, line: str, exit_code: int = EXIT_FAILED) -> None:
        super().__init__(line)
        self.exit_code = exit_code
