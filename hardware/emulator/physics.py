"""What the sensors of a board put out for the magnets that stand on it.

The model of a magnet is its field on its own axis. A neighbour's field goes round the outside and
comes from the other side: it has the opposite sign, and falls with the cube of the distance. The
numbers are calculated or from data sheets; none was measured on a physical board.

Red pieces have their north pole up and give high readings, blue ones their south pole up and low
ones.
"""

import math
import random
from dataclasses import dataclass, field, replace
from typing import Final

from engine.sides import Side
from engine.squares import SQUARES, WIDTH, Square
from firmware_bridge.thresholds import PULL, RESTING
from firmware_bridge.wire import FULL_SCALE, BoardKind

REST: Final = RESTING[BoardKind.COLOURS]
"""Half the supply: what a sensor without a field puts out, in counts of 1024."""
PIECE: Final = PULL[BoardKind.COLOURS]
"""What the usual piece adds or takes away."""
GAP_MM: Final = 6.0
"""From the sensor to the magnet of a piece that stands on its square."""
LENGTH_MM: Final = 4.0
RADIUS_MM: Final = 4.0
"""The usual magnet: a disc of 8 × 4 mm."""
CROWDING: Final = 0.024
"""What eight neighbours take away at 40 mm pitch, of what a piece gives on its own square."""
WORST_CROWDING: Final = 0.08
"""The same on a narrow board with strong magnets."""


def _on_axis(gap_mm: float) -> float:
    """Return the field on the axis of a disc magnet, up to a constant factor."""
    far, near = gap_mm + LENGTH_MM, gap_mm
    return far / math.hypot(far, RADIUS_MM) - near / math.hypot(near, RADIUS_MM)


@dataclass(frozen=True, slots=True)
class Magnet:
    """The magnet in a piece's foot."""

    north_up: bool
    strength: float = 1.0
    """Of the usual one; a weak magnet has less, a piece without magnet 0."""
    height_mm: float = 0.0
    """Of the piece above its square."""

    @property
    def field(self) -> float:
        """At its own sensor: 1 for the usual red piece, -1 for the usual blue one."""
        weakened = _on_axis(GAP_MM + self.height_mm) / _on_axis(GAP_MM)
        return (1 if self.north_up else -1) * self.strength * weakened

    def at_height(self, height_mm: float) -> "Magnet":
        """The same magnet, held higher or lower."""
        return replace(self, height_mm=height_mm)


NORTH: Final = Magnet(north_up=True)
SOUTH: Final = Magnet(north_up=False)


def magnet_of(side: Side) -> Magnet:
    """Return the magnet that a side's pieces have."""
    return NORTH if side is Side.RED else SOUTH


@dataclass(frozen=True, slots=True)
class Sensor:
    """How one sensor differs from the usual one."""

    offset: float = 0.0
    """Counts at rest, above or below the usual."""
    sensitivity: float = 1.0

    def reading(self, field: float, drift: float = 0.0) -> float:
        """Return what it puts out in a field: the counts, still without noise."""
        counts = REST + self.offset + drift + PIECE * self.sensitivity * field
        return min(max(counts, 0.0), FULL_SCALE)


@dataclass(frozen=True, slots=True)
class Switch(Sensor):
    """A reed or unipolar switch with a resistor to the supply, in place of a linear sensor."""

    closed: float = 15.0
    """Counts when a magnet has closed it: what its own resistance leaves of the supply."""
    closes_from: float = 0.5
    """Of the usual magnet's field, with either pole."""

    def reading(self, field: float, drift: float = 0.0) -> float:
        """Return what its channel is at, in counts."""
        counts = self.closed if abs(field) >= self.closes_from else FULL_SCALE
        return min(max(counts + drift, 0.0), FULL_SCALE)


@dataclass(frozen=True, slots=True)
class Spread:
    """How much the parts of a board differ from each other."""

    offset: float = 15.0
    """Counts to either side, each sensor somewhere between."""
    sensitivity: float = 0.05
    piece: float = PIECE
    """What the usual piece adds or takes away at the usual one of them, in counts."""

    def sensors(self, seed: int) -> list[Sensor]:
        """Take a hundred sensors out of the bag."""
        dice = random.Random(seed)
        return [
            Sensor(
                dice.uniform(-self.offset, self.offset),
                self.piece / PIECE * (1 + dice.uniform(-self.sensitivity, self.sensitivity)),
            )
            for _ in SQUARES
        ]


def _around(square: Square) -> tuple[tuple[Square, float], ...]:
    """The up to eight neighbours, and their share in `CROWDING`."""
    row, column = divmod(square, WIDTH)
    shares = {
        (down, right): math.hypot(down, right) ** -3
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if down or right
    }
    whole = sum(shares.values())
    return tuple(
        (WIDTH * (row + down) + column + right, share / whole)
        for (down, right), share in shares.items()
        if 0 <= row + down < WIDTH and 0 <= column + right < WIDTH
    )


_AROUND: Final = tuple(map(_around, SQUARES))


@dataclass(slots=True)
class Field:
    """The magnets on the squares and the sensors under them."""

    sensors: list[Sensor] = field(default_factory=lambda: [Sensor() for _ in SQUARES])
    crowding: float = CROWDING
    drift: float = 0.0
    """Counts by which all sensors have moved, with temperature."""
    broken: dict[Square, float] = field(default_factory=dict)
    """What broken sensors put out, whatever stands on them."""
    magnets: dict[Square, Magnet] = field(default_factory=dict)

    def reading(self, square: Square) -> float:
        """Return what the sensor of a square puts out, in counts."""
        if square in self.broken:
            return self.broken[square]
        own = self._own(square)
        others = sum(share * self._own(neighbour) for neighbour, share in _AROUND[square])
        return self.sensors[square].reading(own - self.crowding * others, self.drift)

    def _own(self, square: Square) -> float:
        magnet = self.magnets.get(square)
        return magnet.field if magnet else 0.0

    @staticmethod
    def near(square: Square) -> list[Square]:
        """Return the squares whose reading depends on a square's magnet."""
        return [square, *(neighbour for neighbour, _ in _AROUND[square])]
