"""Attack the phones' web server and a hall from a separate process.

Usage: ``python -m tests.companion.web.hostile_guests PADS_PORT HALL_PORT ADDRESSES SEED``

The process attacks from ADDRESSES loopback addresses until it is terminated. It then prints the
number of attacks of each type, as JSON.
"""

import asyncio
import json
import logging
import os
import signal
import ssl
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

GUESTS: Final = 300
"""Number of guests who attack at the same time."""
HELD_SECONDS: Final = 8.0
"""Time for which a guest holds a connection open, in seconds."""
MOST_SENT: Final = 2**21
"""Number of bytes to send of an endless body."""


@dataclass
class Guests:
    pads: int
    hall: int
    addresses: int
    random: Random
    made: Counter[str] = field(default_factory=Counter)

    async def run(self) -> None:
        """Attack until SIGTERM."""
        ended = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
        tasks = [asyncio.create_task(self._guest()) for _ in range(GUESTS)]
        await ended.wait()
        for task in tasks:
            task.cancel()
        sys.stdout.write(json.dumps(self.made))

    async def _guest(self) -> None:
        attacks: list[Callable[[], Awaitable[None]]] = [
            self.stay_silent,
            self.stay_silent_in_tls,
            self.send_headers_slowly,
            self.send_an_endless_body,
            self.join,
            self.sign_in,
            self.watch,
            self.send_nonsense,
            self.read_nothing,
        ]
        while True:
            attack = self.random.choice(attacks)
            self.made[attack.__name__] += 1
            with suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(HELD_SECONDS):
                    await attack()
            await asyncio.sleep(self.random.random() / 10)

    async def connect(
        self, port: int, *, tls: bool = False
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        address = f"127.0.0.{2 + self.random.randrange(self.addresses)}"
        context = ssl._create_unverified_context() if tls else None
        return await asyncio.open_connection(
            "127.0.0.1", port, local_addr=(address, 0), ssl=context
        )

    async def _exchange(self, port: int, request: bytes, *, tls: bool = False) -> None:
        """Send a request, and read until the server closes the connection."""
        reader, writer = await self.connect(port, tls=tls)
        try:
            writer.write(request)
            await writer.drain()
            while await reader.read(65_536):
                pass
        finally:
            writer.transport.abort()

    def _post(self, port: int, path: str, body: bytes, scheme: str = "http") -> bytes:
        host = f"127.0.0.1:{port}"
        head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {scheme}://{host}\r\n"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body

    def _port(self) -> int:
        return self.random.choice((self.pads, self.hall))

    async def stay_silent(self) -> None:
        """Open a connection and send nothing. The hall waits for a TLS handshake."""
        await self._exchange(self._port(), b"")

    async def stay_silent_in_tls(self) -> None:
        await self._exchange(self.hall, b"", tls=True)

    async def send_headers_slowly(self) -> None:
        _, writer = await self.connect(self.pads)
        try:
            for byte in b"GET / HTTP/1.1\r\nX-Slow: " + b"x" * 100:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.3)
        finally:
            writer.transport.abort()

    async def send_an_endless_body(self) -> None:
        """Send a chunked body that is much longer than the `Content-Length` header says."""
        port, path = self.random.choice(((self.pads, "/say"), (self.hall, "/sign-in")))
        is_hall = port == self.hall
        scheme, host = "https" if is_hall else "http", f"127.0.0.1:{port}"
        _, writer = await self.connect(port, tls=is_hall)
        try:
            writer.write(
                f"POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {scheme}://{host}\r\n"
                f"Content-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
            )
            for _ in range(MOST_SENT // 2**15):
                writer.write(b"8000\r\n" + bytes(2**15) + b"\r\n")
                await writer.drain()
        finally:
            writer.transport.abort()

    async def join(self) -> None:
        """Begin a session for a seat without knowing the seat's secret."""
        body = self.random.choice((b"rc", b"bc", b"rt")) + self.random.randbytes(32)
        await self._exchange(self.pads, self._post(self.pads, "/join", body) * 3)

    async def sign_in(self) -> None:
        request = self._post(self.hall, "/sign-in", b"code=abcd-efgh", "https")
        await self._exchange(self.hall, request, tls=True)

    async def watch(self) -> None:
        """Receive the spectators' view."""
        request = f"GET /watch/events HTTP/1.1\r\nHost: 127.0.0.1:{self.pads}\r\n\r\n"
        await self._exchange(self.pads, request.encode())

    async def send_nonsense(self) -> None:
        """Instead of an encrypted message, send random bytes or deeply nested JSON."""
        body = self.random.choice((self.random.randbytes(4_168), b"[" * 4_168))
        path = self.random.choice(("/say", "/listen"))
        await self._exchange(self.pads, self._post(self.pads, path, body))

    async def read_nothing(self) -> None:
        """Request a large file many times without reading the responses."""
        _, writer = await self.connect(self.pads)
        try:
            request = f"GET /nacl-fast.min.js HTTP/1.1\r\nHost: 127.0.0.1:{self.pads}\r\n\r\n"
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(request.encode() * 20)
            await asyncio.sleep(HELD_SECONDS)
        finally:
            writer.transport.abort()


if __name__ == "__main__":
    os.nice(10)
    logging.disable()  # otherwise, asyncio would log every connection that a server closes
    pads, hall, addresses, seed = map(int, sys.argv[1:])
    asyncio.run(Guests(pads, hall, addresses, Random(seed)).run())
