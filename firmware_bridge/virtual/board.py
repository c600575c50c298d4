"""What stands on the simulated board, and what its sensors make of it."""

from dataclasses import dataclass
from threading import Lock
from typing import Final

from engine.sides import Side
from engine.squares import SQUARES, Square, SquareSet, name
from firmware_bridge.image import Image, Sensed
from firmware_bridge.virtual.calibration import Calibration, Learning
from firmware_bridge.virtual.sensors import Sensors
from firmware_bridge.wire import (
    FULL_SCALE,
    BoardKind,
    Fault,
    FaultCode,
    Learned,
    LearnStep,
)

SUPPLY_MV: Final = 5000
LOW_SUPPLY_MV: Final = 4700
"""Below this the board complains."""
END_OF_RANGE: Final = 15
"""A sensor that reads within so many counts of either end of its range is stuck there."""


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
        self._is_forgotten = False
        """Whether that one is put aside, until the next ABORT, SAVE or restart."""
        self._learning = Learning(kind)
        self._standing: dict[Square, Piece] = {}
        self._image: Image | None = None
        """What the sensors show, None if it has to be found out anew."""
        self._lock = Lock()

    def at(self, square: Square) -> Piece | None:
        """The piece that stands on a square, None if it is empty."""
        return self._standing.get(square)

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
            self._image = None
            return self._standing.pop(square)

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
            self._image = None

    def take_away(self, square: Square) -> None:
        """Take the piece off a square and out of the game; ImpossibleError if there is none."""
        self.lift(square)

    def stick(self, square: Square, reading: int) -> None:
        """Let the sensor of a square read the same from now on, whatever stands on it."""
        with self._lock:
            self._sensors.stick(square, reading)
            self._image = None

    def drift(self, square: Square, counts: int) -> None:
        """Let the sensor of a square rest elsewhere from now on."""
        with self._lock:
            self._sensors.drift(square, counts)
            self._image = None

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
            self._put_aside(False)

    def erase(self) -> None:
        """Lose the calibration, as a board does that was never calibrated."""
        with self._lock:
            self._calibration = self._image = None

    def learn(self, step: LearnStep) -> Learned:
        """Take a step of the calibration and return the answer."""
        occupied = self.image().occupied
        with self._lock:
            answer, learned = self._learning.take(step, self._readings(), occupied)
            self._calibration = learned or self._calibration
            if step in (LearnStep.ABORT, LearnStep.FORGET) or learned:
                self._put_aside(step is LearnStep.FORGET)
        return answer

    def readings(self) -> list[int]:
        """What the sensor of every square reads, each a little off."""
        with self._lock:
            return [self._sensors.noisy(*each) for each in enumerate(self._readings())]

    def image(self) -> Image:
        """What the sensors show: a board of presence sensors shows no colours."""
        with self._lock:
            if self._image is None:
                self._image = self._look()
            return self._image

    def faults(self) -> list[Fault]:
        """What the board finds to be wrong with itself."""
        found = []
        learned = self.calibration or Calibration.usual(self.kind)
        occupied = self.image().occupied
        for square, reading in enumerate(self.readings()):
            at_an_end = not END_OF_RANGE < reading < FULL_SCALE - END_OF_RANGE
            if at_an_end and self.kind is BoardKind.COLOURS:  # where switches are all the time
                found.append(Fault(FaultCode.STUCK_CHANNEL, square, reading))
            elif not occupied >> square & 1 and learned.has_drifted(square, reading):
                found.append(Fault(FaultCode.DRIFT, square, reading))
        if self.supply_mv < LOW_SUPPLY_MV:
            found.append(Fault(FaultCode.LOW_SUPPLY, None, self.supply_mv))
        return found

    def _put_aside(self, is_forgotten: bool) -> None:
        self._is_forgotten, self._image = is_forgotten, None

    def _look(self) -> Image:
        learned = self.calibration or Calibration.usual(self.kind)
        sets = dict.fromkeys(Sensed, 0)
        for square, reading in enumerate(self._readings()):
            sets[learned.sensed(square, reading)] |= 1 << square
        if self.kind is BoardKind.PRESENCE:
            return Image(unknown=sets[Sensed.RED] | sets[Sensed.BLUE])
        return Image(red=sets[Sensed.RED], blue=sets[Sensed.BLUE])

    def _readings(self) -> list[int]:
        magnets = dict.fromkeys(SQUARES, 0.0)
        for square, piece in self._standing.items():
            magnets[square] = piece.magnet if piece.side is Side.RED else -piece.magnet
        return [self._sensors.reading(square, magnet) for square, magnet in magnets.items()]
