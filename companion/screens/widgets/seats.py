"""The players' seats: the four edges of the screen."""

from enum import Enum


class Seat(Enum):
    """An edge of the screen, as seen from below its upright picture."""

    FRONT = "front"
    LEFT = "left"
    RIGHT = "right"
    OPPOSITE = "opposite"

    @property
    def degrees(self) -> int:
        """Counter-clockwise rotation of a picture that is upright from this seat, in degrees."""
        return {Seat.FRONT: 0, Seat.RIGHT: 90, Seat.OPPOSITE: 180, Seat.LEFT: 270}[self]
