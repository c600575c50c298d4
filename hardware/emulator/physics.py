"""Model of the Hall sensors: calculates their readings for any set of magnets on the board.

A magnet may have any position on its square and any tilt. It affects the sensor of its square and
the neighbouring sensors; layout.py calculates the field. Neighbouring sensors detect the return
field around the outside of the magnet, which has the opposite sign. All figures are either
calculated or taken from data sheets; none was measured on a physical board.

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
"""Output of a sensor without a magnetic field: half the supply voltage, in ADC counts (0 to
1023)."""
PIECE: Final = PULL[BoardKind.COLOURS]
"""Deflection caused by a typical piece, in counts."""
USUAL: Final = Layout()
"""Board described in the build instructions, with 40 mm squares."""
BEFORE: Final = Layout(MAGNETS_BEFORE.disc, MAGNETS_BEFORE.gap)
"""Earlier design, with larger magnets closer to the sensors."""
NEAR: Final = 3
"""Range of a magnet, in squares. Beyond this range, its effect is at most one count."""
LEAST_SUPPLY: Final = 0.6
"""Minimum supply voltage of a sensor as a fraction of 5 V. The DRV5055 needs 3 V (data sheet)."""
WORST_CROWDING: Final = 0.08
"""Crosstalk on an empty square in the middle of an army if squares are 35 mm wide. The value is a
fraction of the deflection that a piece causes on its own square."""


@dataclass(frozen=True, slots=True)
class Magnet:
    north_up: bool
    strength: float = 1.0
    """Strength relative to a typical magnet: below 1 for a weak magnet, 0 for a missing one."""
    height_mm: float = 0.0
    beside_mm: Pair = (0.0, 0.0)
    """Offset from the centre of the square, towards column k and towards Blue's side."""
    tilt: Pair = (0.0, 0.0)
    """Tilt of the magnet's upper end in degrees, in the same two directions."""

    @property
    def field(self) -> float:
        """Field at the magnet's own sensor: 1 for a typical red piece, -1 for a typical blue
        piece."""
        return self.felt(USUAL, 0, 0)

    def felt(self, layout: Layout, columns: int, rows: int) -> float:
        """Return the field at another square's sensor. It is `columns` squares further towards
        column k, and `rows` squares further towards Blue's side."""
        x, y = self.beside_mm
        pitch = layout.pitch_mm
        share = layout.share(x - pitch * columns, y - pitch * rows, self.height_mm, self.tilt)
        return share * (self.strength if self.north_up else -self.strength)

    def at_height(self, height_mm: float) -> "Magnet":
        return replace(self, height_mm=height_mm)

    def beside(self, right_mm: float, away_mm: float) -> "Magnet":
        """Return a copy of the magnet with the given offset from the centre of its square."""
        return replace(self, beside_mm=(right_mm, away_mm))


NORTH: Final = Magnet(north_up=True)
SOUTH: Final = Magnet(north_up=False)


def magnet_of(side: Side) -> Magnet:
    return NORTH if side is Side.RED else SOUTH


@dataclass(frozen=True, slots=True)
class Sensor:
    """Sensor, described by its deviations from a typical sensor."""

    offset: float = 0.0
    """Difference between the sensor's resting level and that of a typical sensor, in counts."""
    sensitivity: float = 1.0

    def reading(self, field: float, drift: float = 0.0) -> float:
        """Return the noise-free reading for a magnetic field, in counts."""
        counts = REST + self.offset + drift + PIECE * self.sensitivity * field
        return min(max(counts, 0.0), FULL_SCALE)


@dataclass(frozen=True, slots=True)
class Switch(Sensor):
    """Reed or unipolar switch with a pull-up resistor, fitted in place of a linear sensor."""

    closed: float = 15.0
    """Reading in counts while the switch is closed. The resistance of the switch keeps the reading
    above 0."""
    closes_from: float = 0.5
    """The switch closes if the field, in either direction, is at least this fraction of a typical
    magnet's field."""

    def reading(self, field: float, drift: float = 0.0) -> float:
        """Return the reading of the switch's channel, in counts."""
        counts = self.closed if abs(field) >= self.closes_from else FULL_SCALE
        return min(max(counts + drift, 0.0), FULL_SCALE)


@dataclass(frozen=True, slots=True)
class Spread:
    """Manufacturing tolerances of the sensors and magnets."""

    offset: float = 15.0
    """Maximum sensor offset, up or down, in counts. Offsets are uniformly distributed."""
    sensitivity: float = 0.05
    piece: float = PIECE
    """Deflection that a typical piece causes at a typical sensor, in counts."""

    def sensors(self, seed: int) -> list[Sensor]:
        """Return a sensor with random deviations for each square."""
        dice = random.Random(seed)
        return [
            Sensor(
                dice.uniform(-self.offset, self.offset),
                self.piece / PIECE * (1 + dice.uniform(-self.sensitivity, self.sensitivity)),
            )
            for _ in SQUARES
        ]


def _around(square: Square) -> tuple[tuple[Square, int, int], ...]:
    """Return the sensors within range of a magnet, each with its offset in squares. The sensor
    below the magnet is one of them."""
    row, column = divmod(square, WIDTH)
    return tuple(
        (WIDTH * there + beside, beside - column, there - row)
        for there in range(max(row - NEAR, 0), min(row + NEAR + 1, WIDTH))
        for beside in range(max(column - NEAR, 0), min(column + NEAR + 1, WIDTH))
    )


_AROUND: Final = tuple(map(_around, SQUARES))


@cache
def crowding_of(layout: Layout) -> float:
    """Return the crosstalk at the centre of a full board, as a fraction of a piece's field."""
    steps = range(-NEAR, NEAR + 1)
    felt = sum(NORTH.felt(layout, right, up) for right in steps for up in steps if right or up)
    return -felt


CROWDING: Final = crowding_of(USUAL)
"""Crosstalk on the board described in the build instructions, with 40 mm squares."""


@dataclass(slots=True)
class Field:
    """Magnets on the squares, and the sensors below them."""

    sensors: list[Sensor] = field(default_factory=lambda: [Sensor() for _ in SQUARES])
    crowding: float | None = None
    """Crosstalk on a square of a full board, as a fraction of a piece's field. The effect of
    neighbouring pieces is scaled to this value, unless the value is None."""
    drift: float = 0.0
    """Temperature drift of all sensors, in counts."""
    broken: dict[Square, float] = field(default_factory=dict)
    """Constant readings of broken sensors, independent of the magnets."""
    supply: dict[Square, float] = field(default_factory=dict)
    """Supply voltages of sensors, as fractions of the ADC reference. Sensors that are supplied with
    the reference voltage itself are omitted. The output of a sensor is proportional to its supply
    voltage. Below `LEAST_SUPPLY`, the output is at ground."""
    magnets: dict[Square, Magnet] = field(default_factory=dict)
    layout: Layout = USUAL
    face_down: bool = False
    """Whether the sensors are mounted with their marked faces down, as on tiles. Red pieces then
    give low readings."""
    _felt: list[dict[Square, float]] = field(
        default_factory=lambda: [{} for _ in SQUARES], init=False, repr=False
    )
    """For each sensor, the field of each magnet, keyed by the magnet's square."""
    _known: dict[Square, Magnet] = field(default_factory=dict, init=False, repr=False)
    """The magnets for which `_felt` was last calculated, on a board with the layout
    `_known_layout`."""
    _known_layout: Layout = field(default=USUAL, init=False, repr=False)

    def reading(self, square: Square) -> float:
        """Return the reading of a square's sensor, in counts."""
        return self.readings((square,))[0]

    def readings(self, squares: Iterable[Square]) -> list[float]:
        """Return the sensor readings of the given squares, in counts."""
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
        """Update `_felt` for magnets that have been added, removed or moved."""
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
        """Return the squares whose readings a magnet on the given square affects."""
        return [sensor for sensor, _, _ in _AROUND[square]]
