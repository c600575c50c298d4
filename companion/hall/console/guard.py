"""Security middleware of all pages: strict headers, small requests, same origin only."""

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES: Final = 4096
"""Maximum size of a request body, in bytes; all forms are shorter."""
HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Middleware that accepts only requests that one of our own pages can have made."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        why = _objection(scope)
        answer = PlainTextResponse(*why) if why else self._app
        await answer(scope, receive, send_strictly)


def _objection(scope: Scope) -> tuple[str, int] | None:
    """Return the reason to refuse a request and the status code, or None to accept it."""
    if scope["method"] in ("GET", "HEAD"):
        return None
    headers = Headers(scope=scope)
    if scope["method"] != "POST":
        return "Only GET and POST are answered here.", 405
    if not _is_own(headers):
        return "This comes from another page. Nothing was done; use the page of the hall.", 403
    length = headers.get("content-length", "")
    if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BYTES:
        return "This is longer than any form of the hall. Nothing was done.", 413
    return None


def _is_own(headers: Headers) -> bool:
    """Whether the request comes from the same origin; all current browsers send that header."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = urlsplit(headers.get("origin", ""))
    return bool(origin.netloc) and origin.netloc == headers.get("host")
