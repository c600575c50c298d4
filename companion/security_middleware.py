"""Security middleware of all web pages: strict response headers, and refusal of requests.

The pads and the hall decide by rules of their own which requests they refuse.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every response."""
READS: Final = ("GET", "HEAD")

Refusal: TypeAlias = tuple[str, int]
"""The text and the status code with which a request is refused."""


class SecurityMiddleware:
    """Middleware in front of an app; only HTTP requests and the lifespan reach the app."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        refuse: Callable[[Scope], Refusal | None],
        headers: Mapping[str, str],
    ) -> None:
        """Protect an app; `refuse` returns None for a request that the app may answer."""
        self._app, self._refuse, self._headers = app, refuse, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the app, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        if scope["type"] != "http":
            return

        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers)
            await send(message)

        refusal = self._refuse(scope)
        answer = PlainTextResponse(*refusal) if refusal else self._app
        await answer(scope, receive, send_strictly)
