"""Notification of the streams about new data, from another thread."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

HEARTBEAT: Final = 4.0
"""Interval of the heartbeats of a stream, in seconds."""


class ChangeNotifier:
    """Notifies all streams."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ears: set[asyncio.Event] = set()

    def subscribe(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the event loop of the streams; before that, `ring` has no effect."""
        self._loop = loop

    def notify(self) -> None:
        """Wake all streams, from any thread."""
        if self._loop:
            with suppress(RuntimeError):  # the loop and all its streams have ended
                self._loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        for ear in self._ears:
            ear.set()

    @contextmanager
    def heard(self) -> Iterator[asyncio.Event]:
        """Register an event that `ring` sets, for the duration of the context."""
        ear = asyncio.Event()
        self._ears.add(ear)
        try:
            yield ear
        finally:
            self._ears.discard(ear)


async def rung(ear: asyncio.Event) -> bool:
    """Wait for a notification or a heartbeat; return whether it was a notification."""
    try:
        await asyncio.wait_for(ear.wait(), HEARTBEAT)
    except TimeoutError:
        return False
    ear.clear()
    return True
