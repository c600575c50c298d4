"""Requests that the pads refuse: host and origin checks, and a rate limit.

A page of another site that is open on a phone can send requests here too. It cannot choose their
`Host` and `Origin`, and a name that it points here (DNS rebinding) is not a numeric address.
"""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from companion import security_middleware
from companion.security_middleware import CONTENT_POLICY, READS, Refusal

# Token-bucket rate limit per client address.

BURST: Final = 120.0
"""Size of a burst of requests: a page with all its files, opened a few times."""
A_SECOND: Final = 20.0
"""Requests allowed per second after that."""
KNOWN: Final = 256
"""Maximum number of tracked addresses."""


class RateLimiter:
    """Remaining tokens of each address."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Use a clock in seconds."""
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count a request; return whether it is within the limit."""
        now = self._clock()
        at, left = self._left.pop(address, (now, BURST))
        left = min(BURST, left + (now - at) * A_SECOND)
        is_allowed = left >= 1
        self._left[address] = now, left - is_allowed
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return is_allowed


HEADERS: Final = {
    **security_middleware.HEADERS,
    "Content-Security-Policy": f"{CONTENT_POLICY}; img-src 'self'; form-action 'none'",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class RequestFilter:
    """Decides which requests the pads answer."""

    def __init__(self, origins: Callable[[str], str | None], clock: Callable[[], float]) -> None:
        """`origins` returns the origin of a `Host`, or None for an unknown one."""
        self._origin_of, self._rate = origins, RateLimiter(clock)

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
