"""Pseudo-terminal that serves as the serial port of an emulated board in simulated time.

It has the same interface as `firmware_bridge.simulated_board.port.SimulatedPort`.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Final

from engine.board.geometry import Side, Square, squares_in
from firmware_bridge import wire
from firmware_bridge.image import Image
from firmware_bridge.simulated_board.board import SimulatedBoard
from firmware_bridge.simulated_board.port import PATIENCE_SECONDS, PseudoTerminal
from hardware.emulator.board import EmulatedBoard
from hardware.emulator.physics import Magnet, magnet_of

BOOT_MS: Final = 1000
"""Maximum time a board takes to send HELLO after power-on, in milliseconds."""
BROKEN_DOWN_MV: Final = 2000
"""Supply voltage, in millivolts, at which the microcontroller is reset but its RAM keeps its
contents."""


class EmulatedPort:
    """Serial port of an emulated board whose magnets follow the pieces on a simulated board.

    The first bytes from the host show that the host has opened the port, so the board is then
    powered on. Those bytes are dropped, as a boot loader would drop them. No simulated time passes
    before power-on, so runs are reproducible.
    """

    def __init__(
        self,
        pieces: SimulatedBoard,
        board: EmulatedBoard,
        take: Callable[[Square, Side], Magnet] = lambda _square, side: magnet_of(side),
    ) -> None:
        """Connect the board.

        The magnets follow `pieces`. `take` returns the magnet for each piece that is set down.
        """
        self._pieces = pieces
        self._board = board
        self._take = take
        self._shown = Image()
        self._has_power = False
        self._lock = Lock()
        self._from_host: SimpleQueue[bytes] = SimpleQueue()
        self._directory = TemporaryDirectory(prefix="boomboard-")
        self.path = Path(self._directory.name) / "board"
        self._terminal: PseudoTerminal | None = None
        self.replug()

    def advance(self, milliseconds: int) -> int:
        """Advance the simulated time and pass the board's output on to the host.

        Return the number of STATE messages sent. Raise TimeoutError if a host has the port open
        but does not read from it.
        """
        with self._lock:
            self._move_pieces()
            while not self._from_host.empty():
                self._board.send_bytes(self._from_host.get())
            return sum(isinstance(message, wire.State) for message in self._run(milliseconds))

    def restart(self, cause: wire.ResetCause) -> None:
        """Trigger a board reset with the given cause. The reset takes effect when time advances."""
        with self._lock:
            match cause:
                case wire.ResetCause.WATCHDOG:
                    self._board.hang()
                case wire.ResetCause.BROWN_OUT:
                    self._board.power_on(BROKEN_DOWN_MV)
                    self._run(1)
                    self._board.power_on()
                case _:
                    self._board.reset()

    def unplug(self) -> None:
        """Unplug the board: it loses power, and the host's end of the port hangs up."""
        assert self._terminal, "the board is plugged in"
        self.path.unlink()
        self._terminal.close()
        self._terminal = None
        with self._lock:
            self._has_power = False
            self._from_host = SimpleQueue()  # bytes on the cable are lost
            self._board.power_off()

    def replug(self) -> None:
        """Plug the board in again, with the same port name."""
        self._terminal = PseudoTerminal(self._receive)
        self.path.symlink_to(self._terminal.name)

    def close(self) -> None:
        """Unplug the board permanently."""
        if self._terminal:
            self.unplug()
        self._board.close()
        self._directory.cleanup()

    def _move_pieces(self) -> None:
        """Lift and set down pieces to follow the changes since the last call."""
        image = self._pieces.image()
        for side in Side:
            for square in squares_in(self._shown.of(side) & ~image.of(side)):
                self._board.lift(square)
        for side in Side:
            for square in squares_in(image.of(side) & ~self._shown.of(side)):
                self._board.set_down(square, self._take(square, side))
        self._shown = image

    def _run(self, milliseconds: int) -> list[wire.BoardMessage | wire.BadFrame]:
        heard = self._board.run(1000 * milliseconds)
        if self._terminal:
            self._terminal.write(self._board.take_bytes(), PATIENCE_SECONDS)
        return [each.message for each in heard]

    def _receive(self, data: bytes) -> None:
        if self._has_power:
            self._from_host.put(data)
            return
        with self._lock:
            self._has_power = True
            self._board.power_on()
            for _ in range(BOOT_MS):
                if any(isinstance(message, wire.Hello) for message in self._run(1)):
                    break


# EEPROM contents of a configured board.

STEP_US: Final = 20_000
PATIENCE_US: Final = 1_000_000


@cache
def configured(elf: Path, settings: wire.Configure) -> bytes:
    """Configure a new board and return its EEPROM contents. Raise ValueError if the board rejects
    the configuration."""
    with EmulatedBoard(elf) as board:
        board.power_on()
        board.run(STEP_US)
        board.send(settings)
        for _ in range(0, PATIENCE_US, STEP_US):
            for heard in board.run(STEP_US):
                if isinstance(heard.message, wire.Configured):
                    if heard.message.result is not wire.ConfigureResult.ACCEPTED:
                        raise ValueError(f"settings rejected: {heard.message.result.name}")
                    return board.eeprom
    raise ValueError(f"no reply to {settings}")
