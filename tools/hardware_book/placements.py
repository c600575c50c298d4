"""Draws two charts: how a sensor reads an off-centre piece, and the share of undetected pieces."""

from typing import Final

from companion.palette import GUIDE
from hardware.drawing.sheet import QUIET, SIGNAL, Sheet
from hardware.magnetics.design import Design
from hardware.magnetics.found_file import BEFORE, CHOSEN
from hardware.magnetics.placements import SPREADS, unseen
from tools.hardware_book.chart import Chart

_OLD: Final = GUIDE["supply"]
_FARTHEST: Final = 18
_SHOWN: Final = ((BEFORE, _OLD, "before"), (CHOSEN, SIGNAL, "now"))


def draw() -> str:
    sheet = Sheet("Pieces off the centre of their squares", 1240, 620)
    sheet.write((40, 50), "Pieces off the centre of their squares", 26, bold=True)
    what = "Calculated from the exact field of the magnets, not measured on a board."
    sheet.write((40, 80), what, fill=QUIET)
    _draw_readings(sheet)
    _draw_unseen(sheet)
    for n, (design, colour, when) in enumerate(_SHOWN):
        sheet.box((40, 548 + 26 * n), (22, 12), fill=colour, stroke=colour)
        text = (
            f"{when}: magnet {design.disc}, gap {design.gap:g} mm, {design.sensor.name}, "
            f"detected from {100 * design.on:.0f} %, up to {design.reach(design.on):.1f} mm off "
            f"centre, and lost below {100 * design.off:.0f} %"
        )
        sheet.write((72, 560 + 26 * n), text)
    return sheet.svg()


def _draw_readings(sheet: Sheet) -> None:
    chart = Chart(sheet, (90, 150), (560, 310), (0, _FARTHEST), (0, 100))
    names = ("offset from the centre, in mm", "reading, in % of that at the centre")
    chart.grid(range(0, _FARTHEST + 1, 2), range(0, 101, 20), names)
    for design, colour, _ in _SHOWN:
        tenths = range(10 * _FARTHEST + 1)
        curve = [(n / 10, _left(design, n / 10)) for n in tenths]
        chart.curve([point for point in curve if point[1] >= 0], stroke=colour)
        reach, on = design.reach(design.on), 100 * design.on
        chart.curve([(0, on), (reach, on), (reach, 0)], stroke=colour, width=2, dash="6 5")
        sheet.dot(chart.at((reach, on)), 6, colour)


def _left(design: Design, aside: float) -> float:
    return 100 * design.disc.felt(aside, 0, design.gap) / design.disc.on_axis(design.gap)


def _draw_unseen(sheet: Sheet) -> None:
    chart = Chart(sheet, (760, 150), (430, 310), (1.5, 4.5), (0, 40))
    names = ("standard deviation of the position, in mm per axis", "undetected pieces, in %")
    chart.grid(SPREADS, range(0, 41, 10), names)
    for spread in SPREADS:
        for beside, (design, colour, _) in zip((-0.18, 0.18), _SHOWN, strict=True):
            missed = 100 * unseen(design, spread)
            x, y = chart.bar(spread + beside, 0.32, missed, colour)
            sheet.write((x, y - 8), f"{missed:.1f}", anchor="middle", fill=colour)
