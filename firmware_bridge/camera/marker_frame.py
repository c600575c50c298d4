"""Geometry of the printed marker frame around the playing field.

The unit is the side of a square, so the geometry is the same for every board. The origin is the
outer corner of a1, x runs from column a to k and y from row 1 to row 10. The playing field is [0,
10] × [0, 10]. The frame is a white strip of width `STRIP` around it.

The 28 markers are the first 28 of the ArUco dictionary ``DICT_4X4_50``. Marker 0 is at the corner
of a1. The numbers increase along row 1 to the corner of k1 (marker 7), then via the corners of k10
(14) and a10 (21) back to a1. All markers are upright for a viewer on Red's side.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.board.geometry import WIDTH

Point: TypeAlias = tuple[float, float]
"""x and y in the plane of the board, in squares."""

STRIP: Final = 1.3
"""Width of the white strip, in squares."""
MARKER: Final = 1.0
"""Side length of a marker including its black border, in squares. The white margin of 0.15 squares
on each side is almost one module wide. Detectors need such a margin on a dark board."""
PER_SIDE: Final = 7
"""Number of markers per side. Each side begins at one corner and ends before the next. Seven
markers leave gaps of 0.6 squares. A forearm is wider than a gap, so it always covers part of a
marker."""
MODULES: Final = 6
"""Number of modules along one side of a marker: four data bits, and the black border around them.
"""
CODES: Final = (
    *(0xB532, 0x0F9A, 0x332D, 0x9946, 0x549E, 0x79CD, 0x9E2E, 0xC4F2, 0xFEDA, 0xCF56),
    *(0xF991, 0x11A7, 0x0EB7, 0x2A0F, 0x24B1, 0x263E, 0x4665, 0x6600, 0x6C5E, 0x76AF),
    *(0x868B, 0xB02B, 0xCCD5, 0xDD82, 0xFE47, 0x9471, 0xACE4, 0xA554),
)
"""Bits of each marker from the top left, row by row; a set bit is white."""

SIDE: Final = WIDTH + STRIP
"""Distance between the centres of two adjacent corner markers, in squares."""
PITCH: Final = SIDE / PER_SIDE
"""Distance between the centres of two adjacent markers on a side, in squares."""


def centre(marker: int) -> Point:
    side, place = divmod(marker, PER_SIDE)
    low, high, along = -STRIP / 2, WIDTH + STRIP / 2, place * PITCH
    return (
        (low + along, low),
        (high, low + along),
        (high - along, high),
        (low, high - along),
    )[side]


def corners(marker: int) -> tuple[Point, Point, Point, Point]:
    """Return a marker's corners in ArUco order: clockwise from the top left."""
    x, y = centre(marker)
    half = MARKER / 2
    return (
        (x - half, y + half),
        (x + half, y + half),
        (x + half, y - half),
        (x - half, y - half),
    )


def black_cells(marker: int) -> Iterator[tuple[int, int]]:
    """Yield the black modules of a marker as (column from the left, row from the top)."""
    code = CODES[marker]
    for row in range(MODULES):
        for column in range(MODULES):
            is_border = {row, column} & {0, MODULES - 1}
            if is_border or not code >> (15 - 4 * (row - 1) - (column - 1)) & 1:
                yield column, row


def place_name(marker: int) -> str:
    """Return the name of the square nearest to a marker, such as ``"a1"``."""
    x, y = centre(marker)
    column = min(max(int(x), 0), WIDTH - 1)
    row = min(max(int(y), 0), WIDTH - 1)
    return f"{'abcdefghik'[column]}{row + 1}"
