"""Draws the supply wires under the squares of one multiplexer, and one sensor in detail."""

from typing import Final

from companion.palette import GUIDE, PRINT
from engine.board.geometry import Square, name
from firmware_bridge.board_hardware import CHANNEL_OF
from firmware_bridge.wire import CHANNELS
from hardware.drawing.sheet import GROUND, INK, QUIET, SIGNAL, SUPPLY, Sheet
from tools.hardware_book.back import GROUND_WIRE, SUPPLY_WIRE, place, squares_of

_STEP: Final = 130
_LEFT: Final = 110
_RIGHT: Final = _LEFT + 5 * _STEP
_TOP: Final = 110


def draw() -> str:
    sheet = Sheet("The rails", 1300, 640)
    sheet.write((40, 50), "The rails: field of multiplexer 0, from below", 26, bold=True)
    what = "Five columns, three rows; not to scale. All other fields but that of row 10 are alike."
    sheet.write((40, 80), what, fill=QUIET)
    places = {square: place(square) for square in squares_of(0)}
    left = min(column for column, _ in places.values())
    top = min(row for _, row in places.values())
    for square, (column, row) in places.items():
        _square(sheet, _LEFT + _STEP * (column - left), _TOP + _STEP * (row - top), square)
    for row in range(3):
        _row(sheet, _TOP + _STEP * row)
    sheet.line((_RIGHT + 30, _TOP - 15), (_RIGHT + 30, _TOP + 376), stroke=SUPPLY, width=5)
    sheet.write((_RIGHT + 30, 540), "side wire, 5 V, up to row 10", 15, fill=SUPPLY, anchor="end")
    sheet.write(
        (40, 540),
        "On to column k. There the side\nwire joins all ten ground wires.",
        15,
        fill=QUIET,
    )
    _detail(sheet)
    return sheet.svg()


def _row(sheet: Sheet, y: float) -> None:
    sheet.line((_LEFT - 20, y + 92), (_RIGHT, y + 92), stroke=GROUND, width=3)
    sheet.line((_LEFT - 20, y + 116), (_RIGHT + 30, y + 116), stroke=SUPPLY, width=3)
    for to, stroke in ((92, GROUND), (116, SUPPLY)):
        sheet.line((_LEFT - 60, y + to), (_LEFT - 20, y + to), stroke=stroke, width=3, dash="6 5")
    sheet.dot((_RIGHT + 30, y + 116), 5, SUPPLY)
    for column in range(5):
        _chip(sheet, _LEFT + _STEP * column + 105, y + 92, 24)


def _chip(sheet: Sheet, x: float, y: float, height: float) -> None:
    """Draw a capacitor, in its actual shape, between the ground wire and the 5 V wire."""
    sheet.line((x, y), (x, y + height))
    sheet.box((x - 7, y + height / 2 - 7), (14, 14), fill=GUIDE["lamp"], width=1.5)


def _square(sheet: Sheet, x: float, y: float, square: Square) -> None:
    sheet.box((x, y), (_STEP, _STEP), fill="none", stroke=QUIET, width=1)
    sheet.write((x + 8, y + 22), name(square), 17)
    put = f"C{CHANNEL_OF[square] % CHANNELS}"
    sheet.write((x + _STEP - 8, y + 22), put, 17, anchor="end", fill=SIGNAL)
    _sensor(sheet, x + _STEP / 2, y, 14)


def _sensor(sheet: Sheet, x: float, y: float, leg: float) -> None:
    sheet.box((x - 20, y + 40), (40, 26), fill=INK)
    sheet.line((x - leg, y + 66), (x - leg, y + 78), (x - 34, y + 78), stroke=SIGNAL, width=3)
    sheet.line((x, y + 66), (x, y + 92), stroke=GROUND)
    sheet.dot((x, y + 92), 4, GROUND)
    sheet.line((x + leg, y + 66), (x + leg, y + 116), stroke=SUPPLY)
    sheet.box((x + leg - 4, y + 82), (8, 20), fill=PRINT["paper"], stroke=SUPPLY, width=1)
    sheet.dot((x + leg, y + 116), 4, SUPPLY)


def _detail(sheet: Sheet) -> None:
    """Draw one sensor, at eighteen units per millimetre."""
    x, y, scale, leg = 1010, 190, 18, 23
    sheet.write((x, 130), "One sensor, larger", 17, bold=True, anchor="middle")
    sheet.box((x - 36, y - 27), (72, 54), fill=GUIDE["part"])
    sheet.line((x - 50, y), (x + 170, y), stroke=QUIET, width=1, dash="4 4")
    sheet.write((x, y - 6), "back", 14, anchor="middle", fill=PRINT["paper"])
    foot, ground, supply = y + 27, y + scale * GROUND_WIRE, y + scale * SUPPLY_WIRE
    sheet.line((x - leg, foot), (x - leg, foot + 22), (x - 110, foot + 22), stroke=SIGNAL, width=5)
    sheet.write((x - 116, foot + 18), "OUT, bent\naside first", 14, anchor="end", fill=SIGNAL)
    sheet.line((x, foot), (x, ground), width=5)
    sheet.line((x - 130, ground), (x + 130, ground), width=4)
    sheet.dot((x, ground), 7)
    sheet.write((x - 136, ground + 5), "ground", 14, anchor="end")
    sheet.line((x + leg, foot), (x + leg, supply), stroke=SUPPLY, width=5)
    sheet.box((x + leg - 8, foot + 10), (16, 106), fill=PRINT["paper"], stroke=SUPPLY)
    sheet.line((x - 130, supply), (x + 130, supply), stroke=SUPPLY, width=4)
    sheet.dot((x + leg, supply), 7, SUPPLY)
    sheet.write((x - 136, supply + 5), "5 V", 14, anchor="end", fill=SUPPLY)
    _chip(sheet, x + 90, ground, supply - ground)
    sheet.write((x + 106, (ground + supply) / 2 + 5), "100 nF", 14)
    for n, (to, distance) in enumerate(((ground, GROUND_WIRE), (supply, SUPPLY_WIRE))):
        at = x + 145 + 65 * n
        sheet.arrow((at, y), (at, to), stroke=QUIET, width=1.5)
        sheet.write((at + 6, y + 40), f"{distance} mm", 14, fill=QUIET)
    sheet.write(
        (x - 190, 470),
        "White: sleeve over the leg VCC, where it\ncrosses the ground wire.\n"
        "Blue: an insulated wire goes from OUT to the\n"
        "input that is written in the square.\n"
        "Yellow: 100 nF, one per sensor.",
        17,
    )
