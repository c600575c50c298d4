"""The phones' web server as a process of its own.

`ServerProcess` is the game's handle. The process itself runs `main`, and ends as soon as the game
has closed the channel, for whatever reason.
"""

import asyncio
import logging
import os
import resource
import secrets
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.pads.protocols import Certificate

DESCRIPTORS: Final = 256
"""Maximum number of file descriptors of the process: its connections, and some for Python."""
MEMORY: Final = 256 * 2**20
"""Maximum size of the data of the process, in bytes. It needs about 50 MB."""
NICENESS: Final = 5
"""Priority of the process below the game's. Chosen by judgement, not measured."""
OOM_SCORE: Final = 500
"""Adjustment by which the system ends this process before the game if memory runs out."""


class ServerProcess:
    """A running server in a process of its own; see `companion.pads.server_link.Server`."""

    def __init__(
        self, channel: socket.socket, listener: socket.socket, certificate: Certificate | None
    ) -> None:
        """Start a process, which inherits both sockets."""
        sockets = channel.fileno(), listener.fileno()
        files = (certificate.chain, certificate.key, certificate.host) if certificate else ()
        self._process = subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, "-P", "-m", __name__, *map(str, sockets), *map(str, files)],
            stdin=subprocess.DEVNULL,
            pass_fds=sockets,
            start_new_session=True,  # Ctrl+C is for the game, which then closes the channel
        )

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def stop(self) -> None:
        """End the process, which has nothing to save; the port is free on return."""
        self._process.kill()
        self._process.wait()


def main(channel: str, listener: str, *files: str) -> None:
    """Serve phones until the game closes the channel."""
    from companion.pads.service import PadService  # noqa: PLC0415 (the game does not serve phones)

    logging.basicConfig(format="%(levelname)s %(message)s")
    _restrict()
    chain, key, host = files or ("", "", "")
    service = PadService(
        socket.socket(fileno=int(channel)),
        socket.socket(fileno=int(listener)),
        Certificate(Path(chain), Path(key), host) if host else None,
        secrets.token_bytes,
        time.monotonic,
    )
    asyncio.run(service.run())


def _restrict() -> None:
    """Limit what this process can take from the game."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with suppress(OSError):  # a container may not allow this
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
