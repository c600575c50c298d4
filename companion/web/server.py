"""The web server, with limits on connections and request duration.

Connections are counted per address and in total. They are counted as soon as they are accepted,
before any byte is read and before TLS begins. If all slots are occupied, a new connection replaces
the oldest one that is waiting for a request, so idle and slow connections cannot block the server.
Some slots are reserved for addresses that have used a valid secret (`Members`).
"""

import asyncio
import logging
import socket
import ssl
import time
from asyncio.sslproto import SSLProtocol
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.security import FairPool, RateLimiter, SecurityMiddleware, SitePolicy, network_of

ACCEPTED_AT_ONCE: Final = 16
"""Maximum number of connections accepted before requests are handled again. With this limit, a
flood of connections delays requests by only a millisecond. Chosen by judgement, not measurement."""
PAUSE_SECONDS: Final = 0.2
"""Pause after a failure to accept a connection, in seconds. A typical cause is that no file
descriptor is free."""
UNACKNOWLEDGED_MS: Final = 6_000
"""Time in milliseconds after which the system drops a connection whose peer acknowledges nothing.
Because streams send a heartbeat every four seconds, the loss of a phone is noticed within ten
seconds."""

PROXY: Final = "127.0.0.1"
"""Address of a reverse proxy on this computer, which has its own limits for each client."""


class Members:
    """The addresses that have most recently used a valid secret."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: OrderedDict[str, None] = OrderedDict()

    def add(self, address: str) -> None:
        network = network_of(address)
        self._known[network] = None
        self._known.move_to_end(network)
        if len(self._known) > self._limit:
            self._known.popitem(last=False)

    def __contains__(self, address: str) -> bool:
        return network_of(address) in self._known


class Arrival:
    """An accepted connection, including its TLS handshake."""

    def __init__(self, leave: Callable[["Arrival"], None]) -> None:
        """Track a connection. `leave` is called once the connection is closed."""
        self._leave = leave
        self.protocol: Any = None
        """HTTP protocol of the connection, once the handshake is complete."""
        self.task: asyncio.Task[None] | None = None
        """The handshake."""

    @property
    def is_waiting(self) -> bool:
        """Whether the connection is waiting for a complete request."""
        return self.protocol is None or bool(self.protocol.is_waiting)

    def end(self) -> None:
        """Close the connection immediately, because another one is replacing it."""
        if self.protocol:
            self.protocol.transport.abort()
        elif self.task:
            self.task.cancel()

    def leave(self) -> None:
        """Free the slot after the connection has been closed."""
        self._leave(self)


class Gate:
    """Accepts the connections of one listening socket on the running event loop."""

    def __init__(
        self,
        listener: socket.socket,
        policy: SitePolicy,
        members: Members,
        context: ssl.SSLContext | None,
        protocol: Callable[[Arrival], asyncio.BaseProtocol],
    ) -> None:
        """Start accepting connections. `protocol` creates the HTTP protocol of a connection."""
        self._listener, self._policy, self._members = listener, policy, members
        self._context, self._protocol = context, protocol
        self._loop = asyncio.get_running_loop()
        self._arrivals = RateLimiter(policy.arrivals, time.monotonic)
        per_address = policy.connections_per_address
        self._strangers = _pool(policy.connections - policy.reserved, per_address)
        self._known = _pool(policy.reserved, per_address)
        self._proxied = _pool(policy.connections, policy.connections)
        self._tasks: set[asyncio.Task[None]] = set()
        listener.setblocking(False)
        self._is_closed = False
        self._resume()

    @property
    def sockets(self) -> list[socket.socket]:
        return [self._listener]

    def close(self) -> None:
        """Stop accepting connections. Connections that have been handed over stay open."""
        self._is_closed = True
        self._loop.remove_reader(self._listener)
        for task in self._tasks:
            task.cancel()
        self._listener.close()

    async def wait_closed(self) -> None:
        """Wait until no handshake is in progress."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _resume(self) -> None:
        if not self._is_closed:
            self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # probably because no file descriptor is left
                self._loop.remove_reader(self._listener)
                self._loop.call_later(PAUSE_SECONDS, self._resume)
                return
            if not self._admit(connection, address[0]):
                connection.close()

    def _admit(self, connection: socket.socket, address: str) -> bool:
        if self._policy.trusts_proxy and address == PROXY:
            pool = self._proxied
        elif self._arrivals.allows(address):
            pool = self._known if address in self._members else self._strangers
        else:
            return False
        owner = network_of(address)
        arrival = Arrival(lambda place: pool.remove(owner, place))
        if not pool.add(owner, arrival):
            return False
        task = self._loop.create_task(self._hand_over(arrival, connection))

        def finish(_: "asyncio.Task[None]") -> None:
            self._tasks.discard(task)
            if arrival.protocol is None:
                connection.close()
                arrival.leave()

        arrival.task = task
        self._tasks.add(task)
        task.add_done_callback(finish)
        return True

    async def _hand_over(self, arrival: Arrival, connection: socket.socket) -> None:
        """Perform the TLS handshake, and start the HTTP protocol."""
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
        deadline = self._policy.request_seconds if self._context else None
        with suppress(OSError):  # the handshake fails or takes too long
            await self._loop.connect_accepted_socket(
                lambda: self._protocol(arrival),
                connection,
                ssl=self._context,
                ssl_handshake_timeout=deadline,
            )


def _pool(limit: int, per_address: int) -> FairPool[Arrival]:
    return FairPool(limit, per_address, lambda each: each.is_waiting)


HEADER_SIZE: Final = 8192
"""Maximum size of a request's headers, in bytes."""
BACKLOG: Final = 128
"""Maximum number of connections waiting to be accepted."""

# asyncio reserves 256 KB for each TLS connection, although a TLS record has at most 16 KB.
SSLProtocol.max_size = 16_384


class LimitedConnection(H11Protocol):
    """uvicorn's HTTP protocol, with time limits for receiving requests and sending responses."""

    def __init__(self, arrival: Arrival, **options: Any) -> None:
        """Serve an accepted connection. `options` are passed to uvicorn."""
        super().__init__(**options)
        self._arrival = arrival
        self._deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether the connection is waiting for a complete request."""
        cycle = cast("Any", self.cycle)
        return cycle is None or cycle.response_complete or cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._arrival.protocol = self
        self._limit_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers, and free the connection's slot."""
        for deadline in (self._deadline, self._write_deadline):
            if deadline:
                deadline.cancel()
        self._arrival.leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive data. A request must be complete within the time limit after its first byte."""
        super().data_received(data)
        if not self.is_waiting and self._deadline:
            self._deadline.cancel()
            self._deadline = None
        elif self.is_waiting and not self._deadline:
            self._limit_request()

    def pause_writing(self) -> None:
        """Close the connection unless the peer soon reads the data that was sent."""
        super().pause_writing()
        self._write_deadline = self.loop.call_later(self._policy.idle_seconds, self._abort)

    def resume_writing(self) -> None:
        """Cancel the time limit for reading the response."""
        if self._write_deadline:
            self._write_deadline.cancel()
        super().resume_writing()

    @property
    def _policy(self) -> SitePolicy:
        return cast("ServerConfig", self.config).policy

    def _limit_request(self) -> None:
        self._deadline = self.loop.call_later(self._policy.request_seconds, self._abort)

    def _abort(self) -> None:
        self.transport.abort()


class ServerConfig(uvicorn.Config):
    """uvicorn's configuration for one site, without request logs or a server header."""

    def __init__(
        self,
        app: ASGIApp,
        policy: SitePolicy,
        is_own_host: Callable[[str], bool] = bool,
        *,
        members: Members | None = None,
        certificate: str | None = None,
        key: str | None = None,
        **options: Any,
    ) -> None:
        """Serve an app behind the security middleware, over HTTPS if there is a certificate.

        By default, the site accepts any host name. The app records in `members` which addresses
        have used a valid secret. `options` are passed to uvicorn.
        """
        self.policy = policy
        self.members = members or Members(1)
        super().__init__(
            SecurityMiddleware(app, policy, is_own_host),
            http=LimitedConnection,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            log_level=logging.WARNING,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=policy.trusts_proxy,
            h11_max_incomplete_event_size=HEADER_SIZE,
            timeout_keep_alive=int(policy.idle_seconds),
            ssl_certfile=certificate,
            ssl_keyfile=key,
            **options,
        )


class WebServer(uvicorn.Server):
    """uvicorn's server behind a `Gate`."""

    config: ServerConfig

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections, by default on the configured host and port."""
        await self.lifespan.startup()
        config, loop = self.config, asyncio.get_running_loop()

        def protocol(arrival: Arrival) -> asyncio.BaseProtocol:
            return LimitedConnection(
                arrival,
                config=config,
                server_state=self.server_state,
                app_state=self.lifespan.state,
                _loop=loop,
            )

        listeners = sockets or listen(config.host, config.port)
        gates = [
            Gate(each, config.policy, config.members, config.ssl, protocol) for each in listeners
        ]
        self.servers = cast("list[asyncio.Server]", gates)
        self.started = True


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on all addresses of a host name. Raise OSError on failure."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    listeners: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            listener = socket.create_server(address[:2], family=family, backlog=BACKLOG)
            listeners.append(listener)
    except OSError:
        for each in listeners:
            each.close()
        raise
    return listeners
