"""Model of the firmware, without I/O: timestamps and commands in, frames out.

It has the role of the firmware on a real board. `port` connects it to a pseudo-terminal; code that
drives it directly needs neither a thread nor real time.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from engine.board.geometry import Square, SquareSet, squares_in
from firmware_bridge.image import Image
from firmware_bridge.wire import (
    CHANGE_REPORT_MS,
    CHANNELS,
    MOST_CHANGES,
    STATE_INTERVAL_MS,
    BoardKind,
    BoardMessage,
    Calibrate,
    CalibrationReply,
    CalibrationStep,
    Configure,
    Configured,
    Encoder,
    Fault,
    FieldReadings,
    Geometry,
    Hello,
    HostCommand,
    Identify,
    Lamps,
    Raw,
    RequestField,
    RequestRaw,
    ResetCause,
    State,
    Status,
)
from firmware_bridge.wiring import WIRINGS

_WRAP = 2**32


class Changes:
    """Tracks the recent changes of squares, as the frames of a board report them.

    The tracker begins with the initial image. Time is passed in.
    """

    def __init__(self, image: Image) -> None:
        """Begin with an image without any changes."""
        self._image = image
        self._at_ms: dict[Square, int] = {}
        """Time of each square's last change, the latest last."""

    def look(self, at_ms: int, image: Image) -> None:
        """Record the changes up to a time of the board's clock."""
        if image is self._image:
            return
        for square in squares_in(self._image.differing(image)):
            self._at_ms.pop(square, None)
            self._at_ms[square] = at_ms
        self._image = image

    def recent_changes(self, at_ms: int) -> tuple[tuple[Square, int], ...]:
        """Return the changes that a frame at `at_ms` reports: the squares, each with its age."""
        ago = {square: (at_ms - then) % _WRAP for square, then in self._at_ms.items()}
        recent = {square: before for square, before in ago.items() if before <= CHANGE_REPORT_MS}
        self._at_ms = {square: self._at_ms[square] for square in recent}
        return tuple(recent.items())[-MOST_CHANGES:]


# Firmware.


class LearnedCalibration(Protocol):
    """A calibration in use."""

    @property
    def checksum(self) -> int:
        """Its checksum, never 0."""


class BoardModel(Protocol):
    """The squares below the firmware: of a simulated board, or seen by a camera."""

    supply_mv: int
    lamps: SquareSet

    @property
    def kind(self) -> BoardKind: ...
    @property
    def firmware(self) -> tuple[int, int, int]:
        """Version that the board reports."""

    @property
    def calibration(self) -> LearnedCalibration | None: ...
    @property
    def steady_frames(self) -> int: ...
    def restart(self) -> None: ...
    def pass_frames(self, count: int = 1) -> None: ...
    def image(self) -> Image: ...
    def faint(self) -> SquareSet: ...
    def faults(self) -> list[Fault]: ...
    def felt(self) -> list[FieldReadings]: ...
    def readings(self) -> Sequence[int]: ...
    def learn(self, step: CalibrationStep) -> CalibrationReply: ...
    def configure(self, _wish: Configure, /) -> Configured: ...


STATUS_INTERVAL_MS: Final = 1000
"""Interval between two STATUS messages, in milliseconds; persistent faults are repeated with
each."""
_WRAP_MS: Final = 2**32


class FirmwareModel:
    """Firmware of one simulated board; `start` is called at each of its starts."""

    def __init__(self, board: BoardModel) -> None:
        """Create the firmware of a board; call `start` before anything else."""
        self._board = board

    @property
    def hello(self) -> Hello:
        """The board's reply to IDENTIFY."""
        calibration = self._board.calibration.checksum if self._board.calibration else 0
        return Hello(self._board.firmware, self._board.kind, self._reset_cause, calibration)

    @property
    def steady_ms(self) -> int:
        """Minimum time in which all frames are equal, up to the next STATUS.

        It is valid as long as the board is not touched and receives no command.
        """
        status_ms = STATUS_INTERVAL_MS - self._clock_ms % STATUS_INTERVAL_MS
        return min(status_ms - STATE_INTERVAL_MS, self._board.steady_frames * STATE_INTERVAL_MS)

    def start(self, cause: ResetCause) -> bytes:
        """Restart clock and sequence numbers; return the HELLO."""
        self._reset_cause = cause
        self._encoder = Encoder()
        self._clock_ms = 0
        self._board.restart()
        self._changes = Changes(self._board.image())
        return self._encoder.encode(self.hello)

    def look(self, after_ms: int) -> None:
        """Record the changes at a time after the latest frame, in milliseconds."""
        self._changes.look(self._clock_ms + after_ms, self._board.image())

    def tick(self) -> list[bytes]:
        """Advance the clock by one frame; return the frames that are sent."""
        self._clock_ms = (self._clock_ms + STATE_INTERVAL_MS) % _WRAP_MS
        self._board.pass_frames()
        image, faint = self._board.image(), self._board.faint()
        self._changes.look(self._clock_ms, image)
        changes = self._changes.recent_changes(self._clock_ms)
        messages: list[BoardMessage] = [State(self._clock_ms, image, changes, faint)]
        if self._clock_ms % STATUS_INTERVAL_MS == 0:
            messages += [Status(self._board.supply_mv), *self._board.faults()]
        return [self._encoder.encode(each) for each in messages]

    def advance(self, milliseconds: int) -> None:
        """Advance the clock without changes and without generating frames."""
        self._clock_ms = (self._clock_ms + milliseconds) % _WRAP_MS
        self._board.pass_frames(milliseconds // STATE_INTERVAL_MS)

    def answer(self, command: HostCommand) -> list[bytes]:
        """Execute a command of the host; return the frames sent in reply."""
        return [self._encoder.encode(each) for each in self._answers(command)]

    def _answers(self, command: HostCommand) -> list[BoardMessage]:
        match command:
            case Identify():
                return [self.hello]
            case RequestRaw():
                return [*self._raw()]
            case RequestField():
                return [*self._board.felt()] if self._board.kind is BoardKind.COLOURS else []
            case Calibrate(step):
                return [self._board.learn(step)]
            case Configure():
                return [self._board.configure(command)]
            case Lamps(squares):
                self._board.lamps = squares
                return []

    def _raw(self) -> list[Raw]:
        readings = self._board.readings()
        squares = WIRINGS[Geometry.BY_HAND].square_of
        by_channel = [
            readings[squares[channel]] if channel in squares else 0
            for channel in range(Geometry.BY_HAND * CHANNELS)
        ]
        return [
            Raw(n, tuple(by_channel[CHANNELS * n : CHANNELS * (n + 1)]))
            for n in range(Geometry.BY_HAND)
        ]
