"""The file that stores the settings, so that they survive a power cut.

It lies beside the games. It contains nothing secret, and its loss only restores the defaults.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.screens.base.settings import LOUDEST, Pace, Settings
from companion.screens.widgets.seats import Seat
from companion.speech.language import N_, Language, RankSigns
from companion.store.players import Players
from companion.store.whole_file import write_whole
from engine.board.geometry import Side
from engine.game.clocks import TimeControl
from engine.records.serialization import read_edition, write_edition
from engine.rules.editions import Edition

CODE: Final = re.compile(r"[0-9]{4}")
_UNREADABLE: Final = N_("The settings could not be read, so they are as at first: choose anew.")
_UNSAVED: Final = N_("The settings cannot be kept: free some space on the disk.")


class SettingsFile:
    """The settings file. Only changes made by the players are written to it."""

    def __init__(self, path: Path) -> None:
        """Read the file if it exists."""
        self._path = path
        self._kept: dict[str, Any] = {}
        self.settings = self._read()
        """The saved settings; `follow` takes the settings whose changes are saved from then on."""
        self._latest = replace(self.settings)

    def follow(self, settings: Settings) -> None:
        """Save later changes of these settings; existing differences are for this run only."""
        self.settings, self._latest = settings, replace(settings)

    def keep(self) -> bool:
        """Save the changes since the last call, and return whether there were any."""
        if self.settings == self._latest:
            return False
        before, now = _write(self._latest), _write(self.settings)
        self._kept |= {name: value for name, value in now.items() if value != before[name]}
        self._latest = replace(self.settings)
        try:
            write_whole(self._path, json.dumps(self._kept, indent=1))
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
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return Settings(problem=_UNREADABLE)
        self._kept = kept
        return settings


def _write(settings: Settings) -> dict[str, Any]:
    """Return settings as plain data."""
    return {
        "language": settings.language.code,
        "signs": settings.signs.value,
        "sound": settings.sound,
        "voice": settings.voice,
        "volume": settings.volume,
        "pace": settings.pace.value,
        "earphone": settings.earphone,
        "calm": settings.calm,
        "ways": settings.shows_ways,
        "contrast": settings.high_contrast,
        "large": settings.large_letters,
        "edition": write_edition(settings.edition),
        "clock": str(settings.control),
        "players": settings.players.written(),
        "seats": [settings.red_seat.value, settings.blue_seat.value],
        "languages": [each and each.code for each in map(settings.own_language, Side)],
        "code": settings.code,
        "names": list(settings.names),
        "spoken": {name: language.code for name, language in settings.spoken.items()},
        "begun": settings.begun and [write_edition(settings.begun[0]), str(settings.begun[1])],
    }


def _settings(kept: Mapping[str, Any]) -> Settings:
    """Read the output of `_write`; missing values keep their defaults."""
    plain = {**_write(Settings()), **kept}
    for name in ("sound", "voice", "calm", "ways", "contrast", "large"):
        if not isinstance(plain[name], bool):
            raise TypeError(f"{name} is {plain[name]!r}")
    red_seat, blue_seat = map(Seat, plain["seats"])
    if plain["code"] and not CODE.fullmatch(plain["code"]):
        raise ValueError("the code is no four digits")
    if not all(isinstance(name, str) for name in plain["names"]):
        raise TypeError(f"{plain['names']!r} are no names")
    red_language, blue_language = (each and Language(each) for each in plain["languages"])
    if not isinstance(plain["earphone"], str):
        raise TypeError(f"the earphone is {plain['earphone']!r}")
    return Settings(
        edition=read_edition(plain["edition"]),
        control=TimeControl.parse(plain["clock"]),
        language=Language(plain["language"]),
        signs=RankSigns(plain["signs"]),
        sound=plain["sound"],
        voice=plain["voice"],
        volume=_read_volume(plain["volume"]),
        pace=Pace(plain["pace"]),
        earphone=plain["earphone"],
        calm=plain["calm"],
        shows_ways=plain["ways"],
        high_contrast=plain["contrast"],
        large_letters=plain["large"],
        players=Players.read(plain["players"]),
        red_seat=red_seat,
        blue_seat=blue_seat,
        red_language=red_language,
        blue_language=blue_language,
        code=plain["code"],
        names=tuple(plain["names"]),
        spoken={name: Language(code) for name, code in plain["spoken"].items()},
        begun=_read_begun(plain["begun"]),
    )


def _read_volume(plain: object) -> int:
    if not isinstance(plain, int) or not 0 <= plain <= LOUDEST:
        raise ValueError(f"the volume is {plain!r}")
    return plain


def _read_begun(plain: list[Any] | None) -> tuple[Edition, TimeControl] | None:
    if plain is None:
        return None
    edition, control = plain
    return read_edition(edition), TimeControl.parse(control)
