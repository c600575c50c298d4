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
"""How often to look whether a host has opened the terminal or closed it: nothing would tell us."""


class Terminal:
    """A terminal for a host to open as a serial port, from its making to its end.

    `on_bytes` gets what the host sends, from a thread of the terminal.
    """

    def __init__(self, on_bytes: Callable[[bytes], None]) -> None:
        self._on_bytes = on_bytes
        self._closing = Event()
        self._device, hosts_end = pty.openpty()
        tty.setraw(hosts_end)  # or what is sent before a host comes would be echoed to the sender
        os.set_blocking(self._device, False)
        self.name = os.ttyname(hosts_end)
        """What the host opens."""
        os.close(hosts_end)
        self._listener = Thread(target=self._listen, name=self.name, daemon=True)
        self._listener.start()

    def write(self, data: bytes, patience: float) -> None:
        """Send bytes to a host that has the terminal open, to nobody if none has.

        A host that has it open and does not read is given `patience` seconds: TimeoutError. With no
        patience at all what does not fit is dropped.
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
        """Read what the host has sent and hang up. The host's reads and writes fail from now on."""
        self._closing.set()
        self._listener.join()
        os.close(self._device)

    def _listen(self) -> None:
        data, closing = b"", False
        while data or not closing:
            closing = self._closing.is_set()  # asked first: what came before the end is read
            data = self._read()
            if data:
                self._on_bytes(data)

    def _read(self) -> bytes:
        events = self._wait(select.POLLIN, POLL_SECONDS)
        if events & select.POLLIN:
            with suppress(OSError):  # the host may have closed or flushed it since
                return os.read(self._device, 4096)
        elif events:  # no host has it open, and the next poll would tell so at once
            self._closing.wait(POLL_SECONDS)
        return b""

    def _wait(self, event: int, seconds: float) -> int:
        """Wait for an event or the end of the host, and return what has come as poll flags."""
        poll = select.poll()
        poll.register(self._device, event)
        return sum(events for _, events in poll.poll(1000 * seconds))
