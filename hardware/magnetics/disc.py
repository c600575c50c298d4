"""Field of an axially magnetised disc magnet at any point outside it.

Such a disc is equivalent to a thin coil of the same size, for whose field there is an exact
formula: Derby and Olbert, "Cylindrical magnets and ideal solenoids", Am. J. Phys. 78, 229 (2010).
It needs only one special function, Bulirsch's generalised complete elliptic integral.

The lateral force between two magnets on the same board follows from the field. Each face of a
magnet is equivalent to a sheet of magnetic charge of one sign. The force is the sum of the forces
that the other magnet's field exerts on the two faces. A few points per face are enough, because the
field varies little across a face.

Lengths are in millimetres, fields in millitesla, forces in millinewtons.
"""

from dataclasses import dataclass
from functools import cache
from math import cos, hypot, pi, radians, sin, sqrt
from typing import Final

REMANENCE: Final = 1300.0
"""Remanence of N42, a common grade, in millitesla."""
_EXACT: Final = 1e-7
_RIM: Final = 1e-9
"""Relative offset from the rim, used instead of 0 for points directly below the rim. At an offset
of 0, two discontinuities cancel each other in theory, but not numerically."""


def elliptic(kc: float, p: float, c: float, s: float) -> float:
    """Return Bulirsch's integral as defined by Derby and Olbert.

    This is the integral over φ from 0 to π/2 of (c cos²φ + s sin²φ) / ((cos²φ + p sin²φ) √(cos²φ +
    kc² sin²φ)), where kc and p are positive.
    """
    k, root = kc, sqrt(p)
    cosines, sines = c, s / root
    cosines, sines = cosines + sines / root, 2 * (sines + cosines * k / root)
    root += k / root
    mean, sum_, product = 1.0, 1.0 + k, k
    while abs(mean - k) > mean * _EXACT:
        k = 2 * sqrt(product)
        product = k * sum_
        share = product / root
        cosines, sines = cosines + sines / root, 2 * (sines + cosines * share)
        root += share
        mean, sum_ = sum_, sum_ + k
    return pi / 2 * (sines + cosines * sum_) / (sum_ * (sum_ + root))


@dataclass(frozen=True, slots=True)
class Disc:
    """Disc magnet with its nominal dimensions."""

    width: float
    height: float
    remanence: float = REMANENCE

    def field(self, aside: float, below: float) -> tuple[float, float]:
        """Return the radial and axial components of the field at a point.

        Args:
            aside: Distance from the axis.
            below: Distance below the lower face. It is negative for points above that face; above
                the whole disc, it is less than minus the height of the disc.
        """
        radius = self.width / 2
        near, far = below, below + self.height
        gamma = (radius - aside) / (radius + aside) or _RIM
        outwards = along = 0.0
        for z, sign in ((far, 1), (near, -1)):
            reach = hypot(z, radius + aside)
            k = hypot(z, radius - aside) / reach
            outwards += sign * radius / reach * elliptic(k, 1, 1, -1)
            along += sign * z / reach * elliptic(k, gamma**2, 1, gamma)
        # Below the disc the radial direction of the field is reversed.
        return (
            -self.remanence / pi * outwards,
            self.remanence / pi * radius / (radius + aside) * along,
        )

    def on_axis(self, below: float) -> float:
        """Return the field on the axis below the disc, by the formula in this folder's README."""
        radius = self.width / 2
        far = below + self.height
        return self.remanence / 2 * (far / hypot(far, radius) - below / hypot(below, radius))

    def felt(self, x: float, y: float, below: float, tilt: tuple[float, float] = (0, 0)) -> float:
        """Return the vertical component of the field at an upward-facing sensor.

        Args:
            x: Distance from the sensor to the centre of the lower face, to the right.
            y: Distance from the sensor to the same point, towards the far side.
            below: Depth of the sensor below the lower face.
            tilt: Tilt of the magnet's upper end to the right and to the far side, in degrees.
        """
        if tilt == (0, 0):
            return self.field(hypot(x, y), below)[1]
        right, away = sin(radians(tilt[0])), sin(radians(tilt[1]))
        up = sqrt(1 - right**2 - away**2)
        along = -(x * right + y * away + below * up)
        across = (-x - along * right, -y - along * away, -below - along * up)
        aside = sqrt(sum(each**2 for each in across))
        outwards, axial = self.field(aside, -along)
        return axial * up + (outwards * across[2] / aside if aside else 0)

    @property
    def flux_index(self) -> float:
        """Flux index, a measure of how strongly two magnets pinch, in kG²mm² (EN 71-1).

        This value uses the field at the centre of the face, whereas the standard uses the highest
        value measured 0.05 mm above the face.
        """
        return (self.on_axis(0) / 100) ** 2 * pi * (self.width / 2) ** 2

    def __str__(self) -> str:
        return f"{self.width:g} × {self.height:g} mm"


PIECE_GRAMS: Final = 6.0
FRICTION: Final = 0.2
"""Friction coefficient of felt or plastic on a varnished surface. Typical values are 0.2 to 0.3;
this value is the worst case."""
HOLDS: Final = PIECE_GRAMS * 9.81 * FRICTION
"""Static friction of a piece, in millinewtons. A smaller force does not move the piece."""
_PERMEABILITY: Final = 400 * pi
"""Vacuum permeability, scaled so that millitesla and millimetres give millinewtons."""
_GAUSS: Final = ((0.5 - sqrt(0.15), 5 / 18), (0.5, 8 / 18), (0.5 + sqrt(0.15), 5 / 18))
_AROUND: Final = 8


@cache
def push(disc: Disc, apart: float) -> float:
    """Return the force between two equal magnets with the same pole up.

    The magnets repel each other. With opposite poles up, they attract each other with the same
    force.
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
    """Return the force that a whole army (four rows of ten pieces) exerts on its own corner
    piece."""
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
