"""The pads' web server thread, on an already bound socket; stopped on demand.

This module knows nothing about games: it passes bytes between phones and the `PadHub`.
"""

import asyncio
import logging
import socket
import threading
from collections.abc import Iterable
from typing import Final

import uvicorn

from companion.pads.pad_hub import JOIN_SIZE, SAY_SIZE, PadHub
from companion.pads.pages import ChangeNotifier, PadPages
from companion.pads.protocols import Certificate
from companion.web.security import Rate, SitePolicy, own_hosts
from companion.web.server import ServerConfig

POLICY: Final = SitePolicy(
    # Enough for opening a page with all its files a few times, and then a few messages per second.
    requests=Rate(burst=120, a_second=20),
    body_size=max(JOIN_SIZE, SAY_SIZE),
    connections=128,  # for all phones together; `PadHub` lets two phones take a seat
    has_images=True,
)
log = logging.getLogger(__name__)


class Service:
    """Serves the pages of one `PadHub`."""

    def __init__(
        self, hub: PadHub, listener: socket.socket, certificate: Certificate | None
    ) -> None:
        """Start serving; the socket is closed at the end."""
        self._listener = listener
        self._notifier = ChangeNotifier()
        self._pages = PadPages(hub, self._notifier)
        scheme = "https" if certificate else "http"
        names = [certificate.host] if certificate else ["localhost"]
        is_own_host = own_hosts(scheme, listener.getsockname()[1], names)
        config = ServerConfig(
            self._pages.app(),
            POLICY,
            is_own_host,
            certificate=str(certificate.chain) if certificate else None,
            key=str(certificate.key) if certificate else None,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="pads", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def ring(self) -> None:
        """Announce new contents of the `PadHub`."""
        self._notifier.notify()

    def stop(self) -> None:
        """End all streams and the thread; the port is free on return."""
        self._pages.is_closing = True
        self._notifier.notify()
        self._server.should_exit = self._server.force_exit = True
        self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve([self._listener]))
        except Exception:  # after any error, the game continues without pads
            log.exception("pads are not served any more")
        finally:
            self._listener.close()

    async def _serve(self, sockets: Iterable[socket.socket]) -> None:
        self._notifier.subscribe(asyncio.get_running_loop())
        await self._server.serve(sockets=[*sockets])
