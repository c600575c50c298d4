"""The players' settings, of the next game and of the companion, and the file that stores them."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

from companion.speech.i18n import N_, Language, RankSigns, system_code
from companion.storage.atomic_file import write_atomically
from companion.storage.game_rows import NOBODY, Players
from engine.board.geometry import Side
from engine.board.ranks import ORIGINAL
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.records.serialization import read_edition, write_edition
from engine.rules.editions import DEFAULT, Edition


class Seat(Enum):
    """Seat of a player: an edge of the screen, as seen from below its upright picture."""

    FRONT = "front"
    LEFT = "left"
    RIGHT = "right"
    OPPOSITE = "opposite"

    @property
    def degrees(self) -> int:
        """Counter-clockwise rotation of a picture that is upright from this seat, in degrees."""
        return {Seat.FRONT: 0, Seat.RIGHT: 90, Seat.OPPOSITE: 180, Seat.LEFT: 270}[self]


# Settings.

MOST_NAMES: Final = 6
"""Number of names that are remembered: enough for a family."""
LOUDEST: Final = 100
WITH_A_CLOCK: Final = "isf"
"""The edition whose rulebook prescribes a clock."""


def prescribed_clock(edition: Edition) -> TimeControl | None:
    """Return the clock that a rulebook prescribes for an army, or None.

    Tournaments play the short games, duel and barrage, with a short clock.
    """
    if edition.id != WITH_A_CLOCK:
        return None
    is_short = edition.army.size < ORIGINAL.size
    return TIME_CONTROLS["short" if is_short else "bronstein"]


class Pace(Enum):
    """Speech rate of the voice."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"


@dataclass
class Settings:
    """All settings of the players."""

    edition: Edition = DEFAULT
    """The rulebook of the next game, with the options chosen by the players."""
    control: TimeControl = NO_CLOCK
    """The time control of the next game."""
    language: Language = field(default_factory=lambda: Language(system_code(os.environ)))
    """Language of all public texts: the system's until one is chosen."""
    signs: RankSigns = RankSigns.EUROPEAN
    """Marks of the ranks, as on the players' own pieces."""
    sound: bool = True
    voice: bool = True
    """Whether announcements are spoken, as long as there is sound."""
    volume: int = LOUDEST
    """Volume of sounds and voice, in per cent of the maximum."""
    speech_rate: Pace = Pace.NORMAL
    earphone: str = ""
    """The sound output for ranks that are declared by ear; empty for none."""
    reduced_motion: bool = False
    """Whether the explosion of a bomb is shown without flashing and shaking."""
    show_legal_moves: bool = True
    """Whether dots mark the legal targets of a lifted piece."""
    high_contrast: bool = False
    """Whether the screens are white on plain black, without the map."""
    large_letters: bool = False
    """Whether all text is half as large again."""
    players: Players = NOBODY
    """The players of the next game."""
    red_seat: Seat = Seat.FRONT
    blue_seat: Seat = Seat.FRONT
    red_language: Language | None = None
    """Language of the texts that only Red may see; None for the table's."""
    blue_language: Language | None = None
    code: str = ""
    """The arbiter's code, required before a decision; empty if holding a button is enough."""
    names: tuple[str, ...] = ()
    """The names of all who have played here, the latest first."""
    language_by_player: Mapping[str, Language] = field(default_factory=dict)
    """The languages of earlier players by name; all others have the table's."""
    last_game: tuple[Edition, TimeControl] | None = None
    """The rules and time control of the latest game as chosen, or None before the first game."""
    problem: str = field(default="", compare=False)
    """The reason for which the settings cannot be saved: one plain sentence, not translated yet."""

    def play_by(self, edition: Edition) -> None:
        """Change the rulebook and its clock; options that no rulebook prescribes keep their values.

        A clock chosen by the players is kept unless the rulebook prescribes another.
        """
        if edition.id != self.edition.id:
            own = NO_CLOCK if self._has_prescribed_clock else self.control
            self.control = prescribed_clock(edition) or own
        self.edition = replace(
            edition,
            silent_defence=self.edition.silent_defence,
            aggressor_advantage=self.edition.aggressor_advantage,
            touch_move=self.edition.touch_move,
            sealed_armies=self.edition.sealed_armies,
        )

    def play_with(self, army: str) -> None:
        """Change the army of the rulebook, and its clock unless the players have chosen one."""
        edition = self.edition.with_army(army)
        if self._has_prescribed_clock:
            self.control = prescribed_clock(edition) or self.control
        self.edition = edition

    @property
    def _has_prescribed_clock(self) -> bool:
        return self.control == prescribed_clock(self.edition)

    @property
    def is_again(self) -> bool:
        """Whether the next game has the same options as the last one."""
        return self.last_game == (self.edition, self.control)

    def seat(self, side: Side) -> Seat:
        """Return the seat of the player of a side."""
        return self.red_seat if side is Side.RED else self.blue_seat

    def take_seat(self, side: Side, seat: Seat) -> None:
        """Move the player of a side to another seat."""
        if side is Side.RED:
            self.red_seat = seat
        else:
            self.blue_seat = seat

    def own_language(self, side: Side) -> Language | None:
        """The language that the player of a side has chosen, None for the table's."""
        return self.red_language if side is Side.RED else self.blue_language

    def language_for(self, side: Side | None) -> Language:
        """Return the language of a side's private texts, or for None that of the public texts."""
        language = (self.own_language(side) if side else None) or self.language
        language.signs = self.signs
        return language

    def speak_to(self, side: Side, language: Language | None) -> None:
        """Set the language of a player's private texts; it is stored with the name."""
        if side is Side.RED:
            self.red_language = language
        else:
            self.blue_language = language
        self._keep_language(side)

    def _keep_language(self, side: Side) -> None:
        name, language = self.players.of(side), self.own_language(side)
        if name:
            others = {
                each: self.language_by_player[each]
                for each in self.language_by_player
                if each != name
            }
            self.language_by_player = {**others, name: language} if language else others

    def call(self, side: Side, name: str) -> None:
        """Set the name of the player of a side, or clear it; the name is remembered.

        Returning players get their language again.
        """
        is_known = name in self.names
        red, blue = (name if each is side else self.players.of(each) for each in Side)
        self.players = Players(red, blue)
        if name:
            others = (each for each in self.names if each != name)
            self.names = (name, *others)[:MOST_NAMES]
        if is_known:
            self.speak_to(side, self.language_by_player.get(name))
        else:
            self._keep_language(side)

    def exchange_colours(self) -> None:
        """Swap the colours; the players keep their seats and their languages."""
        self.players = Players(self.players.blue, self.players.red)
        self.red_seat, self.blue_seat = self.blue_seat, self.red_seat
        self.red_language, self.blue_language = self.blue_language, self.red_language


# Settings file.

CODE: Final = re.compile(r"[0-9]{4}")
_UNREADABLE: Final = N_("The settings could not be read, so they are as at first: choose anew.")
_UNSAVED: Final = N_("The settings cannot be kept: free some space on the disk.")


class SettingsFile:
    """The settings file, beside the games. Only changes made by the players are written to it.

    It survives a power cut, and contains nothing secret; its loss only restores the defaults.
    """

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
            write_atomically(self._path, json.dumps(self._kept, indent=1))
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
        "pace": settings.speech_rate.value,
        "earphone": settings.earphone,
        "calm": settings.reduced_motion,
        "ways": settings.show_legal_moves,
        "contrast": settings.high_contrast,
        "large": settings.large_letters,
        "edition": write_edition(settings.edition),
        "clock": str(settings.control),
        "players": settings.players.written(),
        "seats": [settings.red_seat.value, settings.blue_seat.value],
        "languages": [each and each.code for each in map(settings.own_language, Side)],
        "code": settings.code,
        "names": list(settings.names),
        "spoken": {name: language.code for name, language in settings.language_by_player.items()},
        "begun": settings.last_game
        and [write_edition(settings.last_game[0]), str(settings.last_game[1])],
    }


def _settings(kept: Mapping[str, Any]) -> Settings:
    """Read the output of `_write`; missing values keep their defaults."""
    plain = {**_write(Settings()), **kept}
    for name in ("sound", "voice", "calm", "ways", "contrast", "large"):
        if not isinstance(plain[name], bool):
            raise TypeError(f"{name} must be a boolean; found {plain[name]!r}")
    red_seat, blue_seat = map(Seat, plain["seats"])
    if plain["code"] and not CODE.fullmatch(plain["code"]):
        raise ValueError("the code must have four digits")
    if not all(isinstance(name, str) for name in plain["names"]):
        raise TypeError(f"names must be texts; found {plain['names']!r}")
    red_language, blue_language = (each and Language(each) for each in plain["languages"])
    if not isinstance(plain["earphone"], str):
        raise TypeError(f"earphone must be a text; found {plain['earphone']!r}")
    return Settings(
        edition=read_edition(plain["edition"]),
        control=TimeControl.parse(plain["clock"]),
        language=Language(plain["language"]),
        signs=RankSigns(plain["signs"]),
        sound=plain["sound"],
        voice=plain["voice"],
        volume=_read_volume(plain["volume"]),
        speech_rate=Pace(plain["pace"]),
        earphone=plain["earphone"],
        reduced_motion=plain["calm"],
        show_legal_moves=plain["ways"],
        high_contrast=plain["contrast"],
        large_letters=plain["large"],
        players=Players.read(plain["players"]),
        red_seat=red_seat,
        blue_seat=blue_seat,
        red_language=red_language,
        blue_language=blue_language,
        code=plain["code"],
        names=tuple(plain["names"]),
        language_by_player={name: Language(code) for name, code in plain["spoken"].items()},
        last_game=_read_begun(plain["begun"]),
    )


def _read_volume(plain: object) -> int:
    if not isinstance(plain, int) or not 0 <= plain <= LOUDEST:
        raise ValueError(f"volume must be an integer from 0 to {LOUDEST}; found {plain!r}")
    return plain


def _read_begun(plain: list[Any] | None) -> tuple[Edition, TimeControl] | None:
    if plain is None:
        return None
    edition, control = plain
    return read_edition(edition), TimeControl.parse(control)
