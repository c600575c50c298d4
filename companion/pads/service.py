"""Web server thread of the pads, on a socket that is bound already; stopped on demand."""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Iterable
from typing import Final, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.pads.notifier import ChangeNotifier
from companion.pads.pad_hub import PadHub
from companion.pads.pages import Pages
from companion.pads.protocols import Certificate
from companion.pads.security_middleware import HEADERS, RequestFilter, origin_finder
from companion.security_middleware import SecurityMiddleware

# Limits on the number of connections and on their idle time.

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


log = logging.getLogger(__name__)


class Service:
    """Serves the pages of one desk."""

    def __init__(
        self, desk: PadHub, listener: socket.socket, certificate: Certificate | None
    ) -> None:
        """Start serving; the socket is closed at the end."""
        self._listener = listener
        self._bell = ChangeNotifier()
        self._pages = Pages(desk, self._bell)
        scheme = "https" if certificate else "http"
        names = [certificate.host] if certificate else ["localhost"]
        find = origin_finder(scheme, listener.getsockname()[1], names)
        requests = RequestFilter(find, time.monotonic)
        guard = SecurityMiddleware(self._pages.app(), refuse=requests.refuse, headers=HEADERS)
        self._server = uvicorn.Server(_config(guard, certificate))
        self._thread = threading.Thread(target=self._run, name="pads", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def ring(self) -> None:
        """Announce new contents of the desk."""
        self._bell.notify()

    def stop(self) -> None:
        """End all streams and the thread; the port is free then."""
        self._pages.is_closing = True
        self._bell.notify()
        self._server.should_exit = self._server.force_exit = True
        self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve([self._listener]))
        except Exception:  # whatever the error, the game continues without pads
            log.exception("pads are not served any more")
        finally:
            self._listener.close()

    async def _serve(self, sockets: Iterable[socket.socket]) -> None:
        self._bell.subscribe(asyncio.get_running_loop())
        await self._server.serve(sockets=[*sockets])


def _config(guard: SecurityMiddleware, certificate: Certificate | None) -> uvicorn.Config:
    """Configuration of uvicorn: requests are not logged, and the server header is off."""
    return uvicorn.Config(
        guard,
        http=Connection,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=8192,
        ssl_certfile=certificate.chain if certificate else None,
        ssl_keyfile=certificate.key if certificate else None,
    )


# Web server of the pads: one thread, with limits on everything a client can do.
#
# `Service` is the entry point. Nothing in here knows a game: it passes bytes between phones and the
# `PadHub`.

__all__ = ["Service"]
