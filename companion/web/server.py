"""Configuration of the web server, and its limits on connections and on the time for a request."""

import asyncio
import logging
import socket
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from typing import Any, Final, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.gate import Arrival, Gate, Members
from companion.web.security import SecurityMiddleware, SitePolicy

HEADER_SIZE: Final = 8192
"""Maximum size of a request's headers, in bytes."""
BACKLOG: Final = 128
"""Maximum number of connections that wait to be accepted."""

# asyncio reserves 256 KB for each connection with TLS. One TLS record has at most 16 KB.
SSLProtocol.max_size = 16_384


class LimitedConnection(H11Protocol):
    """uvicorn's HTTP protocol with limits on the time for a request and for reading an answer."""

    def __init__(self, arrival: Arrival, **options: Any) -> None:
        """Serve an accepted connection; `options` are uvicorn's."""
        super().__init__(**options)
        self._arrival = arrival
        self._deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether no complete request is being answered."""
        cycle = cast("Any", self.cycle)
        return cycle is None or cycle.response_complete or cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._arrival.protocol = self
        self._limit_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers, and give the place to the next connection."""
        for deadline in (self._deadline, self._write_deadline):
            if deadline:
                deadline.cancel()
        self._arrival.leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive data; from its first byte on, a request has to be complete within the limit."""
        super().data_received(data)
        if not self.is_waiting and self._deadline:
            self._deadline.cancel()
            self._deadline = None
        elif self.is_waiting and not self._deadline:
            self._limit_request()

    def pause_writing(self) -> None:
        """Close the connection unless the other end soon reads what was sent."""
        super().pause_writing()
        self._write_deadline = self.loop.call_later(self._policy.idle_seconds, self._abort)

    def resume_writing(self) -> None:
        """Cancel the time limit for reading."""
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
    """uvicorn's configuration for one site; requests are not logged, the server header is off."""

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
        """Serve an app behind the security middleware, by https if there is a certificate.

        Without `is_own_host`, the site accepts any host name. The app records in `members` which
        addresses have used a valid secret. `options` are passed to uvicorn.
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
        """Start accepting connections, by default at the configured host and port."""
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
    """Listen at all addresses of a host name; OSError if that is impossible."""
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
