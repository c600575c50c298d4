"""Where pads are served: an address, a port, and a certificate if there is one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 (phones come by whatever network there is)
PORT: Final = 8017


@dataclass(frozen=True)
class Certificate:
    """A certificate for this computer: phones then reach it by https, under its name."""

    chain: Path
    key: Path
    host: str
    """The name that it was issued for, such as ``board.club.example``."""


@dataclass(frozen=True)
class Place:
    """Where to listen."""

    address: str = EVERYWHERE
    """A numeric one; `EVERYWHERE` for all networks that this computer is in."""
    port: int = PORT
    """0 lets the system choose one."""
    certificate: Certificate | None = None
