"""What stands on the simulated board, and what its sensors make of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

from engine.sides import Side
from engine.squares import SQUARES, WIDTH, Square, SquareSet, name, set_of, squares_in
from firmware_bridge.image import Image, Sensed
from firmware_bridge.thresholds import (
    BAND_GAPS_MV,
    LOW_SUPPLY_MV,
    ON_PER_CENT,
    SHARES,
    STUCK_WITHIN,
    USUAL_BAND_GAP_MV,
)
from firmware_bridge.virtual.calibration import Calibration, Learning
from firmware_bridge.virtual.field import Standing, felt_on
from firmware_bridge.virtual.sensors import Sensors
from firmware_bridge.wire import (
    FELT_BANDS,
    FELT_SQUARES,
    FULL_SCALE,
    BoardKind,
    Configure,
    Configured,
    ConfigureResult,
    Fault,
    FaultCode,
    Felt,
    Geometry,
    Learned,
    LearnStep,
    Settings,
)

SUPPLY_MV: Final = 5000
FLICKER_FRAMES: Final = 20
"""From one failure of a sensor that flickers to the next."""
BLIND_FRAMES: Final = 5
"""For so many of them it sees nothing."""


class ImpossibleError(ValueError):
    """Something that no hand could do with the pieces as they stand; nothing has changed."""


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A piece to be held and set down: the same one wherever it goes, whatever it looks like."""

    side: Side
    label: str = ""
    """What is printed on it. No sensor sees it."""
    magnet: float = 1.0
    """How strong its magnet is beside a usual one; below 0 it sits the wrong way round."""

    def __str__(self) -> str:
        return f"{self.side.value} {self.label or 'piece'}"


class VirtualBoard:
    """The pieces on the squares, lakes included, as in the world: by hand, without any rules.

    What is soldered under them is as good as new, and calibrated, until somebody changes that.
    Several threads may use one board.
    """

    def __init__(self, kind: BoardKind = BoardKind.COLOURS) -> None:
        self.kind = kind
        """What its sensors can tell."""
        self.supply_mv = SUPPLY_MV
        self.lamps: SquareSet = 0
        """The squares that the host wants to be lit."""
        self._sensors = Sensors(kind)
        self._calibration: Calibration | None = Calibration.of_new(self._sensors, kind)
        self._settings = Settings(kind, Geometry.BY_HAND, ON_PER_CENT[kind], USUAL_BAND_GAP_MV)
        self._is_forgotten = False
        """Whether that one is put aside, until the next ABORT, SAVE or restart."""
        self._learning = Learning(kind)
        self._standing: dict[Square, Piece] = {}
        self.astray: tuple[Side, float, float] | None = None
        """A piece that stands between squares: whose it is, its column and its row."""
        self._flickering: SquareSet = 0
        self._frames = 0
        """How far the sensors are that flicker, in frames."""
        self._lock = Lock()
        self._look_anew()

    def at(self, square: Square) -> Piece | None:
        """The piece that stands on a square, None if it is empty."""
        return self._standing.get(square)

    def pieces(self) -> dict[Square, Piece]:
        """All that stands on the board, by its square."""
        return dict(self._standing)

    def stand(self, side: Side, square: Square, label: str = "", magnet: float = 1.0) -> Piece:
        """Set a new piece on a square and return it; ImpossibleError if the square is occupied."""
        piece = Piece(side, label, magnet)
        self.place(piece, square)
        return piece

    def lift(self, square: Square) -> Piece:
        """Take the piece off a square into the hand; ImpossibleError if there is none."""
        with self._lock:
            if square not in self._standing:
                raise ImpossibleError(f"there is no piece to lift on {name(square)}")
            piece = self._standing.pop(square)
            self._look([square])
            return piece

    def place(self, piece: Piece, square: Square) -> None:
        """Set a piece from the hand on a square.

        ImpossibleError if the square is occupied or the piece stands on the board already.
        """
        with self._lock:
            standing = self._standing.get(square)
            if standing is not None:
                raise ImpossibleError(f"{name(square)} is occupied by a {standing}")
            for elsewhere, other in self._standing.items():
                if other is piece:
                    raise ImpossibleError(f"the {piece} already stands on {name(elsewhere)}")
            self._standing[square] = piece
            self._look([square])

    def take_away(self, square: Square) -> None:
        """Take the piece off a square and out of the game; ImpossibleError if there is none."""
        self.lift(square)

    def stick(self, square: Square, reading: int) -> None:
        """Let the sensor of a square read the same from now on, whatever stands on it."""
        with self._lock:
            self._sensors.stick(square, reading)
            self._look([square])

    def flicker(self, square: Square) -> None:
        """Let the sensor of a square lose sight of its piece again and again from now on."""
        with self._lock:
            self._flickering |= 1 << square
            self._look([square])

    def mend(self, square: Square) -> None:
        """Put an end to what was wrong with the sensor of a square, but for its drift."""
        with self._lock:
            self._sensors.mend(square)
            self._flickering &= ~(1 << square)
            self._look([square])

    @property
    def steady_frames(self) -> int:
        """How many frames go by until a sensor that flickers may begin or cease to see."""
        turns = BLIND_FRAMES if self._frames < BLIND_FRAMES else FLICKER_FRAMES
        return turns - self._frames - 1

    def pass_frames(self, count: int = 1) -> None:
        """Let the time of some frames go by, in which a sensor may begin or cease to see."""
        if self._flickering:
            with self._lock:
                self._frames = (self._frames + count) % FLICKER_FRAMES
                self._look(squares_in(self._flickering))

    def drift(self, square: Square, counts: int) -> None:
        """Let the sensor of a square rest elsewhere from now on."""
        with self._lock:
            self._sensors.drift(square, counts)
            self._look([square])

    def loosen(self, square: Square, counts: int) -> None:
        """Let the sensor of a square read so far too high or too low from now on."""
        with self._lock:
            self._sensors.loosen(square, counts)

    @property
    def calibration(self) -> Calibration | None:
        """The one in use; None if the board was never calibrated, or has put it aside."""
        return None if self._is_forgotten else self._calibration

    def restart(self) -> None:
        """Forget what was not saved and put the lamps out, as the board does when it starts."""
        with self._lock:
            self._learning, self.lamps = Learning(self.kind), 0
            self._is_forgotten = False
            self._look_anew()

    def erase(self) -> None:
        """Lose the calibration, as a board does that was never calibrated."""
        with self._lock:
            self._calibration = None
            self._look_anew()

    def learn(self, step: LearnStep) -> Learned:
        """Take a step of the calibration and return the answer."""
        with self._lock:
            answer, learned = self._learning.take(step, self._readings, self._image.occupied)
            self._calibration = learned or self._calibration
            if step is LearnStep.FORGET:
                self._is_forgotten = True
                self._look_anew()
            elif step is LearnStep.ABORT or learned:
                self._is_forgotten = False
                self._look()
        return answer

    def configure(self, wish: Configure) -> Configured:
        """Take other settings, but for what this board is built of, and return the answer."""
        was = self._settings
        wanted = replace(
            was,
            on_per_cent=wish.on_per_cent or was.on_per_cent,
            band_gap_mv=wish.band_gap_mv or was.band_gap_mv,
        )
        result = ConfigureResult.CONFIGURED_SO
        if wish.kind not in (0, was.kind):
            result = ConfigureResult.NO_KIND
        elif wish.geometry not in (0, was.geometry):
            result = ConfigureResult.NO_GEOMETRY
        elif wanted.band_gap_mv not in BAND_GAPS_MV:
            result = ConfigureResult.NO_BAND_GAP
        elif wanted.on_per_cent not in SHARES:
            result = ConfigureResult.NO_SHARE
        else:
            self._settings = wanted
        return Configured(result, self._settings)

    def readings(self) -> list[int]:
        """What the sensor of every square reads, each a little off."""
        with self._lock:
            return [self._sensors.noisy(*each) for each in enumerate(self._readings)]

    def felt(self) -> list[Felt]:
        """How much of a piece every square feels, also of pieces beside it."""
        with self._lock:
            pieces: list[Standing] = [
                (each.side, square % WIDTH, square // WIDTH, each.magnet)
                for square, each in self._standing.items()
            ]
        if self.astray:
            pieces.append((*self.astray, 1.0))
        shares = [felt_on(square, pieces) for square in SQUARES]
        return [
            Felt(band, tuple(shares[FELT_SQUARES * band : FELT_SQUARES * (band + 1)]))
            for band in range(FELT_BANDS)
        ]

    def image(self) -> Image:
        """What the sensors show: a board of presence sensors shows no colours."""
        return self._image

    def faint(self) -> SquareSet:
        """The squares whose sensors may as well show something else."""
        return self._faint

    def faults(self) -> list[Fault]:
        """What the board finds to be wrong with itself; drift only from what it has learned."""
        found = []
        learned, occupied = self.calibration, self.image().occupied
        for square, reading in enumerate(self.readings()):
            is_empty = not occupied >> square & 1
            if self._is_colourless(reading):
                found.append(Fault(FaultCode.STUCK_CHANNEL, square, reading))
            elif learned and is_empty and learned.has_drifted(square, reading, self.kind):
                found.append(Fault(FaultCode.DRIFT, square, reading))
        if self.supply_mv < LOW_SUPPLY_MV:
            found.append(Fault(FaultCode.LOW_SUPPLY, None, self.supply_mv))
        return found

    def _is_colourless(self, reading: int) -> bool:
        """Whether a reading is at an end of the range, where switches are all the time."""
        at_an_end = not STUCK_WITHIN < reading < FULL_SCALE - STUCK_WITHIN
        return at_an_end and self.kind is BoardKind.COLOURS

    def _look_anew(self) -> None:
        """Look as if nothing had been on the board before."""
        self._senses = [Sensed.EMPTY] * len(SQUARES)
        self._faint: SquareSet = 0
        self._readings = [0] * len(SQUARES)
        """What the sensors read, but for their noise."""
        self._look()

    def _look(self, squares: Iterable[Square] = SQUARES) -> None:
        learned = self.calibration or Calibration.usual(self.kind)
        for square in squares:
            before, reading = self._senses[square], self._reading(square)
            self._readings[square] = reading
            is_colourless = self._is_colourless(reading)
            if not is_colourless:
                self._senses[square] = learned.sensed(square, reading, before)
            faint = (is_colourless or learned.is_faint(square, reading)) << square
            self._faint = self._faint & ~(1 << square) | faint
        red, blue = (
            set_of([square for square, sensed in enumerate(self._senses) if sensed is colour])
            for colour in (Sensed.RED, Sensed.BLUE)
        )
        is_blind = self.kind is BoardKind.PRESENCE
        self._image = Image(unknown=red | blue) if is_blind else Image(red, blue)

    def _reading(self, square: Square) -> int:
        piece = self._standing.get(square)
        is_out = self._flickering >> square & 1 and self._frames < BLIND_FRAMES
        if piece is None or is_out:
            return self._sensors.reading(square)
        magnet = piece.magnet if piece.side is Side.RED else -piece.magnet
        return self._sensors.reading(square, magnet)
