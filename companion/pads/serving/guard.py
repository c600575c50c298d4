"""Requests that the pads refuse: host and origin checks, and a rate limit.

A page of another site that is open on a phone can send requests here too. It cannot choose their
`Host` and `Origin`, and a name that it points here (DNS rebinding) is not a numeric address.
"""

import ipaddress
from collections.abc import Callable, Iterable
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from companion import web_guard
from companion.pads.serving.rate import Rate
from companion.web_guard import CONTENT_POLICY, READS, Refusal

HEADERS: Final = {
    **web_guard.HEADERS,
    "Content-Security-Policy": f"{CONTENT_POLICY}; img-src 'self'; form-action 'none'",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class RequestFilter:
    """Decides which requests the pads answer."""

    def __init__(self, origins: Callable[[str], str | None], clock: Callable[[], float]) -> None:
        """`origins` returns the origin of a `Host`, or None for an unknown one."""
        self._origin_of, self._rate = origins, Rate(clock)

    def refuse(self, scope: Scope) -> Refusal | None:
        """Return the text and the status with which a request is refused; None to accept it."""
        status = self._refuses(scope)
        return ("Refused.\n", status) if status else None

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
            headers.get("sec-fetch-mode") != "navigate" or scope["method"] not in READS
        ):
            return 403
        if scope["method"] in READS:
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
