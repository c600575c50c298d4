"""Lateral forces between magnets on the same board.

Each face of a magnet is a sheet of poles of one sign. The field of the other magnet acts on both
faces, and the force is the sum. A few points per face are enough, because the field changes little
over a face.

Forces are in millinewtons, lengths in millimetres.
"""

from functools import cache
from math import cos, hypot, pi, sin, sqrt
from typing import Final

from hardware.magnetics.disc import Disc

PIECE_GRAMS: Final = 6.0
FRICTION: Final = 0.2
"""Friction coefficient of felt or plastic on a varnished top: 0.2 to 0.3; the worst case is
used."""
HOLDS: Final = PIECE_GRAMS * 9.81 * FRICTION
"""Friction of a piece, in millinewtons: a smaller force does not move the piece."""
_PERMEABILITY: Final = 400 * pi
"""Vacuum permeability, scaled so that millitesla and millimetres give millinewtons."""
_GAUSS: Final = ((0.5 - sqrt(0.15), 5 / 18), (0.5, 8 / 18), (0.5 + sqrt(0.15), 5 / 18))
_AROUND: Final = 8


@cache
def push(disc: Disc, apart: float) -> float:
    """Return the force between two equal magnets with the same pole up.

    They repel each other; with opposite poles up they attract with the same force.
    """
    radius = disc.width / 2
    total = 0.0
    for share, weight in _GAUSS:
        for n in range(_AROUND):
            angle = 2 * pi * (n + 0.5) / _AROUND
            x = apart + radius * sqrt(share) * cos(angle)
            y = radius * sqrt(share) * sin(angle)
            aside = hypot(x, y)
            upper = -disc.field(aside, 0.0)[0]
            lower = disc.field(aside, 0.0)[0]
            total += weight / _AROUND * (upper - lower) * x / aside
    return disc.remanence * pi * radius**2 * total / _PERMEABILITY


def push_of_army(disc: Disc, pitch: float) -> float:
    """Return the force of a whole army, four rows of ten, on its own corner piece."""
    x = y = 0.0
    for row in range(4):
        for column in range(10):
            if row or column:
                apart = pitch * hypot(row, column)
                force = push(disc, apart)
                x += force * pitch * column / apart
                y += force * pitch * row / apart
    return hypot(x, y)


def snaps_from(disc: Disc, holds: float = HOLDS) -> float:
    """Return the distance below which pieces of opposite colours start to slide together."""
    near, far = disc.width, 100.0
    while far - near > 0.01:
        apart = (near + far) / 2
        near, far = (apart, far) if push(disc, apart) > holds else (near, apart)
    return far
