"""Requests to systemd: readiness, watchdog pings, and power-off.

Notifications are datagrams to the socket named in the environment (sd_notify(3)). The program
reports that it is ready, and then pings the watchdog as long as the game makes progress. If the
pings stop, systemd assumes that the program has hung and restarts it. The watchdog timeout is
longer until the screen has been drawn for the first time.
"""

import logging
import os
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from companion.speech.i18n import N_

_SHARE: Final = 4
"""Number of pings per systemd watchdog timeout."""
_FIRST_PICTURE_USEC: Final = 20_000_000
"""Watchdog timeout, in microseconds, until the screen has been drawn for the first time. Without a
graphics card, the first drawing takes about 12 s at 250 million instructions per second
(calculated). If the program hangs before that on a PC, it is running again within 30 s, because a
restart takes 6 s there."""


class SystemdNotifier:
    """systemd's notification socket. Without a socket, nothing is sent."""

    def __init__(self, environment: Mapping[str, str], clock: Callable[[], float]) -> None:
        """Read the settings from the environment. `clock` returns seconds."""
        self._clock = clock
        self._socket: socket.socket | None = None
        address = environment.get("NOTIFY_SOCKET", "")
        if address.startswith(("/", "@")):
            # Waiting for systemd would block this program as well.
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            # The @ represents the null byte at the start of an abstract socket's name.
            self._address = address.replace("@", "\0", 1) if address[0] == "@" else address
        timeout = _timeout_usec(environment)
        self._ping_interval = timeout and timeout / 1e6 / _SHARE
        self._timeouts = [max(timeout, _FIRST_PICTURE_USEC), timeout] if timeout else []
        """Watchdog timeouts still to be set, in microseconds. Each of the first pings sets one."""
        self._due: float | None = None
        """Time of the next ping, or None before the first ping."""

    def ping(self) -> None:
        """Send a ping if one is due. Call this only after the game has made progress."""
        now = self._clock()
        if self._due is None:
            self._notify("READY=1")
            self._due = now
        if self._ping_interval is not None and now >= self._due:
            if self._timeouts:
                self._notify(f"WATCHDOG_USEC={self._timeouts.pop(0)}")
            self._notify("WATCHDOG=1")
            # The second ping is sent one frame after the screen was first drawn. This ping sets the
            # usual timeout.
            self._due = now if self._timeouts else now + self._ping_interval

    def close(self) -> None:
        """Report that the program is stopping intentionally."""
        self._notify("STOPPING=1")
        if self._socket:
            self._socket.close()
            self._socket = None

    def _notify(self, message: str) -> None:
        if self._socket:
            # If systemd misses the message, it restarts the program, which does no harm.
            with suppress(OSError):
                self._socket.sendto(message.encode(), self._address)


def _timeout_usec(environment: Mapping[str, str]) -> int | None:
    """Return systemd's watchdog timeout, or None if this process must not send pings."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    is_meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) if is_meant and microseconds.isdigit() else None


# Powers off a computer that is dedicated to the board.

COMMAND: Final = ("systemctl", "--no-ask-password", "poweroff")
"""Power-off command, which `hardware/pi/50-boomboard.rules` permits for the service's user."""
STAYS_ON: Final = N_(
    "This computer cannot be switched off from here. The game is saved: you can pull the plug."
)
_SECONDS: Final = 5.0
"""Time in seconds to wait for systemd's reply. The shutdown continues even if no reply has come."""


def switch_off(command: Sequence[str] = COMMAND) -> str:
    """Power off this computer. Return an error message, or an empty string on success."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_SECONDS)  # noqa: S603 (our own command)
    except (OSError, subprocess.SubprocessError) as error:
        message = getattr(error, "stderr", None) or str(error)
        logging.getLogger(__name__).error("power-off failed: %s", message.strip())
        return STAYS_ON
    return ""
