"""Dimensions of the back of the board, in millimetres, seen from below with Red's side nearest."""

from collections.abc import Sequence
from typing import Final

from engine.board.geometry import SQUARES, WIDTH, Square
from firmware_bridge.board_hardware import CHANNEL_OF
from firmware_bridge.wire import CHANNELS
from hardware.drawing.sheet import Point

PITCHES: Final = (35, 40)
"""Square widths for which layouts are drawn."""
SENSOR: Final = (4, 3)
"""Body size of a flat TO-92 package (DRV5055 data sheet: 4.00 × 3.15 mm)."""
LEGS: Final = 1.27
"""Distance between adjacent legs."""
GROUND_WIRE: Final = 6
"""Distance from the centres of a row's sensors to the row's ground wire, towards Red."""
SUPPLY_WIRE: Final = 12
"""Distance from the centres of a row's sensors to the row's 5 V wire, towards Red."""
SIDE_WIRE: Final = 5
"""Distance from the playing field to the side wires, which connect the rows."""
NANO: Final = (45, 18)
MODULE: Final = (41, 18)
"""Size of a common multiplexer module. The module fits into the smallest gap between two rows."""
NANO_ROW: Final = 5
FEED_ROW: Final = 6
"""The supply is connected below this row, counted from 0. Makers count from 1, so in the book, the
Nano is below row 6 and the supply wires are below row 7."""


def place(square: Square) -> tuple[int, int]:
    """Return the column and row of a square, counted from the upper left."""
    row, column = divmod(square, WIDTH)
    return WIDTH - 1 - column, WIDTH - 1 - row


def squares_of(multiplexer: int) -> Sequence[Square]:
    return [square for square in SQUARES if CHANNEL_OF[square] // CHANNELS == multiplexer]


def middle(square: Square, pitch: int) -> Point:
    """Return the centre of a square, measured from the field's upper left corner."""
    column, row = place(square)
    return pitch * (column + 0.5), pitch * (row + 0.5)


def free_band(row: int, pitch: int) -> tuple[float, float]:
    """Return the limits of the free space between a row's 5 V wire and the next row of sensors.

    The next row is the one towards Red. Rows are counted from 0, beginning at Red's side.
    """
    sensors = pitch * (WIDTH - 1 - row + 0.5)
    return sensors + SUPPLY_WIRE, sensors + pitch - SENSOR[1] / 2


def module_middle(multiplexer: int, pitch: int) -> Point:
    """Return the position of a multiplexer's module, below the middle row of its squares."""
    squares = squares_of(multiplexer)
    rows = [square // WIDTH for square in squares]
    x = sum(middle(square, pitch)[0] for square in squares) / len(squares)
    return x, sum(free_band(round(sum(rows) / len(rows)), pitch)) / 2


def nano_middle(pitch: int) -> Point:
    """Return the position of the Nano, in the middle with its USB socket to the left."""
    return pitch * WIDTH / 2, sum(free_band(NANO_ROW, pitch)) / 2
