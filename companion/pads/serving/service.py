"""Web server thread of the pads, on a socket that is bound already; stopped on demand."""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Iterable

import uvicorn

from companion.pads.desk import Desk
from companion.pads.place import Certificate
from companion.pads.serving.bell import Bell
from companion.pads.serving.connection import Connection
from companion.pads.serving.guard import HEADERS, RequestFilter, origin_finder
from companion.pads.serving.pages import Pages
from companion.web_guard import Guard

log = logging.getLogger(__name__)


class Service:
    """Serves the pages of one desk."""

    def __init__(
        self, desk: Desk, listener: socket.socket, certificate: Certificate | None
    ) -> None:
        """Start serving; the socket is closed at the end."""
        self._listener = listener
        self._bell = Bell()
        self._pages = Pages(desk, self._bell)
        scheme = "https" if certificate else "http"
        names = [certificate.host] if certificate else ["localhost"]
        find = origin_finder(scheme, listener.getsockname()[1], names)
        requests = RequestFilter(find, time.monotonic)
        guard = Guard(self._pages.app(), refuse=requests.refuse, headers=HEADERS)
        self._server = uvicorn.Server(_config(guard, certificate))
        self._thread = threading.Thread(target=self._run, name="pads", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def ring(self) -> None:
        """Announce new contents of the desk."""
        self._bell.ring()

    def stop(self) -> None:
        """End all streams and the thread; the port is free then."""
        self._pages.is_closing = True
        self._bell.ring()
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
        self._bell.hang(asyncio.get_running_loop())
        await self._server.serve(sockets=[*sockets])


def _config(guard: Guard, certificate: Certificate | None) -> uvicorn.Config:
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
