"""Where the squares of a board lie in the window."""

from dataclasses import dataclass
from typing import Final

from companion.screens.widgets.pen import Point
from engine.squares import WIDTH, Square

PIECE: Final = 0.9
"""The size of a piece in parts of a square's side."""
EDGE: Final = 20
"""The width of the edge at the left and below the squares, where their coordinates are."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The squares of a board, each as long as a `step`, all in pixels of the window."""

    left: float
    bottom: float
    step: float

    def corner(self, square: Square) -> Point:
        """The lower left corner of a square."""
        row, column = divmod(square, WIDTH)
        return self.left + column * self.step, self.bottom + row * self.step

    def centre(self, square: Square) -> Point:
        """The middle of a square."""
        x, y = self.corner(square)
        return x + self.step / 2, y + self.step / 2

    def bed(self, square: Square, size: float = PIECE) -> tuple[float, float, float]:
        """The left and lower edge of a piece on its square, and its length."""
        (x, y), inset = self.corner(square), (1 - size) / 2 * self.step
        return x + inset, y + inset, size * self.step

    def square_at(self, x: float, y: float) -> Square:
        """The square at or nearest to a point: a finger at the rim means the last row."""
        column = int((x - self.left) // self.step)
        row = int((y - self.bottom) // self.step)
        return WIDTH * min(max(row, 0), WIDTH - 1) + min(max(column, 0), WIDTH - 1)

    def field_at(self, x: float, y: float) -> Square | None:
        """The square under a point, None beside the board."""
        length = WIDTH * self.step
        is_inside = 0 <= x - self.left < length and 0 <= y - self.bottom < length
        return self.square_at(x, y) if is_inside else None
