"""Wakes the streams when there is something new to show; rung from another thread."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

HEARTBEAT: Final = 4.0
"""Seconds after which a stream says that it is still there."""


class Bell:
    """One bell for all streams."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ears: set[asyncio.Event] = set()

    def hang(self, loop: asyncio.AbstractEventLoop) -> None:
        """Say in which loop the streams are; before that nobody can hear."""
        self._loop = loop

    def ring(self) -> None:
        """Wake all streams, from any thread."""
        if self._loop:
            with suppress(RuntimeError):  # the loop has ended meanwhile, and with it all streams
                self._loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        for ear in self._ears:
            ear.set()

    @contextmanager
    def heard(self) -> Iterator[asyncio.Event]:
        """Listen for a while."""
        ear = asyncio.Event()
        self._ears.add(ear)
        try:
            yield ear
        finally:
            self._ears.discard(ear)


async def rung(ear: asyncio.Event) -> bool:
    """Wait for the bell, or for a heartbeat; say which it was."""
    try:
        await asyncio.wait_for(ear.wait(), HEARTBEAT)
    except TimeoutError:
        return False
    ear.clear()
    return True
