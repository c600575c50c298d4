"""Text pictures of the board, for tests, messages and the terminal.

Rows run from 10 down to 1 and columns from a to k, as Red sees the board. Every square is one
token: ``.`` is an empty square, ``~`` a lake, and any other token the content of the square.
"""

from collections.abc import Callable

from engine.board import NotationError
from engine.board.geometry import COLUMNS, LAKES, WIDTH, Square, name

EMPTY = "."
LAKE = "~"


def draw(token: Callable[[Square], str | None]) -> str:
    """Draw a board; `token` returns the content of a square, None if it is empty."""
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
    """Return the tokens of a picture by square, without empty squares and empty lakes.

    The row of column letters may be omitted, row numbers may not. Raises NotationError that names
    the row or the square if the picture does not have ten rows of ten squares.
    """
    if not isinstance(picture, str):
        raise NotationError("a picture of the board", picture)
    lines = [line.split() for line in picture.strip().splitlines()]
    if lines and lines[-1] == list(COLUMNS):
        lines.pop()
    expected = [str(row) for row in range(WIDTH, 0, -1)]
    found = [line[0] if line else "" for line in lines]
    if found != expected:
        raise NotationError("the rows 10 to 1 of a picture, from top to bottom", found)
    tokens = {}
    for row, line in zip(reversed(range(WIDTH)), lines, strict=True):
        if len(line) != WIDTH + 1:
            raise NotationError(f"{WIDTH} squares", len(line) - 1, f"row {row + 1}")
        for square, cell in enumerate(line[1:], start=WIDTH * row):
            if cell not in (EMPTY, LAKE):
                tokens[square] = cell
            elif cell != _ground(square):
                raise NotationError(f"{_ground(square)!r} if empty", cell, name(square))
    return tokens


def _ground(square: Square) -> str:
    return LAKE if LAKES >> square & 1 else EMPTY
