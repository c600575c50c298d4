"""Serial port of the simulated board: a firmware model on a pseudo-terminal.

`FirmwareModel` takes timestamps and commands and returns frames, without I/O, threads or real time.
`SimulatedPort` connects it to a pseudo-terminal, and can simulate line noise.
"""

import os
import pty
import random
import select
import time
import tty
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from typing import Final, Protocol, Self, TypeAlias

from engine.board.geometry import Square, SquareSet, squares_in
from firmware_bridge import wire
from firmware_bridge.board_hardware import WIRINGS
from firmware_bridge.image import Image

_WRAP_MS: Final = 2**32
"""The milliseconds of a board's clock wrap around at this value."""


class Changes:
    """Tracks recent changes to squares, as a board reports them in its frames.

    Tracking starts from the initial image. The caller supplies all times.
    """

    def __init__(self, image: Image) -> None:
        self._image = image
        self._at_ms: dict[Square, int] = {}
        """Time of each square's last change, most recent last."""

    def look(self, at_ms: int, image: Image) -> None:
        """Record all changes up to the given time on the board's clock."""
        if image is self._image:
            return
        for square in squares_in(self._image.differing(image)):
            self._at_ms.pop(square, None)
            self._at_ms[square] = at_ms
        self._image = image

    def recent_changes(self, at_ms: int) -> tuple[tuple[Square, int], ...]:
        """Return the changes to report at `at_ms`: each square, and the age of its change in ms."""
        ago = {square: (at_ms - then) % _WRAP_MS for square, then in self._at_ms.items()}
        recent = {
            square: before for square, before in ago.items() if before <= wire.CHANGE_REPORT_MS
        }
        self._at_ms = {square: self._at_ms[square] for square in recent}
        return tuple(recent.items())[-wire.MOST_CHANGES :]


# Firmware.


class LearnedCalibration(Protocol):
    """Calibration in use on a board."""

    @property
    def checksum(self) -> int:
        """Checksum of the calibration, never 0."""


class BoardModel(Protocol):
    """Interface of a board that the firmware model can read: a simulated board or a camera."""

    supply_mv: int
    lamps: SquareSet

    @property
    def kind(self) -> wire.BoardKind: ...
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
    def faults(self) -> list[wire.Fault]: ...
    def felt(self) -> list[wire.FieldReadings]: ...
    def readings(self) -> Sequence[int]: ...
    def learn(self, step: wire.CalibrationStep) -> wire.CalibrationReply: ...
    def configure(self, _wish: wire.Configure, /) -> wire.Configured: ...


STATUS_INTERVAL_MS: Final = 1000
"""Interval between STATUS messages, in milliseconds. Persistent faults are reported again with each
STATUS.
"""


class FirmwareModel:
    """Firmware of one simulated board. Call `start` each time the board starts."""

    def __init__(self, board: BoardModel) -> None:
        """Create the firmware for a board. `start` must be called before any other method."""
        self._board = board

    @property
    def hello(self) -> wire.Hello:
        """The board's reply to IDENTIFY."""
        calibration = self._board.calibration.checksum if self._board.calibration else 0
        return wire.Hello(self._board.firmware, self._board.kind, self._reset_cause, calibration)

    @property
    def steady_ms(self) -> int:
        """Time in milliseconds for which all frames are certain to be the same.

        This time ends with the next STATUS at the latest. It ends at once if the board is touched
        or receives a command.
        """
        status_ms = STATUS_INTERVAL_MS - self._clock_ms % STATUS_INTERVAL_MS
        return min(
            status_ms - wire.STATE_INTERVAL_MS, self._board.steady_frames * wire.STATE_INTERVAL_MS
        )

    def start(self, cause: wire.ResetCause) -> bytes:
        """Restart the clock and the sequence numbers, and return the HELLO."""
        self._reset_cause = cause
        self._encoder = wire.Encoder()
        self._clock_ms = 0
        self._board.restart()
        self._changes = Changes(self._board.image())
        return self._encoder.encode(self.hello)

    def look(self, after_ms: int) -> None:
        """Record the changes up to `after_ms` milliseconds after the latest frame."""
        self._changes.look(self._clock_ms + after_ms, self._board.image())

    def tick(self) -> list[bytes]:
        """Advance the clock by one frame interval, and return the frames that are sent."""
        self._clock_ms = (self._clock_ms + wire.STATE_INTERVAL_MS) % _WRAP_MS
        self._board.pass_frames()
        image, faint = self._board.image(), self._board.faint()
        self._changes.look(self._clock_ms, image)
        changes = self._changes.recent_changes(self._clock_ms)
        messages: list[wire.BoardMessage] = [wire.State(self._clock_ms, image, changes, faint)]
        if self._clock_ms % STATUS_INTERVAL_MS == 0:
            messages += [wire.Status(self._board.supply_mv), *self._board.faults()]
        return [self._encoder.encode(each) for each in messages]

    def advance(self, milliseconds: int) -> None:
        """Advance the clock without generating frames. No square changes in the meantime."""
        self._clock_ms = (self._clock_ms + milliseconds) % _WRAP_MS
        self._board.pass_frames(milliseconds // wire.STATE_INTERVAL_MS)

    def answer(self, command: wire.HostCommand) -> list[bytes]:
        """Execute a command from the host and return the reply frames."""
        return [self._encoder.encode(each) for each in self._answers(command)]

    def _answers(self, command: wire.HostCommand) -> list[wire.BoardMessage]:
        match command:
            case wire.Identify():
                return [self.hello]
            case wire.RequestRaw():
                return [*self._raw()]
            case wire.RequestField():
                return [*self._board.felt()] if self._board.kind is wire.BoardKind.COLOURS else []
            case wire.Calibrate(step):
                return [self._board.learn(step)]
            case wire.Configure():
                return [self._board.configure(command)]
            case wire.Lamps(squares):
                self._board.lamps = squares
                return []

    def _raw(self) -> list[wire.Raw]:
        readings = self._board.readings()
        squares = WIRINGS[wire.Geometry.BY_HAND].square_of
        by_channel = [
            readings[squares[channel]] if channel in squares else 0
            for channel in range(wire.Geometry.BY_HAND * wire.CHANNELS)
        ]
        return [
            wire.Raw(n, tuple(by_channel[wire.CHANNELS * n : wire.CHANNELS * (n + 1)]))
            for n in range(wire.Geometry.BY_HAND)
        ]


# Pseudo-terminal.

POLL_SECONDS: Final = 0.01
"""The port checks at this interval, in seconds, whether a host has opened or closed the terminal,
because the operating system does not report it."""


class PseudoTerminal:
    """The device side of a pseudo-terminal, which a host opens as a serial port.

    The terminal exists until it is closed. `on_bytes` is called with data from the host, in the
    terminal's own thread.
    """

    def __init__(self, on_bytes: Callable[[bytes], None]) -> None:
        self._on_bytes = on_bytes
        self._closing = Event()
        self._device, hosts_end = pty.openpty()
        tty.setraw(hosts_end)  # otherwise, early output would be echoed to the sender
        os.set_blocking(self._device, False)
        self.name = os.ttyname(hosts_end)
        """Path that the host opens."""
        os.close(hosts_end)
        self._listener = Thread(target=self._listen, name=self.name, daemon=True)
        self._listener.start()

    def write(self, data: bytes, patience: float) -> None:
        """Send bytes to a host that has the terminal open; otherwise discard them.

        Raises TimeoutError if a host has the terminal open but does not read for `patience`
        seconds. If `patience` is 0, bytes that do not fit are dropped.
        """
        deadline = time.monotonic() + patience
        while data:
            events = self._wait(select.POLLOUT, max(0.0, deadline - time.monotonic()))
            if events & select.POLLHUP:
                return  # no host has it open
            if events:
                with suppress(OSError):  # the host may have closed it in the meantime
                    data = data[os.write(self._device, data) :]
            elif patience:
                raise TimeoutError(f"no data was read from {self.name} for {patience} s")
            else:
                return

    def close(self) -> None:
        """Read the remaining input and hang up. After that, reads and writes by the host fail."""
        self._closing.set()
        self._listener.join()
        os.close(self._device)

    def _listen(self) -> None:
        data, closing = b"", False
        while data or not closing:
            # Check for the end first, so that input received before the end is still read.
            closing = self._closing.is_set()
            data = self._read()
            if data:
                self._on_bytes(data)

    def _read(self) -> bytes:
        events = self._wait(select.POLLIN, POLL_SECONDS)
        if events & select.POLLIN:
            with suppress(OSError):  # the host may have closed or flushed the port
                return os.read(self._device, 4096)
        elif events:  # without a host, polls return immediately, so wait before the next
            self._closing.wait(POLL_SECONDS)
        return b""

    def _wait(self, event: int, seconds: float) -> int:
        """Wait for an event or for the host to hang up, and return the poll flags that were set."""
        poll = select.poll()
        poll.register(self._device, event)
        return sum(events for _, events in poll.poll(1000 * seconds))


# Line noise.

Line: TypeAlias = Callable[[bytes], bytes]
"""Function that maps a frame sent by the board to the bytes received by the host."""


def clean(frame: bytes) -> bytes:
    """Deliver every frame unchanged."""
    return frame


def noisy(frame: bytes) -> bytes:
    """Deliver every frame, sometimes preceded by garbage and a damaged copy.

    The noise depends only on the frame, so runs are reproducible.
    """
    dice = random.Random(frame)
    noise = b""
    if dice.random() < 0.1:
        noise += dice.randbytes(dice.randrange(1, 80)) + wire.FRAME_END
    if dice.random() < 0.1:
        damaged = bytearray(frame)
        damaged[dice.randrange(len(frame) - 1)] ^= 1 << dice.randrange(8)
        noise += bytes(damaged)
    return noise + frame


def lossy(frame: bytes) -> bytes:
    """Drop two out of three frames. Whether a frame is dropped depends only on its content."""
    return frame if random.Random(frame).random() < 1 / 3 else b""


LINES: Final[Mapping[str, Line]] = {"clean": clean, "noisy": noisy}
"""Lines, by name, whose noise does not change the result of a simulated game."""


# Port.

LOOKS_PER_FRAME: Final = 4
"""In real time, the board is checked for changes this many times per frame."""
PATIENCE_SECONDS: Final = 10.0
"""Maximum time, in seconds, that `advance` waits for a host that has the port open but does not
read.
"""


class SimulatedPort:
    """A serial port with a simulated board at the other end.

    The board replies to commands at any time. STATE and STATUS are sent in one of two ways.
    `advance` sends them step by step, and the same steps always produce the same frames. After a
    call of `run`, they are sent in real time, and unread frames are dropped, as a UART would drop
    them. While no host has the port open, nothing is sent.

    Bytes that do not form a command indicate a bug in the host. They are collected in `errors`, and
    make `close` raise LocalProtocolError.
    """

    def __init__(
        self, board: BoardModel, directory: Path | None = None, line: Line = clean
    ) -> None:
        """Plug the board in.

        The port is created in `directory`, or in a private directory if it is None.
        """
        self._firmware_model = FirmwareModel(board)
        self.line = line
        """Noise applied to the frames that are sent."""
        self._cleaning_up = ExitStack()
        if directory is None:
            private = TemporaryDirectory(prefix="boomboard-")
            directory = Path(self._cleaning_up.enter_context(private))
        self.path = directory / "board"
        """Path of the port. It does not change when the board is unplugged and plugged in again."""
        self.errors: list[wire.BadFrame] = []
        """Received data that is not a command."""
        self._lock = Lock()
        self._ticker: Thread | None = None
        self._closing = Event()
        self._terminal: PseudoTerminal | None = None
        self._owed_ms = 0
        self.replug()

    @property
    def hello(self) -> wire.Hello:
        """The board's reply to IDENTIFY."""
        return self._firmware_model.hello

    def advance(self, milliseconds: int) -> int:
        """Advance simulated time and send the frames that are due.

        Return the number of STATEs sent, which is 0 while the board is unplugged. If a host has the
        port open but does not read, wait for it. Raise TimeoutError after ten seconds.
        """
        if self._ticker:
            raise RuntimeError("cannot advance a port that is running in real time")
        self._firmware_model.look(self._owed_ms)
        ticks, self._owed_ms = divmod(self._owed_ms + milliseconds, wire.STATE_INTERVAL_MS)
        for _ in range(ticks):
            self._tick()
        return ticks if self._terminal else 0

    def run(self, haste: float = 1.0) -> None:
        """Send frames in real time from now on, in a thread.

        `haste` is the speed of the board's clock relative to real time.
        """
        if self._ticker:
            raise RuntimeError("the port is already sending frames")
        self._ticker = Thread(target=self._run, args=[haste], name="simulated board", daemon=True)
        self._ticker.start()

    def restart(self, cause: wire.ResetCause) -> None:
        """Reset the board: its clock and sequence numbers restart, and it sends a HELLO."""
        with self._lock:
            self._start(cause)

    @property
    def is_plugged_in(self) -> bool:
        """Whether a host can find the port."""
        return self._terminal is not None

    def unplug(self) -> None:
        """Unplug the board: the port disappears, and a host that has it open is disconnected."""
        with self._lock:
            terminal, self._terminal = self._terminal, None
        if terminal is None:
            raise RuntimeError("the board is not plugged in")
        self.path.unlink()
        terminal.close()
        self._receive(wire.FRAME_END)  # completes a partial frame, so that it is reported

    def replug(self) -> None:
        """Plug the board in again. It restarts, and the port reappears under the same name."""
        with self._lock:
            if self._terminal:
                raise RuntimeError("the board is already plugged in")
            self._decoder = wire.Decoder(wire.FROM_HOST)
            self._terminal = PseudoTerminal(self._receive)
            self._start(wire.ResetCause.POWER_ON)
            self.path.symlink_to(self._terminal.name)

    def close(self) -> None:
        """Unplug the board for good.

        Raises LocalProtocolError if the host has sent invalid data.
        """
        self._closing.set()
        if self._ticker:
            self._ticker.join()
        if self._terminal:
            self.unplug()
        self._cleaning_up.close()
        if self.errors:
            raise wire.LocalProtocolError(f"the host has sent invalid commands: {self.errors}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, cause: wire.ResetCause) -> None:
        self._send(self._firmware_model.start(cause))

    def _run(self, haste: float) -> None:
        due, look_ms = time.monotonic(), wire.STATE_INTERVAL_MS // LOOKS_PER_FRAME
        for look in cycle(range(1, LOOKS_PER_FRAME + 1)):
            due += look_ms / 1000 / haste
            if self._closing.wait(max(0.0, due - time.monotonic())):
                return
            with self._lock:
                self._firmware_model.look(look * look_ms)
            if look == LOOKS_PER_FRAME:
                self._tick()

    def _tick(self) -> None:
        with self._lock:
            self._send(*self._firmware_model.tick())

    def _receive(self, data: bytes) -> None:
        for found in self._decoder.receive(data):
            if isinstance(found, wire.BadFrame):
                self.errors.append(found)
                continue
            with self._lock:
                self._send(*self._firmware_model.answer(found))

    def _send(self, *frames: bytes) -> None:
        if self._terminal:
            for frame in frames:
                self._terminal.write(self.line(frame), 0.0 if self._ticker else PATIENCE_SECONDS)
