"""An earphone: a second sound output, for what only one player may hear.

Sounds and voice come from the first output of the computer, which is the room's. An earphone is any
other one, such as a USB adapter; `aplay` of ALSA plays on it, because SDL knows one output at a
time.
"""

import logging
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PLAYER: Final = "aplay"
OUTPUTS: Final = Path("/proc/asound/pcm")
"""Where Linux lists what can play, such as ``01-00: USB Audio : USB Audio : playback 1``."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Output:
    """A sound output that ALSA knows."""

    device: str
    """What ALSA calls it, such as ``plughw:1,0``."""
    name: str
    """What its maker calls it."""


class Earphone:
    """Plays clips on an output that only one player hears."""

    def __init__(self, outputs: Path = OUTPUTS, player: str = PLAYER) -> None:
        self._outputs, self._player = outputs, player
        self._playing: subprocess.Popen[bytes] | None = None

    @property
    def choices(self) -> list[Output]:
        """The outputs that can be an earphone: all but the first, which the room hears."""
        if not self._outputs.is_file() or shutil.which(self._player) is None:
            return []
        return _read(self._outputs.read_text())[1:]

    def play(self, clip: Path, device: str) -> None:
        """Begin to play a clip, instead of what is being played, and return at once."""
        self.hush()
        command = [self._player, "-q", "-D", device, str(clip)]
        try:
            self._playing = subprocess.Popen(command)  # noqa: S603 (our own command)
        except OSError:
            log.warning("the earphone does not play", exc_info=True)

    def hush(self) -> None:
        """Play no more."""
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
