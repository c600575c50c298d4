"""Images of a board's sensors, and differences between images."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.board import board_text
from engine.board.geometry import ALL, SQUARES, WIDTH, Side, Square, SquareSet, name, names


class Sensed(Enum):
    """Reading of one square's sensor. The value is the token used in the text form of an image."""

    EMPTY = "."
    RED = "r"
    BLUE = "b"
    UNKNOWN = "?"
    """Occupied by a piece of unknown colour."""

    @property
    def side(self) -> Side | None:
        """The side whose piece is shown, or None if there is no piece or its colour is unknown."""
        return {Sensed.RED: Side.RED, Sensed.BLUE: Side.BLUE}.get(self)


_TOKENS: Final = frozenset(sensed.value for sensed in Sensed)
_BITS: Final = {
    sensed: str.maketrans({token: "1" if token == sensed.value else "0" for token in _TOKENS})
    for sensed in Sensed
}
"""For each state of a square, a table that translates the tokens of an image into binary digits: 1
for this state, 0 for any other."""


def _with_rows_reversed(tokens: str) -> str:
    """Reverse every row: the digits of a set begin with k10, but an image's tokens with a10."""
    return "".join(tokens[start : start + WIDTH][::-1] for start in range(0, len(tokens), WIDTH))


@dataclass(frozen=True, slots=True)
class Image:
    """Image of a board's sensors: red pieces, blue pieces and pieces of unknown colour.

    ``print(image)`` prints the text form of an image, and ``Image.parse`` parses it. The
    constructor raises ValueError if a square is in more than one set or is not on the board.
    """

    red: SquareSet = 0
    blue: SquareSet = 0
    unknown: SquareSet = 0
    """Occupied squares of a board whose sensors do not distinguish colours."""

    def __post_init__(self) -> None:
        if not 0 <= self.red | self.blue | self.unknown <= ALL:
            raise ValueError(f"{self!r} has squares that are not on the board")
        twice = self.red & self.blue | self.red & self.unknown | self.blue & self.unknown
        if twice:
            raise ValueError(f"more than one piece on {names(twice)}")

    @classmethod
    def parse(cls, drawn: str) -> "Image":
        """Parse an image written as `Sensed` tokens.

        Raises ValueError if any part of the text is invalid.
        """
        sets = dict.fromkeys(Sensed, 0)
        for square, token in board_text.read(drawn).items():
            try:
                sets[Sensed(token)] |= 1 << square
            except ValueError:
                tokens = " ".join(sensed.value for sensed in Sensed)
                raise ValueError(
                    f"{name(square)}: expected one of {tokens}, found {token!r}"
                ) from None
        return cls(sets[Sensed.RED], sets[Sensed.BLUE], sets[Sensed.UNKNOWN])

    @classmethod
    def of_tokens(cls, tokens: str) -> "Image":
        """Parse `tokens`. Raises ValueError if they do not form a valid image."""
        if len(tokens) != len(SQUARES) or not _TOKENS.issuperset(tokens):
            raise ValueError(f"expected {len(SQUARES)} tokens, each one of {' '.join(_TOKENS)}")
        digits = _with_rows_reversed(tokens)
        red, blue, unknown = (
            int(digits.translate(_BITS[sensed]), 2)
            for sensed in (Sensed.RED, Sensed.BLUE, Sensed.UNKNOWN)
        )
        return cls(red, blue, unknown)

    @property
    def tokens(self) -> str:
        """All 100 squares as tokens: row 10 first, each row from a to k, including the lakes."""
        return _with_rows_reversed("".join(self.at(each).value for each in reversed(SQUARES)))

    @property
    def occupied(self) -> SquareSet:
        return self.red | self.blue | self.unknown

    def of(self, side: Side) -> SquareSet:
        """Return the squares that show a side's colour."""
        return self.red if side is Side.RED else self.blue

    def differing(self, other: "Image") -> SquareSet:
        """Return the squares on which two images differ."""
        return self.red ^ other.red | self.blue ^ other.blue | self.unknown ^ other.unknown

    def patched(self, squares: SquareSet, other: "Image") -> "Image":
        """Return a copy of this image with `squares` taken from another image."""
        rest = ~squares
        return Image(
            self.red & rest | other.red & squares,
            self.blue & rest | other.blue & squares,
            self.unknown & rest | other.unknown & squares,
        )

    def at(self, square: Square) -> Sensed:
        if self.red >> square & 1:
            return Sensed.RED
        if self.blue >> square & 1:
            return Sensed.BLUE
        return Sensed.UNKNOWN if self.unknown >> square & 1 else Sensed.EMPTY

    def __str__(self) -> str:
        return board_text.draw(
            lambda square: self.at(square).value if self.occupied >> square & 1 else None
        )


ARMIES: Final = Image(red=Side.RED.home, blue=Side.BLUE.home)
"""Both armies before the first move."""


@dataclass(frozen=True)
class ImageDifference:
    """Differences from the expected image. A square with the wrong colour is in both sets."""

    missing: SquareSet
    """Squares on which the expected piece is not detected."""
    surplus: SquareSet
    """Squares that show an unexpected piece or colour."""

    def __bool__(self) -> bool:
        return bool(self.missing | self.surplus)


def compare(seen: Image, expected: Image) -> ImageDifference:
    """Return the differences between an image and the expected one."""
    return ImageDifference(
        missing=expected.red & ~(seen.red | seen.unknown)
        | expected.blue & ~(seen.blue | seen.unknown),
        surplus=seen.red & ~expected.red
        | seen.blue & ~expected.blue
        | seen.unknown & ~expected.occupied,
    )


@dataclass(frozen=True, slots=True)
class PieceLocation:
    """Estimated position of a piece, in squares from the centre of a1, with its uncertainty."""

    column: float
    """Column: 0 is the centre of column a, 9 is the centre of column k."""
    row: float
    """Row: 0 is the centre of row 1, 9 is the centre of row 10."""
    within: float
    """Uncertainty: the piece may be up to this many squares away."""
