"""Recent changes of squares on the simulated board, as its frames report them."""

from engine.board.geometry import Square, squares_in
from firmware_bridge.image import Image
from firmware_bridge.wire import MOST_CHANGES, TOLD_MS

_WRAP = 2**32


class Changes:
    """Tracks the images of one board from an initial one. Time is passed in."""

    def __init__(self, image: Image) -> None:
        """Begin with an image without any changes."""
        self._image = image
        self._at_ms: dict[Square, int] = {}
        """Time of each square's last change, the latest last."""

    def look(self, at_ms: int, image: Image) -> None:
        """Record the changes up to a time of the board's clock."""
        if image is self._image:
            return
        for square in squares_in(self._image.differing(image)):
            self._at_ms.pop(square, None)
            self._at_ms[square] = at_ms
        self._image = image

    def told(self, at_ms: int) -> tuple[tuple[Square, int], ...]:
        """Return the changes that a frame of that time reports: the squares, each with its age."""
        ago = {square: (at_ms - then) % _WRAP for square, then in self._at_ms.items()}
        told = {square: before for square, before in ago.items() if before <= TOLD_MS}
        self._at_ms = {square: self._at_ms[square] for square in told}
        return tuple(told.items())[-MOST_CHANGES:]
