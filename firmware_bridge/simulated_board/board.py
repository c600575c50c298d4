"""The simulated board: its pieces, its sensors, and faults that can be injected by name."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import Final, TypeAlias

from engine.board.geometry import (
    LAKES,
    SQUARES,
    WIDTH,
    Side,
    Square,
    SquareSet,
    name,
    set_of,
    square,
    squares_in,
)
from firmware_bridge import board_hardware, wire
from firmware_bridge.image import Image, Sensed
from firmware_bridge.simulated_board import sensors

SUPPLY_MV: Final = 5000
FLICKER_FRAMES: Final = 20
"""Interval between the failures of a flickering sensor, in frames."""
BLIND_FRAMES: Final = 5
"""Duration of each failure, in frames."""


class ImpossibleError(ValueError):
    """The action is physically impossible in the current position, and has changed nothing."""


@dataclass(frozen=True, eq=False, slots=True)
class PhysicalPiece:
    """A physical piece. It remains the same object when it is moved."""

    side: Side
    label: str = ""
    """Text printed on the piece. It has no effect on the sensors."""
    magnet: float = 1.0
    """Strength of the piece's magnet relative to a typical one; negative if the magnet is mounted
    upside down.
    """

    def __str__(self) -> str:
        return f"{self.side.value} {self.label or 'piece'}"


class SimulatedBoard:
    """Pieces on a board with sensors. Any piece may be placed on any square, as on a real board.

    The sensors are intact and calibrated until a fault is injected. Thread-safe.
    """

    firmware = (0, 0, 0)
    """Version that a simulated board reports, because it has no firmware."""

    def __init__(self, kind: wire.BoardKind = wire.BoardKind.COLOURS) -> None:
        self.kind = kind
        self.supply_mv = SUPPLY_MV
        self.lamps: SquareSet = 0
        """Squares lit by the host."""
        self._sensors = sensors.Sensors(kind)
        self._calibration: sensors.SensorCalibration | None = sensors.SensorCalibration.of_new(
            self._sensors, kind
        )
        self._settings = wire.BoardSettings(
            kind,
            wire.Geometry.BY_HAND,
            board_hardware.ON_PER_CENT[kind],
            board_hardware.USUAL_BAND_GAP_MV,
        )
        self._is_forgotten = False
        """Whether the calibration is disabled. It is enabled again by the next ABORT or SAVE, or by
        a restart."""
        self._learning = sensors.Learning(kind)
        self._standing: dict[Square, PhysicalPiece] = {}
        self.astray: tuple[Side, float, float] | None = None
        """A piece between squares, as side, column and row."""
        self._flickering: SquareSet = 0
        self._frames = 0
        """Phase of the flickering sensors, in frames."""
        self._lock = Lock()
        self._reset_image()

    def at(self, square: Square) -> PhysicalPiece | None:
        """Return the piece on a square, or None if the square is empty."""
        return self._standing.get(square)

    def pieces(self) -> dict[Square, PhysicalPiece]:
        return dict(self._standing)

    def stand(
        self, side: Side, square: Square, label: str = "", magnet: float = 1.0
    ) -> PhysicalPiece:
        """Put a new piece on a square and return it.

        Raises ImpossibleError if the square is occupied.
        """
        piece = PhysicalPiece(side, label, magnet)
        self.place(piece, square)
        return piece

    def lift(self, square: Square) -> PhysicalPiece:
        """Lift the piece on a square. Raises ImpossibleError if the square is empty."""
        with self._lock:
            if square not in self._standing:
                raise ImpossibleError(f"there is no piece to lift on {name(square)}")
            piece = self._standing.pop(square)
            self._update_image([square])
            return piece

    def place(self, piece: PhysicalPiece, square: Square) -> None:
        """Set a lifted piece on a square.

        Raises ImpossibleError if the square is occupied or the piece is already on the board.
        """
        with self._lock:
            standing = self._standing.get(square)
            if standing is not None:
                raise ImpossibleError(f"{name(square)} is occupied by a {standing}")
            for elsewhere, other in self._standing.items():
                if other is piece:
                    raise ImpossibleError(f"the {piece} is already on {name(elsewhere)}")
            self._standing[square] = piece
            self._update_image([square])

    def take_away(self, square: Square) -> None:
        """Remove the piece on a square from the game.

        Raises ImpossibleError if the square is empty.
        """
        self.lift(square)

    def set_stuck(self, square: Square, reading: int) -> None:
        """Freeze the reading of a square's sensor, regardless of the piece on the square."""
        with self._lock:
            self._sensors.stick(square, reading)
            self._update_image([square])

    def flicker(self, square: Square) -> None:
        """Make a square's sensor repeatedly fail to detect its piece, until it is repaired."""
        with self._lock:
            self._flickering |= 1 << square
            self._update_image([square])

    def repair(self, square: Square) -> None:
        """Repair the sensor of a square, except for its drift."""
        with self._lock:
            self._sensors.repair(square)
            self._flickering &= ~(1 << square)
            self._update_image([square])

    @property
    def steady_frames(self) -> int:
        """Number of upcoming frames in which no flickering sensor fails or recovers."""
        turns = BLIND_FRAMES if self._frames < BLIND_FRAMES else FLICKER_FRAMES
        return turns - self._frames - 1

    def pass_frames(self, count: int = 1) -> None:
        """Advance by `count` frames, during which a flickering sensor may fail or recover."""
        if self._flickering:
            with self._lock:
                self._frames = (self._frames + count) % FLICKER_FRAMES
                self._update_image(squares_in(self._flickering))

    def set_drift(self, square: Square, counts: int) -> None:
        with self._lock:
            self._sensors.drift(square, counts)
            self._update_image([square])

    def make_intermittent(self, square: Square, counts: int) -> None:
        """Raise or lower every reading of a square's sensor by `counts`."""
        with self._lock:
            self._sensors.make_intermittent(square, counts)

    @property
    def calibration(self) -> sensors.SensorCalibration | None:
        """The calibration in use, or None before the first calibration or while it is disabled."""
        return None if self._is_forgotten else self._calibration

    def restart(self) -> None:
        """Discard unsaved data and switch off the lamps, as a real board does when it starts."""
        with self._lock:
            self._learning, self.lamps = sensors.Learning(self.kind), 0
            self._is_forgotten = False
            self._reset_image()

    def erase(self) -> None:
        """Erase the calibration, as if the board had never been calibrated."""
        with self._lock:
            self._calibration = None
            self._reset_image()

    def learn(self, step: wire.CalibrationStep) -> wire.CalibrationReply:
        """Execute a calibration step and return the reply."""
        with self._lock:
            answer, learned = self._learning.take(step, self._readings, self._image.occupied)
            self._calibration = learned or self._calibration
            if step is wire.CalibrationStep.FORGET:
                self._is_forgotten = True
                self._reset_image()
            elif step is wire.CalibrationStep.ABORT or learned:
                self._is_forgotten = False
                self._update_image()
        return answer

    def configure(self, wish: wire.Configure) -> wire.Configured:
        """Apply settings and return the reply.

        Settings for different sensors or wiring are rejected.
        """
        was = self._settings
        updated = replace(
            was,
            on_per_cent=wish.on_per_cent or was.on_per_cent,
            band_gap_mv=wish.band_gap_mv or was.band_gap_mv,
        )
        result = wire.ConfigureResult.ACCEPTED
        if wish.kind not in (0, was.kind):
            result = wire.ConfigureResult.NO_KIND
        elif wish.geometry not in (0, was.geometry):
            result = wire.ConfigureResult.NO_GEOMETRY
        elif updated.band_gap_mv not in board_hardware.BAND_GAPS_MV:
            result = wire.ConfigureResult.NO_BAND_GAP
        elif updated.on_per_cent not in board_hardware.SHARES:
            result = wire.ConfigureResult.NO_SHARE
        else:
            self._settings = updated
        return wire.Configured(result, self._settings)

    def readings(self) -> list[int]:
        """Return the readings of all sensors, with noise."""
        with self._lock:
            return [self._sensors.noisy(*each) for each in enumerate(self._readings)]

    def felt(self) -> list[wire.FieldReadings]:
        """Return the field readings of all squares, including the effect of neighbouring pieces."""
        with self._lock:
            pieces: list[sensors.Standing] = [
                (each.side, square % WIDTH, square // WIDTH, each.magnet)
                for square, each in self._standing.items()
            ]
        if self.astray:
            pieces.append((*self.astray, 1.0))
        shares = [sensors.felt_on(square, pieces) for square in SQUARES]
        return [
            wire.FieldReadings(
                band, tuple(shares[wire.FELT_SQUARES * band : wire.FELT_SQUARES * (band + 1)])
            )
            for band in range(wire.FELT_BANDS)
        ]

    def image(self) -> Image:
        """Return the sensor image, without colours if the sensors detect only presence."""
        return self._image

    def faint(self) -> SquareSet:
        """Return the squares whose reading is uncertain: near a threshold, or without a colour."""
        return self._faint

    def faults(self) -> list[wire.Fault]:
        """Return the faults that the board detects.

        Drift is detected only if the board is calibrated.
        """
        found = []
        learned, occupied = self.calibration, self.image().occupied
        for at, reading in enumerate(self.readings()):
            is_empty = not occupied >> at & 1
            if self._is_colourless(reading):
                found.append(wire.Fault(wire.FaultCode.STUCK_CHANNEL, at, reading))
            elif learned and is_empty and learned.has_drifted(at, reading, self.kind):
                found.append(wire.Fault(wire.FaultCode.DRIFT, at, reading))
        if self.supply_mv < board_hardware.LOW_SUPPLY_MV:
            found.append(wire.Fault(wire.FaultCode.LOW_SUPPLY, None, self.supply_mv))
        return found

    def _is_colourless(self, reading: int) -> bool:
        """Whether a colour sensor's reading has no colour because it is at an end of its range."""
        at_an_end = (
            not board_hardware.STUCK_WITHIN
            < reading
            < wire.FULL_SCALE - board_hardware.STUCK_WITHIN
        )
        return at_an_end and self.kind is wire.BoardKind.COLOURS

    def _reset_image(self) -> None:
        """Compute the whole image again, as if every square had been empty until now."""
        self._senses = [Sensed.EMPTY] * len(SQUARES)
        self._faint: SquareSet = 0
        self._readings = [0] * len(SQUARES)
        """Readings of the sensors without noise."""
        self._update_image()

    def _update_image(self, squares: Iterable[Square] = SQUARES) -> None:
        learned = self.calibration or sensors.SensorCalibration.usual(self.kind)
        for at in squares:
            before, reading = self._senses[at], self._reading(at)
            self._readings[at] = reading
            is_colourless = self._is_colourless(reading)
            if not is_colourless:
                self._senses[at] = learned.sensed(at, reading, before)
            faint = (is_colourless or learned.is_faint(at, reading)) << at
            self._faint = self._faint & ~(1 << at) | faint
        red, blue = (
            set_of([square for square, sensed in enumerate(self._senses) if sensed is colour])
            for colour in (Sensed.RED, Sensed.BLUE)
        )
        is_blind = self.kind is wire.BoardKind.PRESENCE
        self._image = Image(unknown=red | blue) if is_blind else Image(red, blue)

    def _reading(self, square: Square) -> int:
        piece = self._standing.get(square)
        is_out = self._flickering >> square & 1 and self._frames < BLIND_FRAMES
        if piece is None or is_out:
            return self._sensors.reading(square)
        magnet = piece.magnet if piece.side is Side.RED else -piece.magnet
        return self._sensors.reading(square, magnet)


WEAK_MAGNET: Final = 0.3
"""Strength of a weak magnet relative to a typical one."""
FLIPPED_MAGNET: Final = -1.0
TREMBLE: Final = 20
"""A loose wire raises or lowers every reading by this number of counts."""
NO_MAGNET: Final = 0.0
DRIFT: Final = 50
"""Drift of a faulty sensor, in counts. It is large enough to be reported, but too small to be
detected as a piece."""
LOW_SUPPLY: Final = "low-supply"
WEAK_SUPPLY_MV: Final = 4600


def exchange(board: SimulatedBoard, square: Square, magnet: float = 1.0) -> None:
    """Replace the magnet of the piece on a square. Raises ImpossibleError if there is no piece."""
    if board.at(square) is None:
        is_lake = LAKES >> square & 1
        where = name(square)
        raise ImpossibleError(f"{where} is a lake" if is_lake else f"there is no piece on {where}")
    piece = board.lift(square)
    board.stand(piece.side, square, piece.label, magnet)


InjectedFault: TypeAlias = Callable[[SimulatedBoard, Square], None]
FAULTS: Final[Mapping[str, InjectedFault]] = {
    "weak": partial(exchange, magnet=WEAK_MAGNET),
    "flipped": partial(exchange, magnet=FLIPPED_MAGNET),
    "missing": partial(exchange, magnet=NO_MAGNET),
    "dead": lambda board, square: board.set_stuck(square, board_hardware.RESTING[board.kind]),
    "loose": lambda board, square: board.make_intermittent(square, TREMBLE),
    "stuck-low": lambda board, square: board.set_stuck(square, 0),
    "stuck-high": lambda board, square: board.set_stuck(square, wire.FULL_SCALE),
    "drift": lambda board, square: board.set_drift(square, DRIFT),
}
"""Faults of a square or of the piece on it, by name."""
EXAMPLES: Final = (
    "weak:e4",
    "flipped:e4",
    "missing:e4",
    "dead:e4",
    "loose:e4",
    "stuck-low:e4",
    "stuck-high:e4",
    "drift:e5",
    LOW_SUPPLY,
)
"""An example of each fault, on a square where the fault is noticeable once both armies are set up.
Drift is noticeable only on an empty square."""


def inject(board: SimulatedBoard, fault: str) -> None:
    """Inject a fault: ``"weak:e4"``, or ``"low-supply"``, which has no square.

    Raises ValueError if the fault or the square does not exist, or if the fault requires a piece
    but the square is empty.
    """
    if fault == LOW_SUPPLY:
        board.supply_mv = WEAK_SUPPLY_MV
        return
    kind, _, where = fault.partition(":")
    if kind not in FAULTS:
        raise ValueError(f"unknown fault {fault!r}; examples: {', '.join(EXAMPLES)}")
    FAULTS[kind](board, square(where))
