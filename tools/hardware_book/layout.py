"""Draws the layout of the board's back at actual size."""

from companion.palette import GUIDE, PRINT
from engine.board.geometry import LAKES, SQUARES, WIDTH, name
from firmware_bridge.wire import Geometry
from hardware.drawing.sheet import BODY, GROUND, QUIET, SIGNAL, SUPPLY, WATER, Point, Sheet
from tools.hardware_book.back import (
    FEED_ROW,
    GROUND_WIRE,
    LEGS,
    MODULE,
    NANO,
    SENSOR,
    SIDE_WIRE,
    SUPPLY_WIRE,
    free_band,
    middle,
    module_middle,
    nano_middle,
)

_EDGE = 22.0
_HEAD = 44.0


def draw(pitch: int) -> str:
    """Return the drawing for squares that are `pitch` millimetres wide."""
    field = pitch * WIDTH
    sheet = Sheet(
        f"Board layout, {pitch} mm", field + 2 * _EDGE, field + _HEAD + 36, millimetres=True
    )
    sheet.write((_EDGE, 12), f"Layout from BELOW, {pitch} mm squares, scale 1 : 1", 7, bold=True)
    sheet.write(
        (_EDGE, 20),
        "Red’s side is near you, a is on the right. Cross: middle of a sensor; its body and legs "
        "are drawn on it.\n"
        f"Black: ground, {GROUND_WIRE} mm below the crosses. "
        f"Red: 5 V, {SUPPLY_WIRE} mm below. Blue: the leg OUT.\n"
        f"M0 to M6: the modules (here {MODULE[0]} × {MODULE[1]} mm).",
        4.5,
        fill=QUIET,
    )
    for square in SQUARES:
        column, row = (n - pitch / 2 for n in middle(square, pitch))
        corner = (_EDGE + column, _HEAD + row)
        fill = WATER if LAKES >> square & 1 else PRINT["paper"]
        sheet.box(corner, (pitch, pitch), fill=fill, stroke=GUIDE["grid"], width=0.3)
        # Write the label next to the sensor, where no module covers it.
        sheet.write((corner[0] + 1.5, corner[1] + pitch / 2 + 4.6), name(square), 4)
    sheet.box((_EDGE, _HEAD), (field, field), fill="none", width=0.8)
    for multiplexer in range(Geometry.BY_HAND):
        _board(sheet, module_middle(multiplexer, pitch), MODULE, f"M{multiplexer}")
    _board(sheet, nano_middle(pitch), NANO, "Nano")
    _wires(sheet, pitch)
    for square in SQUARES:
        _sensor(sheet, _on_sheet(middle(square, pitch)))
    x, y = _on_sheet(nano_middle(pitch))
    sheet.box((x - NANO[0] / 2 - 1.5, y - 4), (7, 8), width=0.3)
    sheet.write((x - NANO[0] / 2 + 2, y + 1), "USB", 2.6, anchor="middle")
    _ruler(sheet, _HEAD + field + 10)
    return sheet.svg()


def _on_sheet(at: Point) -> Point:
    return _EDGE + at[0], _HEAD + at[1]


def _sensor(sheet: Sheet, at: Point) -> None:
    x, y = at
    foot = y + SENSOR[1] / 2
    sheet.box((x - SENSOR[0] / 2, y - SENSOR[1] / 2), SENSOR, fill="none", stroke=QUIET, width=0.2)
    sheet.line((x - 5, y), (x + 5, y), stroke=SUPPLY, width=0.25)
    sheet.line((x, y - 5), (x, y + 1.5), stroke=SUPPLY, width=0.25)
    sheet.line((x - LEGS, foot), (x - LEGS, foot + 1), (x - 6, foot + 1), stroke=SIGNAL, width=0.4)
    sheet.line((x, foot), (x, y + GROUND_WIRE), stroke=GROUND, width=0.4)
    sheet.line((x + LEGS, foot), (x + LEGS, y + SUPPLY_WIRE), stroke=SUPPLY, width=0.4)


def _wires(sheet: Sheet, pitch: int) -> None:
    """Draw the row wires, the side wires and the two supply wires."""
    left, right = _EDGE - SIDE_WIRE, _EDGE + pitch * WIDTH + SIDE_WIRE
    rows = [_HEAD + pitch * (row + 0.5) for row in range(WIDTH)]
    for row in rows:
        sheet.line(
            (left, row + GROUND_WIRE), (right - 9, row + GROUND_WIRE), stroke=GROUND, width=0.6
        )
        sheet.line(
            (left + 9, row + SUPPLY_WIRE), (right, row + SUPPLY_WIRE), stroke=SUPPLY, width=0.6
        )
    sheet.line((left, rows[0] + GROUND_WIRE), (left, rows[-1] + GROUND_WIRE), width=1.2)
    sheet.line(
        (right, rows[0] + SUPPLY_WIRE), (right, rows[-1] + SUPPLY_WIRE), stroke=SUPPLY, width=1.2
    )
    start, end = free_band(FEED_ROW, pitch)
    feed, nano = _HEAD + (start + end) / 2, _on_sheet(nano_middle(pitch))
    sheet.line((3, feed), (right, feed), stroke=SUPPLY, width=1.2)
    sheet.line((3, feed + 4), (nano[0] + 12, feed + 4), width=1.2)
    for x, y, fill in ((right, feed, SUPPLY), (left, feed + 4, GROUND)):
        sheet.dot((x, y), 1.3, fill)
    # The 5V pin is on the near edge of the Nano and a GND pin is on the far edge, both 12 mm to the
    # right of the centre.
    x, y, side = nano[0] + 12, nano[1], nano[0] + NANO[0] / 2 + 3
    sheet.line((side, feed), (side, y + 10), (x, y + 10), (x, y + 9), stroke=SUPPLY, width=0.6)
    sheet.line((x, feed + 4), (x, y - 9), width=0.6)
    sheet.write((x, y + 8), "5V", 2.6, anchor="middle", fill=SUPPLY)
    sheet.write((x, y - 6.5), "GND", 2.6, anchor="middle")
    sheet.write((2, feed - 8), "from\nthe Pi", 4)
    sheet.write((_EDGE + 4, feed - 2), "5 V, insulated", 3.6, fill=SUPPLY)
    sheet.write((_EDGE + 4, feed + 8.5), "ground, insulated", 3.6)


def _board(sheet: Sheet, at: Point, size: Point, what: str) -> None:
    x, y = _on_sheet(at)
    sheet.box((x - size[0] / 2, y - size[1] / 2), size, fill=BODY, width=0.4)
    sheet.write((x, y + 2), what, 6, anchor="middle", bold=True, fill=SIGNAL)


def _ruler(sheet: Sheet, y: float) -> None:
    sheet.line((_EDGE, y), (_EDGE + 100, y), width=0.5)
    for n in range(11):
        sheet.line((_EDGE + 10 * n, y - 2), (_EDGE + 10 * n, y + 2), width=0.3)
    sheet.write((_EDGE, y + 9), "100 mm: measure this line on your print before you use it.", 4.5)
