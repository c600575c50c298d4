"""Security middleware: rate limit, host and origin checks, body limit, strict response headers.

A browser may have opened a page from another site. That page can send requests to this server, but
it cannot choose their `Host`, `Origin` and `Sec-Fetch-Site` headers. If the other site makes its
own host name point to this computer (DNS rebinding), `Host` is not a numeric address. `FairPool`
divides a limited number of slots among addresses.
"""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_IPV6_NETWORK: Final = 64
"""Length of an IPv6 network prefix. A computer may choose any address in its network."""


def network_of(address: str) -> str:
    """Return what the limits count an address as: an IPv4 address, or an IPv6 /64 network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), _IPV6_NETWORK), strict=False))


class Place(Protocol):
    """A connection or stream that occupies a slot in a pool."""

    def end(self) -> None:
        """End immediately. The pool has already freed the slot."""


T = TypeVar("T", bound=Place)


class FairPool(Generic[T]):
    """A limited number of slots, each occupied for an owner.

    If a newcomer's owner has reached its own limit, the newcomer takes that owner's oldest
    replaceable slot. If the whole pool is full, the newcomer takes an owner's oldest replaceable
    slot; owners with more slots lose one first. If no slot is replaceable, the newcomer takes the
    oldest slot of the owner with the most slots, provided that this owner has at least two slots
    more than the newcomer's owner. In all other cases, the newcomer is rejected.
    """

    def __init__(self, limit: int, per_owner: int, is_replaceable: Callable[[T], bool]) -> None:
        """Create an empty pool with `limit` slots in total, and `per_owner` slots per owner."""
        self._limit, self._per_owner = limit, per_owner
        self._is_replaceable = is_replaceable
        self._places: dict[str, OrderedDict[T, None]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def owned_by(self, owner: str) -> int:
        return len(self._places.get(owner, ()))

    def add(self, owner: str, place: T) -> bool:
        """Occupy a slot, evicting its occupant if necessary.

        Return False if no slot is available.
        """
        if self.owned_by(owner) >= self._per_owner:
            has_room = self._replace(self._oldest_replaceable([owner]))
        elif self._count >= self._limit:
            has_room = self._replace(self._find_replaceable(owner))
        else:
            has_room = True
        if has_room:
            self._places.setdefault(owner, OrderedDict())[place] = None
            self._count += 1
        return has_room

    def remove(self, owner: str, place: T) -> None:
        """Free the slot of `place`, unless another place has taken over the slot."""
        own = self._places.get(owner)
        if own is None or place not in own:
            return
        del own[place]
        self._count -= 1
        if not own:
            del self._places[owner]

    def _find_replaceable(self, newcomer: str) -> tuple[str, T] | None:
        owners = sorted(self._places, key=self.owned_by, reverse=True)
        found = self._oldest_replaceable(owners)
        if found or not owners or self.owned_by(owners[0]) < self.owned_by(newcomer) + 2:
            return found
        return owners[0], next(iter(self._places[owners[0]]))

    def _oldest_replaceable(self, owners: list[str]) -> tuple[str, T] | None:
        return next(self._replaceable(owners), None)

    def _replaceable(self, owners: list[str]) -> Iterator[tuple[str, T]]:
        for owner in owners:
            for place in self._places[owner]:
                if self._is_replaceable(place):
                    yield owner, place

    def _replace(self, found: tuple[str, T] | None) -> bool:
        if found is None:
            return False
        self.remove(*found)
        found[1].end()
        return True


# Token-bucket rate limit per client address

KNOWN: Final = 4096
"""Maximum number of tracked addresses."""


@dataclass(frozen=True)
class Rate:
    """A limit on events: `burst` at once, and then an average of `a_second` per second."""

    burst: float
    a_second: float


class RateLimiter:
    """Token buckets, one per client address."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        """Limit each address to `rate`; `clock` returns seconds."""
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count an event, and return whether it is within the limit."""
        network, left = network_of(address), self.left(address)
        self._left.pop(network, None)
        is_allowed = left >= 1
        self._left[network] = self._clock(), left - is_allowed
        if len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return is_allowed

    def left(self, address: str) -> float:
        """Return how many more events the limit currently allows from an address."""
        now, rate = self._clock(), self._rate
        at, left = self._left.get(network_of(address), (now, rate.burst))
        return min(rate.burst, left + (now - at) * rate.a_second)


@dataclass(frozen=True)
class SitePolicy:
    """Limits for one site, and permissions for its pages."""

    requests: Rate
    """Rate limit for requests from one address."""
    body_size: int
    """Maximum size of a request body, in bytes."""
    connections: int
    """Maximum number of connections."""
    reserved: int = 0
    """Number of connections reserved for `Members`."""
    connections_per_address: int = 16
    """Maximum number of connections from one address. A browser opens up to six."""
    arrivals: Rate = Rate(burst=100, a_second=10)
    """Rate limit for new connections from one address."""
    request_seconds: float = 3.0
    """Time limit, in seconds, for a TLS handshake and for receiving a complete request."""
    idle_seconds: float = 10.0
    """Time limit, in seconds, for a connection that is idle after a request, and for a peer that
    has stopped reading a response."""
    has_forms: bool = False
    """Whether pages send forms. Without a referrer, the `Origin` of a form is "null"."""
    has_images: bool = False
    trusts_proxy: bool = False
    """Whether a reverse proxy on this computer may report the client's address and scheme."""

    @property
    def headers(self) -> dict[str, str]:
        images = "img-src 'self'; " if self.has_images else ""
        forms = "'self'" if self.has_forms else "'none'"
        return {
            "Content-Security-Policy": (
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                f"{images}base-uri 'none'; form-action {forms}; frame-ancestors 'none'"
            ),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
            "Cache-Control": "no-store",
        }


def own_hosts(scheme: str, port: int, names: Iterable[str]) -> Callable[[str], bool]:
    """Return a predicate that accepts `Host` headers with this port.

    The host must be one of `names` or a numeric address. A request under any other name indicates
    DNS rebinding.
    """
    known = frozenset(names)
    usual = 443 if scheme == "https" else 80

    def is_own(host: str) -> bool:
        name, colon, digits = host.rpartition(":")
        if not colon or host.endswith("]"):
            name, digits = host, str(usual)
        return digits == str(port) and (name in known or _is_numeric(name))

    return is_own


def _is_numeric(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


# Middleware.

READS: Final = ("GET", "HEAD")
REFUSALS: Final = {
    403: "This comes from another site. Nothing was done; use a page of this site.\n",
    405: "Only GET and POST are answered here.\n",
    413: "This is longer than any request of this site. Nothing was done.\n",
    421: "This site has another address.\n",
    429: "Too many requests. Wait a moment.\n",
}
"""Response text for rejected requests, keyed by status code."""


class SecurityMiddleware:
    """Middleware that passes only valid HTTP requests to an app."""

    def __init__(
        self, app: ASGIApp, policy: SitePolicy, is_own_host: Callable[[str], bool]
    ) -> None:
        """Protect an app. `is_own_host` returns whether a `Host` value belongs to the app."""
        self._app, self._policy, self._is_own_host = app, policy, is_own_host
        self._rate = RateLimiter(policy.requests, time.monotonic)

    # uvicorn would mistake mutmut's wrapper of this method for a function that returns the app.
    # pragma: no mutate start
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request, and ignore everything else."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)

    # pragma: no mutate end

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request with its complete body to the app, or reject the request."""

        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._policy.headers)
            await send(message)

        status = self._refuses(scope)
        if not status and scope["method"] not in READS:
            request = await _read(receive, self._policy.body_size)
            if request is None:
                status = 413
            elif request["type"] == "http.disconnect":
                return
            else:
                receive = _Replay(request, receive)
        answer = _refusal(status) if status else self._app
        await answer(scope, receive, send_strictly)

    def _refuses(self, scope: Scope) -> int:
        """Return the status code for rejecting a request, or 0 to accept it."""
        client = scope.get("client")
        if not self._rate.allows(client[0] if client else ""):
            return 429
        headers = Headers(scope=scope)
        host, site = headers.get("host", ""), headers.get("sec-fetch-site")
        if not self._is_own_host(host):
            return 421
        if scope["method"] in READS:
            is_embedded = headers.get("sec-fetch-mode") != "navigate"
            return 403 if site == "cross-site" and is_embedded else 0
        if scope["method"] != "POST":
            return 405
        if site not in (None, "same-origin"):
            return 403
        is_own_form = self._policy.has_forms and site == "same-origin"
        origin = f"{scope['scheme']}://{host}"
        return 0 if is_own_form or headers.get("origin") == origin else 403


def _refusal(status: int) -> PlainTextResponse:
    """Reject a request, and close its connection, because an unread body may follow."""
    return PlainTextResponse(REFUSALS[status], status, {"Connection": "close"})


async def _read(receive: Receive, size: int) -> Message | None:
    """Read a complete request, or learn that the client has disconnected.

    Return None if the body is too large.

    The size is counted while the body arrives, because a chunked request has no `Content-Length`.
    """
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return message
        body += message.get("body", b"")
        if len(body) > size:
            return None
        if not message.get("more_body", False):
            return {"type": "http.request", "body": body, "more_body": False}


class _Replay:
    """Replays a request whose body has already been read."""

    def __init__(self, request: Message, receive: Receive) -> None:
        self._request: Message | None = request
        self._receive = receive

    async def __call__(self) -> Message:
        request, self._request = self._request, None
        return request or await self._receive()
