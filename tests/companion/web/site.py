"""Serve a site on a real socket, in its own thread."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from companion.web.server import ServerConfig, WebServer


class _Server(WebServer):
    """Server that signals when it starts to listen."""

    def __init__(self, config: ServerConfig) -> None:
        super().__init__(config)
        self.listens = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()


@contextmanager
def serving(config: ServerConfig) -> Iterator[int]:
    """Serve a site. Yield its port."""
    server = _Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    server.listens.wait()
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


def ends(line: socket.socket) -> bool:
    """Wait until the other end closes the connection. Return True."""
    try:
        while line.recv(4096):
            pass
    except ConnectionResetError:
        pass
    return True
