"""Text diagrams of the board, and a scanner for one-line notations.

Rows run from 10 down to 1 and columns from a to k, as Red sees the board. Every square is one
token: ``.`` is an empty square, ``~`` a lake, and any other token stands for the contents of the
square.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NoReturn

from engine.board import NotationError
from engine.board.geometry import COLUMNS, LAKES, WIDTH, Side, Square, name, square

EMPTY = "."
LAKE = "~"
SQUARE: Final = re.compile(f"[{COLUMNS}](?:10|[1-9])")
"""Pattern for the name of a square, such as a4."""
WORD: Final = re.compile("[a-z0-9-]+")
_SHOWN: Final = 24
"""Maximum number of characters of malformed text that a message quotes."""


def draw(token: Callable[[Square], str | None]) -> str:
    """Draw a board. `token` returns the text for a square, or None if the square is empty."""
    rows = [
        [token(WIDTH * row + column) or _ground(WIDTH * row + column) for column in range(WIDTH)]
        for row in reversed(range(WIDTH))
    ]
    wide = max(len(cell) for row in rows for cell in row)
    lines = [
        f"{WIDTH - number:2} " + " ".join(cell.rjust(wide) for cell in row)
        for number, row in enumerate(rows)
    ]
    lines.append("   " + " ".join(letter.rjust(wide) for letter in COLUMNS))
    return "\n".join(lines)


def read(picture: str) -> dict[Square, str]:
    """Return the token of every square in a diagram, except for empty squares and lakes.

    The row of column letters may be omitted, but the row numbers may not. Raises NotationError if
    the diagram does not have ten rows of ten squares. If possible, the error names the row or the
    square.
    """
    if not isinstance(picture, str):
        raise NotationError("a picture of the board", picture)
    lines = [line.split() for line in picture.strip().splitlines()]
    if lines and lines[-1] == list(COLUMNS):
        lines.pop()
    expected = [str(row) for row in range(WIDTH, 0, -1)]
    found = [line[0] if line else "" for line in lines]
    if found != expected:
        raise NotationError("rows 10 to 1 of a picture, from top to bottom", found)
    tokens = {}
    for row, line in zip(reversed(range(WIDTH)), lines, strict=True):
        if len(line) != WIDTH + 1:
            raise NotationError(f"{WIDTH} squares", len(line) - 1, f"row {row + 1}")
        for at, cell in enumerate(line[1:], start=WIDTH * row):
            if cell not in (EMPTY, LAKE):
                tokens[at] = cell
            elif cell != _ground(at):
                raise NotationError(f"{_ground(at)!r} if empty", cell, name(at))
    return tokens


def _ground(at: Square) -> str:
    return LAKE if LAKES >> at & 1 else EMPTY


class TextScanner:
    """Reads a line token by token. Raises NotationError with the column if a token is missing."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise NotationError("one line of text", text)
        self.text, self.at = text, 0

    def refuse(self, expected: str, at: int | None = None) -> NoReturn:
        place = self.at if at is None else at
        raise NotationError(expected, self.text[place : place + _SHOWN], position=place + 1)

    def finish(self, written: str) -> None:
        """Check that the whole text was read and equals `written`."""
        if self.at < len(self.text):
            self.refuse("the end of the text, or a known field in its fixed place")
        for at, (one, other) in enumerate(zip(self.text, written, strict=False)):
            if one != other:
                self.refuse(repr(written[at : at + _SHOWN]), at)
        if len(self.text) != len(written):
            at = min(len(self.text), len(written))
            self.refuse(repr(written[at : at + _SHOWN]) if written[at:] else "the end", at)

    def takes(self, literal: str) -> bool:
        """Skip `literal` and return True if the text continues with it."""
        found = self.text.startswith(literal, self.at)
        self.at += len(literal) * found
        return found

    def expect(self, literal: str) -> None:
        if not self.takes(literal):
            self.refuse(repr(literal))

    def match(self, pattern: re.Pattern[str], expected: str) -> str:
        found = pattern.match(self.text, self.at)
        if not found:
            self.refuse(expected)
        self.at = found.end()
        return found[0]

    def one_of(self, characters: Iterable[str], expected: str) -> str:
        found = self.text[self.at : self.at + 1]
        if not found or found not in characters:
            self.refuse(expected)
        self.at += 1
        return found

    def read_square(self) -> Square:
        start = self.at
        found = square(self.match(SQUARE, "a square such as a4"))
        if LAKES >> found & 1:
            self.refuse("a square outside the lakes", start)
        return found

    def read_way(self, signs: str) -> tuple[Square, Square, str]:
        """Read two squares separated by one of the characters in `signs`."""
        source = self.read_square()
        sign = self.one_of(signs, " or ".join(map(repr, signs)))
        start = self.at
        target = self.read_square()
        if source == target:
            self.refuse("another square", start)
        return source, target, sign

    def for_both(self, read_one: Callable[[Side], None]) -> None:
        """Read the fields of Red and Blue, separated by a slash."""
        read_one(Side.RED)
        self.expect("/")
        read_one(Side.BLUE)

    @property
    def ends_part(self) -> bool:
        """Whether a side's field ends here: at a slash, a space or the end of the text."""
        return self.text[self.at : self.at + 1] in ("", "/", " ")

    def items(self, separator: str) -> Iterator[None]:
        """Read a non-empty list. Yield once before each item, so that the caller can read it."""
        yield
        while self.takes(separator):
            yield

    def word_of(self, known: Iterable[str]) -> str:
        unknown = "no value, because these rules do not offer this option"
        start, expected = self.at, " or ".join(known) or unknown
        word = self.match(WORD, expected)
        if word not in known:
            self.refuse(expected, start)
        return word
