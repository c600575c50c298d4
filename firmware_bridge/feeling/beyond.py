"""What squares feel beyond what the pieces do that are seen.

A sensor's rest is known to a count or two, and a piece beside it may stand some millimetres from
the middle: both are as large as what a piece between squares does. Both are the same before it was
lifted and after. So what is felt now is compared with what was felt before, wherever that is
known. Pieces that have come or gone meanwhile count as if they stood in the middle.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Final

from engine.squares import SQUARES, WIDTH, Square
from firmware_bridge.feeling.field_curve import SHARES
from firmware_bridge.image import Image

PITCHES: Final = (40.0, 35.0)
"""The widths of a square on the boards that are built, in millimetres. No board tells its own; the
one is taken that explains best what the pieces do."""
OFF: Final = 0.0008
"""By so much of a piece a sensor may be off that is compared with itself: a quarter of a count."""
NOISE: Final = 0.0035
"""And by so much one reading of it, a count: the more of them, the less is left of it."""
OFF_REST: Final = 0.004
"""By so much one of which nothing is known from before."""
OFF_BESIDE: Final = 0.0015
"""And by so much more for each piece beside it that is only known to be there."""
_BESIDE: Final = 1.5
_FELT_WITHIN: Final = 3
"""So many squares away a piece is felt."""
_ODDEST: Final = 9.0


@dataclass(frozen=True, slots=True)
class Feeling:
    """What all squares have felt on the average, for a while in which the same was seen."""

    image: Image
    shares: Mapping[Square, float]
    """Of a piece, above 0 as of a red one. What cannot be told is left out."""
    rounds: int
    """How often that was felt."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """What one square feels that nothing explains."""

    x: float
    """Of the square's middle, in millimetres from that of a1."""
    y: float
    felt: float
    off: float
    """By so much it may be wrong."""


@lru_cache(maxsize=4096)
def share(tenths_mm: int) -> float:
    """Return how much of a piece is felt so many tenths of a millimetre beside it."""
    whole, part = divmod(tenths_mm, 10)
    if whole >= len(SHARES) - 1:
        return 0.0
    return SHARES[whole] + part / 10 * (SHARES[whole + 1] - SHARES[whole])


def pitch_of(feeling: Feeling) -> float:
    """Return how wide the squares are, as far as the pieces tell."""

    def oddness(pitch: float) -> float:
        rest = beyond(feeling, None, pitch).values()
        return sum(min((each.felt / each.off) ** 2, _ODDEST) for each in rest)

    return min(PITCHES, key=oddness)


def beyond(now: Feeling, before: Feeling | None, pitch: float) -> dict[Square, Beyond]:
    """Return what every empty square feels beyond what the pieces do."""
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
    """Return what the pieces that are seen do to the sensor of another square."""
    return sum(
        (1 if image.red >> piece & 1 else -1) * share(round(10 * pitch * far))
        for far, piece in _around(square, image.red | image.blue)
    )


def _around(square: Square, squares: int) -> Iterator[tuple[float, Square]]:
    """Return those of some squares that are near, each with how far away it is, in squares."""
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
