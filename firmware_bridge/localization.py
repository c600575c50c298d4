"""Locates a piece that no square detects, using the deflections of nearby sensors.

Residuals are the sensor deflections that the detected pieces do not explain. The resting level of a
sensor is known only to within a count or two, and a neighbouring piece may be a few millimetres
away from the centre of its square. These errors are as large as the effect of a piece between
squares, but they stay the same when such a piece is lifted. Current readings are therefore compared
with earlier ones where possible. Pieces that have appeared or disappeared since the earlier
readings are assumed to be at the centres of their squares.

While no piece is missing, readings are stored as a reference. While a piece is missing, readings
that have been steady for a while are compared with the reference. Readings are not steady while a
hand is moving, so no piece is located during that time. The result is never certain enough for a
ruling, so it is used only to inform the players.

For each possible position of the piece, the field curve gives the expected deflection of each empty
square. The result is the position with the highest likelihood, with each sensor weighted by its
error. The result is None unless

- a piece at that position explains the readings far better than no piece (`CLEARLY`),
- it explains them about as well as the sensors permit (`WELL`), and
- no position elsewhere explains them nearly as well (`NEARLY`).

Two missing pieces side by side are therefore not found. At 15 to 25 mm from a sensor, the field
hardly changes with distance, so a position in that range is known only to within a few millimetres.
`PieceLocation.within` gives this uncertainty.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import hypot, log
from statistics import fmean
from typing import Final, TypeAlias

from engine.board.geometry import SQUARES, WIDTH, Side, Square, squares_in
from firmware_bridge.image import Image, PieceLocation
from firmware_bridge.wire import FELT_BANDS, FELT_PIECE, FELT_SQUARES, NOT_FELT, FieldReadings

# ---- drawn: field ----
# Calculated, not measured: made from hardware/magnetics/found_file.py by "make magnetics".
SHARES: Final[tuple[float, ...]] = (
     1.00000,  0.97992,  0.92220,  0.83388,  0.72514,  0.60726,  0.49058,  0.38303,
     0.28940,  0.21162,  0.14941,  0.10117,  0.06473,  0.03779,  0.01827,  0.00440,
    -0.00525, -0.01177, -0.01603, -0.01864, -0.02009, -0.02072, -0.02078, -0.02045,
    -0.01986, -0.01913, -0.01828, -0.01738, -0.01646, -0.01556, -0.01467, -0.01382,
    -0.01301, -0.01224, -0.01152, -0.01083, -0.01019, -0.00959, -0.00903, -0.00851,
    -0.00802, -0.00756, -0.00714, -0.00674, -0.00637, -0.00602, -0.00570, -0.00540,
    -0.00511, -0.00485, -0.00460, -0.00437, -0.00415, -0.00395, -0.00376, -0.00358,
    -0.00341, -0.00325, -0.00310, -0.00296, -0.00283, -0.00271, -0.00259, -0.00248,
    -0.00237, -0.00227, -0.00218, -0.00209, -0.00200, -0.00192, -0.00185, -0.00178,
    -0.00171, -0.00164, -0.00158, -0.00152, -0.00147, -0.00141, -0.00136, -0.00131,
    -0.00127, -0.00122, -0.00118, -0.00114, -0.00110, -0.00107, -0.00103, -0.00100,
    -0.00096, -0.00093, -0.00090, -0.00088, -0.00085, -0.00082, -0.00080, -0.00077,
    -0.00075, -0.00073, -0.00071, -0.00069, -0.00067, -0.00065, -0.00063, -0.00061,
    -0.00060, -0.00058, -0.00056, -0.00055, -0.00053, -0.00052, -0.00051, -0.00049,
    -0.00048, -0.00047, -0.00046, -0.00044, -0.00043, -0.00042, -0.00041, -0.00040,
    -0.00039, -0.00038, -0.00037, -0.00036, -0.00036, -0.00035, -0.00034, -0.00033,
    -0.00032, -0.00032, -0.00031,
)  # fmt: skip
"""Field at lateral distances of 0, 1, 2, … mm, relative to the field directly below the piece. At
larger distances, the field has the opposite sign."""
# ---- end ----

PITCHES: Final = (40.0, 35.0)
"""Square widths of all board designs, in millimetres. A board does not report its square width. The
width that best explains how the pieces affect each other's sensors is chosen."""
OFF: Final = 0.0008
"""Error of a sensor whose earlier readings are known, as a fraction of a piece's field. It equals a
quarter of a count."""
NOISE: Final = 0.0035
"""Noise of a single reading (one count), as a fraction of a piece's field. Averaging several
readings reduces the noise."""
OFF_REST: Final = 0.004
"""Error of a sensor whose earlier readings are not known, as a fraction of a piece's field."""
OFF_BESIDE: Final = 0.0015
"""Additional error of a sensor for each neighbouring piece, because the exact position of that
piece is unknown."""
_BESIDE: Final = 1.5
_FELT_WITHIN: Final = 3
"""Maximum distance, in squares, at which a piece affects a sensor."""
_MAX_MISFIT: Final = 9.0


@dataclass(frozen=True, slots=True)
class AveragedReadings:
    """Average readings of all squares over a period during which the image did not change."""

    image: Image
    shares: Mapping[Square, float]
    """Deflections as fractions of a piece's field, positive for red pieces. Unreliable readings are
    omitted."""
    rounds: int


@dataclass(frozen=True, slots=True)
class Residual:
    """Deflection of one square's sensor that the known pieces do not explain."""

    x: float
    """Position of the square's centre, in millimetres from the centre of a1."""
    y: float
    felt: float
    off: float
    """Standard error of the deflection."""


@lru_cache(maxsize=4096)
def field_fraction(tenths_mm: int) -> float:
    """Return the field of a piece at a lateral distance, as a fraction of the maximum."""
    whole, part = divmod(tenths_mm, 10)
    if whole >= len(SHARES) - 1:
        return 0.0
    return SHARES[whole] + part / 10 * (SHARES[whole + 1] - SHARES[whole])


def square_pitch(feeling: AveragedReadings) -> float:
    """Return the square width, in millimetres, that best explains the effect of the pieces."""

    def misfit(pitch: float) -> float:
        rest = residuals(feeling, None, pitch).values()
        return sum(min((each.felt / each.off) ** 2, _MAX_MISFIT) for each in rest)

    return min(PITCHES, key=misfit)


def residuals(
    now: AveragedReadings, before: AveragedReadings | None, pitch: float
) -> dict[Square, Residual]:
    """Return the unexplained deflection of the sensor on every empty square.

    Deflections that the known pieces cause have been subtracted.
    """
    found = {}
    for square, felt in now.shares.items():
        if now.image.occupied >> square & 1:
            continue
        more, off = felt - _expected_effect(now.image, square, pitch), OFF_REST
        variance, uncertain = 1 / now.rounds, now.image.occupied
        was = _before(before, square)
        if before and was is not None:
            more, off = more - was + _expected_effect(before.image, square, pitch), OFF
            variance += 1 / before.rounds
            uncertain = now.image.differing(before.image)
        off = hypot(off, NOISE * variance**0.5)
        off += OFF_BESIDE * sum(far < _BESIDE for far, _ in _around(square, uncertain))
        row, column = divmod(square, WIDTH)
        found[square] = Residual(pitch * column, pitch * row, more, off)
    return found


def _before(before: AveragedReadings | None, square: Square) -> float | None:
    if before is None or before.image.occupied >> square & 1:
        return None
    return before.shares.get(square)


def _expected_effect(image: Image, square: Square, pitch: float) -> float:
    """Return the combined effect that the pieces on other squares have on a square's sensor."""
    return sum(
        (1 if image.red >> piece & 1 else -1) * field_fraction(round(10 * pitch * far))
        for far, piece in _around(square, image.red | image.blue)
    )


def _around(square: Square, squares: int) -> Iterator[tuple[float, Square]]:
    """Yield the members of `squares` near `square`, each with its distance in squares."""
    return ((far, other) for far, other in _NEAR[square] if squares >> other & 1)


def _near(square: Square) -> tuple[tuple[float, Square], ...]:
    row, column = divmod(square, WIDTH)
    steps = ((other, other // WIDTH - row, other % WIDTH - column) for other in SQUARES)
    return tuple(
        (hypot(up, right), other)
        for other, up, right in steps
        if other != square and max(abs(up), abs(right)) <= _FELT_WITHIN
    )


_NEAR: Final = tuple(map(_near, SQUARES))


CLEARLY: Final = 80.0
WELL: Final = 3.0
NEARLY: Final = 9.0
"""Thresholds. `CLEARLY` and `NEARLY` apply to the likelihood-ratio statistic (2·Δ log L). Noise
alone contributes about 1 per sensor to it. `WELL` applies to the mean squared error, in units of
variance."""
APART_MM: Final = 16.0
"""Distance, in millimetres, above which two positions count as different."""
OFF_SHARE: Final = 0.10
"""Relative error of a piece's expected effect on a sensor, because magnets differ in strength, tilt
and depth."""
_SEARCHED_WITHIN: Final = 2
"""Number of squares to consider in each direction around a position."""
_STEPS_MM: Final = (2.0, 1.0, 0.5)
_GRID_MM: Final = 5.0
_REACH: Final = 4
"""Maximum distance, in grid steps, between start points and the most deflected sensors."""
_MOST_FELT: Final = 4
"""The search starts near this many of the most deflected sensors. The value is also the maximum
number of start points."""
_LEAST: Final = 3.0
"""A search starts only if the most deflected sensor reaches this deflection, in multiples of the
sensor's error.
"""
_BEYOND: Final = 0.45
"""Maximum distance of a piece beyond the centres of the outermost squares, in squares."""
_HARDLY_WORSE: Final = 9.0
_EQUAL: Final = 1e-6
_DIRECTIONS: Final = tuple(
    (right / hypot(right, up), up / hypot(right, up))
    for right in (-1, 0, 1)
    for up in (-1, 0, 1)
    if right or up
)


def locate(around: Mapping[Square, Residual], side: Side, pitch: float) -> PieceLocation | None:
    """Locate a side's piece that no sensor detects. Returns None if no position fits."""
    if not any(abs(each.felt) > _LEAST * each.off for each in around.values()):
        return None
    return _Solver(around, 1 if side is Side.RED else -1, pitch).place()


class _Solver:
    """Searches for the most likely position of one piece."""

    def __init__(self, beyond: Mapping[Square, Residual], sign: int, pitch: float) -> None:
        self._beyond = beyond
        self._sign = sign
        self._pitch = pitch
        self._around: dict[tuple[int, int], list[Residual]] = {}

    def place(self) -> PieceLocation | None:
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
        """Yield the best-fitting grid points near the most deflected sensors.

        The points are at least `APART_MM` apart.
        """
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
            steps = range(-_SEARCHED_WITHIN, _SEARCHED_WITHIN + 1)
            near = [(middle[0] + right, middle[1] + up) for up in steps for right in steps]
            squares = [WIDTH * v + u for u, v in near if 0 <= u < WIDTH and 0 <= v < WIDTH]
            self._around[middle] = [self._beyond[n] for n in squares if n in self._beyond]
        return self._around[middle]

    def _weighted(self, x: float, y: float) -> Iterator[tuple[Residual, float, float]]:
        """Yield the sensors near a position, each with its expected deflection and variance."""
        for each in self._near(x, y):
            should = self._sign * field_fraction(round(10 * hypot(each.x - x, each.y - y)))
            yield each, should, each.off**2 + (OFF_SHARE * should) ** 2

    def _gain(self, x: float, y: float) -> float:
        """Compare a piece at this position with no piece. Return the gain, 2·Δ log L."""
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
        """Return the distance to the farthest position that is nearly as likely as this one."""
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
"""Number of steady rounds of readings required before a position is reported."""
KNOWN_ROUNDS: Final = 2
"""Number of rounds of readings required for the reference. They are taken while no piece is
missing."""
STEADY_CHANGE: Final = 0.03
"""Maximum spread of a reading over steady rounds, including noise, as a fraction of a piece's
field."""
RECOMPUTE_ROUNDS: Final = 6
"""Number of further rounds before the position is recomputed. The computation is slow, so it is not
repeated in every round."""
SAME_PLACE: Final = 0.12
"""A position counts as unchanged if it is at most this far from the last reported one, in squares.
"""
MIN_DISTANCE: Final = 0.4
"""Minimum distance, in squares, between a position and a detected piece."""
Places: TypeAlias = dict[Side, PieceLocation]
_Round: TypeAlias = dict[Square, float]


class PieceLocator:
    """Collects a board's field readings, and locates a piece that no square detects."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Discard all readings, because the board has been replaced or restarted."""
        self.places: Places = {}
        """Last reported position of a piece that no square detects, for each side."""
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
        """Add readings taken while the board showed `image`.

        Returns whether the reported positions have changed.
        """
        if image != self._image:
            self._image = image
            self._rounds.clear()
            self._next_band = FELT_BANDS  # a round that began before the image changed is discarded
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
    """Return the squares contained in every round."""
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
