"""Connects and disconnects the phones that serve as pads, and refreshes the screens.

The modules that serve phones are imported only when the players allow phones.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.session.game_host import GameHost
from companion.speech.i18n import Language
from engine.board.geometry import Side

if TYPE_CHECKING:  # most games have no phones
    from companion.pads import ListenAddress, Pads

_SPECTATOR_DELAY: Final = 60.0
"""Delay in seconds for everything that spectators see, if the players have chosen a delay."""

_SPECIAL: Final = re.compile(r'[\\;,":]')
"""Characters that must be escaped with a backslash in the QR code of a network."""


@dataclass(frozen=True)
class Wifi:
    """A network that phones can join."""

    name: str
    password: str = ""
    """Empty for an open network."""

    @property
    def code(self) -> str:
        """The text in the QR code for joining the network."""
        name, password = (_SPECIAL.sub(r"\\\g<0>", text) for text in (self.name, self.password))
        return f"WIFI:T:WPA;S:{name};P:{password};;" if password else f"WIFI:T:nopass;S:{name};;"


@dataclass(frozen=True)
class NetworkOptions:
    """The network through which phones reach the program."""

    place: "ListenAddress | None" = None
    """The address and port to listen on, or None for the default."""
    wifi: Wifi | None = None
    """The network that phones have to join first, or None if the screens do not show one."""
    at_once: bool = False
    """Whether phones may connect as soon as the program starts, without being allowed on the
    screen."""


USUAL: Final = NetworkOptions()


class Phones:
    """The phones connected to a board."""

    def __init__(
        self,
        host: GameHost,
        language_for: Callable[[Side | None], Language],
        clock: Callable[[], float],
        reach: NetworkOptions,
    ) -> None:
        """Keep the arguments for the pads, which are created only when phones are allowed."""
        self.wifi = reach.wifi
        self._host, self._language_for, self._clock = host, language_for, clock
        self._place = reach.place
        self._pads: Pads | None = None
        self._shown: object = None
        """State of the phones and seats as last shown on the screens."""

    @property
    def is_open(self) -> bool:
        """Whether phones may connect."""
        return self._pads is not None and self._pads.is_open

    @property
    def seats(self) -> Mapping[Side, bool]:
        """Whether each phone that has taken a seat is responding, keyed by the seat's side."""
        if not self.is_open:
            return {}
        from companion.pads import Presence  # noqa: PLC0415

        found = {side: self._opened.presence(side) for side in Side}
        return {
            side: presence is Presence.HERE
            for side, presence in found.items()
            if presence is not Presence.ABSENT
        }

    @property
    def are_late(self) -> bool:
        """Whether spectators see everything with a delay."""
        return bool(self._opened.delay)

    def open(self) -> None:
        """Allow phones to connect. If that fails, `error` returns the reason."""
        from companion.pads import ListenAddress, Pads  # noqa: PLC0415

        if self._pads is None:
            self._pads = Pads(self._host, self._language_for, self._clock)
        self._place = self._place or ListenAddress()
        self._pads.open(self._place)

    def close(self) -> None:
        """Disconnect the phones and stop listening for connections."""
        if self._pads:
            self._pads.close()

    def error(self, language: Language) -> str:
        """Return one sentence that says why phones cannot connect and how to solve the problem.

        Returns an empty string if phones can connect or are not allowed.
        """
        if self._pads is None or self._place is None or self._pads.error is None:
            return ""
        from companion.pads.protocols import pad_error_text  # noqa: PLC0415

        return pad_error_text(self._pads.error, self._place.port, language)

    def address(self, side: Side | None) -> str:
        """Return the URL of a side's seat or, if `side` is None, of the spectators' page."""
        pads = self._opened
        return pads.address(side) if side else pads.spectators_address

    def renew(self, side: Side) -> None:
        """Change the URL of a seat, which disconnects its phone."""
        self._opened.renew(side)

    def make_late(self, *, late: bool) -> None:
        """Turn the one-minute delay for spectators on or off."""
        self._opened.delay = _SPECTATOR_DELAY if late else 0.0

    def tick(self) -> None:
        """Handle input from phones. Refresh the screens if a phone connects or stops responding."""
        if self._pads is None:
            return
        self._pads.tick()
        now = self.is_open, self.seats
        if now != self._shown:
            self._shown = now
            self._host.changes += 1

    @property
    def _opened(self) -> "Pads":
        assert self._pads
        return self._pads
