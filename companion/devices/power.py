"""Power-off of a computer that is dedicated to the board."""

import logging
import subprocess
from collections.abc import Sequence
from typing import Final

from companion.speech.language import N_

COMMAND: Final = ("systemctl", "--no-ask-password", "poweroff")
"""Command to systemd; the service's user is allowed it by `hardware/pi/50-boomboard.rules`."""
STAYS_ON: Final = N_(
    "This computer cannot be switched off from here. The game is kept: you can pull the plug."
)
_SECONDS: Final = 5.0
"""Time-out for systemd's answer, in seconds; the shutdown proceeds without us."""


def switch_off(command: Sequence[str] = COMMAND) -> str:
    """Switch this computer off. Returns at once: an error message, or an empty string."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_SECONDS)  # noqa: S603 (our own command)
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        logging.getLogger(__name__).error("This computer stays on: %s", said.strip())
        return STAYS_ON
    return ""
