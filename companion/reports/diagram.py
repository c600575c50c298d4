"""Diagrams of a position, as stand-alone SVG and as PNG.

Diagrams look like the screens, but on a light background: Red's pieces are towers, and Blue's
pieces are discs. Most ranks are shown as numbers; the flag, the bomb and the infiltrator are shown
as symbols. Elements have no ids, so one page can contain several diagrams.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import resvg_py

from companion.palette import PRINT, sides
from engine.board.geometry import ALL, COLUMNS, LAKES, WIDTH, Side, Square, name, squares_in
from engine.board.ranks import Rank

_PAPER: Final = PRINT["paper"]
_INK: Final = PRINT["ink"]
_QUIET: Final = PRINT["text-secondary"]
_FIELDS: Final = (PRINT["field-dark"], PRINT["field"])
_LAKE: Final = PRINT["water"]
_WAVE: Final = PRINT["wave"]
_FILLS: Final = sides(PRINT)
_EDGES: Final = sides(PRINT, "-edge")

# Dimensions, in hundredths of a square's side.
_STEP: Final = 100
_LEFT: Final = 60
_TOP: Final = 20
_SIZE: Final = _LEFT + _STEP * WIDTH + _TOP
"""Width and height of the diagram. They are equal, because the left margin for the numbers is as
wide as the bottom margin for the letters is high."""

_TOWER: Final = "M16 12h18v20h7v-20h18v20h7v-20h18v68a8 8 0 0 1-8 8h-52a8 8 0 0 1-8-8z"
_WAVES: Final = "M22 38l14-8 14 8 14-8 14 8M22 68l14-8 14 8 14-8 14 8"
_MIDDLES: Final = {Side.RED: 60, Side.BLUE: 50}
"""Distance from the upper edge of the square to the centre of a piece's face, by side."""
_SIGN: Final = 46
"""Height of the symbol on the face of a piece."""
_CAPITAL: Final = 0.71
"""Height of a digit in most sans-serif fonts, relative to the font size."""


def diagram(
    pieces: Mapping[Square, tuple[Side, Rank | None]],
    *,
    last_move: tuple[Square, Square] | None = None,
    earlier: Iterable[tuple[Square, Square]] = (),
    turned: bool = False,
) -> str:
    """Draw a position as an SVG document.

    A piece with rank None shows its back. `last_move` (source and target) is drawn as an arrow, and
    each move in `earlier` as a dashed line. Red is at the bottom, or Blue if `turned`.
    """
    view = _View(turned)
    document = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {_SIZE} {_SIZE}")
    document.set("font-family", "sans-serif")
    SubElement(document, "rect", width="100%", height="100%", fill=_PAPER)
    _draw_fields(document, view)
    _draw_lakes(document, view)
    _draw_edges(document, view)
    for one, other in earlier:
        (x1, y1), (x2, y2) = view.centre(one), view.centre(other)
        _line(document, f"M{x1} {y1}L{x2} {y2}", _QUIET, 5).set("stroke-dasharray", "2 14")
    if last_move:
        _draw_arrow(document, view, *last_move)
    for square, (side, rank) in sorted(pieces.items(), key=lambda placed: placed[0]):
        _draw_piece(view.group(document, square), square, side, rank)
    indent(document)
    return tostring(document, encoding="unicode") + "\n"


@dataclass(frozen=True)
class _View:
    turned: bool

    def corner(self, square: Square) -> tuple[int, int]:
        """Return the upper left corner of a square."""
        row, column = divmod(square, WIDTH)
        if self.turned:
            column = WIDTH - 1 - column
        else:
            row = WIDTH - 1 - row
        return _LEFT + _STEP * column, _TOP + _STEP * row

    def centre(self, square: Square) -> tuple[int, int]:
        x, y = self.corner(square)
        return x + _STEP // 2, y + _STEP // 2

    def group(self, document: Element, square: Square) -> Element:
        """Add and return a group with the square's own coordinates, from (0, 0) to (100, 100)."""
        x, y = self.corner(square)
        return SubElement(document, "g", transform=f"translate({x} {y})")


def _draw_fields(document: Element, view: _View) -> None:
    for square in squares_in(ALL & ~LAKES):
        x, y = view.corner(square)
        row, column = divmod(square, WIDTH)
        fill = _FIELDS[(row + column) % 2]
        _box(document, (x + 2, y + 2), (_STEP - 4, _STEP - 4), 8, fill)


def _draw_lakes(document: Element, view: _View) -> None:
    for square in squares_in(LAKES):
        # A lake is two squares wide and two squares high; this square is its corner nearest to a1.
        if LAKES >> (square + WIDTH + 1) & 1:
            corners = [view.corner(square), view.corner(square + WIDTH + 1)]
            x, y = map(min, zip(*corners, strict=True))
            lake = _box(document, (x + 2, y + 2), (2 * _STEP - 4, 2 * _STEP - 4), 32, _LAKE)
            lake.set("class", "lake")
    for square in squares_in(LAKES):
        _line(view.group(document, square), _WAVES, _WAVE, 4)


def _draw_edges(document: Element, view: _View) -> None:
    bottom = _TOP + _STEP * WIDTH
    for n, letter in enumerate(COLUMNS):
        x, _ = view.centre(n)
        _, y = view.centre(WIDTH * n)
        _write(document, letter, x, bottom + (_SIZE - bottom) / 2, 32, _QUIET)
        _write(document, str(n + 1), _LEFT / 2, y, 32, _QUIET)


def _draw_arrow(document: Element, view: _View, source: Square, target: Square) -> None:
    """Draw an arrow that ends at the piece on the target."""
    (x1, y1), (x2, y2) = view.centre(source), view.centre(target)
    way = math.hypot(x2 - x1, y2 - y1)
    turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
    arrow = SubElement(document, "g", transform=f"translate({x1} {y1}) rotate({turn:g})")
    arrow.set("class", "last-move")
    tip = round(way) - 43
    SubElement(arrow, "circle", r="11", fill=_INK)
    _line(arrow, f"M0 0H{tip - 20}", _INK, 9)
    SubElement(arrow, "path", d=f"M{tip} 0l-28 17v-34z", fill=_INK)


def _draw_piece(group: Element, square: Square, side: Side, rank: Rank | None) -> None:
    kind = "hidden" if rank is None else rank.name.lower()
    group.set("class", f"piece {side.value} {kind}")
    sign = "?" if rank is None else rank.symbol
    SubElement(group, "title").text = f"{name(square)} {side.value[0]}{sign}"
    if side is Side.RED:
        body = SubElement(group, "path", d=_TOWER)
    else:
        body = SubElement(group, "circle", cx="50", cy="50", r="38")
    body.set("fill", _FILLS[side])
    body.set("stroke", _EDGES[side])
    body.set("stroke-width", "3")
    body.set("stroke-linejoin", "round")
    middle = _MIDDLES[side]
    match rank:
        case None:
            _draw_back(group, side)
        case Rank.FLAG:
            _draw_flag(_sign(group, middle))
        case Rank.BOMB:
            _draw_bomb(_sign(group, middle))
        case Rank.INFILTRATOR:
            _draw_infiltrator(_sign(group, middle))
        case _:
            _write(group, rank.symbol, 50, middle, _SIGN, _INK, bold=True)


def _draw_back(group: Element, side: Side) -> None:
    if side is Side.RED:
        _box(group, (40, 48), (20, 30), 10, _EDGES[side])
    else:
        ring = SubElement(group, "circle", cx="50", cy="50", r="22", fill="none")
        ring.set("stroke", _EDGES[side])
        ring.set("stroke-width", "8")


def _sign(group: Element, middle: int) -> Element:
    """Add an SVG group for the symbol on a piece's face, and return the group.

    Coordinates in the group range from (0, 0) to (100, 100).
    """
    scale = _SIGN / 100
    left, top = 50 - _SIGN // 2, middle - _SIGN // 2
    return SubElement(group, "g", transform=f"translate({left} {top}) scale({scale})")


# These symbols are the same as in `companion.ui.drawing.rank_symbol`.


def _draw_flag(sign: Element) -> None:
    _line(sign, "M24 6V94", _INK, 9)
    cloth = "M28 12c10-9 20-9 30 0s20 9 30 0v42c-10 9-20 9-30 0s-20-9-30 0z"
    SubElement(sign, "path", d=cloth, fill=_INK)


def _draw_bomb(sign: Element) -> None:
    SubElement(sign, "circle", cx="48", cy="62", r="34", fill=_INK)
    _line(sign, "M66 36L74 24", _INK, 14)
    _line(sign, "M74 24L82 14H92", _INK, 6)
    _line(sign, "M98 18L105 22M98 14L106 11M95 11L98 3", _INK, 5)


def _draw_infiltrator(sign: Element) -> None:
    SubElement(sign, "path", d="M24 42L32 8L50 14L68 8L76 42z", fill=_INK)
    _line(sign, "M4 46H96", _INK, 10)
    for x in ("28", "72"):
        SubElement(sign, "circle", cx=x, cy="75", r="19", fill=_INK)
    _line(sign, "M40 70H60", _INK, 9)


def _box(
    parent: Element, at: tuple[int, int], size: tuple[int, int], corner: int, fill: str
) -> Element:
    values = zip(("x", "y", "width", "height"), (*at, *size), strict=True)
    box = SubElement(parent, "rect", {key: str(value) for key, value in values})
    box.set("rx", str(corner))
    box.set("fill", fill)
    return box


def _line(parent: Element, path: str, colour: str, width: int) -> Element:
    line = SubElement(parent, "path", d=path, fill="none", stroke=colour)
    line.set("stroke-width", str(width))
    line.set("stroke-linecap", "round")
    line.set("stroke-linejoin", "round")
    return line


def _write(
    parent: Element, text: str, x: float, y: float, size: int, colour: str, *, bold: bool = False
) -> None:
    """Write text whose capitals are vertically centred on a point."""
    # Viewers differ in their support for dominant-baseline, so the baseline is calculated here.
    baseline = y + _CAPITAL * size / 2
    place = {"x": f"{x:g}", "y": f"{baseline:g}", "font-size": str(size), "text-anchor": "middle"}
    if bold:
        place["font-weight"] = "bold"
    SubElement(parent, "text", place, fill=colour).text = text


_FONT: Final = "Roboto"
_FACES: Final = ("Roboto-Regular.ttf", "Roboto-Bold.ttf")


def png(svg: str, width: int = 1000) -> bytes:
    """Render an SVG as a PNG that is `width` pixels wide. Raise ValueError if the SVG is invalid.

    The result is the same on every machine, because system fonts are not used: all text is set in
    Roboto, whatever font family the SVG specifies.
    """
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(_fonts() / face) for face in _FACES],
        font_family=_FONT,
        sans_serif_family=_FONT,
    )


def _fonts() -> Path:
    """Return the folder of the fonts that are installed with Kivy, without importing Kivy."""
    kivy = find_spec("kivy")
    assert kivy
    assert kivy.origin
    return Path(kivy.origin).parent / "data" / "fonts"
