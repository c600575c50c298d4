"""Residuals: sensor deflections that the detected pieces do not explain.

The rest reading of a sensor is known to within a count or two, and a piece beside it may be some
millimetres off the middle of its square. Both errors are as large as the effect of a piece between
squares, but both are the same before that piece was lifted and after. Therefore current readings
are compared with earlier ones wherever those are known. Pieces that have appeared or disappeared in
between are assumed to be in the middle of their squares.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Final

from engine.board.geometry import SQUARES, WIDTH, Square
from firmware_bridge.feeling.field_curve import SHARES
from firmware_bridge.image import Image

PITCHES: Final = (40.0, 35.0)
"""Widths of a square on the boards that are built, in millimetres. A board does not report its own
width: the one that best explains the effect of the pieces is used."""
OFF: Final = 0.0008
"""Error of a sensor that is compared with its own earlier readings, as a fraction of a piece: a
quarter of a count."""
NOISE: Final = 0.0035
"""Noise of a single reading, a count, as a fraction of a piece. It decreases with the number of
readings."""
OFF_REST: Final = 0.004
"""Error of a sensor without earlier readings, as a fraction of a piece."""
OFF_BESIDE: Final = 0.0015
"""Additional error for each neighbouring piece whose exact position is unknown."""
_BESIDE: Final = 1.5
_FELT_WITHIN: Final = 3
"""Maximum distance at which a piece affects a sensor, in squares."""
_ODDEST: Final = 9.0


@dataclass(frozen=True, slots=True)
class Feeling:
    """Average readings of all squares over a time in which the image did not change."""

    image: Image
    shares: Mapping[Square, float]
    """Deflections as fractions of a piece, positive for a red one. Unreliable readings are
    omitted."""
    rounds: int
    """Number of rounds that were averaged."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """Unexplained deflection of one square."""

    x: float
    """Position of the middle of the square, in millimetres from the middle of a1."""
    y: float
    felt: float
    off: float
    """Standard error of the deflection."""


@lru_cache(maxsize=4096)
def share(tenths_mm: int) -> float:
    """Return the deflection by a piece at a lateral distance, as a fraction of its maximum."""
    whole, part = divmod(tenths_mm, 10)
    if whole >= len(SHARES) - 1:
        return 0.0
    return SHARES[whole] + part / 10 * (SHARES[whole + 1] - SHARES[whole])


def pitch_of(feeling: Feeling) -> float:
    """Return the width of a square that best explains the effect of the pieces, in millimetres."""

    def oddness(pitch: float) -> float:
        rest = beyond(feeling, None, pitch).values()
        return sum(min((each.felt / each.off) ** 2, _ODDEST) for each in rest)

    return min(PITCHES, key=oddness)


def beyond(now: Feeling, before: Feeling | None, pitch: float) -> dict[Square, Beyond]:
    """Return the unexplained deflection of every empty square."""
    found = {}
    for square, felt in now.shares.items():
        if now.image.occupied >> square & 1:
            continue
        more, off = felt - _done(now.image, square, pitch), OFF_REST
        variance, uncertain = 1 / now.rounds, now.image.occupied
        was = _before(before, square)
        if before and was is not None:
            more, off = more - was + _done(before.image, square, pitch), OFF
            variance += 1 / before.rounds
            uncertain = now.image.differing(before.image)
        off = hypot(off, NOISE * variance**0.5)
        off += OFF_BESIDE * sum(far < _BESIDE for far, _ in _around(square, uncertain))
        row, column = divmod(square, WIDTH)
        found[square] = Beyond(pitch * column, pitch * row, more, off)
    return found


def _before(before: Feeling | None, square: Square) -> float | None:
    if before is None or before.image.occupied >> square & 1:
        return None
    return before.shares.get(square)


def _done(image: Image, square: Square, pitch: float) -> float:
    """Return the effect of the detected pieces on the sensor of another square."""
    return sum(
        (1 if image.red >> piece & 1 else -1) * share(round(10 * pitch * far))
        for far, piece in _around(square, image.red | image.blue)
    )


def _around(square: Square, squares: int) -> Iterator[tuple[float, Square]]:
    """Yield those of some squares that are near, each with its distance in squares."""
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
