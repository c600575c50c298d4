"""What the sensors of a board put out for the magnets that stand on it.

A magnet is felt by its own sensor and by those of the neighbours, wherever in its square it stands
and however it leans, as the exact field of its disc says (layout.py). A neighbour's field goes
round the outside and comes from the other side: it has the opposite sign. The numbers are
calculated or from data sheets; none was measured on a physical board.

Red pieces have their north pole up and give high readings, blue ones their south pole up and low
ones.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from engine.sides import Side
from engine.squares import SQUARES, WIDTH, Square
from firmware_bridge.thresholds import PULL, RESTING
from firmware_bridge.wire import FULL_SCALE, BoardKind
from hardware.emulator.layout import Layout, Pair
from hardware.magnetics.choice import BEFORE as MAGNETS_BEFORE

REST: Final = RESTING[BoardKind.COLOURS]
"""Half the supply: what a sensor without a field puts out, in counts of 1024."""
PIECE: Final = PULL[BoardKind.COLOURS]
"""What the usual piece adds or takes away."""
USUAL: Final = Layout()
"""The board as the book has it, with squares of 40 mm."""
BEFORE: Final = Layout(MAGNETS_BEFORE.disc, MAGNETS_BEFORE.gap)
"""The one that it had first, with larger magnets nearer to the sensors."""
NEAR: Final = 3
"""So many squares away a magnet is felt. What lies beyond is a count at most."""
WORST_CROWDING: Final = 0.08
"""What an army around a square takes away there at 35 mm pitch, of what a piece gives on its own
square."""


@dataclass(frozen=True, slots=True)
class Magnet:
    """The magnet in a piece's foot."""

    north_up: bool
    strength: float = 1.0
    """Of the usual one; a weak magnet has less, a piece without magnet 0."""
    height_mm: float = 0.0
    """Of the piece above its square."""
    beside_mm: Pair = (0.0, 0.0)
    """How far it stands from the middle of its square, towards column k and towards Blue's side."""
    tilt: Pair = (0.0, 0.0)
    """By how many degrees its upper end leans, the same ways."""

    @property
    def field(self) -> float:
        """At its own sensor: 1 for the usual red piece, -1 for the usual blue one."""
        return self.felt(USUAL, 0, 0)

    def felt(self, layout: Layout, columns: int, rows: int) -> float:
        """Return what the sensor feels that is so many squares towards column k and Blue's side."""
        x, y = self.beside_mm
        pitch = layout.pitch_mm
        share = layout.share(x - pitch * columns, y - pitch * rows, self.height_mm, self.tilt)
        return share * (self.strength if self.north_up else -self.strength)

    def at_height(self, height_mm: float) -> "Magnet":
        """The same magnet, held higher or lower."""
        return replace(self, height_mm=height_mm)

    def beside(self, right_mm: float, away_mm: float) -> "Magnet":
        """The same magnet, so far from the middle of its square."""
        return replace(self, beside_mm=(right_mm, away_mm))


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


def _around(square: Square) -> tuple[tuple[Square, int, int], ...]:
    """The squares that feel a square's magnet, each so many columns and rows on: itself, too."""
    row, column = divmod(square, WIDTH)
    return tuple(
        (WIDTH * there + beside, beside - column, there - row)
        for there in range(max(row - NEAR, 0), min(row + NEAR + 1, WIDTH))
        for beside in range(max(column - NEAR, 0), min(column + NEAR + 1, WIDTH))
    )


_AROUND: Final = tuple(map(_around, SQUARES))


@cache
def crowding_of(layout: Layout) -> float:
    """Return what a board full of pieces takes away on an empty square amid them, as a share."""
    steps = range(-NEAR, NEAR + 1)
    felt = sum(NORTH.felt(layout, right, up) for right in steps for up in steps if right or up)
    return -felt


CROWDING: Final = crowding_of(USUAL)
"""On the board as the book has it, with squares of 40 mm."""


@dataclass(slots=True)
class Field:
    """The magnets on the squares and the sensors under them."""

    sensors: list[Sensor] = field(default_factory=lambda: [Sensor() for _ in SQUARES])
    crowding: float | None = None
    """What a board full of pieces around a square takes away there, as a share of a piece; the
    neighbours are felt so much more or less. None leaves them as the field has them."""
    drift: float = 0.0
    """Counts by which all sensors have moved, with temperature."""
    broken: dict[Square, float] = field(default_factory=dict)
    """What broken sensors put out, whatever stands on them."""
    magnets: dict[Square, Magnet] = field(default_factory=dict)
    layout: Layout = USUAL
    face_down: bool = False
    """Whether the sensors lie on their marked faces, as on tiles: then red reads low."""
    _felt: list[dict[Square, float]] = field(
        default_factory=lambda: [{} for _ in SQUARES], init=False, repr=False
    )
    """Of each sensor, what it feels of which square's magnet."""
    _known: dict[Square, Magnet] = field(default_factory=dict, init=False, repr=False)
    """The magnets of which `_felt` tells, in the layout to which they belong."""
    _known_layout: Layout = field(default=USUAL, init=False, repr=False)

    def reading(self, square: Square) -> float:
        """Return what the sensor of a square puts out, in counts."""
        return self.readings((square,))[0]

    def readings(self, squares: Iterable[Square]) -> list[float]:
        """Return what the sensors of some squares put out, in counts."""
        self._feel()
        scale = 1.0 if self.crowding is None else self.crowding / crowding_of(self.layout)
        return [self._reading(square, scale) for square in squares]

    def _reading(self, square: Square, scale: float) -> float:
        if square in self.broken:
            return self.broken[square]
        felt = self._felt[square]
        own = felt.get(square, 0.0)
        others = sum(felt.values()) - own
        all_ = own + scale * others
        return self.sensors[square].reading(-all_ if self.face_down else all_, self.drift)

    def _feel(self) -> None:
        """Take notice of magnets that have come, gone or moved."""
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
