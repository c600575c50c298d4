"""Speech clips made by espeak-ng, and an earphone that only one player can hear."""

import hashlib
import logging
import shutil
import subprocess
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

PROGRAM: Final = "espeak-ng"
VOICES: Final[Mapping[str, str]] = {"en": "en-gb", "fr": "fr-fr"}
"""espeak-ng voices for languages whose code is not the name of a voice."""
_KEPT: Final = 64
"""Maximum number of cached clips. Each takes about 100 kB."""
_SECONDS: Final = 20.0
"""Timeout for making a clip, in seconds. A clip normally takes a fraction of a second."""


class NoVoiceError(Exception):
    """espeak-ng is not installed, or has failed."""


class Espeak:
    """Makes clips one at a time in its own thread, and caches the most recently used ones."""

    def __init__(self, program: str = PROGRAM) -> None:
        self._program = program
        self._folder = TemporaryDirectory(prefix="boomboard-voice-")
        self._maker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="voice")
        self._clips: OrderedDict[tuple[str, str, int], Future[Path]] = OrderedDict()

    @property
    def is_there(self) -> bool:
        return shutil.which(self._program) is not None

    def clip(self, text: str, language: str, words_per_minute: int) -> Future[Path]:
        """Synthesize a sentence as a WAV file. `words_per_minute` is the speech rate.

        The future raises NoVoiceError on failure. The next call for this sentence then tries again.
        """
        asked = text, language, words_per_minute
        known = self._clips.get(asked)
        if known is None or _has_failed(known):
            self._clips[asked] = self._maker.submit(self._make, *asked)
        self._clips.move_to_end(asked)
        while len(self._clips) > _KEPT:
            _, oldest = self._clips.popitem(last=False)
            oldest.add_done_callback(_forget)
        return self._clips[asked]

    def close(self) -> None:
        """Stop, and delete all clips."""
        self._maker.shutdown(cancel_futures=True)
        self._folder.cleanup()

    def _make(self, text: str, language: str, words_per_minute: int) -> Path:
        asked = repr((text, language, words_per_minute))
        clip = Path(self._folder.name) / f"{hashlib.sha256(asked.encode()).hexdigest()}.wav"
        voice = VOICES.get(language, language)
        command = [
            self._program,
            "-v",
            voice,
            "-s",
            str(words_per_minute),
            "-w",
            str(clip),
            "--stdin",
        ]
        try:
            subprocess.run(  # noqa: S603 (our own command; the text goes through the pipe)
                command, input=text.encode(), check=True, capture_output=True, timeout=_SECONDS
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NoVoiceError(str(error)) from error
        return clip


def _has_failed(clip: Future[Path]) -> bool:
    return clip.done() and (clip.cancelled() or clip.exception() is not None)


def _forget(clip: Future[Path]) -> None:
    if not _has_failed(clip):
        clip.result().unlink(missing_ok=True)


# Earphone.

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
    """Name given by the manufacturer."""


class Earphone:
    """Plays clips that only one player may hear, through a second sound output.

    Sounds and voice use the computer's first output, the loudspeaker. Any other output, such as a
    USB adapter, can be an earphone. Clips are played with ALSA's `aplay`, because SDL handles only
    one output at a time.
    """

    def __init__(self, outputs: Path = OUTPUTS, player: str = PLAYER) -> None:
        self._outputs, self._player = outputs, player
        self._playing: subprocess.Popen[bytes] | None = None

    @property
    def choices(self) -> list[Output]:
        """Outputs that can serve as an earphone: all except the first, which is the loudspeaker."""
        if not self._outputs.is_file() or shutil.which(self._player) is None:
            return []
        return _read(self._outputs.read_text())[1:]

    def play(self, clip: Path, device: str) -> None:
        """Start playing a clip, and return immediately. A clip that is still playing is cut off."""
        self.hush()
        command = [self._player, "-q", "-D", device, str(clip)]
        try:
            self._playing = subprocess.Popen(command)  # noqa: S603 (our own command)
        except OSError:
            log.warning("the earphone failed to play", exc_info=True)

    def hush(self) -> None:
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
