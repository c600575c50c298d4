"""Interface through which pads use a game host, the pads' errors, and their network settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, Protocol

from companion.core.events import Event
from companion.core.inputs import Input
from companion.core.table import Table
from companion.reports.replay import Archive
from companion.speech.i18n import N_, Language
from companion.storage.errors import StorageError
from companion.storage.game_rows import PlayerNames


class PadHost(Protocol):
    """A host that runs games, such as `companion.session.game_host.GameHost`."""

    archive: Archive

    changes: int
    """Counter that is incremented whenever the views may have changed."""

    @property
    def table(self) -> Table | None:
        """The table of the current game, or None if there is no game."""

    @property
    def number(self) -> int | None:
        """Number of the current game in the journal, or None if the game is not stored."""

    @property
    def players(self) -> PlayerNames:
        """The players' names. Unknown names are empty."""

    @property
    def unsaved(self) -> StorageError | None:
        """Error in saving the latest events, or None. Unsaved events are not shown."""

    @property
    def is_in_hall(self) -> bool:
        """Whether arbiters on another computer can be called."""

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` with every event of every game."""

    def submit(self, given: Input) -> object:
        """Pass an input to the table."""


class PadErrorKind(Enum):
    """Error that prevents the pads from being opened, or has stopped them."""

    PORT_TAKEN = "port-taken"
    """Another process is already listening on this port."""
    NO_SUCH_ADDRESS = "no-such-address"
    """This computer does not have the configured address."""
    NOT_ALLOWED = "not-allowed"
    """The system does not permit this program to listen on this port."""
    SHUT_OUT = "shut-out"
    """The system does not permit this program any network access."""
    NO_NETWORK = "no-network"
    """This computer is not connected to a network, so no phone can reach it."""
    CERTIFICATE = "certificate"
    """The certificate or its key cannot be read, or they do not match."""
    STOPPED = "stopped"
    """The pads' server has stopped unexpectedly."""


PATIENCE: Final = 10.0
"""A phone that sends no message for this many seconds is considered absent."""


class Presence(Enum):
    """Connection state of a player's phone, as shown on the touchscreen."""

    ABSENT = "nobody"
    """No phone has taken this seat."""
    HERE = "here"
    AWAY = "away"
    """The phone has been silent for ten seconds, so the touchscreen takes over."""


EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 (phones may use any network)
PORT: Final = 8017


@dataclass(frozen=True)
class Certificate:
    """A certificate for this computer, with which phones connect to `host` over HTTPS."""

    chain: Path
    key: Path
    host: str
    """The name for which the certificate was issued, such as ``board.club.example``."""


@dataclass(frozen=True)
class ListenAddress:
    """Address and port to listen on."""

    address: str = EVERYWHERE
    """Numeric address, or `EVERYWHERE` for all network interfaces of this computer."""
    port: int = PORT
    """Port number, or 0 to let the system choose a port."""
    certificate: Certificate | None = None


_WORDS: Final[Mapping[PadErrorKind, str]] = {
    PadErrorKind.PORT_TAKEN: N_(
        "Another program is using port {port}. Close it, or choose another port with --pads."
    ),
    PadErrorKind.NO_SUCH_ADDRESS: N_(
        "This computer does not have that address. Choose one of its own with --pads."
    ),
    PadErrorKind.NOT_ALLOWED: N_(
        "This program may not use port {port}. Choose a port above 1023 with --pads."
    ),
    PadErrorKind.SHUT_OUT: N_(
        "The system does not let this program use a network. Allow it as described in docs/pads.md."
    ),
    PadErrorKind.NO_NETWORK: N_(
        "This computer is not in a network. Connect it, for example to the Wi-Fi that the "
        "phones use, and try again."
    ),
    PadErrorKind.CERTIFICATE: N_(
        "The certificate and its key cannot be used. Check that both files exist and belong "
        "together."
    ),
    PadErrorKind.STOPPED: N_("The phones' pages are no longer available. Open them again."),
}


def pad_error_text(error: PadErrorKind, port: int, language: Language) -> str:
    """Return the problem and its remedy. `port` is the requested port."""
    return language.text(_WORDS[error], port=port)
