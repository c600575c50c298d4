"""The tracks and vias of a board: their widths and their data type."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hardware.pcb.footprints import Point

CLEARANCE: Final = 0.2
TRACK: Final = 0.25
THICK: Final = 0.5
VIA: Final = 0.6
DRILL: Final = 0.3
"""All sizes are in millimetres, and large enough for every factory's lowest price class."""
FRONT, BACK = 0, 1
"""The layers."""


@dataclass(frozen=True)
class Track:
    """A straight track; a via if both ends are the same point."""

    net: str
    start: Point
    end: Point
    layer: int
    width: float

    @property
    def is_via(self) -> bool:
        return self.start == self.end

    def covers(self, point: Point) -> bool:
        """Return whether a point is in the copper of a horizontal or vertical track."""
        (left, right), (upper, lower) = map(sorted, zip(self.start, self.end, strict=True))
        half = self.width / 2
        across = left - half <= point[0] <= right + half
        return across and upper - half <= point[1] <= lower + half


def corners(points: Sequence[Point]) -> list[Point]:
    """Return the points of a line, except points in the middle of its straight parts."""
    kept = [points[0]]
    for n, point in enumerate(points[1:], 1):
        if point == kept[-1]:
            continue
        if n + 1 < len(points) and _straight(kept[-1], point, points[n + 1]):
            continue
        kept.append(point)
    return kept


def _straight(start: Point, middle: Point, end: Point) -> bool:
    return start[0] == middle[0] == end[0] or start[1] == middle[1] == end[1]
