"""The connections of phones: their number is limited, and none is kept open by saying little."""

import asyncio
from typing import Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST: Final = 128
"""How many connections there may be at a time."""
PATIENCE: Final = 10.0
"""Seconds after which a connection ends if nothing is being answered over it."""


class Connection(H11Protocol):
    """As uvicorn has it, and bounded."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or drop it where there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            transport.abort()
        else:
            self._deadline = self.loop.call_later(PATIENCE, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._deadline:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        """End the connection unless a whole request has come that is being answered."""
        cycle = self.cycle
        if cast("object", cycle) is None or cycle.response_complete or cycle.more_body:
            self.transport.abort()
        else:
            self._deadline = self.loop.call_later(PATIENCE, self._look)
