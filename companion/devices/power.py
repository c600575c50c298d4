"""The power of a computer that is there for the board alone."""

import logging
import subprocess
from collections.abc import Sequence
from typing import Final

from companion.speech.language import N_

COMMAND: Final = ("systemctl", "--no-ask-password", "poweroff")
"""Asks systemd, which lets the user of the service do so: `hardware/pi/50-boomboard.rules`."""
STAYS_ON: Final = N_(
    "This computer cannot be switched off from here. The game is kept: you can pull the plug."
)
_SECONDS: Final = 5.0
"""For so long systemd may take to answer; switching off goes on without us."""


def switch_off(command: Sequence[str] = COMMAND) -> str:
    """Switch this computer off. Returns at once: what is wrong, in words, or nothing."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_SECONDS)  # noqa: S603 (our own command)
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        logging.getLogger(__name__).error("This computer stays on: %s", said.strip())
        return STAYS_ON
    return ""
