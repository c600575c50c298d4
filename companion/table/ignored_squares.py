"""Squares on which the board is not trusted: a sensor can be dead, stuck, or report a ghost.

Squares that the players agreed to ignore, and those with a sensor that the board reports as failed,
are replaced by what the referee expects there. So the rest of the board is still refereed, and a
single sensor does not end the game.
"""

from engine.board.geometry import ALL, Square, SquareSet
from firmware_bridge.image import Image


class IgnoredSquares:
    """The latest image, and the squares of it that are ignored."""

    def __init__(self, doubted: SquareSet) -> None:
        """Begin without an image."""
        self.doubted = doubted
        """Squares that the players ignore."""
        self.failing: SquareSet = 0
        """Squares with a sensor that the board reports as failed."""
        self.shown: Image | None = None
        """The latest image as sent by the board."""

    @property
    def squares(self) -> SquareSet:
        """All squares that are ignored."""
        return self.doubted | self.failing

    def doubt(self, square: Square, *, doubted: bool) -> bool:
        """Ignore a square, or trust it again; return whether that is a change."""
        before = self.doubted
        self.doubted = before | 1 << square if doubted else before & ~(1 << square)
        return self.doubted != before

    def steady(self, shown: Image) -> Image:
        """Return an image without the ignored squares: their changes have no effect."""
        rest = ALL & ~self.squares
        return Image(shown.red & rest, shown.blue & rest, shown.unknown & rest)

    def fill(self, steady: Image, expected: Image) -> Image:
        """Return an image with the expected pieces on the ignored squares."""
        return Image(
            steady.red | expected.red & self.squares,
            steady.blue | expected.blue & self.squares,
            steady.unknown,
        )
