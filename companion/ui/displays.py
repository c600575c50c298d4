"""Choice of an SDL video driver: for a desktop, or for a display without a desktop.

SDL may use only the given drivers: by default it falls back on a driver that shows nothing.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

DISPLAYS: Final = Path("/sys/class/drm")
"""Folder in which Linux lists the display connectors of the computer."""
DESKTOP: Final = "x11,wayland"
BARE: Final = "kmsdrm"
"""SDL's driver for a display without a desktop (kernel mode setting, DRM)."""


def choose_drivers(environment: Mapping[str, str], *, has_display: bool) -> str | None:
    """Return the drivers for SDL to try in this order; None if there is no display.

    A user who is logged in over SSH is not in front of this computer's display.
    """
    if named := environment.get("SDL_VIDEODRIVER"):
        return named
    if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
        return DESKTOP
    if has_display and not environment.get("SSH_CONNECTION"):
        return BARE
    return None


def find_drivers(environment: Mapping[str, str], displays: Path = DISPLAYS) -> str | None:
    """Choose the drivers for this computer."""
    return choose_drivers(environment, has_display=any(_connected(displays)))


def has_display_of(size: tuple[int, int], displays: Path = DISPLAYS) -> bool:
    """Whether a display of this size in pixels is connected."""
    modes = (output / "modes" for output in _connected(displays))
    preferred = (path.read_text().split("\n", 1)[0] for path in modes if path.is_file())
    return "{}x{}".format(*size) in preferred


def _connected(displays: Path) -> list[Path]:
    return [
        status.parent
        for status in sorted(displays.glob("*/status"))
        if status.read_text().strip() == "connected"
    ]
