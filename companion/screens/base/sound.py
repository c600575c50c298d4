"""Sounds of the table. They never block, and a computer without a sound device works as well."""

import logging
from importlib import resources
from typing import Final

from kivy.core.audio import Sound, SoundLoader

from companion.screens.base.settings import LOUDEST

_FOLDER: Final = resources.files("companion") / "sounds"
NAMES: Final = ("boom", "move", "attack", "wrong", "win", "lots", "seal")

log = logging.getLogger(__name__)


class Sounds:
    """Plays sounds by name; several can be heard at once."""

    def __init__(self) -> None:
        self.is_calm = False
        """Whether an explosion is played at half the volume."""
        self.volume = LOUDEST
        """Volume of the sounds, in per cent of the maximum."""
        self._loaded: dict[str, Sound | None] = {}

    @property
    def is_mute(self) -> bool:
        """Whether none of the sounds loaded so far can be heard."""
        return bool(self._loaded) and not any(self._loaded.values())

    def load(self, name: str) -> Sound | None:
        """Load a sound before it is played; return None if it cannot be loaded."""
        if name not in self._loaded:
            self._loaded[name] = _load(name)
        return self._loaded[name]

    def play(self, name: str) -> None:
        """Start a sound and return at once."""
        sound = self.load(name)
        if sound is None:
            return
        try:
            sound.stop()
            is_soft = self.is_calm and name == "boom"
            sound.volume = self.volume / LOUDEST * (0.5 if is_soft else 1.0)
            sound.play()
        except Exception:
            log.warning("the sound %s does not play", name, exc_info=True)


def _load(name: str) -> Sound | None:
    try:
        sound = SoundLoader.load(str(_FOLDER / f"{name}.wav"))
    except Exception:
        log.warning("the sound %s does not load", name, exc_info=True)
        return None
    # Without a sound device Kivy still returns a sound, with a length of zero.
    return sound if sound and sound.length else None
