"""Geometry of the squares of a board in the window."""

from dataclasses import dataclass
from typing import Final

from companion.screens.widgets.pen import Point
from engine.board.geometry import WIDTH, Square

PIECE: Final = 0.9
"""Size of a piece, in parts of a square's side."""
EDGE: Final = 20
"""Width of the margin for the coordinates, at the left of and below the squares."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The squares of a board with sides of length `step`; everything in pixels of the window."""

    left: float
    bottom: float
    step: float

    def corner(self, square: Square) -> Point:
        """The lower left corner of a square."""
        row, column = divmod(square, WIDTH)
        return self.left + column * self.step, self.bottom + row * self.step

    def centre(self, square: Square) -> Point:
        """The centre of a square."""
        x, y = self.corner(square)
        return x + self.step / 2, y + self.step / 2

    def bed(self, square: Square, size: float = PIECE) -> tuple[float, float, float]:
        """The left and lower edge of a piece on its square, and its size."""
        (x, y), inset = self.corner(square), (1 - size) / 2 * self.step
        return x + inset, y + inset, size * self.step

    def square_at(self, x: float, y: float) -> Square:
        """The square at a point or nearest to it: a finger at the rim means the outermost row."""
        column = int((x - self.left) // self.step)
        row = int((y - self.bottom) // self.step)
        return WIDTH * min(max(row, 0), WIDTH - 1) + min(max(column, 0), WIDTH - 1)

    def field_at(self, x: float, y: float) -> Square | None:
        """The square at a point, None beside the board."""
        length = WIDTH * self.step
        is_inside = 0 <= x - self.left < length and 0 <= y - self.bottom < length
        return self.square_at(x, y) if is_inside else None
