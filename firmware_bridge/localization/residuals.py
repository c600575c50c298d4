"""Residuals: sensor deflections that the detected pieces do not explain.

The resting level of a sensor is known to within a count or two, and a piece beside it may be some
millimetres off the middle of its square. Both errors are as large as the effect of a piece between
squares, but neither changes when that piece is lifted. Therefore current readings are compared with
earlier ones wherever those are known. Pieces that have appeared or disappeared in between are
assumed to be in the middle of their squares.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Final

from engine.board.geometry import SQUARES, WIDTH, Square
from firmware_bridge.image import Image

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
"""Share of the field at the sensor right below the piece, one value per millimetre. Further away
the field has the opposite sign."""
# ---- end ----

PITCHES: Final = (40.0, 35.0)
"""Square widths of all board designs, in millimetres. A board does not report its own width: the
one that best explains the effect of the pieces is used."""
OFF: Final = 0.0008
"""Error of a sensor with earlier readings for comparison, as a fraction of a piece: a quarter of a
count."""
NOISE: Final = 0.0035
"""Noise of a single reading (one count), as a fraction of a piece. The noise decreases with the
number of readings."""
OFF_REST: Final = 0.004
"""Error of a sensor without earlier readings, as a fraction of a piece."""
OFF_BESIDE: Final = 0.0015
"""Additional error for each neighbouring piece whose exact position is unknown."""
_BESIDE: Final = 1.5
_FELT_WITHIN: Final = 3
"""Maximum distance at which a piece affects a sensor, in squares."""
_MAX_MISFIT: Final = 9.0


@dataclass(frozen=True, slots=True)
class AveragedReadings:
    """Average readings of all squares over a period in which the image did not change."""

    image: Image
    shares: Mapping[Square, float]
    """Deflections as fractions of a piece, positive for a red one. Unreliable readings are
    omitted."""
    rounds: int
    """Number of rounds that were averaged."""


@dataclass(frozen=True, slots=True)
class Residual:
    """Unexplained deflection of one square."""

    x: float
    """Position of the middle of the square, in millimetres from the middle of a1."""
    y: float
    felt: float
    off: float
    """Standard error of the deflection."""


@lru_cache(maxsize=4096)
def field_fraction(tenths_mm: int) -> float:
    """Return the deflection by a piece at a lateral distance, as a fraction of its maximum."""
    whole, part = divmod(tenths_mm, 10)
    if whole >= len(SHARES) - 1:
        return 0.0
    return SHARES[whole] + part / 10 * (SHARES[whole + 1] - SHARES[whole])


def square_pitch(feeling: AveragedReadings) -> float:
    """Return the width of a square that best explains the effect of the pieces, in millimetres."""

    def misfit(pitch: float) -> float:
        rest = residuals(feeling, None, pitch).values()
        return sum(min((each.felt / each.off) ** 2, _MAX_MISFIT) for each in rest)

    return min(PITCHES, key=misfit)


def residuals(
    now: AveragedReadings, before: AveragedReadings | None, pitch: float
) -> dict[Square, Residual]:
    """Return the unexplained deflection of every empty square."""
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
    """Return the effect of the detected pieces on the sensor of another square."""
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
