"""The serial ports of this computer: which may be a board's, and how they are opened and closed."""

import errno
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
WRITE_SECONDS: Final = 0.1
"""How long a write may wait for a port that takes nothing."""

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
        return serial.Serial(
            port, BAUD, exclusive=True, timeout=READ_SECONDS, write_timeout=WRITE_SECONDS
        )
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


def close_port(line: serial.Serial) -> None:
    """Close a port, also one that has failed."""
    with suppress(*PORT_ERRORS):
        line.reset_output_buffer()  # or closing waits until everything written has gone out
    with suppress(*PORT_ERRORS):
        line.close()


def close_after(line: serial.Serial, last: bytes) -> None:
    """Send the last bytes, and close the port when everything has gone out."""
    with suppress(*PORT_ERRORS):
        line.write(last)
        line.flush()
        line.close()
