"""The interface through which the screens open and close the pads."""

import errno
import secrets
import socket
import ssl
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.core.events import Event
from companion.pads.protocols import Certificate, ListenAddress, PadErrorKind, PadHost, Presence
from companion.speech.i18n import Language
from engine.board.geometry import Side

if TYPE_CHECKING:  # imported only when pads are opened, because most sessions have no pads
    from companion.pads.pad_feed import PadFeed
    from companion.pads.server_link import PadLink, SeatKeys, StartServer

_ERRORS: Final = {
    errno.EADDRINUSE: PadErrorKind.PORT_TAKEN,
    errno.EADDRNOTAVAIL: PadErrorKind.NO_SUCH_ADDRESS,
    errno.EACCES: PadErrorKind.NOT_ALLOWED,
    errno.EAFNOSUPPORT: PadErrorKind.SHUT_OUT,
    errno.EPERM: PadErrorKind.SHUT_OUT,
}


RESTARTS: Final = 3
RESTART_SECONDS: Final = 60.0
"""A server that has stopped is restarted at most `RESTARTS` times within this period, in seconds.
Chosen by judgement, not measurement."""


class Pads:
    """Phones as pads for the two players, and a page for spectators.

    All methods are called from the UI thread. Everything that waits for the network runs in a
    separate process, which has no access to the table or the host.
    """

    def __init__(
        self,
        host: PadHost,
        language_for: Callable[[Side | None], Language],
        clock: Callable[[], float],
        *,
        delay: float = 0.0,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        start: "StartServer | None" = None,
    ) -> None:
        """Prepare to serve a host's games, without listening on the network yet.

        `language_for` is `Settings.language_for`, which returns a player's own language, or the
        table's language for None. `clock` is the host's clock. `delay` is the delay of the
        spectators' view, in seconds. `draw` returns the given number of random bytes. `start`
        starts the web server, by default in its own process. Tests pass their own `draw` and
        `start`.
        """
        self.delay = delay
        """Delay of the spectators' view, in seconds. May be changed at any time."""
        self.error: PadErrorKind | None = None
        """Reason why pads could not be opened or have stopped, or None.

        `companion.pads.protocols.pad_error_text(error, place.port, language)` explains the reason
        in a sentence.
        """
        self._host, self._language_for, self._clock = host, language_for, clock
        self._draw, self._start = draw, start
        self._origin = ""
        self._place = ListenAddress()
        """The address and port on which the server listens."""
        self._ended_at: deque[float] = deque(maxlen=RESTARTS)
        """Times at which servers have stopped unexpectedly."""
        self._link: PadLink | None = None
        self._feed: PadFeed | None = None
        self._delayed: deque[tuple[float, bytes]] = deque()
        """Views for the spectators, with the times at which they become visible."""
        self._everybody = b""
        """The view that spectators currently see."""
        host.listen(self._hear)

    @property
    def is_open(self) -> bool:
        """Whether phones can connect."""
        return self._link is not None

    def open(self, place: ListenAddress = ListenAddress()) -> None:  # noqa: B008 (a value)
        """Start listening, and return immediately. On failure, `error` contains the reason.

        Every seat gets a new secret. If pads are already open, they are closed first.
        """
        self.close()
        self.error = _error_with(place.certificate)
        if self.error:
            return
        # Imported lazily, because only games with phones need these modules.
        from companion.pads.listen_address import origin  # noqa: PLC0415
        from companion.pads.pad_feed import PadFeed  # noqa: PLC0415

        try:
            listener = _listen(place)
        except OSError as error:
            self.error = _ERRORS.get(error.errno or 0, PadErrorKind.NO_NETWORK)
            return
        try:
            self._place = replace(place, port=listener.getsockname()[1])
            self._origin = origin(place, self._place.port)
        except OSError:
            listener.close()
            self.error = PadErrorKind.NO_NETWORK
            return
        self._feed = PadFeed(self._host, self._language_for, self._clock)
        self._delayed.clear()
        self._ended_at.clear()
        self._serve(listener)

    def _serve(
        self, listener: socket.socket, seats: "Mapping[Side, SeatKeys] | None" = None
    ) -> None:
        """Start a server, with free seats or with the `seats` of an earlier server."""
        from companion.pads.server_link import PadLink, ServerProcess  # noqa: PLC0415

        start, certificate = self._start or ServerProcess, self._place.certificate
        self._link = PadLink(start, listener, certificate, self._draw, self._clock, seats)
        if seats and self._everybody:
            self._link.show_everybody(self._everybody, self.delay)
        if not self._host.unsaved:
            self._show()
        self._link.accept()

    def _restart(self) -> None:
        """Start another server after one has stopped, unless servers stop too often."""
        assert self._feed
        assert self._link
        now, seats, has_misbehaved = self._clock(), self._link.seats, self._link.has_misbehaved
        self._link.stop()
        is_often = len(self._ended_at) == RESTARTS and now - self._ended_at[0] < RESTART_SECONDS
        self._ended_at.append(now)
        try:
            if has_misbehaved or is_often:
                raise ConnectionAbortedError
            listener = _listen(self._place)
        except OSError:
            self.close()
            self.error = PadErrorKind.STOPPED
            return
        self._feed.forget()
        self._serve(listener, seats)

    def close(self) -> None:
        """Stop listening, and discard the seats. The port is then free."""
        if self._link:
            self._link.stop()
        self._link = self._feed = None
        self.error = None

    def address(self, side: Side) -> str:
        """Return the address in the QR code. The first phone that opens it gets the seat.

        The secret is in the address's fragment, which browsers do not send. The address is only
        valid while pads are open.
        """
        assert self._link
        return f"{self._origin}/#{self._link.code(side)}"

    @property
    def spectators_address(self) -> str:
        """The address of the public page. Only valid while pads are open."""
        assert self._link
        return f"{self._origin}/watch"

    def renew(self, side: Side) -> None:
        """Give a seat a new secret. Its `address` changes, and its phone loses the seat."""
        assert self._link
        self._link.renew(side)

    def presence(self, side: Side) -> Presence:
        """Return the presence of a side's phone: `Presence.ABSENT` while pads are closed."""
        return self._link.presence(side) if self._link else Presence.ABSENT

    def tick(self) -> None:
        """Pass the phones' messages to the table, and send changed views to the phones.

        Call this method once per frame, after `GameHost.poll`. It does nothing while pads are
        closed.
        """
        if self._feed is None or self._link is None:
            return
        if not self._link.is_running:
            self._restart()
            return
        if self._host.unsaved:  # phones must neither see unsaved events nor react to them
            return
        for side, command in self._link.take():
            if given := self._feed.read(side, command):
                self._host.submit(given)
        if not self._host.unsaved:
            self._show()

    def _hear(self, event: Event) -> None:
        if self._feed:
            self._feed.hear(event)

    def _show(self) -> None:
        """Publish new views: to pads immediately, and to spectators when they are due."""
        assert self._feed
        assert self._link
        if shown := self._feed.look():
            for side, text in shown.pads.items():
                self._link.show(side, text)
            self._delayed.append((self._clock() + self.delay, shown.everybody))
            self._link.show_previous(shown.sheets, shown.stories)
        while self._delayed and self._delayed[0][0] <= self._clock():
            _, self._everybody = self._delayed.popleft()
            self._link.show_everybody(self._everybody, self.delay)


def _error_with(certificate: Certificate | None) -> PadErrorKind | None:
    """Return the error if a certificate is unusable, or None if it is usable or missing."""
    if certificate:
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate.chain, certificate.key)
        except (OSError, ValueError):  # an SSLError is an OSError
            return PadErrorKind.CERTIFICATE
    return None


def _listen(place: ListenAddress) -> socket.socket:
    """Open the port. Raise OSError on failure."""
    family = socket.AF_INET6 if ":" in place.address else socket.AF_INET
    return socket.create_server((place.address, place.port), family=family)
