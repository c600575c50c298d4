"""Tests that compare the fields and forces of discs with formulas, brute force and published
results."""

from math import cos, hypot, pi, sin, sqrt

import pytest

from hardware.magnetics.design import crowding
from hardware.magnetics.disc import HOLDS, Disc, elliptic, push, push_of_army, snaps_from

LARGE, SMALL = Disc(8, 4), Disc(6, 3)
DISCS = pytest.mark.parametrize("disc", [LARGE, SMALL, Disc(8, 2), Disc(5, 5)], ids=str)
PLACES = [
    (0.0, 6.0),
    (2.0, 3.0),
    (4.0, 6.0),
    (5.5, 6.0),
    (12.0, 8.0),
    (40.0, 6.0),
    (4.5, 1.5),
    (7.0, -2.0),
]
Vector = tuple[float, float, float]


def charged_faces(disc: Disc, x: float, y: float, z: float) -> Vector:
    """Return the field of two faces covered with magnetic charge, summed over a grid.

    The origin is the centre of the lower face. The upper face is the north pole.
    """
    radius, rings, spokes = disc.width / 2, 60, 120
    field = [0.0, 0.0, 0.0]
    for height, sign in ((0.0, -1), (disc.height, 1)):
        for ring in range(rings):
            at = radius * sqrt((ring + 0.5) / rings)
            for spoke in range(spokes):
                angle = 2 * pi * (spoke + 0.5) / spokes
                away = (x - at * cos(angle), y - at * sin(angle), z - height)
                share = sign * disc.remanence * radius**2 / (4 * rings * spokes)
                for n in range(3):
                    field[n] += share * away[n] / hypot(*away) ** 3
    return field[0], field[1], field[2]


@pytest.mark.parametrize("kc", [0.01, 0.3, 1.0, 2.5])
@pytest.mark.parametrize(("p", "c", "s"), [(1, 1, 1), (1, 1, -1), (0.2, 1, 0.4), (0.04, 1, -0.2)])
def test_elliptic_integral(kc: float, p: float, c: float, s: float) -> None:
    steps = 20_000
    angles = (pi / 2 * (n + 0.5) / steps for n in range(steps))
    summed = sum(
        (c * cos(a) ** 2 + s * sin(a) ** 2)
        / ((cos(a) ** 2 + p * sin(a) ** 2) * sqrt(cos(a) ** 2 + (kc * sin(a)) ** 2))
        for a in angles
    )
    assert elliptic(kc, p, c, s) == pytest.approx(summed * pi / 2 / steps, rel=1e-4)


@DISCS
@pytest.mark.parametrize("below", [0.1, 1.0, 6.0, 9.5, 30.0, 100.0])
def test_field_on_the_axis(disc: Disc, below: float) -> None:
    outwards, along = disc.field(0, below)
    assert along == pytest.approx(disc.on_axis(below), rel=1e-6)
    assert outwards == 0


@DISCS
@pytest.mark.parametrize(("aside", "below"), PLACES)
def test_field_beside_the_axis(disc: Disc, aside: float, below: float) -> None:
    x, _, z = charged_faces(disc, aside, 0, -below)
    assert disc.field(aside, below) == pytest.approx((x, z), rel=2e-3, abs=2e-3)


@DISCS
def test_field_is_continuous(disc: Disc) -> None:
    rim = disc.width / 2
    assert disc.field(rim, 3) == pytest.approx(disc.field(rim + 1e-6, 3), rel=1e-4)
    outwards, along = disc.field(7, 2)
    assert disc.field(7, -2 - disc.height) == pytest.approx((-outwards, along))


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (10.0, 0.0), (0.0, -15.0), (8.0, 5.0)])
@pytest.mark.parametrize("place", [(0.0, 0.0), (3.0, -2.0), (-6.0, 5.0), (35.0, 0.0)])
def test_field_of_a_tilted_magnet(tilt: tuple[float, float], place: tuple[float, float]) -> None:
    disc, below = LARGE, 7.0
    # Position of the sensor in the magnet's coordinates.
    right, away = sin(pi / 180 * tilt[0]), sin(pi / 180 * tilt[1])
    up = sqrt(1 - right**2 - away**2)
    axis = (right, away, up)
    first = (up / hypot(up, right), 0.0, -right / hypot(up, right))
    second = tuple(
        axis[(n + 1) % 3] * first[(n + 2) % 3] - axis[(n + 2) % 3] * first[(n + 1) % 3]
        for n in range(3)
    )
    sensor = (-place[0], -place[1], -below)

    def seen(direction: tuple[float, ...]) -> float:
        return sum(a * b for a, b in zip(sensor, direction, strict=True))

    field = charged_faces(disc, seen(first), seen(second), seen(axis))
    upright = field[0] * first[2] + field[1] * second[2] + field[2] * axis[2]
    assert disc.felt(*place, below, tilt) == pytest.approx(upright, rel=2e-3, abs=2e-3)


# Forces


def brute_force(disc: Disc, apart: float) -> float:
    """Return the force between two magnets, in millinewtons, summed over pairs of magnetic
    charges."""
    radius, rings, spokes = disc.width / 2, 8, 16
    points = [
        (radius * sqrt((r + 0.5) / rings), 2 * pi * (s + 0.5) / spokes)
        for r in range(rings)
        for s in range(spokes)
    ]
    charge = disc.remanence * pi * radius**2 / len(points)
    total = 0.0
    for near, one in ((0.0, -1), (disc.height, 1)):
        for far, other in ((0.0, -1), (disc.height, 1)):
            for at, angle in points:
                for there, turned in points:
                    x = apart + there * cos(turned) - at * cos(angle)
                    y = there * sin(turned) - at * sin(angle)
                    total += one * other * x / hypot(x, y, far - near) ** 3
    return total * charge**2 / (4 * pi) / (400 * pi)


@pytest.mark.parametrize("apart", [10.0, 22.0, 40.0])
@pytest.mark.parametrize("disc", [LARGE, SMALL], ids=str)
def test_force_between_magnets(disc: Disc, apart: float) -> None:
    assert push(disc, apart) == pytest.approx(brute_force(disc, apart), rel=0.02)


@pytest.mark.parametrize(
    ("disc", "apart", "millinewtons"),
    [
        *((LARGE, apart, force) for apart, force in ((40, 5.2), (35, 8.9), (25, 35), (22, 60))),
        *((SMALL, apart, force) for apart, force in ((40, 0.9), (25, 6))),
        (Disc(15, 3), 40, 40),
    ],
)
def test_force_matches_published_values(disc: Disc, apart: float, millinewtons: float) -> None:
    assert push(disc, apart) == pytest.approx(millinewtons, rel=0.06)


def test_forces_between_pieces() -> None:
    assert push_of_army(LARGE, 35) == pytest.approx(17, abs=0.1)
    assert push(LARGE, snaps_from(LARGE)) == pytest.approx(HOLDS, rel=0.01)
    assert snaps_from(SMALL) < snaps_from(LARGE)


# Readings of a sensor


@pytest.mark.parametrize(("share", "gap", "aside"), [(0.4, 6, 5.5), (0.2, 6, 7.2), (0.4, 8, 6.4)])
def test_field_off_centre(share: float, gap: float, aside: float) -> None:
    assert LARGE.felt(aside, 0, gap) / LARGE.on_axis(gap) == pytest.approx(share, abs=0.01)


def test_influence_of_neighbours() -> None:
    eight = 4 * LARGE.felt(40, 0, 6) + 4 * LARGE.felt(40, 40, 6)
    assert eight == pytest.approx(-1.5, abs=0.05)
    assert -crowding(LARGE, 6, 40) * LARGE.on_axis(6) == pytest.approx(-1.95, abs=0.1)


def test_documented_force() -> None:
    assert LARGE.flux_index == pytest.approx(1060, abs=5)
