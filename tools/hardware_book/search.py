"""Draws the results of the magnet search: the permitted drift of a sensor for each gap."""

from collections.abc import Iterable
from typing import Final

from companion.palette import GUIDE
from hardware.drawing.sheet import INK, QUIET, SIGNAL, Point, Sheet
from hardware.magnetics.disc import Disc
from hardware.magnetics.found_file import CHOSEN, read
from hardware.magnetics.search import LEAST_DRIFT, SOLD, Found, best
from tools.hardware_book.chart import Chart

_TOO_HARD: Final = GUIDE["too-hard"]
_OTHERS: Final = GUIDE["others"]


def draw() -> str:
    found = [one for one, _ in read()]
    sheet = Sheet("The search for magnet and gap", 1140, 660)
    sheet.write((40, 50), "The search for magnet and gap", 26, bold=True)
    sheet.write(
        (40, 80),
        "Each point sees enough pieces. The higher, the further its sensors may drift, amid the "
        "other army on squares of 35 mm.",
        fill=QUIET,
    )
    chart = Chart(sheet, (90, 150), (900, 380), (7, 11), (0, 10))
    names = ("gap from magnet to sensor, in millimetres", "room for drift, in counts")
    chart.grid((7, 8, 9, 10, 11), range(0, 11, 2), names)
    ends: list[tuple[float, str, str]] = []
    for width, height in SOLD:
        disc = Disc(width, height)
        boards = [one for one in found if one.design.disc == disc]
        colour, dash = _style(boards)
        chart.curve(
            _points(boards), stroke=colour, dash=dash, width=4 if disc == CHOSEN.disc else 2
        )
        ends.append((chart.at(_points(boards)[-1])[1], str(disc), colour))
    _name(sheet, ends)
    chart.curve([(7, LEAST_DRIFT), (11, LEAST_DRIFT)], stroke=INK, width=1, dash="2 5")
    x, y = chart.at((7, LEAST_DRIFT))
    sheet.write((x + 8, y - 8), "the least that is enough", 13)
    sheet.dot(chart.at(next(iter(_points([best(found)])))), 9, SIGNAL)
    for n, (colour, dash, text) in enumerate(
        (
            (SIGNAL, "", "the one that is built; the dot is its gap"),
            (_OTHERS, "", "others; where a line climbs, a keener sensor fits from there on"),
            (_TOO_HARD, "8 6", "pushes too hard: pieces of an army creep apart"),
        )
    ):
        y = 590 + 20 * n
        sheet.line((90, y - 5), (130, y - 5), stroke=colour, width=4, dash=dash)
        sheet.write((140, y), text)
    return sheet.svg()


def _style(boards: Iterable[Found]) -> tuple[str, str]:
    one = next(iter(boards))
    if one.pushes_too_hard:
        return _TOO_HARD, "8 6"
    return (SIGNAL if one.design.disc == CHOSEN.disc else _OTHERS), ""


def _points(boards: Iterable[Found]) -> list[Point]:
    return [(one.design.gap, one.drift) for one in boards if one.drift >= 0]


def _name(sheet: Sheet, ends: Iterable[tuple[float, str, str]]) -> None:
    """Write the names next to the ends of the curves, one below the other."""
    lowest = 0.0
    for y, name, colour in sorted(ends):
        lowest = max(y + 5, lowest + 18)
        sheet.write((1005, lowest), name, fill=colour, bold=colour == SIGNAL)
