"""Localization of one piece that no square detects, from the deflections of the sensors around it.

While no piece is missing, readings are kept as a reference. While one is missing, readings that
have been steady for a while are compared with the reference. A moving hand makes every round
different, so nothing is found while a hand moves.

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

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from math import hypot, log
from statistics import fmean
from typing import Final, TypeAlias

from engine.board.geometry import WIDTH, Side, Square, squares_in
from firmware_bridge.image import Image, PieceLocation
from firmware_bridge.localization.residuals import (
    AveragedReadings,
    Residual,
    field_fraction,
    residuals,
    square_pitch,
)
from firmware_bridge.wire import FELT_BANDS, FELT_PIECE, FELT_SQUARES, NOT_FELT, FieldReadings

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


ROUNDS: Final = 12
"""Number of steady rounds that are required before a place is reported."""
KNOWN_ROUNDS: Final = 2
"""Number of steady rounds that are sufficient for the reference while no piece is missing."""
STEADY_CHANGE: Final = 0.03
"""Maximum change of a reading between two steady rounds, noise included, as a fraction of a
piece."""
RECOMPUTE_ROUNDS: Final = 6
"""Number of further rounds after which the place is computed again. The computation is slow."""
SAME_PLACE: Final = 0.12
"""Distance up to which a place counts as the previously reported one, in squares."""
MIN_DISTANCE: Final = 0.4
"""Minimum distance between a place and a detected piece, in squares."""
Places: TypeAlias = dict[Side, PieceLocation]
_Round: TypeAlias = dict[Square, float]


class FieldSampler:
    """Field readings of one board."""

    def __init__(self) -> None:
        """Begin without any reading."""
        self.reset()

    def reset(self) -> None:
        """Discard all readings: the board was replaced or restarted."""
        self.places: Places = {}
        """By side, the last reported place of a piece that no square detects."""
        self._seeks = False
        self._image = Image()
        self._round: _Round = {}
        self._next_band = 0
        self._rounds: deque[_Round] = deque(maxlen=ROUNDS)
        self._before: AveragedReadings | None = None
        self._pitch: float | None = None
        self._fresh = 0
        """Number of rounds since the last computation."""

    def set_searching(self, *, seeks: bool) -> None:
        """Start or stop searching for a piece that no square detects."""
        if seeks == self._seeks:
            return
        self._seeks = seeks
        self._rounds.clear()
        self.places = {}

    def add(self, readings: FieldReadings, image: Image) -> bool:
        """Add readings taken with an image; return whether the reported places changed."""
        if image != self._image:
            self._image = image
            self._rounds.clear()
            self._next_band = FELT_BANDS  # discards a round that began earlier
        if readings.band == 0:
            self._round, self._next_band = {}, 0
        if readings.band != self._next_band:
            return False
        first = FELT_SQUARES * readings.band
        for square, share in enumerate(readings.shares, first):
            if share != NOT_FELT:
                self._round[square] = share / FELT_PIECE
        self._next_band += 1
        return self._next_band == FELT_BANDS and self._take_round()

    def _take_round(self) -> bool:
        self._rounds.append(self._round)
        self._fresh += 1
        if not self._seeks:
            if len(self._rounds) >= KNOWN_ROUNDS:
                self._before, self._pitch = self._average, None
            return False
        if len(self._rounds) < ROUNDS or not _is_steady(self._rounds, self._image):
            return False
        if self._fresh < RECOMPUTE_ROUNDS:
            return False
        self._fresh = 0
        found = self._find(self._average)
        if _are_same(found, self.places):
            return False
        self.places = found
        return True

    @property
    def _average(self) -> AveragedReadings:
        return AveragedReadings(self._image, _mean(self._rounds), len(self._rounds))

    def _find(self, now: AveragedReadings) -> Places:
        if self._pitch is None:
            self._pitch = square_pitch(self._before or now)
        around = residuals(now, self._before, self._pitch)
        found = ((side, locate(around, side, self._pitch)) for side in Side)
        return {side: each for side, each in found if each and _has_room(each, self._image)}


def _shared(rounds: Iterable[_Round]) -> list[Square]:
    """Return the squares that are contained in every round."""
    return sorted(set.intersection(*(set(each) for each in rounds)))


def _mean(rounds: Iterable[_Round]) -> dict[Square, float]:
    every = list(rounds)
    return {square: fmean(each[square] for each in every) for square in _shared(every)}


def _is_steady(rounds: Iterable[_Round], image: Image) -> bool:
    every = list(rounds)
    return all(
        max(each[square] for each in every) - min(each[square] for each in every) <= STEADY_CHANGE
        for square in _shared(every)
        if not image.occupied >> square & 1
    )


def _are_same(some: Places, others: Places) -> bool:
    return some.keys() == others.keys() and all(
        hypot(one.column - others[side].column, one.row - others[side].row) <= SAME_PLACE
        for side, one in some.items()
    )


def _has_room(place: PieceLocation, image: Image) -> bool:
    return all(
        hypot(place.column - square % WIDTH, place.row - square // WIDTH) >= MIN_DISTANCE
        for square in squares_in(image.occupied)
    )
