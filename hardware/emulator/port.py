"""The port of the emulated board in simulated time: the bytes of its firmware on a real terminal.

It offers what `firmware_bridge.virtual.port.VirtualPort` offers, step by step.
"""

from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Final

from engine.sides import Side
from engine.squares import squares_in
from firmware_bridge.image import Image
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.port import PATIENCE_SECONDS
from firmware_bridge.virtual.terminal import Terminal
from firmware_bridge.wire import Hello, State
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import magnet_of

BOOT_MS: Final = 1000
"""How long a board may take to say HELLO."""


class EmulatedPort:
    """A serial port with an emulated board at its other end, under the pieces of a virtual one.

    Its power comes when the host has opened the port, which the host's first bytes tell; they are
    lost, as a boot loader would swallow them. So no time goes by before a host is there, and a run
    is the same every time.
    """

    def __init__(self, pieces: VirtualBoard, board: EmulatedBoard) -> None:
        """Plug the board in. `pieces` say what stands on it; hands move what has changed."""
        self._pieces = pieces
        self._board = board
        self._shown = Image()
        self._clock_ms = 0
        self._opened = False
        self._lock = Lock()
        self._from_host: SimpleQueue[bytes] = SimpleQueue()
        self._directory = TemporaryDirectory(prefix="boomboard-")
        self.path = Path(self._directory.name) / "board"
        """What to open."""
        self._terminal = Terminal(self._receive)
        self.path.symlink_to(self._terminal.name)

    def advance(self, milliseconds: int) -> int:
        """Let simulated time go by and pass on what the board says.

        Returns the time of the latest STATE on the board's clock. TimeoutError if a host has the
        port open and does not read.
        """
        with self._lock:
            self._move_pieces()
            while not self._from_host.empty():
                self._board.send_bytes(self._from_host.get())
            self._run(milliseconds)
            return self._clock_ms

    def close(self) -> None:
        """Unplug the board."""
        self._terminal.close()
        self._board.close()
        self._directory.cleanup()

    def _move_pieces(self) -> None:
        """Lift and set down what has changed on the squares since the last time."""
        image = self._pieces.image()
        for side in Side:
            for square in squares_in(self._shown.of(side) & ~image.of(side)):
                self._board.lift(square)
        for side in Side:
            for square in squares_in(image.of(side) & ~self._shown.of(side)):
                self._board.set_down(square, magnet_of(side))
        self._shown = image

    def _run(self, milliseconds: int) -> bool:
        """Let time go by; whether the board has said HELLO."""
        greeted = False
        for heard in self._board.run(1000 * milliseconds):
            match heard.message:
                case State(at_ms=at_ms):
                    self._clock_ms = at_ms
                case Hello():
                    greeted = True
        self._terminal.write(self._board.take_bytes(), PATIENCE_SECONDS)
        return greeted

    def _receive(self, data: bytes) -> None:
        if self._opened:
            self._from_host.put(data)
            return
        self._opened = True
        with self._lock:
            self._board.power_on()
            waited = 0
            while not self._run(1) and waited < BOOT_MS:
                waited += 1
