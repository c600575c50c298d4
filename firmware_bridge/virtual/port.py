"""Port of the simulated board: a pseudo-terminal with the frames of the real board."""

import time
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from typing import Final, Self

from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.lines import Line, clean
from firmware_bridge.virtual.talker import Talker
from firmware_bridge.virtual.terminal import Terminal
from firmware_bridge.wire import (
    FRAME_END,
    FROM_HOST,
    STATE_INTERVAL_MS,
    BadFrame,
    Decoder,
    Hello,
    LocalProtocolError,
    ResetCause,
)

LOOKS_PER_FRAME: Final = 4
"""Number of times that the board checks for changes during one frame, in real time."""
PATIENCE_SECONDS: Final = 10.0
"""Time for which simulated time waits for a host that has the port open and does not read, in
seconds."""


class VirtualPort:
    """A serial port with a simulated board at its other end.

    It answers every command at any time. STATE and STATUS are sent either step by step, by
    `advance`, where the same steps always give the same frames, or in real time after `run`, where
    unread frames are dropped as by a UART. While no host has the port open, nothing is sent at all.

    Bytes that are not a command are collected in `errors` and raised by `close` as
    LocalProtocolError: a host that sends them has a bug. The board continues in spite of them.
    """

    def __init__(
        self, board: VirtualBoard, directory: Path | None = None, line: Line = clean
    ) -> None:
        """Plug the board in. The port's name is created in `directory`, or in a private one."""
        self._talker = Talker(board)
        self.line = line
        """Noise that is applied to the frames that are sent."""
        self._cleaning_up = ExitStack()
        if directory is None:
            private = TemporaryDirectory(prefix="boomboard-")
            directory = Path(self._cleaning_up.enter_context(private))
        self.path = directory / "board"
        """Path of the port. It stays the same when the board is unplugged and plugged in again."""
        self.errors: list[BadFrame] = []
        """Received data that is not a command."""
        self._lock = Lock()
        self._ticker: Thread | None = None
        self._closing = Event()
        self._terminal: Terminal | None = None
        self._owed_ms = 0
        self.replug()

    @property
    def hello(self) -> Hello:
        """The reply of the board to IDENTIFY."""
        return self._talker.hello

    def advance(self, milliseconds: int) -> int:
        """Advance simulated time and send the frames that fall due.

        Returns the number of STATEs sent: 0 while the board is unplugged. Waits for a host that has
        the port open and does not read; TimeoutError after ten seconds.
        """
        if self._ticker:
            raise RuntimeError("the port runs in real time")
        self._talker.look(self._owed_ms)
        ticks, self._owed_ms = divmod(self._owed_ms + milliseconds, STATE_INTERVAL_MS)
        for _ in range(ticks):
            self._tick()
        return ticks if self._terminal else 0

    def run(self, haste: float = 1.0) -> None:
        """Send frames in real time from now on, in a thread.

        `haste` is the speed of the board's clock relative to real time.
        """
        if self._ticker:
            raise RuntimeError("the port runs already")
        self._ticker = Thread(target=self._run, args=[haste], name="virtual board", daemon=True)
        self._ticker.start()

    def restart(self, cause: ResetCause) -> None:
        """Reset the board: clock and sequence numbers start again, and it sends a HELLO."""
        with self._lock:
            self._start(cause)

    @property
    def is_plugged_in(self) -> bool:
        """Whether a host can find the port."""
        return self._terminal is not None

    def unplug(self) -> None:
        """Unplug the board: the port disappears, also for a host that has it open."""
        with self._lock:
            terminal, self._terminal = self._terminal, None
        if terminal is None:
            raise RuntimeError("the board is not plugged in")
        self.path.unlink()
        terminal.close()
        self._receive(FRAME_END)  # so that an unterminated frame is noticed

    def replug(self) -> None:
        """Plug the board in again: it restarts, and the port returns under the same name."""
        with self._lock:
            if self._terminal:
                raise RuntimeError("the board is plugged in")
            self._decoder = Decoder(FROM_HOST)
            self._terminal = Terminal(self._receive)
            self._start(ResetCause.POWER_ON)
            self.path.symlink_to(self._terminal.name)

    def close(self) -> None:
        """Unplug the board for good; LocalProtocolError if the host has sent invalid data."""
        self._closing.set()
        if self._ticker:
            self._ticker.join()
        if self._terminal:
            self.unplug()
        self._cleaning_up.close()
        if self.errors:
            raise LocalProtocolError(f"the host has sent what is no command: {self.errors}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, cause: ResetCause) -> None:
        self._send(self._talker.start(cause))

    def _run(self, haste: float) -> None:
        due, look_ms = time.monotonic(), STATE_INTERVAL_MS // LOOKS_PER_FRAME
        for look in cycle(range(1, LOOKS_PER_FRAME + 1)):
            due += look_ms / 1000 / haste
            if self._closing.wait(max(0.0, due - time.monotonic())):
                return
            with self._lock:
                self._talker.look(look * look_ms)
            if look == LOOKS_PER_FRAME:
                self._tick()

    def _tick(self) -> None:
        with self._lock:
            self._send(*self._talker.tick())

    def _receive(self, data: bytes) -> None:
        for found in self._decoder.receive(data):
            if isinstance(found, BadFrame):
                self.errors.append(found)
                continue
            with self._lock:
                self._send(*self._talker.answer(found))

    def _send(self, *frames: bytes) -> None:
        if self._terminal:
            for frame in frames:
                self._terminal.write(self.line(frame), 0.0 if self._ticker else PATIENCE_SECONDS)
