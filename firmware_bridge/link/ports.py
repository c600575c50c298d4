"""The serial ports of this computer: which may be a board's, and how they are opened and closed."""

import errno
import os
import select
import termios
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from firmware_bridge.link.events import Trouble, TroubleKind
from firmware_bridge.wire import BAUD

READ_SECONDS: Final = 0.05
"""How long a read waits for a byte: so soon is a silence, or a stop, noticed."""
_MOST_BYTES: Final = 4096
"""As many as Linux keeps of a serial port."""
WRITE_SECONDS: Final = 0.1
"""How long a port may take nothing of what is sent."""

ARDUINO_VENDORS: Final = frozenset({0x2341, 0x2A03})
CLONE_DEVICES: Final = frozenset(
    {(0x0403, 0x6001), (0x1A86, 0x7523), (0x1A86, 0x55D4), (0x10C4, 0xEA60)}
)
"""Vendor and product of the USB adapters on the Nano and its clones: FTDI FT232R, WCH CH340 and
CH9102, Silicon Labs CP210x."""

PORT_ERRORS: Final = (OSError, termios.error, ValueError)
"""What pyserial lets through: its own errors are OSErrors, bad settings are ValueErrors."""


def candidates(ports: Iterable[ListPortInfo]) -> list[str]:
    """Return the names of those ports that may be a board, by what their USB adapters are."""
    return sorted(
        port.device
        for port in ports
        if port.vid in ARDUINO_VENDORS or (port.vid, port.pid) in CLONE_DEVICES
    )


def find_ports() -> list[str]:
    """Return the names of the ports of this computer that may be a board."""
    return candidates(list_ports.comports())


def open_port(port: str) -> serial.Serial | Trouble:
    """Open a port for ourselves alone; returns what keeps it from being opened."""
    try:
        return serial.Serial(port, BAUD, exclusive=True)
    except PORT_ERRORS as error:
        return Trouble(_why_closed(error), port, str(error))


def _why_closed(error: Exception) -> TroubleKind:
    match getattr(error, "errno", None):
        case errno.EACCES | errno.EPERM:
            return TroubleKind.NO_PERMISSION
        case errno.EBUSY | errno.EAGAIN:  # opened exclusively; locked
            return TroubleKind.BUSY
        case _:
            return TroubleKind.NO_SUCH_PORT


class Receiver:
    """Takes from an open port all that is there.

    pyserial waits for a number of bytes. That of one frame is not known, and to ask for the first
    one, then how many there are, and then for those takes half of all that the link does.
    """

    def __init__(self, line: serial.Serial) -> None:
        self._file = line.fileno()
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)

    def receive(self) -> bytes:
        """Wait until something comes, for `READ_SECONDS` at most; a port that fails raises."""
        if not self._poll.poll(1000 * READ_SECONDS):
            return b""
        data = os.read(self._file, _MOST_BYTES)
        if not data:
            raise serial.SerialException("it is ready to be read and has nothing: it is gone")
        return data


class Sender:
    """Sends on an open port what the port takes at once, and the rest later.

    pyserial would give up by the clock alone: after all was written too, if the computer was busy
    with other things meanwhile.
    """

    def __init__(self, line: serial.Serial) -> None:
        self._line = line
        self._unsent = b""
        self._stuck_since: float | None = None

    def send(self, data: bytes, now: float) -> None:
        """Send on; SerialTimeoutException if the port has taken nothing for too long."""
        self._unsent += data
        if not self._unsent:
            return
        written = self._write()
        self._unsent = self._unsent[written:]
        if written:
            self._stuck_since = None
        elif self._stuck_since is None:
            self._stuck_since = now
        elif now - self._stuck_since > WRITE_SECONDS:
            raise serial.SerialTimeoutException(f"it takes nothing for {WRITE_SECONDS} s")

    def _write(self) -> int:
        try:
            return os.write(self._line.fileno(), self._unsent)
        except BlockingIOError:
            return 0


def close_port(line: serial.Serial) -> None:
    """Close a port, also one that has failed."""
    with suppress(*PORT_ERRORS):
        line.reset_output_buffer()  # or closing waits until everything written has gone out
    with suppress(*PORT_ERRORS):
        line.close()


def close_after(line: serial.Serial) -> None:
    """Close a port when everything has gone out."""
    with suppress(*PORT_ERRORS):
        line.flush()
        line.close()
