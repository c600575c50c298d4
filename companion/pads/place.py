"""Network settings of the pads: an address, a port, and an optional certificate."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 (phones come by whatever network there is)
PORT: Final = 8017


@dataclass(frozen=True)
class Certificate:
    """A certificate for this computer: phones then connect by https, using its name."""

    chain: Path
    key: Path
    host: str
    """The name that it was issued for, such as ``board.club.example``."""


@dataclass(frozen=True)
class Place:
    """Address and port to listen on."""

    address: str = EVERYWHERE
    """Numeric address; `EVERYWHERE` for all networks of this computer."""
    port: int = PORT
    """0 lets the system choose one."""
    certificate: Certificate | None = None
