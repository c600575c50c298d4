"""What has started this program and watches over it: systemd, by its notification protocol.

Messages are datagrams to the socket that the environment names (sd_notify(3)). The program says
when it is up, and from then on again and again that it gets ahead. Kept waiting, the supervisor
takes it for frozen and starts it anew.
"""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

_SHARE: Final = 4
"""So many signs of life fit into the time that the supervisor waits for one."""


class Supervisor:
    """Whoever waits for signs of life; where nobody does, nothing is said."""

    def __init__(self, environment: Mapping[str, str], clock: Callable[[], float]) -> None:
        """Take what the supervisor has put into the environment; a clock in seconds."""
        self._clock = clock
        self._socket: socket.socket | None = None
        address = environment.get("NOTIFY_SOCKET", "")
        if address.startswith(("/", "@")):
            # Waiting for the supervisor would be a frozen face, too.
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            # An @ stands for the zero byte of a name that is in no folder.
            self._address = address.replace("@", "\0", 1) if address[0] == "@" else address
        self._pause = _pause(environment)
        self._due: float | None = None
        """When the next sign of life is due, None before the first."""

    def get_ahead(self) -> None:
        """Give a sign of life, if one is due: only from where the game has got ahead."""
        now = self._clock()
        if self._due is None:
            self._say("READY=1")
            self._due = now
        if self._pause is not None and now >= self._due:
            self._say("WATCHDOG=1")
            self._due = now + self._pause

    def close(self) -> None:
        """Say that the program ends of its own will."""
        self._say("STOPPING=1")
        if self._socket:
            self._socket.close()
            self._socket = None

    def _say(self, message: str) -> None:
        if self._socket:
            # A supervisor that does not hear starts the program anew: it needs no other help.
            with suppress(OSError):
                self._socket.sendto(message.encode(), self._address)


def _pause(environment: Mapping[str, str]) -> float | None:
    """Seconds between two signs of life, None if this process is to give none."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    is_meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 / _SHARE if is_meant and microseconds.isdigit() else None
