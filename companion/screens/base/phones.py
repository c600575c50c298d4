"""Phones as pads, as the screens know them: let in, shut out, and asked who has one.

Until somebody lets phones in, nothing of the room that serves them is imported.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.screens.base.board_host import BoardHost
from companion.speech.language import Language
from engine.sides import Side

if TYPE_CHECKING:  # most evenings have no phones
    from companion.pads import Pads, Place

_LATER: Final = 60.0
"""Seconds by which spectators see everything later, if the players want that."""

_SPECIAL: Final = re.compile(r'[\\;,":]')
"""What means something in the way into a network, and so has a backslash before it."""


@dataclass(frozen=True)
class Wifi:
    """A network that phones can join."""

    name: str
    password: str = ""
    """Empty where none is asked for."""

    @property
    def code(self) -> str:
        """What a camera reads as the way in."""
        name, password = (_SPECIAL.sub(r"\\\g<0>", text) for text in (self.name, self.password))
        return f"WIFI:T:WPA;S:{name};P:{password};;" if password else f"WIFI:T:nopass;S:{name};;"


@dataclass(frozen=True)
class Reach:
    """How phones reach this computer."""

    place: "Place | None" = None
    """Where to listen; None for the usual place."""
    wifi: Wifi | None = None
    """The network that they have to join first, if that is to be shown."""
    at_once: bool = False
    """Whether they are let in from the start, without a touch."""


USUAL: Final = Reach()


class Phones:
    """The phones of an evening."""

    def __init__(
        self,
        host: BoardHost,
        language_for: Callable[[Side | None], Language],
        clock: Callable[[], float],
        reach: Reach,
    ) -> None:
        """Let nobody in yet. `language_for` and `clock` are for the pads."""
        self.wifi = reach.wifi
        self._host, self._language_for, self._clock = host, language_for, clock
        self._place = reach.place
        self._pads: Pads | None = None
        self._shown: object = None
        """Who had a phone when the screens were last told."""

    @property
    def is_open(self) -> bool:
        """Whether phones can come."""
        return self._pads is not None and self._pads.is_open

    @property
    def seats(self) -> Mapping[Side, bool]:
        """The sides whose seat a phone has taken, and whether it is there or has gone silent."""
        if not self.is_open:
            return {}
        from companion.pads import Presence  # noqa: PLC0415

        found = {side: self._opened.presence(side) for side in Side}
        return {
            side: presence is Presence.HERE
            for side, presence in found.items()
            if presence is not Presence.NOBODY
        }

    @property
    def are_late(self) -> bool:
        """Whether spectators see everything a minute later."""
        return bool(self._opened.delay)

    def open(self) -> None:
        """Let phones in; `trouble` says why if that cannot be."""
        from companion.pads import Pads, Place  # noqa: PLC0415

        if self._pads is None:
            self._pads = Pads(self._host, self._language_for, self._clock)
        self._place = self._place or Place()
        self._pads.open(self._place)

    def close(self) -> None:
        """Let nobody in any more: nothing listens after that."""
        if self._pads:
            self._pads.close()

    def trouble(self, language: Language) -> str:
        """Why phones cannot come, and what to do: a sentence; empty if there is nothing wrong."""
        if self._pads is None or self._place is None or self._pads.trouble is None:
            return ""
        from companion.speech.pad_words import pad_words  # noqa: PLC0415

        return pad_words(self._pads.trouble, self._place.port, language)

    def address(self, side: Side | None) -> str:
        """What a phone opens for the seat of a side, or with None to look on."""
        pads = self._opened
        return pads.address(side) if side else pads.spectators_address

    def renew(self, side: Side) -> None:
        """Give a seat another address; the phone that had it is out."""
        self._opened.renew(side)

    def make_late(self, *, late: bool) -> None:
        """Show spectators everything a minute later, or at once."""
        self._opened.delay = _LATER if late else 0.0

    def tick(self) -> None:
        """Hear what phones say, and have the screens shown anew when one comes or goes."""
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
