"""A pseudo-terminal seen from the side of the device."""

import os
import pty
import select
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Final

POLL_SECONDS: Final = 0.01
"""Interval for checking whether a host has opened or closed the terminal: there is no
notification."""


class Terminal:
    """A pseudo-terminal that a host opens as a serial port; it exists until it is closed.

    `on_bytes` is called with the data of the host, in a thread of the terminal.
    """

    def __init__(self, on_bytes: Callable[[bytes], None]) -> None:
        self._on_bytes = on_bytes
        self._closing = Event()
        self._device, hosts_end = pty.openpty()
        tty.setraw(hosts_end)  # otherwise early output would be echoed to the sender
        os.set_blocking(self._device, False)
        self.name = os.ttyname(hosts_end)
        """Path that the host opens."""
        os.close(hosts_end)
        self._listener = Thread(target=self._listen, name=self.name, daemon=True)
        self._listener.start()

    def write(self, data: bytes, patience: float) -> None:
        """Send bytes to a host that has the terminal open; otherwise discard them.

        A host that has it open and does not read has `patience` seconds before TimeoutError is
        raised. If `patience` is 0, bytes that do not fit are dropped.
        """
        deadline = time.monotonic() + patience
        while data:
            events = self._wait(select.POLLOUT, max(0.0, deadline - time.monotonic()))
            if events & select.POLLHUP:
                return  # no host has it open
            if events:
                with suppress(OSError):  # the host may have closed it since
                    data = data[os.write(self._device, data) :]
            elif patience:
                raise TimeoutError(f"nobody has read {self.name} for {patience} s")
            else:
                return

    def close(self) -> None:
        """Read the remaining input and hang up. Reads and writes of the host fail from now on."""
        self._closing.set()
        self._listener.join()
        os.close(self._device)

    def _listen(self) -> None:
        data, closing = b"", False
        while data or not closing:
            closing = self._closing.is_set()  # tested first: input received before the end is read
            data = self._read()
            if data:
                self._on_bytes(data)

    def _read(self) -> bytes:
        events = self._wait(select.POLLIN, POLL_SECONDS)
        if events & select.POLLIN:
            with suppress(OSError):  # the host may have closed or flushed it since
                return os.read(self._device, 4096)
        elif events:  # no host has it open, and the next poll would return at once
            self._closing.wait(POLL_SECONDS)
        return b""

    def _wait(self, event: int, seconds: float) -> int:
        """Wait for an event or for the host to close; return the poll flags that occurred."""
        poll = select.poll()
        poll.register(self._device, event)
        return sum(events for _, events in poll.poll(1000 * seconds))
