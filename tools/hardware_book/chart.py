"""Charts with numbered axes and curves."""

from collections.abc import Iterable

from companion.palette import GUIDE
from hardware.drawing.sheet import INK, QUIET, Part, Point

_FAINT = GUIDE["faint"]


class Chart:
    """A chart on a sheet. Points are given in axis units."""

    def __init__(
        self, sheet: Part, corner: Point, size: Point, across: Point, upwards: Point
    ) -> None:
        """Reserve an area of a sheet.

        Args:
            sheet: The sheet to draw on.
            corner: Upper left corner on the sheet.
            size: Width and height on the sheet.
            across: Range of the horizontal axis, from left to right.
            upwards: Range of the vertical axis, from bottom to top.
        """
        self._sheet, self._corner, self._size = sheet, corner, size
        self._across, self._upwards = across, upwards

    def at(self, point: Point) -> Point:
        """Return the position of a point on the sheet."""
        (left, top), (width, height) = self._corner, self._size
        (first, last), (low, high) = self._across, self._upwards
        return (
            left + width * (point[0] - first) / (last - first),
            top + height * (high - point[1]) / (high - low),
        )

    def grid(
        self, across: Iterable[float], upwards: Iterable[float], names: tuple[str, str]
    ) -> None:
        """Draw the axes with these numbers and labels."""
        (first, last), (low, high) = self._across, self._upwards
        for x in across:
            foot = self.at((x, low))
            self._sheet.line(foot, self.at((x, high)), stroke=_FAINT, width=1)
            self._sheet.write((foot[0], foot[1] + 22), f"{x:g}", anchor="middle", fill=QUIET)
        for y in upwards:
            start = self.at((first, y))
            self._sheet.line(start, self.at((last, y)), stroke=_FAINT, width=1)
            number = f"{y:g}".replace("-", "−")
            self._sheet.write((start[0] - 8, start[1] + 5), number, anchor="end", fill=QUIET)
        self._sheet.line(self.at((first, high)), self.at((first, low)), self.at((last, low)))
        (left, top), (width, height) = self._corner, self._size
        self._sheet.write((left, top - 14), names[1], fill=QUIET)
        self._sheet.write((left + width, top + height + 46), names[0], anchor="end", fill=QUIET)

    def curve(
        self, points: Iterable[Point], *, stroke: str = INK, width: float = 3, dash: str = ""
    ) -> None:
        self._sheet.line(*map(self.at, points), stroke=stroke, width=width, dash=dash)

    def bar(self, x: float, wide: float, high: float, fill: str) -> Point:
        """Draw a bar from the base of the chart, and return the centre of its upper edge."""
        left, top = self.at((x - wide / 2, high))
        right, foot = self.at((x + wide / 2, self._upwards[0]))
        self._sheet.box((left, top), (right - left, foot - top), fill=fill, stroke=fill, width=0)
        return (left + right) / 2, top
