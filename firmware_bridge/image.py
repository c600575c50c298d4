"""What the sensors of a board show at one moment, square by square."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.squares import ALL, COLUMNS, LAKES, SQUARES, WIDTH, Square, SquareSet, name, names


class Sensed(Enum):
    """What the sensor of one square shows; the value is its token in a picture."""

    EMPTY = "."
    RED = "r"
    BLUE = "b"
    UNKNOWN = "?"
    """Occupied, but the board cannot tell by whom."""


_LAKE: Final = "~"
"""An empty lake in a picture, where other empty squares have a dot."""


@dataclass(frozen=True, slots=True)
class Image:
    """What the sensors of a board show: red pieces, blue pieces, pieces of unknown colour.

    ``print(image)`` is a picture, ``Image.parse`` reads it back. ValueError if a square is in two
    of the sets or if there is no such square.
    """

    red: SquareSet = 0
    blue: SquareSet = 0
    unknown: SquareSet = 0
    """Occupied squares of a board whose sensors see no colour."""

    def __post_init__(self) -> None:
        if not 0 <= self.red | self.blue | self.unknown <= ALL:
            raise ValueError(f"{self!r} has squares that are not on the board")
        twice = self.red & self.blue | self.red & self.unknown | self.blue & self.unknown
        if twice:
            raise ValueError(f"more than one piece on {names(twice)}")

    @classmethod
    def parse(cls, picture: str) -> "Image":
        """Read a picture: rows 10 to 1 from top to bottom, each with its number and ten tokens.

        The tokens are those of `Sensed` and ``~`` for an empty lake. The row of column letters may
        be left out. ValueError names the row or the square that is not understood.
        """
        rows = [line.split() for line in picture.strip().splitlines()]
        if rows and rows[-1] == list(COLUMNS):
            rows.pop()
        numbers = [row[0] if row else "" for row in rows]
        if numbers != [str(number) for number in range(WIDTH, 0, -1)]:
            raise ValueError(f"a picture has the rows 10 to 1 from top to bottom, not {numbers}")
        sets = dict.fromkeys(Sensed, 0)
        for number, *tokens in rows:
            if len(tokens) != WIDTH:
                raise ValueError(f"row {number} has {len(tokens)} squares instead of {WIDTH}")
            for column, token in enumerate(tokens):
                square = WIDTH * (int(number) - 1) + column
                sets[_read(square, token)] |= 1 << square
        return cls(sets[Sensed.RED], sets[Sensed.BLUE], sets[Sensed.UNKNOWN])

    @property
    def occupied(self) -> SquareSet:
        """The squares where any piece stands."""
        return self.red | self.blue | self.unknown

    def at(self, square: Square) -> Sensed:
        """What the sensor of a square shows."""
        if self.red >> square & 1:
            return Sensed.RED
        if self.blue >> square & 1:
            return Sensed.BLUE
        return Sensed.UNKNOWN if self.unknown >> square & 1 else Sensed.EMPTY

    def __str__(self) -> str:
        rows = [
            f"{row + 1:2} " + " ".join(map(self._token, SQUARES[WIDTH * row : WIDTH * (row + 1)]))
            for row in reversed(range(WIDTH))
        ]
        return "\n".join([*rows, "   " + " ".join(COLUMNS)])

    def _token(self, square: Square) -> str:
        sensed = self.at(square)
        return _LAKE if sensed is Sensed.EMPTY and LAKES >> square & 1 else sensed.value


def _read(square: Square, token: str) -> Sensed:
    if LAKES >> square & 1:
        if token == Sensed.EMPTY.value:
            raise ValueError(f"{name(square)} is a lake: {_LAKE!r} if empty, not {token!r}")
        if token == _LAKE:
            return Sensed.EMPTY
    try:
        return Sensed(token)
    except ValueError:
        tokens = " ".join(sensed.value for sensed in Sensed)
        raise ValueError(f"{name(square)}: {token!r} is none of {tokens}") from None
