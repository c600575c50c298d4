"""What the players can choose: the next game, and how the companion behaves.

It is kept in a small file beside the games, so that it is there again after a power cut. Nothing
secret is in it, and nothing is lost with it: without the file everything is as at first.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from companion.speech.language import N_, SOURCE, Language
from engine.games.notation import read_edition, write_edition
from engine.play.clocks import NO_CLOCK, TimeControl
from engine.rulebook.editions import DEFAULT, Edition

_UNREADABLE: Final = N_("The settings could not be read, so they are as at first: choose anew.")
_UNSAVED: Final = N_("The settings cannot be kept: free some space on the disk.")


@dataclass
class Settings:
    """The choices of one evening."""

    edition: Edition = DEFAULT
    """The rulebook of the next game, with what the players chose of it."""
    control: TimeControl = NO_CLOCK
    """The players' time in the next game."""
    language: Language = field(default_factory=lambda: Language(SOURCE))
    sound: bool = True
    calm: bool = False
    """No flash and no shaking when a bomb goes off."""
    problem: str = field(default="", compare=False)
    """Why they are not kept, in one plain sentence that is still to be translated."""

    def play_by(self, edition: Edition) -> None:
        """Take another rulebook; the options that no rulebook decides stay as they are."""
        self.edition = replace(
            edition,
            silent_defence=self.edition.silent_defence,
            aggressor_advantage=self.edition.aggressor_advantage,
            touch_move=self.edition.touch_move,
        )


class SettingsFile:
    """The file of the settings. Only what the players change is written into it."""

    def __init__(self, path: Path) -> None:
        """Read the file, if it is there."""
        self._path = path
        self._kept: dict[str, Any] = {}
        self.settings = self._read()
        """The settings as they were kept; `follow` names those that are kept from then on."""
        self._latest = replace(self.settings)

    def follow(self, settings: Settings) -> None:
        """Keep what changes of these settings. What they differ in already is for this run."""
        self.settings, self._latest = settings, replace(settings)

    def keep(self) -> bool:
        """Write down what has changed since the last call; say whether anything has."""
        if self.settings == self._latest:
            return False
        before, now = _write(self._latest), _write(self.settings)
        self._kept |= {name: value for name, value in now.items() if value != before[name]}
        self._latest = replace(self.settings)
        try:
            self._save()
        except OSError:
            self.settings.problem = _UNSAVED
        else:
            self.settings.problem = ""
        return True

    def _read(self) -> Settings:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            settings = _settings(kept)
        except FileNotFoundError:
            return Settings()
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return Settings(problem=_UNREADABLE)
        self._kept = kept
        return settings

    def _save(self) -> None:
        """Exchange the whole file at once: a pulled plug leaves the old one or the new one."""
        new = self._path.with_suffix(".new")
        with new.open("w", encoding="utf-8") as file:
            json.dump(self._kept, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._path)


def _write(settings: Settings) -> dict[str, Any]:
    """Return settings as plain data."""
    return {
        "language": settings.language.code,
        "sound": settings.sound,
        "calm": settings.calm,
        "edition": write_edition(settings.edition),
        "clock": str(settings.control),
    }


def _settings(kept: Mapping[str, Any]) -> Settings:
    """Read what `_write` has written; what is missing is as at first."""
    plain = {**_write(Settings()), **kept}
    for name in ("sound", "calm"):
        if not isinstance(plain[name], bool):
            raise TypeError(f"{name} is {plain[name]!r}")
    return Settings(
        read_edition(plain["edition"]),
        TimeControl.parse(plain["clock"]),
        Language(plain["language"]),
        plain["sound"],
        plain["calm"],
    )
