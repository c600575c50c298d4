"""Configuration of the web server, with limits on connections and idle time."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.security import SecurityMiddleware, SitePolicy

HEADER_SIZE: Final = 8192
"""Maximum size of a request's headers, in bytes."""


class LimitedConnection(H11Protocol):
    """uvicorn's HTTP protocol with limits on connections and idle time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or abort it if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self._policy.connections:
            transport.abort()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the idle timer."""
        if self._deadline:
            self._deadline.cancel()
        super().connection_lost(exc)

    @property
    def _policy(self) -> SitePolicy:
        return cast("ServerConfig", self.config).policy

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(self._policy.idle_seconds, self._look)

    def _look(self) -> None:
        """Close the connection, unless a complete request is being answered."""
        cycle = self.cycle
        if cast("object", cycle) is None or cycle.response_complete or cycle.more_body:
            self.transport.abort()
        else:
            self._wait()


class ServerConfig(uvicorn.Config):
    """uvicorn's configuration for one site; requests are not logged, the server header is off."""

    def __init__(
        self,
        app: ASGIApp,
        policy: SitePolicy,
        is_own_host: Callable[[str], bool] = bool,
        *,
        certificate: str | None = None,
        key: str | None = None,
        **options: Any,
    ) -> None:
        """Serve an app behind the security middleware, by https if there is a certificate.

        Without `is_own_host`, the site accepts any host name. `options` are passed to uvicorn.
        """
        self.policy = policy
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
            ssl_certfile=certificate,
            ssl_keyfile=key,
            **options,
        )
