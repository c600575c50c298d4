"""The field of a disc magnet that is magnetised through its thickness, anywhere outside it.

Such a disc is equivalent to a thin coil of its own size, and the field of a coil has an exact
formula: Derby and Olbert, "Cylindrical magnets and ideal solenoids", Am. J. Phys. 78, 229 (2010).
It is based on one integral, Bulirsch's generalised complete elliptic integral.

Lengths are in millimetres, fields in millitesla.
"""

from dataclasses import dataclass
from math import hypot, pi, radians, sin, sqrt
from typing import Final

REMANENCE: Final = 1300.0
"""Remanence of N42, a usual grade, in millitesla."""
_EXACT: Final = 1e-7
_RIM: Final = 1e-9
"""Below the rim two discontinuities cancel; at this small distance they also cancel numerically."""


def elliptic(kc: float, p: float, c: float, s: float) -> float:
    """Return Bulirsch's integral, as Derby and Olbert give it.

    It is the integral over φ from 0 to π/2 of
    (c cos²φ + s sin²φ) / ((cos²φ + p sin²φ) √(cos²φ + kc² sin²φ)), for kc and p above 0.
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
    """A disc magnet as sold."""

    width: float
    height: float
    remanence: float = REMANENCE

    def field(self, aside: float, below: float) -> tuple[float, float]:
        """Return the radial and the axial component of the field at a point.

        Args:
            aside: Distance of the point from the axis.
            below: Distance of the point below the lower face; values less than minus the height are
                above the disc.
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
        """Return the field straight below the disc, by the formula in the documentation."""
        radius = self.width / 2
        far = below + self.height
        return self.remanence / 2 * (far / hypot(far, radius) - below / hypot(below, radius))

    def felt(self, x: float, y: float, below: float, tilt: tuple[float, float] = (0, 0)) -> float:
        """Return the vertical component of the field at a sensor that faces up.

        Args:
            x: Distance from the sensor to the middle of the lower face, to the right.
            y: Distance from the sensor to the same point, to the far side.
            below: Depth of the sensor below the lower face.
            tilt: Lean of the magnet's upper end to the right and to the far side, in degrees.
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

        It uses the field in the middle of the face; the standard measures 0.05 mm above the face
        and takes the highest value.
        """
        return (self.on_axis(0) / 100) ** 2 * pi * (self.width / 2) ** 2

    def __str__(self) -> str:
        return f"{self.width:g} × {self.height:g} mm"
