"""Drawing of a part: three orthographic views, an oblique view, the overall size, and notes on key
dimensions."""

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from fpdf import FPDF
from fpdf.svg import SVGObject

from hardware.drawing.sheet import QUIET, Point, Sheet
from hardware.mechanics.flat import Part
from hardware.mechanics.mesh import ABOVE, FRONT, RIGHT, SLANTED, Outline, Side, outline

_PAPER: Final = (297.0, 210.0)
_LEFT: Final = 30.0
_FOOT: Final = 168.0
_ROOM: Final = (232.0, 126.0)
_GAP: Final = 22.0
_SCALES: Final = (5.0, 2.0, 1.0, 0.5, 0.25, 0.2, 0.1)


def drawing(part: Part) -> str:
    """Return the drawing as an SVG document for an A4 page."""
    width, depth, height = (round(each, 2) for each in part.solid.size)
    scale = next(
        each
        for each in _SCALES
        if (width + depth) * each <= _ROOM[0] - _GAP and (depth + height) * each <= _ROOM[1] - _GAP
    )
    sheet = Sheet(part.what, *_PAPER, millimetres=True)
    front = _LEFT, _FOOT
    above = _LEFT, _FOOT - height * scale - _GAP
    right = _LEFT + width * scale + _GAP, _FOOT
    for side, at in ((FRONT, front), (ABOVE, above), (RIGHT, right)):
        _view(sheet, outline(part.solid, side), at, scale, side)
    slanted = outline(part.solid, SLANTED)
    low_x, low_y, high_x, high_y = slanted.bounds
    # The oblique view fills the corner that the three other views leave free.
    room = _PAPER[0] - right[0] - 12, max(36.0, _FOOT - height * scale - _GAP - 40)
    small = min(scale, room[0] / (high_x - low_x), room[1] / (high_y - low_y))
    _lines(sheet, slanted, (right[0], 38 + small * (high_y - low_y)), small)
    _across(sheet, (front[0], _FOOT + 9), width * scale, f"{width:g}")
    _across(sheet, (right[0], _FOOT + 9), depth * scale, f"{depth:g}")
    _up(sheet, (_LEFT - 9, _FOOT), height * scale, f"{height:g}")
    _up(sheet, (_LEFT - 9, above[1]), depth * scale, f"{depth:g}")
    _words(sheet, part, scale)
    return sheet.svg()


def _view(sheet: Sheet, seen: Outline, at: Point, scale: float, side: Side) -> None:
    _lines(sheet, seen, at, scale)
    _, low, _, high = seen.bounds
    sheet.write((at[0], at[1] - (high - low) * scale - 2.5), side.name, 3, fill=QUIET)


def _lines(sheet: Sheet, seen: Outline, at: Point, scale: float) -> None:
    left, low, _, _ = seen.bounds
    for line in seen.lines:
        points = [
            (round(at[0] + (x - left) * scale, 3), round(at[1] - (y - low) * scale, 3))
            for x, y in line
        ]
        sheet.line(*points, width=0.25)


def _across(sheet: Sheet, at: Point, length: float, words: str) -> None:
    x, y = at
    for end in (x, x + length):
        sheet.line((end, y - 7), (end, y + 1.5), stroke=QUIET, width=0.15)
    sheet.line((x, y), (x + length, y), stroke=QUIET, width=0.2)
    _ticks(sheet, ((x, y), (x + length, y)))
    sheet.write((x + length / 2, y - 1.2), words, 3.6, anchor="middle")


def _up(sheet: Sheet, at: Point, length: float, words: str) -> None:
    x, y = at
    for end in (y, y - length):
        sheet.line((x - 1.5, end), (x + 7, end), stroke=QUIET, width=0.15)
    sheet.line((x, y), (x, y - length), stroke=QUIET, width=0.2)
    _ticks(sheet, ((x, y), (x, y - length)))
    sheet.write((x - 2.4, y - length / 2 + 1.2), words, 3.6, anchor="end")


def _ticks(sheet: Sheet, ends: Sequence[Point]) -> None:
    for x, y in ends:
        sheet.line((x - 1, y + 1), (x + 1, y - 1), width=0.4)


def _words(sheet: Sheet, part: Part, scale: float) -> None:
    title = f"{part.what[0].upper()}{part.what[1:]}"
    sheet.write((12, 14), title, 6, bold=True)
    made = "cut out of a sheet" if part.flat else "printed in this orientation"
    shown = f"{scale:g} : 1" if scale >= 1 else f"1 : {1 / scale:g}"
    sheet.write(
        (12, 21),
        f"{part.name} · quantity {part.count}, {made} · scale {shown} · millimetres",
        3.6,
        fill=QUIET,
    )
    for n, note in enumerate(part.notes):
        sheet.write((12 + 140 * (n % 2), 190 + 5.5 * (n // 2)), f"· {note}", 3.8)


def pdf(drawings: Iterable[str], path: Path) -> None:
    """Write SVG drawings to a PDF at actual size, one per page."""
    # fpdf warns that it does not draw <title> elements. They have no visible content, so the
    # warning is suppressed.
    logging.getLogger("fpdf.svg").setLevel(logging.ERROR)
    document = FPDF(orientation="landscape", unit="mm", format="A4")
    for each in drawings:
        document.add_page()
        SVGObject(each).draw_to_page(document)
    document.output(path)
