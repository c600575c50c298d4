"""Which squares the board is not believed about: a sensor can be dead, stuck, or see a ghost.

What players agree not to believe, and what the board itself says that it cannot tell, is replaced
by what has to stand there. So the rest of the board goes on being refereed, and one sensor does not
end the evening.
"""

from engine.squares import ALL, Square, SquareSet
from firmware_bridge.image import Image


class IgnoredSquares:
    """The latest image, and the squares of it that are not believed."""

    def __init__(self, doubted: SquareSet) -> None:
        """Begin without an image."""
        self.doubted = doubted
        """Those about which the players do not believe it."""
        self.failing: SquareSet = 0
        """Those of which it says itself that their sensors fail."""
        self.shown: Image | None = None
        """The latest image as the board has sent it."""

    @property
    def squares(self) -> SquareSet:
        """All squares that are not believed."""
        return self.doubted | self.failing

    def doubt(self, square: Square, *, doubted: bool) -> bool:
        """Do not believe a square any more, or again; say whether that is news."""
        before = self.doubted
        self.doubted = before | 1 << square if doubted else before & ~(1 << square)
        return self.doubted != before

    def steady(self, shown: Image) -> Image:
        """Return an image without those squares: whatever they do, nothing has changed."""
        rest = ALL & ~self.squares
        return Image(shown.red & rest, shown.blue & rest, shown.unknown & rest)

    def fill(self, steady: Image, expected: Image) -> Image:
        """Return an image that shows on those squares what is expected there."""
        return Image(
            steady.red | expected.red & self.squares,
            steady.blue | expected.blue & self.squares,
            steady.unknown,
        )
