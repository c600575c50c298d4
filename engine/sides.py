"""The two sides of the board and their home rows."""

from enum import Enum
from typing import Final

from engine.squares import WIDTH, SquareSet


class Side(Enum):
    """One of the two players, by the colour of the pieces. Red starts."""

    RED = "red"
    BLUE = "blue"

    def __init__(self, _colour: str) -> None:
        self.other: Side
        """The opponent; set below, once both members exist."""

    # There are never more than two, so identity is enough, and much faster than an enum's own.
    __hash__ = object.__hash__

    @property
    def home(self) -> SquareSet:
        """The side's own four rows: 1 to 4 for Red, 7 to 10 for Blue."""
        four_rows = (1 << 4 * WIDTH) - 1
        return four_rows if self is Side.RED else four_rows << 6 * WIDTH

    def __repr__(self) -> str:
        return f"Side.{self.name}"


Side.RED.other, Side.BLUE.other = Side.BLUE, Side.RED

HOMES: Final[SquareSet] = Side.RED.home | Side.BLUE.home
"""Rows in which both sides set up."""
