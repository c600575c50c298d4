"""Run the emulated board in real time, as a serial port: ``python -m hardware.emulator``.

The port is a pseudo-terminal under a name of your choice. As with a Nano, opening it resets the
board. Commands are read from standard input, one per line:

    red e4          set a red piece down on e4 by hand
    blue f7
    lift e4         lift the piece on e4 by hand
    army            set up both armies in their rows
    clear           remove all pieces
    weak e4         give the piece on e4 a weak magnet
    flipped e4      turn the magnet of the piece on e4 upside down
    missing e4      remove the magnet of the piece on e4
    supply 4650     set the supply voltage, in millivolts; 0 cuts the power
    drift 30        shift the readings of all sensors by 30 counts
    broken e4 0     make the sensor of e4 stick at a reading; a dead sensor reads 512
    open e4         open the sensor wire of e4, and close all other wires
    dies e4 0 2000  move the reading of e4 linearly to 0 within 2000 milliseconds
    mended e4       replace the sensor of e4 with a good one
    reset           pull the reset line
    hang            hang the firmware until its watchdog resets it
    quit            end the program

For any other line, an error message is printed to standard error and nothing else happens.

A board made of tiles (``--wired tiles``) runs the same firmware, which recognises that the board is
tiled.
"""

import argparse
import os
import pty
import select
import signal
import sys
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from engine.board.geometry import Side, square
from firmware_bridge.image import ARMIES, Image
from firmware_bridge.simulated_board.board import WEAK_MAGNET
from firmware_bridge.wire import Geometry
from hardware.emulator.board import NOISE, EmulatedBoard
from hardware.emulator.library import EEPROM_BYTES
from hardware.emulator.physics import CROWDING, Field, Magnet, Spread, magnet_of

TICK_SECONDS: Final = 0.002
"""Maximum wait between two steps of the board's clock."""
WIRED: Final = {"hand": Geometry.BY_HAND, "tiles": Geometry.TILES}
BEHIND_SECONDS: Final = 1.0
"""If the board lags behind real time by more than this, in seconds, it skips ahead instead of
catching up."""


class Line:
    """Device end of the pseudo-terminal. Programs open the other end through a symbolic link."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._device, hosts_end = pty.openpty()
        tty.setraw(hosts_end)
        os.set_blocking(self._device, False)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(hosts_end))
        os.close(hosts_end)
        self._is_open = False

    def close(self) -> None:
        """Close the port and remove its symbolic link."""
        self._path.unlink(missing_ok=True)
        os.close(self._device)

    def was_opened(self) -> bool:
        """Return whether a program has opened the port since this method was last called."""
        poll = select.poll()
        poll.register(self._device, 0)
        is_open = not poll.poll(0)  # no event other than POLLHUP is possible
        opened, self._is_open = is_open and not self._is_open, is_open
        return opened

    def read(self) -> bytes:
        """Return the bytes that the program has sent, if any."""
        with suppress(OSError):  # no data has arrived, or no program has the port open
            return os.read(self._device, 4096)
        return b""

    def write(self, data: bytes) -> None:
        """Send bytes to the program. If no program has the port open and reads from it, the bytes
        are lost."""
        if self._is_open and data:
            with suppress(OSError):
                os.write(self._device, data)


class Commands:
    """Interpreter for commands read from standard input."""

    def __init__(self, board: EmulatedBoard) -> None:
        self._board = board
        self._pending = b""
        self.ended = False
        self._verbs: dict[str, Callable[..., None]] = {
            "red": lambda where: board.set_down(square(where), magnet_of(Side.RED)),
            "blue": lambda where: board.set_down(square(where), magnet_of(Side.BLUE)),
            "lift": lambda where: board.lift(square(where)),
            "army": lambda: board.show(ARMIES),
            "clear": lambda: board.show(Image()),
            "weak": lambda where: self._exchange(where, strength=WEAK_MAGNET),
            "flipped": self._flip,
            "missing": lambda where: self._exchange(where, strength=0.0),
            "supply": lambda millivolts: board.power_on(float(millivolts)),
            "drift": self._drift,
            "broken": self._break,
            "open": lambda where: board.open_wires([square(where)]),
            "dies": lambda where, counts, ms: board.wither(square(where), float(counts), int(ms)),
            "mended": self._mend,
            "reset": board.reset,
            "hang": board.hang,
            "quit": self._quit,
        }

    def take(self, data: bytes) -> None:
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            self._execute(line.decode(errors="replace"))

    def _execute(self, line: str) -> None:
        verb, *words = line.split() or [""]
        try:
            self._verbs[verb](*words)
        except (KeyError, TypeError, ValueError) as error:
            print(f"not understood: {line!r} ({error})", file=sys.stderr, flush=True)

    def _exchange(self, where: str, strength: float) -> None:
        self._replace(where, replace(self._magnet(where), strength=strength))

    def _flip(self, where: str) -> None:
        magnet = self._magnet(where)
        self._replace(where, replace(magnet, north_up=not magnet.north_up))

    def _replace(self, where: str, magnet: Magnet) -> None:
        """Replace a magnet without interrupting its movement."""
        self._board.field.magnets[square(where)] = magnet
        self._board.update_sensors()

    def _magnet(self, where: str) -> Magnet:
        magnet = self._board.field.magnets.get(square(where))
        if not magnet:
            raise ValueError(f"there is no piece on {where}")
        return magnet

    def _drift(self, counts: str) -> None:
        self._board.field.drift = float(counts)
        self._board.update_sensors()

    def _break(self, where: str, counts: str) -> None:
        self._board.field.broken[square(where)] = float(counts)
        self._board.update_sensors()

    def _mend(self, where: str) -> None:
        self._board.mend(square(where))

    def _quit(self) -> None:
        self.ended = True


@contextmanager
def kept_eeprom(board: EmulatedBoard, path: Path | None) -> Iterator[Callable[[], None]]:
    """Load the EEPROM from a file. Yield a function that writes the EEPROM to the file again if its
    contents have changed."""
    if path and path.exists():
        board.eeprom = path.read_bytes().ljust(EEPROM_BYTES, b"\xff")
    saved = board.eeprom

    def save() -> None:
        nonlocal saved
        if path and board.eeprom != saved:
            saved = board.eeprom
            fresh = path.with_name(path.name + ".new")
            fresh.write_bytes(saved)
            fresh.replace(path)  # atomic: never leaves a partial file, even if killed

    yield save
    save()


def serve(board: EmulatedBoard, line: Line, commands: Commands, save: Callable[[], None]) -> None:
    """Run the board in real time until the "quit" command."""
    begun = time.monotonic() - board.now_us / 1e6
    inputs = [sys.stdin.fileno()]
    while not commands.ended:
        ready, _, _ = select.select(inputs, [], [], TICK_SECONDS)
        if ready:
            data = os.read(inputs[0], 4096)
            commands.take(data)
            if not data:
                inputs.clear()  # end of standard input
        if line.was_opened():
            board.reset()
        board.send_bytes(line.read())
        behind = time.monotonic() - begun - board.now_us / 1e6
        if behind > BEHIND_SECONDS:
            begun += behind - TICK_SECONDS
            behind = TICK_SECONDS
        board.run(max(0, round(behind * 1e6)))
        line.write(board.take_bytes())
        save()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="hardware.emulator",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--elf", type=Path, required=True, help="the firmware file")
    parser.add_argument("--pty", type=Path, required=True, help="name of the serial port to create")
    parser.add_argument("--eeprom", type=Path, help="file for the calibration (default: none)")
    parser.add_argument(
        "--wired",
        choices=WIRED,
        default="hand",
        help="construction of the board (default: by hand)",
    )
    parser.add_argument("--parts", type=int, help="seed of random deviations of the sensors")
    parser.add_argument("--crowding", type=float, default=CROWDING, help="default: %(default)s")
    parser.add_argument("--noise", type=float, default=NOISE, help="counts (default: %(default)s)")
    options = parser.parse_args()
    geometry = WIRED[options.wired]
    field = Field(crowding=options.crowding, face_down=geometry is Geometry.TILES)
    if options.parts is not None:
        field.sensors = Spread().sensors(options.parts)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    parts = {"geometry": geometry, "noise": options.noise, "seed": options.parts or 0}
    with EmulatedBoard(options.elf, field, **parts) as board:
        line = Line(options.pty)
        try:
            with kept_eeprom(board, options.eeprom) as save:
                board.power_on()
                serve(board, line, Commands(board), save)
        finally:
            line.close()


if __name__ == "__main__":
    main()
