"""What the sensors of a board show at one moment, square by square."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine import picture
from engine.sides import Side
from engine.squares import ALL, Square, SquareSet, name, names


class Sensed(Enum):
    """What the sensor of one square shows; the value is its token in a picture."""

    EMPTY = "."
    RED = "r"
    BLUE = "b"
    UNKNOWN = "?"
    """Occupied, but the board cannot tell by whom."""

    @property
    def side(self) -> Side | None:
        """Whose piece it shows, None for nobody's or anybody's."""
        return {Sensed.RED: Side.RED, Sensed.BLUE: Side.BLUE}.get(self)


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
    def parse(cls, drawn: str) -> "Image":
        """Read a picture with the tokens of `Sensed`; ValueError names what is not understood."""
        sets = dict.fromkeys(Sensed, 0)
        for square, token in picture.read(drawn).items():
            try:
                sets[Sensed(token)] |= 1 << square
            except ValueError:
                tokens = " ".join(sensed.value for sensed in Sensed)
                raise ValueError(f"{name(square)}: {token!r} is none of {tokens}") from None
        return cls(sets[Sensed.RED], sets[Sensed.BLUE], sets[Sensed.UNKNOWN])

    @property
    def occupied(self) -> SquareSet:
        """The squares where any piece stands."""
        return self.red | self.blue | self.unknown

    def of(self, side: Side) -> SquareSet:
        """The squares that show the colour of a side."""
        return self.red if side is Side.RED else self.blue

    def differing(self, other: "Image") -> SquareSet:
        """The squares that another image shows otherwise."""
        return self.red ^ other.red | self.blue ^ other.blue | self.unknown ^ other.unknown

    def patched(self, squares: SquareSet, other: "Image") -> "Image":
        """The same image, but on some squares as another one."""
        rest = ~squares
        return Image(
            self.red & rest | other.red & squares,
            self.blue & rest | other.blue & squares,
            self.unknown & rest | other.unknown & squares,
        )

    def at(self, square: Square) -> Sensed:
        """What the sensor of a square shows."""
        if self.red >> square & 1:
            return Sensed.RED
        if self.blue >> square & 1:
            return Sensed.BLUE
        return Sensed.UNKNOWN if self.unknown >> square & 1 else Sensed.EMPTY

    def __str__(self) -> str:
        return picture.draw(
            lambda square: self.at(square).value if self.occupied >> square & 1 else None
        )


ARMIES: Final = Image(red=Side.RED.home, blue=Side.BLUE.home)
"""Two whole armies before the first move."""
