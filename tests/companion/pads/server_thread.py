"""The phones' web server in a thread, with a simulated clock and random bytes."""

import asyncio
import secrets
import socket
import threading
from collections.abc import Callable

from companion.pads import Certificate
from companion.pads.server_link import StartServer
from companion.pads.service import PadService


class ServerThread:
    """A running server with its own copies of both sockets."""

    def __init__(
        self,
        channel: socket.socket,
        listener: socket.socket,
        certificate: Certificate | None,
        draw: Callable[[int], bytes],
        clock: Callable[[], float],
    ) -> None:
        self.service = PadService(channel.dup(), listener.dup(), certificate, draw, clock)
        self._thread = threading.Thread(target=self._run, name="pads", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        asyncio.run(self.service.run())


def in_thread(
    clock: Callable[[], float], draw: Callable[[int], bytes] = secrets.token_bytes
) -> StartServer:
    def start(
        channel: socket.socket, listener: socket.socket, certificate: Certificate | None
    ) -> ServerThread:
        return ServerThread(channel, listener, certificate, draw, clock)

    return start
