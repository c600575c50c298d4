"""Makes a camera act as a board that uses the wire protocol on a simulated port.

A thread captures camera images. The board image is read from the latest camera image in which
nothing crosses the frame. Before the armies have been learned, only the empty board is reported. In
all other images from that time, and while something crosses the frame, the board image may be
wrong, so all squares are reported as faint. The host ignores such frames
(`companion.devices.live_board`).

Calibration learns the camera's colours. After EMPTY, which discards the learned board, the next
clear camera image must show the board without pieces or, if the board is plain, both armies in
their rows. ARMIES succeeds once both armies have been recognized.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Final, Self

from engine.board.geometry import ALL, SQUARES, SquareSet
from firmware_bridge import wire
from firmware_bridge.board_hardware import ON_PER_CENT, PULL, RESTING, USUAL_BAND_GAP_MV
from firmware_bridge.camera.notices import LearningPhase, Notice, Preview
from firmware_bridge.camera.observer import Observation, Observer
from firmware_bridge.camera.preview import Glimpse, draw_preview
from firmware_bridge.camera.sources import TimedPicture
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.simulated_board.port import SimulatedPort

_SUPPLY_MV: Final = 5000
_CLOSING: Final = 2.0
"""Maximum time, in seconds, to wait for a pending camera read. The driver of a camera that has just
been unplugged may block for longer.
"""


@dataclass(frozen=True)
class ColourCalibration:
    """Calibration checksum that a HELLO reports once the colours have been learned."""

    checksum: int = 0xCA4E


class CameraBoard:
    """State of the board as seen by a camera. Thread-safe."""

    kind = wire.BoardKind.COLOURS
    firmware = wire.CAMERA_FIRMWARE
    steady_frames = 0

    def __init__(self) -> None:
        self.supply_mv = _SUPPLY_MV
        self.observer = Observer()
        self.lamps: SquareSet = 0
        self._lock = Lock()
        self._observing = Lock()
        """Protects the observer, which the capture and calibration threads share."""
        self._image = Image()
        self._is_valid = False
        self.notice: Notice | None = None
        """Condition to report for the latest camera image, if any."""
        self._glimpse: Glimpse | None = None

    def take(self, timed: TimedPicture) -> Observation | None:
        """Evaluate a camera image. Returns None if the camera is unplugged."""
        if timed.picture is None:
            with self._lock:
                self._is_valid, self._glimpse, self.notice = False, None, None
            return None
        with self._observing:
            seen = self.observer.take(timed.at, timed.picture)
        watched = self.observer
        pose = watched.view.pose if watched.view else None
        with self._lock:
            self.notice = seen.notice
            self._glimpse = Glimpse(timed.picture, pose, watched.markers, watched.frame, seen.image)
            self._is_valid = seen.image is not None
            if seen.image is not None:
                self._image = seen.image
        return seen

    @property
    def calibration(self) -> ColourCalibration | None:
        """The learned colours, or None until both armies have been recognized."""
        is_learned = self.observer.phase is LearningPhase.PLAYING
        return ColourCalibration() if is_learned else None

    def image(self) -> Image:
        """Return the board image from the latest unobstructed camera image."""
        return self._image

    def faint(self) -> SquareSet:
        """Return all squares while the board image may be outdated, otherwise none."""
        return 0 if self._is_valid else ALL

    def faults(self) -> list[wire.Fault]:
        return []

    def felt(self) -> list[wire.FieldReadings]:
        return []

    def preview(self) -> Preview | None:
        """Return a preview of the latest camera image, or None before the first one."""
        seen = self._glimpse
        return draw_preview(seen) if seen else None

    def restart(self) -> None:
        """Do nothing: resetting the board does not affect the camera."""

    def pass_frames(self, count: int = 1) -> None:
        """Do nothing: camera images carry their own timestamps."""

    def readings(self) -> list[int]:
        """Return the sensor readings that correspond to the image, for the sensor check."""
        image, resting, pull = self._image, RESTING[self.kind], PULL[self.kind]
        return [
            resting + pull * ((image.blue >> square & 1) - (image.red >> square & 1))
            for square in SQUARES
        ]

    def learn(self, step: wire.CalibrationStep) -> wire.CalibrationReply:
        """Execute a calibration step and return the reply."""
        result, squares = wire.CalibrationResult.DONE, 0
        if step is wire.CalibrationStep.EMPTY:
            with self._observing:
                self.observer.learn_again()
        elif (
            step in (wire.CalibrationStep.ARMIES, wire.CalibrationStep.SAVE)
            and not self.calibration
        ):
            result, squares = wire.CalibrationResult.MISSING, ARMIES.occupied
        return wire.CalibrationReply(step, {result: squares})

    def configure(self, _wish: wire.Configure) -> wire.Configured:
        """Reject all settings: they apply only to sensors."""
        settings = wire.BoardSettings(
            self.kind, wire.Geometry.BY_HAND, ON_PER_CENT[self.kind], USUAL_BAND_GAP_MV
        )
        return wire.Configured(wire.ConfigureResult.NO_KIND, settings)


class CameraPort:
    """Serial port of a board that is observed by a camera."""

    def __init__(
        self,
        pictures: Iterator[TimedPicture],
        listener: Callable[[Observation | None], None],
    ) -> None:
        """Start a thread that reads images.

        `listener` receives each result, or None while the camera is unplugged.
        """
        self.board = CameraBoard()
        self.ended = Event()
        """Set when the source has no more camera images."""
        self.error: Exception | None = None
        """The error that ended the source, or None."""
        self._pictures, self._listener = pictures, listener
        self._closing = Event()
        self._port = SimulatedPort(self.board)
        self.path = self._port.path
        """Path of the port, which a host opens as a serial port."""
        self._port.run()
        self._reader = Thread(target=self._read, name="camera", daemon=True)
        self._reader.start()

    @property
    def notice(self) -> Notice | None:
        """Condition that the players must correct, or None."""
        return self.board.notice if self.is_connected else None

    @property
    def is_connected(self) -> bool:
        """Whether the camera is delivering images."""
        return self._port.is_plugged_in and not self.ended.is_set()

    def preview(self) -> Preview | None:
        """Return a preview of the latest camera image, or None if the camera is unplugged."""
        return self.board.preview() if self.is_connected else None

    def close(self) -> None:
        """Stop reading and remove the port."""
        self._closing.set()
        self._reader.join(_CLOSING)
        self._port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        try:
            for timed in self._pictures:
                if self._closing.is_set():
                    return
                self._plug(is_connected=timed.picture is not None)
                self._listener(self.board.take(timed))
        except Exception as error:  # noqa: BLE001 (the waiting thread reports it)
            self.error = error
        finally:
            self.ended.set()

    def _plug(self, *, is_connected: bool) -> None:
        """Make the port disappear when the camera is unplugged, and reappear later."""
        if is_connected and not self._port.is_plugged_in:
            self._port.replug()
        elif not is_connected and self._port.is_plugged_in:
            self._port.unplug()
