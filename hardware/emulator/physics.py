"""Model of the Hall sensors: their readings for given magnets on the board.

A magnet affects its own sensor and the neighbouring sensors, at any position in its square and at
any tilt. The field of its disc is exact (layout.py). At a neighbour's sensor the field returns
around the outside of the magnet, so it has the opposite sign. The numbers are calculated or from
data sheets; none was measured on a physical board.

Red pieces have their north pole up and give high readings. Blue pieces have their south pole up and
give low readings.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from engine.board.geometry import SQUARES, WIDTH, Side, Square
from firmware_bridge.board_hardware import PULL, RESTING
from firmware_bridge.wire import FULL_SCALE, BoardKind
from hardware.emulator.layout import Layout, Pair
from hardware.magnetics.found_file import BEFORE as MAGNETS_BEFORE

REST: Final = RESTING[BoardKind.COLOURS]
"""Output of a sensor without a field, in counts of 1024: half the supply voltage."""
PIECE: Final = PULL[BoardKind.COLOURS]
"""Deflection by a usual piece, in counts."""
USUAL: Final = Layout()
"""The board of the build instructions, with squares of 40 mm."""
BEFORE: Final = Layout(MAGNETS_BEFORE.disc, MAGNETS_BEFORE.gap)
"""The earlier design, with larger magnets closer to the sensors."""
NEAR: Final = 3
"""Range of a magnet, in squares. At larger distances its effect is at most one count."""
LEAST_SUPPLY: Final = 0.6
"""Minimum supply of a sensor, as a share of 5 V: it needs 3 V (data sheet of the DRV5055)."""
WORST_CROWDING: Final = 0.08
"""Crosstalk on an empty square from an army around it at 35 mm pitch, as a share of a piece's
deflection on its own square."""


@dataclass(frozen=True, slots=True)
class Magnet:
    """The magnet in a piece's foot."""

    north_up: bool
    strength: float = 1.0
    """Strength relative to the usual magnet: below 1 for a weak magnet, 0 for a missing one."""
    height_mm: float = 0.0
    """Height of the piece above its square."""
    beside_mm: Pair = (0.0, 0.0)
    """Offset from the middle of its square, towards column k and towards Blue's side."""
    tilt: Pair = (0.0, 0.0)
    """Tilt of its upper end in degrees, in the same two directions."""

    @property
    def field(self) -> float:
        """Field at the magnet's own sensor: 1 for the usual red piece, -1 for a blue one."""
        return self.felt(USUAL, 0, 0)

    def felt(self, layout: Layout, columns: int, rows: int) -> float:
        """Return the field at the sensor `columns` towards column k and `rows` towards Blue's side.

        Both distances are in squares.
        """
        x, y = self.beside_mm
        pitch = layout.pitch_mm
        share = layout.share(x - pitch * columns, y - pitch * rows, self.height_mm, self.tilt)
        return share * (self.strength if self.north_up else -self.strength)

    def at_height(self, height_mm: float) -> "Magnet":
        """Return the same magnet at another height."""
        return replace(self, height_mm=height_mm)

    def beside(self, right_mm: float, away_mm: float) -> "Magnet":
        """Return the same magnet at this offset from the middle of its square."""
        return replace(self, beside_mm=(right_mm, away_mm))


NORTH: Final = Magnet(north_up=True)
SOUTH: Final = Magnet(north_up=False)


def magnet_of(side: Side) -> Magnet:
    return NORTH if side is Side.RED else SOUTH


@dataclass(frozen=True, slots=True)
class Sensor:
    """Sensor, described by its deviations from a typical one."""

    offset: float = 0.0
    """Difference between the sensor's resting level and the usual one, in counts."""
    sensitivity: float = 1.0

    def reading(self, field: float, drift: float = 0.0) -> float:
        """Return the reading for a magnetic field, in counts, without noise."""
        counts = REST + self.offset + drift + PIECE * self.sensitivity * field
        return min(max(counts, 0.0), FULL_SCALE)


@dataclass(frozen=True, slots=True)
class Switch(Sensor):
    """A reed or unipolar switch with a resistor to the supply, in place of a linear sensor."""

    closed: float = 15.0
    """Reading while the switch is closed, in counts, caused by its own resistance."""
    closes_from: float = 0.5
    """Field of either pole that closes the switch, as a share of the usual magnet's field."""

    def reading(self, field: float, drift: float = 0.0) -> float:
        """Return the level of the switch's channel, in counts."""
        counts = self.closed if abs(field) >= self.closes_from else FULL_SCALE
        return min(max(counts + drift, 0.0), FULL_SCALE)


@dataclass(frozen=True, slots=True)
class Spread:
    """Tolerances of the parts of a board."""

    offset: float = 15.0
    """Maximum offset of a sensor, up or down, in counts; offsets are uniformly distributed."""
    sensitivity: float = 0.05
    piece: float = PIECE
    """Deflection of the usual sensor by the usual piece, in counts."""

    def sensors(self, seed: int) -> list[Sensor]:
        """Return a hundred random sensors."""
        dice = random.Random(seed)
        return [
            Sensor(
                dice.uniform(-self.offset, self.offset),
                self.piece / PIECE * (1 + dice.uniform(-self.sensitivity, self.sensitivity)),
            )
            for _ in SQUARES
        ]


def _around(square: Square) -> tuple[tuple[Square, int, int], ...]:
    """Return the sensors in range of a magnet, its own included, and their offsets in squares."""
    row, column = divmod(square, WIDTH)
    return tuple(
        (WIDTH * there + beside, beside - column, there - row)
        for there in range(max(row - NEAR, 0), min(row + NEAR + 1, WIDTH))
        for beside in range(max(column - NEAR, 0), min(column + NEAR + 1, WIDTH))
    )


_AROUND: Final = tuple(map(_around, SQUARES))


@cache
def crowding_of(layout: Layout) -> float:
    """Return the crosstalk of a full board on its middle square, as a share of a piece's field."""
    steps = range(-NEAR, NEAR + 1)
    felt = sum(NORTH.felt(layout, right, up) for right in steps for up in steps if right or up)
    return -felt


CROWDING: Final = crowding_of(USUAL)
"""Crosstalk on the board of the build instructions, with squares of 40 mm."""


@dataclass(slots=True)
class Field:
    """The magnets on the squares and the sensors under them."""

    sensors: list[Sensor] = field(default_factory=lambda: [Sensor() for _ in SQUARES])
    crowding: float | None = None
    """Crosstalk of a full board on a square, as a share of a piece; the effect of all neighbours is
    scaled to it. None disables the scaling."""
    drift: float = 0.0
    """Shift of all sensors with temperature, in counts."""
    broken: dict[Square, float] = field(default_factory=dict)
    """Constant readings of broken sensors, independent of any magnets."""
    supply: dict[Square, float] = field(default_factory=dict)
    """Supply of a sensor as a share of the converter's reference, if it is not 1. Outputs are
    proportional to it, and at ground below `LEAST_SUPPLY`."""
    magnets: dict[Square, Magnet] = field(default_factory=dict)
    layout: Layout = USUAL
    face_down: bool = False
    """Whether the sensors lie on their marked faces, as on tiles. Red then gives low readings."""
    _felt: list[dict[Square, float]] = field(
        default_factory=lambda: [{} for _ in SQUARES], init=False, repr=False
    )
    """For each sensor, the field of each magnet, by the square of the magnet."""
    _known: dict[Square, Magnet] = field(default_factory=dict, init=False, repr=False)
    """The magnets that `_felt` was calculated for, in the layout `_known_layout`."""
    _known_layout: Layout = field(default=USUAL, init=False, repr=False)

    def reading(self, square: Square) -> float:
        """Return the reading of a square's sensor, in counts."""
        return self.readings((square,))[0]

    def readings(self, squares: Iterable[Square]) -> list[float]:
        """Return the readings of the sensors of some squares, in counts."""
        self._update_fields()
        scale = 1.0 if self.crowding is None else self.crowding / crowding_of(self.layout)
        return [self._reading(square, scale) for square in squares]

    def _reading(self, square: Square, scale: float) -> float:
        if square in self.broken:
            return self.broken[square]
        felt = self._felt[square]
        own = felt.get(square, 0.0)
        others = sum(felt.values()) - own
        all_ = own + scale * others
        reading = self.sensors[square].reading(-all_ if self.face_down else all_, self.drift)
        share = self.supply.get(square, 1.0)
        return reading * share if share >= LEAST_SUPPLY else 0.0

    def _update_fields(self) -> None:
        """Update `_felt` for magnets that were added, removed or moved."""
        if self.layout != self._known_layout:
            self._known, self._known_layout = {}, self.layout
            self._felt = [{} for _ in SQUARES]
        if self.magnets == self._known:
            return
        for square in {*self.magnets, *self._known}:
            magnet = self.magnets.get(square)
            if magnet == self._known.get(square):
                continue
            for sensor, columns, rows in _AROUND[square]:
                self._felt[sensor].pop(square, None)
                if magnet:
                    self._felt[sensor][square] = magnet.felt(self.layout, columns, rows)
        self._known = dict(self.magnets)

    @staticmethod
    def near(square: Square) -> list[Square]:
        """Return the squares whose reading depends on a square's magnet."""
        return [sensor for sensor, _, _ in _AROUND[square]]
