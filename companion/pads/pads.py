"""The pads of an evening, as the screens use them: opened, closed, and called once a frame."""

import secrets
from collections.abc import Callable

from companion.pads.host import Host
from companion.pads.place import Place
from companion.pads.presence import Presence
from companion.pads.trouble import PadTrouble
from companion.speech.language import Language
from engine.sides import Side


class Pads:
    """Phones as pads of the two players, and a page for spectators.

    All of it is called by one thread, that of the screens. What waits for the network is in a
    thread of its own, which knows neither the table nor the host.
    """

    def __init__(
        self,
        host: Host,
        language_for: Callable[[Side | None], Language],
        clock: Callable[[], float],
        *,
        delay: float = 0.0,
        draw: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Serve the games of a host. Nothing listens yet.

        `language_for` is `Settings.language_for`: a player's own language, with None the table's.
        `clock` is the host's own. Spectators see everything `delay` seconds later. `draw` returns
        so many random bytes; tests put in their own.
        """
        raise NotImplementedError

    @property
    def is_open(self) -> bool:
        """Whether phones can come."""
        raise NotImplementedError

    @property
    def trouble(self) -> PadTrouble | None:
        """Why pads could not be opened or have stopped; None while all is well.

        `companion.speech.pad_words.pad_words(trouble, place.port, language)` says it in a sentence.
        """
        raise NotImplementedError

    @property
    def delay(self) -> float:
        """By how many seconds spectators see everything later; it can be set at any time."""
        raise NotImplementedError

    def open(self, place: Place = Place()) -> None:  # noqa: B008 (a value)
        """Listen, if that is possible; if not, `trouble` says why. Returns at once.

        Every seat gets a new secret. What is open already is closed before.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Listen no more; the seats are forgotten. The port is free when this returns."""
        raise NotImplementedError

    def address(self, side: Side) -> str:
        """The address that gives a seat to the first phone that opens it, to be shown as a code.

        Its secret is in the fragment, which no browser sends anywhere. Only while pads are open.
        """
        raise NotImplementedError

    @property
    def spectators_address(self) -> str:
        """The address of the page that everybody may see. Only while pads are open."""
        raise NotImplementedError

    def renew(self, side: Side) -> None:
        """Give a seat a new secret: `address` is another one, and the phone that had it is out."""
        raise NotImplementedError

    def presence(self, side: Side) -> Presence:
        """Whether the phone of a side is there: NOBODY while pads are closed."""
        raise NotImplementedError

    def tick(self) -> None:
        """Put to the table what phones have said, and send them what has changed.

        Called once a frame, after `BoardHost.tick`. It does nothing while pads are closed.
        """
        raise NotImplementedError
