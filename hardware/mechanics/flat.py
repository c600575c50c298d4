"""Flat parts, cut by laser or saw: outline, holes, and engraved lines."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import pi
from typing import Final

from hardware.mechanics.solid import Solid, block, cylinder

Place = tuple[float, float]

_CUT: Final = "CUT"
_ENGRAVE: Final = "ENGRAVE"
_QUARTER: Final = 0.41421356237
"""DXF bulge value of a quarter circle: the tangent of 22.5°."""


@dataclass(frozen=True)
class Flat:
    """Square sheet with rounded corners, centred on the origin."""

    side: float
    corner: float
    thickness: float
    holes: tuple[tuple[Place, float], ...]
    """Centre and diameter of each hole."""
    lines: tuple[tuple[Place, Place], ...] = ()
    """Engraved lines."""

    @property
    def area(self) -> float:
        """Area of the sheet without its holes."""
        corners = (4 - pi) * self.corner**2
        return self.side**2 - corners - sum(pi * width**2 / 4 for _, width in self.holes)

    def solid(self) -> Solid:
        """Return the sheet as a solid whose lower face is at z = 0."""
        sheet = block(self.side, self.side, self.thickness).rounded(self.corner)
        return sheet.without(
            cylinder(width / 2, self.thickness + 2, (x, y, -1)) for (x, y), width in self.holes
        )

    def dxf(self) -> str:
        """Return the sheet as a DXF R12 drawing in millimetres, a format that all laser cutters can
        read."""
        return "\n".join(_pairs(self._dxf())) + "\n"

    def _dxf(self) -> Iterator[tuple[int, object]]:
        yield from ((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))
        yield from ((9, "$INSUNITS"), (70, 4), (0, "ENDSEC"))
        yield from ((0, "SECTION"), (2, "ENTITIES"))
        yield from ((0, "POLYLINE"), (8, _CUT), (66, 1), (70, 1))
        for (x, y), bulge in self._outline():
            yield from ((0, "VERTEX"), (8, _CUT), (10, x), (20, y), (42, bulge))
        yield (0, "SEQEND")
        for (x, y), width in self.holes:
            yield from ((0, "CIRCLE"), (8, _CUT), (10, x), (20, y), (40, width / 2))
        for (ax, ay), (bx, by) in self.lines:
            yield from ((0, "LINE"), (8, _ENGRAVE), (10, ax), (20, ay), (11, bx), (21, by))
        yield from ((0, "ENDSEC"), (0, "EOF"))

    def _outline(self) -> Iterator[tuple[Place, float]]:
        out, in_ = self.side / 2, self.side / 2 - self.corner
        for x, y in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
            first, second = (x * in_, y * out), (x * out, y * in_)
            if x * y > 0:
                first, second = second, first
            yield first, _QUARTER
            yield second, 0.0


def _pairs(codes: Iterable[tuple[int, object]]) -> Iterator[str]:
    for code, value in codes:
        yield str(code)
        yield f"{value:.6g}" if isinstance(value, float) else str(value)


PLASTIC: Final = 1.24
"""Density of PLA in grams per cubic centimetre (PETG: 1.27)."""


# Any part, printed or flat.
@dataclass(frozen=True)
class Part:
    """Part, oriented as it is printed or cut."""

    name: str
    what: str
    solid: Solid
    count: int = 1
    flat: Flat | None = None
    """The sheet, if the part is cut from one instead of printed."""
    notes: tuple[str, ...] = field(default=())
    """Notes on key dimensions, printed on the part's drawing."""

    @property
    def grams(self) -> float:
        """Weight of one part if printed solid, with 100 % infill."""
        return self.solid.volume / 1000 * PLASTIC
