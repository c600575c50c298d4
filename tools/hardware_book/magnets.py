"""Draws a section through two squares that shows how the magnets are oriented."""

from typing import Final

from companion.palette import GUIDE, PRINT
from hardware.drawing.sheet import INK, QUIET, WOOD, Sheet

_POLES: Final = {"N": ("north", PRINT["red"]), "S": ("south", PRINT["blue"])}


def draw() -> str:
    sheet = Sheet("Orientation of the magnets", 1240, 560)
    sheet.write((40, 50), "Orientation of the magnets", 26, bold=True)
    what = "A section through two squares, not to scale. The sensor sees the pole that is below."
    sheet.write((40, 80), what, fill=QUIET)
    _section(sheet, 390, "Red", "N", "S", "reads HIGH")
    _section(sheet, 810, "Blue", "S", "N", "reads LOW")
    for y in (352, 457):
        sheet.line((1020, y), (1070, y))
    sheet.arrow((1045, 390), (1045, 352))
    sheet.arrow((1045, 419), (1045, 457))
    sheet.write((1080, 400), "the gap, 9.5 mm:\nmagnet to sensor")
    for y, what in (
        (305, "magnet, dot at N"),
        (368, "felt and card, 2 mm"),
        (415, "top, 6.5 mm"),
        (462, "sensor, print up"),
    ):
        sheet.write((175, y), what, fill=QUIET, anchor="end")
    return sheet.svg()


def _section(sheet: Sheet, x: float, whose: str, upper: str, lower: str, reads: str) -> None:
    sheet.box((x - 110, 130), (220, 222), fill=PRINT["paper"])
    sheet.write((x, 175), f"{whose} piece", 24, anchor="middle", bold=True)
    sheet.write((x, 205), f"{_POLES[upper][0]} up", anchor="middle")
    for y, pole in ((272, upper), (312, lower)):
        sheet.box((x - 60, y), (120, 40), fill=_POLES[pole][1])
        sheet.write((x, y + 28), pole, 22, anchor="middle", bold=True)
    # Every magnet has a dot of marker ink on its north face.
    sheet.dot((x + 45, 281 if upper == "N" else 343), 5)
    sheet.box((x - 110, 352), (220, 22), fill=GUIDE["iron"])
    sheet.box((x - 200, 374), (400, 70), fill=WOOD)
    sheet.box((x - 30, 444), (60, 26), fill=INK)
    sheet.line((x + 30, 457), (x + 110, 457), width=4, stroke=QUIET)
    sheet.write((x, 520), reads, 17, anchor="middle")
