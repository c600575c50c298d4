"""Magnetic field of the pieces of a simulated board on other squares than their own."""

from collections.abc import Iterable
from math import hypot
from typing import Final, TypeAlias

from engine.board.geometry import WIDTH, Side, Square
from firmware_bridge.feeling.beyond import PITCHES, share
from firmware_bridge.wire import FELT_PIECE

PITCH_MM: Final = PITCHES[0]
_MOST: Final = 127
"""Maximum reading: a FELT has one signed byte for each square."""
Standing: TypeAlias = tuple[Side, float, float, float]
"""A piece on the board: its side, column, row and the strength of its magnet."""


def felt_on(square: Square, pieces: Iterable[Standing]) -> int:
    """Return the field reading of a square for some pieces, in units of 1/`FELT_PIECE`."""
    row, column = divmod(square, WIDTH)
    felt = sum(
        (magnet if side is Side.RED else -magnet)
        * share(round(10 * PITCH_MM * hypot(x - column, y - row)))
        for side, x, y, magnet in pieces
    )
    return max(-_MOST, min(_MOST, round(FELT_PIECE * felt)))
