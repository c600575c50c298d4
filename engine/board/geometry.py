"""The geometry of the board: squares, names, neighbours, straight paths, lakes.

A square is an int from 0 to 99, ``10 * (row - 1) + column``. A set of squares is one int whose bit
``n`` is set if square ``n`` is in the set. The operators ``& | ~`` therefore act as set operations.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from itertools import chain, pairwise
from operator import getitem
from typing import Annotated, Final, TypeAlias

from engine.board import NotationError

Square: TypeAlias = Annotated[int, "square"]
SquareSet: TypeAlias = Annotated[int, "squares"]
"""Annotation that tells codecs that an int is a set of squares, not a number."""
AnySquare: TypeAlias = Square | str
"""A square, by number or by name. The public API accepts both."""

WIDTH: Final = 10
SQUARES: Final = range(WIDTH * WIDTH)
COLUMNS: Final = "abcdefghik"
"""Column letters from Red's left. There is no j (the Gravon and ISF convention)."""
_NAME: Final = re.compile(rf"(?P<column>[{COLUMNS}])(?P<row>[1-9]|10)")
ALL: Final[SquareSet] = (1 << len(SQUARES)) - 1


def square(name: AnySquare) -> Square:
    """Return the square called `name`, such as ``"e4"``. A number is returned unchanged.

    Raises NotationError if there is no such square.
    """
    if isinstance(name, int) and 0 <= name < WIDTH * WIDTH:
        return name
    found = _NAME.fullmatch(name) if isinstance(name, str) else None
    if not found:
        raise NotationError(f"a square (columns {COLUMNS}, rows 1 to {WIDTH})", name)
    return WIDTH * (int(found["row"]) - 1) + COLUMNS.index(found["column"])


def name(square: Square) -> str:
    """Return the name of a square: ``name(34) == "e4"``."""
    return f"{COLUMNS[square % WIDTH]}{square // WIDTH + 1}"


def set_of(squares: Iterable[Square]) -> SquareSet:
    gathered = 0
    for square in squares:
        gathered |= 1 << square
    return gathered


_BYTES: Final = -(-len(SQUARES) // 8)
_IN_BYTE: Final = tuple(
    tuple(tuple(8 * byte + bit for bit in range(8) if held >> bit & 1) for held in range(256))
    for byte in range(_BYTES)
)
"""``_IN_BYTE[n][value]``: the squares that byte ``n`` of a set represents if it has this value."""


def squares_in(squares: SquareSet) -> Iterator[Square]:
    """Iterate over the squares of a set in ascending order."""
    return chain.from_iterable(map(getitem, _IN_BYTE, squares.to_bytes(_BYTES, "little")))


def names(squares: SquareSet) -> str:
    """Return the names of the squares in a set, for messages and tests: ``"a1 k10"``."""
    return " ".join(map(name, squares_in(squares)))


ONLY: Final[tuple[SquareSet, ...]] = tuple(1 << square for square in SQUARES)
"""For each square, the set that contains only that square."""

LAKES: Final[SquareSet] = set_of(map(square, ("c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6")))
"""Squares of the two lakes, which no piece may enter or cross."""


def _neighbours(square: Square) -> tuple[Square, ...]:
    row, column = divmod(square, WIDTH)
    around = ((row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1))
    return tuple(WIDTH * r + c for r, c in around if 0 <= r < WIDTH and 0 <= c < WIDTH)


NEIGHBOURS: Final[tuple[tuple[Square, ...], ...]] = tuple(map(_neighbours, SQUARES))
"""For each square, its two to four orthogonal neighbours, including lakes."""

BESIDE: Final[tuple[SquareSet, ...]] = tuple(map(set_of, NEIGHBOURS))
"""For each square, its neighbours as a set."""


def line(source: Square, target: Square) -> range | None:
    """Return the squares from `source` (excluded) to `target` (included) in a straight line.

    Returns None if the two squares are the same or share neither row nor column.
    """
    if source == target:
        return None
    if source // WIDTH == target // WIDTH:
        step = 1
    elif source % WIDTH == target % WIDTH:
        step = WIDTH
    else:
        return None
    if target < source:
        step = -step
    return range(source + step, target + step, step)


def _lines(square: Square) -> tuple[range, ...]:
    row = square // WIDTH
    return (
        range(square + 1, WIDTH * (row + 1)),
        range(square - 1, WIDTH * row - 1, -1),
        range(square + WIDTH, len(SQUARES), WIDTH),
        range(square - WIDTH, -1, -WIDTH),
    )


LINES: Final[tuple[tuple[range, ...], ...]] = tuple(map(_lines, SQUARES))
"""For each square, the straight lines to the edges of the board, nearest square first."""


def _between(source: Square) -> tuple[SquareSet | None, ...]:
    found: list[SquareSet | None] = [None] * len(SQUARES)
    for ahead in LINES[source]:
        passed: SquareSet = 0
        for target in ahead:
            found[target] = passed
            passed |= 1 << target
    return tuple(found)


BETWEEN: Final[tuple[tuple[SquareSet | None, ...], ...]] = tuple(map(_between, SQUARES))
"""``BETWEEN[a][b]``: the squares strictly between a and b. None if a and b are the same square, or
are not in the same row or column."""


Border: TypeAlias = tuple[Square, Square]
"""Edge between two neighbouring squares: the pair of squares, lower number first."""


@cache  # the edges between two squares are the same in every game
def borders(source: Square, target: Square) -> tuple[Border, ...]:
    """Return the square edges that a straight move crosses, in order.

    Raises ValueError if the two squares are not in the same row or column.
    """
    path = line(source, target)
    if path is None:
        raise ValueError(f"{name(source)} and {name(target)} are not in the same row or column")
    stops = [source, *path]
    return tuple((min(a, b), max(a, b)) for a, b in pairwise(stops))


class Side(Enum):
    """One of the two players, named by piece colour. Red moves first."""

    RED = "red"
    BLUE = "blue"

    def __init__(self, _colour: str) -> None:
        self.other: Side
        """The opponent's side. Assigned below, once both enum members exist."""

    # With two members, hashing by identity is sufficient, and much faster than the enum's own hash.
    __hash__ = object.__hash__

    @property
    def home(self) -> SquareSet:
        """The four rows in which the side sets up: 1 to 4 for Red, 7 to 10 for Blue."""
        four_rows = (1 << 4 * WIDTH) - 1
        return four_rows if self is Side.RED else four_rows << 6 * WIDTH

    @classmethod
    def _missing_(cls, value: object) -> "Side":
        raise NotationError("red or blue", value)

    def __repr__(self) -> str:
        return f"Side.{self.name}"


AnySide: TypeAlias = Side | str
"""A side, or the name of its colour."""


def to_side(name: AnySide) -> Side:
    """Return the side with this colour. Raises NotationError for any other text."""
    return name if isinstance(name, Side) else Side(name)


Side.RED.other, Side.BLUE.other = Side.BLUE, Side.RED

HOMES: Final[SquareSet] = Side.RED.home | Side.BLUE.home
"""The rows in which Red and Blue set up."""
