"""Security middleware: host and origin checks, rate limit, and response headers.

A page of another site that is open on a phone can send requests here too. It cannot choose their
`Host` and `Origin`, and a name that it points here (DNS rebinding) is not a numeric address.
"""

import ipaddress
from collections.abc import Callable, Iterable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.pads.serving.rate import Rate

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_READS: Final = ("GET", "HEAD")


class Guard:
    """Middleware in front of the pages."""

    def __init__(
        self, app: ASGIApp, *, origins: Callable[[str], str | None], clock: Callable[[], float]
    ) -> None:
        """Protect an app; `origins` returns the origin of a `Host`, or None for an unknown one."""
        self._app, self._origin_of, self._rate = app, origins, Rate(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the app, or refuse it."""
        if scope["type"] != "http":
            return
        status = self._refuses(scope)

        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = PlainTextResponse("Refused.\n", status) if status else self._app
        await refused(scope, receive, send_strictly)

    def _refuses(self, scope: Scope) -> int:
        """Return the status with which a request is refused; 0 if it is accepted."""
        client = scope.get("client")
        if not self._rate.allows(client[0] if client else ""):
            return 429
        headers = Headers(scope=scope)
        origin = self._origin_of(headers.get("host", ""))
        if origin is None:
            return 421
        if headers.get("sec-fetch-site", "same-origin") == "cross-site" and (
            headers.get("sec-fetch-mode") != "navigate" or scope["method"] not in _READS
        ):
            return 403
        if scope["method"] in _READS:
            return 0
        return 0 if scope["method"] == "POST" and headers.get("origin") == origin else 403


def origin_finder(scheme: str, port: int, names: Iterable[str]) -> Callable[[str], str | None]:
    """Return a function from a `Host` to its origin: one of these names, or a numeric address.

    A request under another name indicates DNS rebinding.
    """
    known = frozenset(names)
    usual = 443 if scheme == "https" else 80

    def find(host: str) -> str | None:
        name, colon, digits = host.rpartition(":")
        if not colon or host.endswith("]"):
            name, digits = host, str(usual)
        if digits != str(port) or not (name in known or _is_in_numbers(name)):
            return None
        return f"{scheme}://{host}"

    return find


def _is_in_numbers(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
