"""Where the players sit at the screen: at one of its four edges."""

from enum import Enum


class Seat(Enum):
    """An edge of the screen, as seen by whoever reads it upright."""

    FRONT = "front"
    LEFT = "left"
    RIGHT = "right"
    OPPOSITE = "opposite"

    @property
    def degrees(self) -> int:
        """How far a picture is turned, to the left, to stand upright for who sits here."""
        return {Seat.FRONT: 0, Seat.RIGHT: 90, Seat.OPPOSITE: 180, Seat.LEFT: 270}[self]
