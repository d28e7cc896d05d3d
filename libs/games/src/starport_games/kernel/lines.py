"""The text format of positions: `key: value` lines, `#` comments, indented lines go on with the value above."""

from __future__ import annotations

from starport_games.kernel.errors import BadInput

LINES_MAX = 4_000
LINE_CHARS_MAX = 20_000
MARK = "\n"  # stands in no word
WRAP_COLUMNS = 100
MARK = "\0"  # stands in no word


class Line:
    """One `key: value`, with where it stood for error messages."""

    __slots__ = ("key", "value", "where")

    def __init__(self, key: str, value: str, where: str) -> None:
        self.key = key
        self.value = value
        self.where = where

    def bad(self, why: str) -> BadInput:
        return BadInput(f"{self.where}: {self.key}: {why}")

    def number(self, low: int, high: int) -> int:
        return whole_number(self, self.value, low, high)


def whole_number(line: Line, text: str, low: int, high: int) -> int:
    """A whole number in a range, or one line that says which range."""
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not low <= int(text) <= high:
        raise line.bad(f"{clip(text)} is not a whole number from {low} to {high}")
    return int(text)


def clip(text: str, most: int = 60) -> str:
    """Foreign text for a message: quoted and never long."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def read_lines(text: str, where: str) -> list[Line]:
    """Split a position into its lines; `where` is the file's name as people know it."""
    lines: list[Line] = []
    for number, raw in enumerate(text.splitlines(), 1):
        spot = f"{where}:{number}"
        if number > LINES_MAX or len(raw) > LINE_CHARS_MAX:
            raise BadInput(f"{spot}: too long: at most {LINES_MAX} lines of {LINE_CHARS_MAX} characters")
        bare = raw.split("#", 1)[0].rstrip()
        if not bare:
            continue
        if bare[0] in " \t":
            if not lines:
                raise BadInput(f"{spot}: an indented line needs a 'key: value' line above it")
            lines[-1].value = f"{lines[-1].value} {bare.strip()}".strip()
            continue
        key, colon, value = bare.partition(":")
        if not colon:
            raise BadInput(f"{spot}: {clip(bare)} is not a 'key: value' line")
        lines.append(Line(" ".join(key.split()), value.strip(), spot))
    return lines


def by_key(lines: list[Line], known: frozenset[str] | set[str]) -> dict[str, Line]:
    """Lines that may stand once each; an unknown or repeated key is an error that names it."""
    found: dict[str, Line] = {}
    for line in lines:
        if line.key not in known:
            raise BadInput(f"{line.where}: unknown key {clip(line.key)}")
        if line.key in found:
            raise BadInput(f"{line.where}: {line.key} stands twice")
        found[line.key] = line
    return found


def write_line(key: str, words: list[str], joint: str = " ") -> str:
    """`key: word word …`, wrapped to indented lines when it is long."""
    if not words:
        return f"{key}:"
    text = f"{key}: {joint.join(words)}"
    if len(text) <= WRAP_COLUMNS:
        return text
    # Lines break by searching rather than word by word, and only where words join, which a mark tells apart from
    # blanks within a word.
    text = f"{key}:{MARK}{(joint.rstrip() + MARK).join(words)}"
    lines: list[str] = []
    while len(text) > WRAP_COLUMNS:
        at = text.rfind(MARK, 2, WRAP_COLUMNS + 1)
        if at < 0:  # one word that is longer than a line
            at = text.find(MARK, WRAP_COLUMNS)
            if at < 0:
                break
        lines.append(text[:at])
        text = " " + text[at:]
    lines.append(text)
    return "\n".join(lines).replace(MARK, " ")
