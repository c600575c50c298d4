"""Where the squares of a board lie in the window."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from companion.screens.widgets.pen import Point
from engine.squares import WIDTH, Square

PIECE: Final = 0.9
"""The size of a piece in parts of a square's side."""
BESIDE: Final = 0.8
"""That of a piece beside a coordinate, which stays free of it."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The squares of a board, each as long as a `step`, all in pixels of the window."""

    left: float
    bottom: float
    step: float
    is_numbered_beside: bool
    """Whether the numbers of the rows stand beside the squares, not on them."""

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
        return _bed(self, square, size)

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


# Eighty of them are wanted whenever a board is drawn.
@lru_cache(maxsize=1_000)
def _bed(grid: Grid, square: Square, size: float) -> tuple[float, float, float]:
    (x, y), (row, column), step = grid.corner(square), divmod(square, WIDTH), grid.step
    if grid.is_numbered_beside:
        column = column or 1
    if size > PIECE or (row and column):
        inset = (1 - size) / 2 * step
        return x + inset, y + inset, size * step
    free = (1 - BESIDE) * step
    up = free if row == 0 and column else free / 2 if row == 0 else 0.0
    return x + free, y + up, BESIDE * step
