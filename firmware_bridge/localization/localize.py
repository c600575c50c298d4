"""Localization of one piece that no square detects, from the deflections of the sensors around it.

A piece of a side is assumed to be somewhere. The field curve then gives the deflection that each
empty square should have. The result is the position with the highest likelihood, with each sensor
weighted by its error. None is returned unless

- a piece there explains the readings far better than no piece (`CLEARLY`),
- it explains them about as well as the sensors permit (`WELL`),
- and no position elsewhere explains them nearly as well (`NEARLY`).

Hence two pieces side by side are not found. From 15 to 25 mm beside a sensor the field hardly
changes: there the position is known to within a few millimetres only, and `PieceLocation.within`
shows that.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import hypot, log
from typing import Final

from engine.board.geometry import WIDTH, Side, Square
from firmware_bridge.localization.residuals import Residual, field_fraction

CLEARLY: Final = 80.0
WELL: Final = 3.0
NEARLY: Final = 9.0
"""Likelihood-ratio statistic (2·Δ log L); noise alone contributes about 1 for each sensor."""
APART_MM: Final = 16.0
"""Distance from which two positions count as different ones."""
OFF_SHARE: Final = 0.10
"""Relative error of the effect of a piece: magnets differ in strength, tilt and depth."""
_FELT_WITHIN: Final = 2
"""Number of squares around a position that are taken into account, in each direction."""
_STEPS_MM: Final = (2.0, 1.0, 0.5)
_GRID_MM: Final = 5.0
_REACH: Final = 4
"""Distance of the start points from the sensors with the largest deflections, in steps of the
grid."""
_MOST_FELT: Final = 4
"""Number of sensors with the largest deflections, and of start points for the search."""
_LEAST: Final = 3.0
"""Minimum deflection that some sensor shows for a piece at any position, in multiples of its
error."""
_BEYOND: Final = 0.45
"""Distance by which a piece may be beyond the middle of the outer squares, in squares."""
_HARDLY_WORSE: Final = 9.0
_EQUAL: Final = 1e-6
_DIRECTIONS: Final = tuple(
    (right / hypot(right, up), up / hypot(right, up))
    for right in (-1, 0, 1)
    for up in (-1, 0, 1)
    if right or up
)


@dataclass(frozen=True, slots=True)
class PieceLocation:
    """Estimated position of a piece with its uncertainty, in squares from the middle of a1."""

    column: float
    """Column: 0 is the middle of column a, 9 is the middle of column k."""
    row: float
    """Row: 0 is the middle of row 1, 9 is the middle of row 10."""
    within: float
    """Uncertainty: the piece may be up to this distance away."""


def locate(around: Mapping[Square, Residual], side: Side, pitch: float) -> PieceLocation | None:
    """Locate a side's piece that no square detects; None if no position fits."""
    if not any(abs(each.felt) > _LEAST * each.off for each in around.values()):
        return None
    return _Solver(around, 1 if side is Side.RED else -1, pitch).place()


class _Solver:
    """Search for the most likely place of one piece."""

    def __init__(self, beyond: Mapping[Square, Residual], sign: int, pitch: float) -> None:
        self._beyond = beyond
        self._sign = sign
        self._pitch = pitch
        self._around: dict[tuple[int, int], list[Residual]] = {}

    def place(self) -> PieceLocation | None:
        """Return the place, or None if no position fits."""
        found = sorted((self._hill_climb(*start) for start in self._starts()), reverse=True)
        if not found:
            return None
        gain, x, y = found[0]
        if gain < CLEARLY or self._misfit(x, y) > WELL:
            return None
        if any(hypot(x - u, y - v) > APART_MM and more > gain - NEARLY for more, u, v in found):
            return None
        within = self._within(gain, x, y)
        if within > APART_MM:
            return None
        return PieceLocation(x / self._pitch, y / self._pitch, within / self._pitch)

    def _starts(self) -> Iterator[tuple[float, float]]:
        """Yield the best grid points around the largest deflections, at least `APART_MM` apart."""
        most = sorted(self._beyond.values(), key=lambda each: -abs(each.felt) / each.off)
        steps = range(-_REACH, _REACH + 1)
        grid = {
            (round(each.x / _GRID_MM) + right, round(each.y / _GRID_MM) + up)
            for each in most[:_MOST_FELT]
            for right in steps
            for up in steps
        }
        places = [(_GRID_MM * u, _GRID_MM * v) for u, v in grid]
        taken: list[tuple[float, float]] = []
        for gain, x, y in sorted(((self._gain(*each), *each) for each in places), reverse=True):
            if gain <= 0 or len(taken) == _MOST_FELT:
                return
            if all(hypot(x - u, y - v) > APART_MM for u, v in taken):
                taken.append((x, y))
                yield x, y

    def _hill_climb(self, x: float, y: float) -> tuple[float, float, float]:
        """Improve a position by hill climbing until no neighbouring point is better."""
        best = self._gain(x, y), x, y
        for step in _STEPS_MM:
            while True:
                _, x, y = best
                beside = [(x + step * right, y + step * up) for right, up in _DIRECTIONS]
                tried = max((self._gain(*each), *each) for each in beside)
                if tried[0] <= best[0] + _EQUAL:
                    break
                best = tried
        return best

    def _near(self, x: float, y: float) -> list[Residual]:
        middle = round(x / self._pitch), round(y / self._pitch)
        if middle not in self._around:
            steps = range(-_FELT_WITHIN, _FELT_WITHIN + 1)
            near = [(middle[0] + right, middle[1] + up) for up in steps for right in steps]
            squares = [WIDTH * v + u for u, v in near if 0 <= u < WIDTH and 0 <= v < WIDTH]
            self._around[middle] = [self._beyond[n] for n in squares if n in self._beyond]
        return self._around[middle]

    def _weighted(self, x: float, y: float) -> Iterator[tuple[Residual, float, float]]:
        """Yield each sensor near a position, its expected additional deflection, the variance."""
        for each in self._near(x, y):
            should = self._sign * field_fraction(round(10 * hypot(each.x - x, each.y - y)))
            yield each, should, each.off**2 + (OFF_SHARE * should) ** 2

    def _gain(self, x: float, y: float) -> float:
        """Return the likelihood gain of a piece at a position over no piece."""
        low, high = -_BEYOND * self._pitch, (WIDTH - 1 + _BEYOND) * self._pitch
        if not (low <= x <= high and low <= y <= high):
            return -1.0
        gain = 0.0
        for each, should, variance in self._weighted(x, y):
            none = each.off**2
            gain += each.felt**2 / none - (each.felt - should) ** 2 / variance
            gain -= log(variance / none)
        return gain

    def _misfit(self, x: float, y: float) -> float:
        """Return the mean squared error of the sensors, in units of their variance."""
        terms = [(each.felt - should) ** 2 / off for each, should, off in self._weighted(x, y)]
        return sum(terms) / len(terms)

    def _within(self, gain: float, x: float, y: float) -> float:
        """Return the distance to the farthest position that is hardly less likely."""
        far = 0.0
        for right, up in _DIRECTIONS:
            step = 0.5
            while step <= APART_MM:
                if self._gain(x + step * right, y + step * up) < gain - _HARDLY_WORSE:
                    break
                step += 0.5
            far = max(far, step)
        return far
