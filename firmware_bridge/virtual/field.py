"""How the pieces of a simulated board are felt from other squares than their own."""

from collections.abc import Iterable
from math import hypot
from typing import Final, TypeAlias

from engine.sides import Side
from engine.squares import WIDTH, Square
from firmware_bridge.feeling.beyond import PITCHES, share
from firmware_bridge.wire import FELT_PIECE

PITCH_MM: Final = PITCHES[0]
_MOST: Final = 127
"""A FELT has a byte for each square."""
Standing: TypeAlias = tuple[Side, float, float, float]
"""Whose piece it is, its column and row, and how strong its magnet is."""


def felt_on(square: Square, pieces: Iterable[Standing]) -> int:
    """Return what a square feels of some pieces, in parts of `FELT_PIECE`."""
    row, column = divmod(square, WIDTH)
    felt = sum(
        (magnet if side is Side.RED else -magnet)
        * share(round(10 * PITCH_MM * hypot(x - column, y - row)))
        for side, x, y, magnet in pieces
    )
    return max(-_MOST, min(_MOST, round(FELT_PIECE * felt)))
