"""Limits on the number of connections and on their idle time."""

import asyncio
from typing import Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST: Final = 128
"""Maximum number of connections."""
PATIENCE: Final = 10.0
"""Time after which a connection without a request in progress is closed, in seconds."""


class Connection(H11Protocol):
    """uvicorn's HTTP protocol with limits on connections and idle time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or abort it if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            transport.abort()
        else:
            self._deadline = self.loop.call_later(PATIENCE, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer."""
        if self._deadline:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Close the connection unless a complete request is being answered."""
        cycle = self.cycle
        if cast("object", cycle) is None or cycle.response_complete or cycle.more_body:
            self.transport.abort()
        else:
            self._deadline = self.loop.call_later(PATIENCE, self._look)
