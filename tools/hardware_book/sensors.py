"""Draws the legs of a sensor, and how it is mounted under the board."""

from collections.abc import Sequence
from typing import Final

from companion.palette import PRINT
from hardware.drawing.sheet import INK, QUIET, SIGNAL, SUPPLY, WOOD, Sheet

LEGS: Final = ("VCC", "GND", "OUT")
"""Legs from left to right, seen from the marked face (DRV5055 data sheet, TO-92)."""
_COLOURS: Final = {"VCC": SUPPLY, "GND": INK, "OUT": SIGNAL}


def draw() -> str:
    sheet = Sheet("The legs of the sensors", 1240, 540)
    sheet.write((40, 50), "The legs of the sensors", 26, bold=True)
    what = "The marked face is the one with the print and the bevelled edges."
    sheet.write((40, 80), what, fill=QUIET)
    _to_92(sheet, 160, "DRV5055 in TO-92", "seen on the marked face", "print", LEGS)
    _to_92(sheet, 470, "The same, from below", "as you glue and solder it", "back", LEGS[::-1])
    _side(sheet, 780)
    _sot_23(sheet, 1090)
    sheet.write(
        (40, 470),
        "Parts of other makers look the same and may have their legs in another order: "
        "read the data sheet of yours.",
        17,
    )
    return sheet.svg()


def _head(sheet: Sheet, x: float, what: str, how: str) -> None:
    sheet.write((x, 135), what, anchor="middle", bold=True)
    sheet.write((x, 157), how, anchor="middle", fill=QUIET)


def _to_92(sheet: Sheet, x: float, what: str, how: str, face: str, legs: Sequence[str]) -> None:
    _head(sheet, x, what, how)
    sheet.box((x - 75, 180), (150, 110))
    if face == "print":
        sheet.box((x - 55, 180), (110, 110), width=1)
    sheet.write((x, 235), face, 18, anchor="middle", fill=QUIET)
    for n, leg in enumerate(legs):
        at = x + 45 * (n - 1)
        sheet.line((at, 290), (at, 380), width=5, stroke=_COLOURS[leg])
        sheet.write((at, 405), leg, anchor="middle")
        sheet.write((at, 282), str(LEGS.index(leg) + 1), 14, anchor="middle")


def _side(sheet: Sheet, x: float) -> None:
    _head(sheet, x, "From the side", "the board on its face")
    sheet.box((x - 110, 290), (220, 40), fill=WOOD)
    sheet.write((x, 316), "wood", anchor="middle", fill=QUIET)
    sheet.box((x - 70, 240), (80, 50))
    sheet.write((x - 30, 228), "back", anchor="middle", fill=QUIET)
    sheet.line((x - 66, 286), (x + 6, 286), width=6, stroke=SUPPLY)
    sheet.write((x - 30, 360), "print (red) to the wood", anchor="middle", fill=QUIET)
    sheet.line((x + 10, 265), (x + 105, 265), width=5, stroke=QUIET)
    sheet.write((x + 60, 250), "legs", anchor="middle", fill=QUIET)


def _sot_23(sheet: Sheet, x: float) -> None:
    _head(sheet, x, "DRV5055 in SOT-23", "from above; needs an adapter")
    sheet.box((x - 75, 240), (150, 90))
    for at, leg, number in ((x - 45, "VCC", "1"), (x + 45, "OUT", "2")):
        sheet.box((at - 10, 330), (20, 30), fill=PRINT["paper"])
        sheet.write((at, 380), leg, anchor="middle")
        sheet.write((at, 322), number, 14, anchor="middle")
    sheet.box((x - 10, 210), (20, 30), fill=PRINT["paper"])
    sheet.write((x, 202), "GND", anchor="middle")
    sheet.write((x, 258), "3", 14, anchor="middle")
