"""The players' settings, for the next game and for the program, and their file."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from companion.codec import Form, Named, Unsaved, checked, from_plain, limited, matching, to_plain
from companion.opponent.levels import Level
from companion.session.hints import GameHints
from companion.speech.i18n import N_, Language, RankSigns, system_code
from companion.storage.atomic_file import write_atomically
from companion.storage.game_rows import NO_NAMES, LevelName, PlayerNames
from engine.board.geometry import Side
from engine.board.ranks import ORIGINAL
from engine.game.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.rules.editions import DEFAULT, Edition


class ScreenEdge(Enum):
    """A player's seat, given as an edge of the upright display."""

    FRONT = "front"
    LEFT = "left"
    RIGHT = "right"
    OPPOSITE = "opposite"

    @property
    def degrees(self) -> int:
        """Counter-clockwise rotation, in degrees, to turn the display upright for this player."""
        return {
            ScreenEdge.FRONT: 0,
            ScreenEdge.RIGHT: 90,
            ScreenEdge.OPPOSITE: 180,
            ScreenEdge.LEFT: 270,
        }[self]


# Settings.

MOST_NAMES: Final = 6
"""Number of names to remember, which is enough for a family."""
LOUDEST: Final = 100
WITH_A_CLOCK: Final = "isf"
"""The edition whose rulebook prescribes a clock."""


def prescribed_clock(edition: Edition) -> TimeControl | None:
    """Return the time control that an edition's rulebook prescribes, or None.

    In tournaments, the short games (duel and barrage) are played with a short time control.
    """
    if edition.id != WITH_A_CLOCK:
        return None
    is_short = edition.army.size < ORIGINAL.size
    return TIME_CONTROLS["short" if is_short else "bronstein"]


ROTATIONS: Final = (0, 90, 180, 270)
"""Possible rotations of the display, in degrees."""


class SpeechRate(Enum):
    """Speech rate of the announcements."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"


# Save formats of individual settings.

_Language: TypeAlias = Annotated[
    Language,
    Form("the code of a language", "languages", Language, lambda language: language.code),
]
_Control: TypeAlias = Annotated[
    TimeControl, Form("a time control", "time controls", TimeControl.parse, str)
]
_Rotation: Final = checked(int, ROTATIONS.__contains__, "0, 90, 180 or 270")


@dataclass
class Settings:
    """All of the players' settings. The field annotations define the file format."""

    edition: Edition = DEFAULT
    """Rulebook for the next game, with the options that the players have chosen."""
    control: Annotated[_Control, Named("clock")] = NO_CLOCK
    """Time control for the next game."""
    language: _Language = field(default_factory=lambda: Language(system_code(os.environ)))
    """Language of all public text. The default is the system language."""
    signs: RankSigns = RankSigns.EUROPEAN
    """Rank symbols, which should match the players' own pieces."""
    sound: bool = True
    voice: bool = True
    """Whether announcements are spoken, if sound is available."""
    volume: Annotated[int, limited(0, LOUDEST)] = LOUDEST
    """Volume of sounds and voice, as a percentage of the maximum."""
    speech_rate: Annotated[SpeechRate, Named("pace")] = SpeechRate.NORMAL
    earphone: str = ""
    """Sound output for declaring ranks by earphone. Empty if no earphone is used."""
    reduced_motion: Annotated[bool, Named("calm")] = False
    """Whether bomb explosions are shown without flashing and shaking."""
    show_legal_moves: Annotated[bool, Named("ways")] = True
    """Whether dots mark the legal targets of a lifted piece."""
    rank_card: bool = True
    """Whether a list of ranks is shown beside the board during a turn."""
    high_contrast: Annotated[bool, Named("contrast")] = False
    """Whether the screens are white on black, without the background map."""
    light_theme: Annotated[bool, Named("light")] = False
    """Whether the screens have a light background. High contrast overrides this setting."""
    large_letters: Annotated[bool, Named("large")] = False
    """Whether all text is enlarged by 50 %."""
    rotation: Annotated[int, _Rotation, Named("turn")] = 0
    """Clockwise rotation of the display, in degrees (one of `ROTATIONS`)."""
    players: PlayerNames = NO_NAMES
    """Players of the next game."""
    level: LevelName = Level.CADET
    """Difficulty level of the computer in the next one-player game."""
    red_seat: ScreenEdge = ScreenEdge.FRONT
    blue_seat: ScreenEdge = ScreenEdge.FRONT
    red_language: _Language | None = None
    """Language of text that only Red may see. None for the table's language."""
    blue_language: _Language | None = None
    code: Annotated[str, matching(r"(\d{4})?", "four digits or an empty string")] = ""
    """Code that the arbiter enters before a decision. If it is empty, the arbiter holds down a
    button instead."""
    names: tuple[str, ...] = ()
    """Names of people who have played here, most recent first."""
    language_by_player: Annotated[Mapping[str, _Language], Named("spoken")] = field(
        default_factory=dict
    )
    """Languages of earlier players, by name. Other players use the table's language."""
    last_game: Annotated[tuple[Edition, _Control] | None, Named("begun")] = None
    """Rules and time control of the latest game, or None before the first game."""
    last_was_solo: Annotated[bool, Named("alone")] = False
    """Whether the latest game was played by one person."""
    hints: GameHints | None = None
    """Hints in the latest game in which the players agreed to use them."""
    problem: Annotated[str, Unsaved()] = field(default="", compare=False)
    """Reason why the settings cannot be saved, as an untranslated sentence. Empty if they can."""

    def set_rulebook(self, edition: Edition) -> None:
        """Change the rulebook. Options that rulebooks do not prescribe are kept.

        A time control chosen by the players is kept unless the new rulebook prescribes a different
        one.
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
            handicap=self.edition.handicap,
        )

    def set_army(self, army: str) -> None:
        """Change the army, and also the time control unless the players have chosen one."""
        edition = self.edition.with_army(army)
        if self._has_prescribed_clock:
            self.control = prescribed_clock(edition) or self.control
        self.edition = edition

    @property
    def _has_prescribed_clock(self) -> bool:
        return self.control == prescribed_clock(self.edition)

    def seat(self, side: Side) -> ScreenEdge:
        return self.red_seat if side is Side.RED else self.blue_seat

    def take_seat(self, side: Side, seat: ScreenEdge) -> None:
        if side is Side.RED:
            self.red_seat = seat
        else:
            self.blue_seat = seat

    def own_language(self, side: Side) -> Language | None:
        """Return the language chosen by a side's player, or None for the table's language."""
        return self.red_language if side is Side.RED else self.blue_language

    def language_for(self, side: Side | None) -> Language:
        """Return the language of a side's private text, or of public text if `side` is None."""
        language = (self.own_language(side) if side else None) or self.language
        language.signs = self.signs
        return language

    def set_private_language(self, side: Side, language: Language | None) -> None:
        """Set the language of a player's private text, and remember it with the player's name."""
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

    def set_player_name(self, side: Side, name: str) -> None:
        """Set and remember the name of a side's player. An empty name clears it.

        Returning players get the language that they used before.
        """
        is_known = name in self.names
        red, blue = (name if each is side else self.players.of(each) for each in Side)
        self.players = PlayerNames(red, blue)
        if name:
            others = (each for each in self.names if each != name)
            self.names = (name, *others)[:MOST_NAMES]
        if is_known:
            self.set_private_language(side, self.language_by_player.get(name))
        else:
            self._keep_language(side)

    def exchange_colours(self) -> None:
        """Swap the colours. The players keep their seats, languages and handicap."""
        self.edition = self.edition.exchanged()
        if self.last_game:
            self.last_game = self.last_game[0].exchanged(), self.last_game[1]
        self.players = PlayerNames(self.players.blue, self.players.red)
        self.red_seat, self.blue_seat = self.blue_seat, self.red_seat
        self.red_language, self.blue_language = self.blue_language, self.red_language


# Settings file.

_UNREADABLE: Final = N_("Cannot read the settings, so the defaults are back. Please choose again.")
_UNSAVED: Final = N_("Cannot save the settings. Free some space on the disk.")


class SettingsFile:
    """The settings file beside the games file. It contains only settings that were changed.

    The file survives a power cut and contains nothing secret. If it is lost, the defaults apply.
    """

    def __init__(self, path: Path) -> None:
        """Read the file if it exists."""
        self._path = path
        self._kept: dict[str, Any] = {}
        self.settings = self._read()
        """The saved settings. Call `follow` to save later changes."""
        self._latest = replace(self.settings)

    def follow(self, settings: Settings) -> None:
        """From now on, save changes to these settings. Earlier changes apply only to this run."""
        self.settings, self._latest = settings, replace(settings)

    def keep(self) -> bool:
        """Save the changes since the last call. Return whether there were any."""
        if self.settings == self._latest:
            return False
        before, now = to_plain(self._latest), to_plain(self.settings)
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
            text = json.loads(self._path.read_text(encoding="utf-8"))
            kept = from_plain(text, Mapping[str, Any], "the settings")
            whole = {**to_plain(Settings()), **kept}
            settings: Settings = from_plain(whole, Settings, "the settings")
        except FileNotFoundError:
            return Settings()
        except (OSError, ValueError, RecursionError):
            return Settings(problem=_UNREADABLE)
        self._kept = kept
        return settings
