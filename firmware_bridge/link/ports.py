"""Finds serial ports that may belong to boards, and opens, reads, writes and closes them.

Opening a port resets many kinds of devices, not only boards. An adapter without a board is
therefore opened only once each time it is plugged in.
"""

import errno
import os
import select
import termios
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from firmware_bridge.link.connection import LinkError, LinkErrorKind
from firmware_bridge.wire import BAUD

READ_SECONDS: Final = 0.05
"""Read timeout in seconds. The link notices silence, or a request to stop, within this time."""
_MOST_BYTES: Final = 4096
"""Maximum read size in bytes: the size of Linux's serial port buffer."""
WRITE_SECONDS: Final = 0.1
"""Write timeout: sending fails if no output has been accepted for this many seconds."""

ARDUINO_VENDORS: Final = frozenset({0x2341, 0x2A03})
CLONE_DEVICES: Final = frozenset(
    {(0x0403, 0x6001), (0x1A86, 0x7523), (0x1A86, 0x55D4), (0x10C4, 0xEA60)}
)
"""USB vendor and product IDs of the serial adapters on the Nano and its clones: FTDI FT232R, WCH
CH340 and CH9102, Silicon Labs CP210x.
"""

PORT_ERRORS: Final = (OSError, termios.error, ValueError)
"""Exceptions raised by pyserial: its own errors are OSErrors, and invalid settings raise
ValueError."""


def candidates(ports: Iterable[ListPortInfo]) -> list[str]:
    """Return the names of the ports that may belong to a board, judging by their USB adapters.

    Arduinos come first, because many other kinds of devices contain the generic adapters.
    """
    found = [
        (port.vid not in ARDUINO_VENDORS, port.device)
        for port in ports
        if port.vid in ARDUINO_VENDORS or (port.vid, port.pid) in CLONE_DEVICES
    ]
    return [device for _, device in sorted(found)]


def find_ports() -> list[str]:
    """Return the names of the ports on this computer that may belong to a board."""
    return candidates(list_ports.comports())


def open_port(port: str) -> serial.Serial | LinkError:
    """Open a port exclusively, or return the reason for the failure as a `LinkError`."""
    try:
        return serial.Serial(port, BAUD, exclusive=True)
    except PORT_ERRORS as error:
        return LinkError(_error_kind(error), port, str(error))


def _error_kind(error: Exception) -> LinkErrorKind:
    match getattr(error, "errno", None):
        case errno.EACCES | errno.EPERM:
            return LinkErrorKind.NO_PERMISSION
        case errno.EBUSY | errno.EAGAIN:  # already opened exclusively or locked by another process
            return LinkErrorKind.BUSY
        case _:
            return LinkErrorKind.NO_SUCH_PORT


class PortReader:
    """Reads all available data from an open port.

    pyserial waits for a fixed number of bytes, but the length of a frame is not known in advance.
    Reading a single byte and then all other available bytes took half of the link's CPU time.
    """

    def __init__(self, line: serial.Serial) -> None:
        self._file = line.fileno()
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)

    def receive(self) -> bytes:
        """Read available data, waiting up to `READ_SECONDS`. Raises OSError if the port fails."""
        if not self._poll.poll(1000 * READ_SECONDS):
            return b""
        data = os.read(self._file, _MOST_BYTES)
        if not data:
            raise serial.SerialException(
                "the port is ready to read but returns no data: the device is gone"
            )
        return data


class Sender:
    """Writes to an open port without blocking, and buffers data that the port does not accept yet.

    pyserial's own write timeout considers only the elapsed time. On a busy computer, it may
    therefore report a failure even though everything has been written.
    """

    def __init__(self, line: serial.Serial) -> None:
        self._line = line
        self._unsent = b""
        self._stuck_since: float | None = None

    def send(self, data: bytes, now: float) -> None:
        """Write more data.

        Raises SerialTimeoutException if the port has accepted no data for `WRITE_SECONDS`.
        """
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
            raise serial.SerialTimeoutException(f"no data accepted for {WRITE_SECONDS} s")

    def _write(self) -> int:
        try:
            return os.write(self._line.fileno(), self._unsent)
        except BlockingIOError:
            return 0


def close_port(line: serial.Serial) -> None:
    """Close a port, even if it has failed."""
    with suppress(*PORT_ERRORS):
        line.reset_output_buffer()  # otherwise, closing waits until all output has been sent
    with suppress(*PORT_ERRORS):
        line.close()


def close_after(line: serial.Serial) -> None:
    """Close a port after all output has been sent."""
    with suppress(*PORT_ERRORS):
        line.flush()
        line.close()


BY_ID: Final = Path("/dev/serial/by-id")
"""Folder with a link to each USB serial port. Links are named after the adapter and its serial
number. Clones without a serial number share one link, which refers to the most recently connected
adapter.
"""

_PlugIn: TypeAlias = tuple[str, int, int]
"""Identifies a port until its device is next plugged in: the name, and the inode and timestamp of
its device file.
"""


def stable_name(port: str, folder: Path = BY_ID) -> str:
    """Return a name for a device's port that stays the same in any USB socket and after a restart.

    Return the given name if there is no permanent one.
    """
    try:
        links = sorted(folder.iterdir())
    except OSError:  # no adapter is plugged in
        return port
    real = os.path.realpath(port)
    return next((str(link) for link in links if os.path.realpath(link) == real), port)


class PortSearch:
    """Keeps track of the ports to try and of their order, throughout a search."""

    def __init__(self, remembered: str = "", find: Callable[[], list[str]] = find_ports) -> None:
        """Find ports with `find`, and try the one named `remembered` first."""
        self._find = find
        self._remembered = remembered
        self._rejected: set[_PlugIn] = set()
        """Adapters that did not reply as a board would."""

    def present(self) -> list[str]:
        """Return the ports that may belong to a board, the remembered one first.

        Raises OSError if the ports cannot be listed.
        """
        ports = self._find()
        plugged_in = set(map(_plug_in, ports))
        self._rejected &= plugged_in
        return sorted(ports, key=lambda port: not self._is_remembered(port))

    def is_rejected(self, port: str) -> bool:
        """Whether the adapter has been rejected since it was last plugged in."""
        return _plug_in(port) in self._rejected

    def remember(self, port: str) -> None:
        """Try this port first from now on, and never reject it: a board has replied on it."""
        self._remembered = stable_name(port)

    def reject(self, port: str) -> None:
        """Do not try this adapter until it is plugged in again.

        A remembered port is never rejected.
        """
        if not self._is_remembered(port):
            self._rejected.add(_plug_in(port))

    def _is_remembered(self, port: str) -> bool:
        return bool(self._remembered) and os.path.realpath(port) == os.path.realpath(
            self._remembered
        )


def _plug_in(port: str) -> _PlugIn:
    try:
        status = Path(port).stat()
    except OSError:  # the adapter has just been unplugged
        return port, 0, 0
    return port, status.st_ino, status.st_ctime_ns
