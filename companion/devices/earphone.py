"""Earphone: a second sound output, for what only one player may hear.

Sounds and voice use the computer's first output, the loudspeaker. An earphone is any other output,
such as a USB adapter; ALSA's `aplay` plays on it, because SDL handles one output at a time.
"""

import logging
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PLAYER: Final = "aplay"
OUTPUTS: Final = Path("/proc/asound/pcm")
"""Linux's list of sound devices, with lines such as ``01-00: USB Audio : USB Audio : playback
1``."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Output:
    """An ALSA sound output."""

    device: str
    """ALSA device name, such as ``plughw:1,0``."""
    name: str
    """Name given by the maker."""


class Earphone:
    """Plays clips on an output that only one player hears."""

    def __init__(self, outputs: Path = OUTPUTS, player: str = PLAYER) -> None:
        self._outputs, self._player = outputs, player
        self._playing: subprocess.Popen[bytes] | None = None

    @property
    def choices(self) -> list[Output]:
        """Outputs that can be an earphone: all but the first, the loudspeaker."""
        if not self._outputs.is_file() or shutil.which(self._player) is None:
            return []
        return _read(self._outputs.read_text())[1:]

    def play(self, clip: Path, device: str) -> None:
        """Start to play a clip and return at once; a clip that is playing is cut off."""
        self.hush()
        command = [self._player, "-q", "-D", device, str(clip)]
        try:
            self._playing = subprocess.Popen(command)  # noqa: S603 (our own command)
        except OSError:
            log.warning("the earphone does not play", exc_info=True)

    def hush(self) -> None:
        """Stop the clip."""
        if self._playing:
            self._playing.kill()
            self._playing.wait()
            self._playing = None


def _read(outputs: str) -> list[Output]:
    found = []
    for line in sorted(outputs.splitlines()):
        place, _, rest = line.partition(": ")
        parts = [part.strip() for part in rest.split(" : ")]
        if any(part.startswith("playback") for part in parts):
            card, device = map(int, place.split("-"))
            found.append(Output(f"plughw:{card},{device}", parts[0]))
    return found
