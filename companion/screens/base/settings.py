"""What the players can choose: the next game, and how the companion behaves."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from companion.screens.widgets.seats import Seat
from companion.speech.language import Language, RankSigns, system_code
from companion.store.players import NOBODY, Players
from engine.play.clocks import NO_CLOCK, TIME_CONTROLS, TimeControl
from engine.ranks import ORIGINAL
from engine.rulebook.editions import DEFAULT, Edition
from engine.sides import Side

MOST_NAMES: Final = 6
"""How many names are remembered: enough for a family."""
LOUDEST: Final = 100
WITH_A_CLOCK: Final = "isf"
"""The edition whose rulebook prescribes a clock."""


def prescribed_clock(edition: Edition) -> TimeControl | None:
    """The clock that a rulebook prescribes for an army, None if it prescribes none.

    Tournaments play the short games, duel and barrage, with a short clock.
    """
    if edition.id != WITH_A_CLOCK:
        return None
    is_short = edition.army.size < ORIGINAL.size
    return TIME_CONTROLS["short" if is_short else "bronstein"]


class Pace(Enum):
    """How fast the voice speaks."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"


@dataclass
class Settings:
    """Everything that the players can choose."""

    edition: Edition = DEFAULT
    """The rulebook of the next game, with what the players chose of it."""
    control: TimeControl = NO_CLOCK
    """The players' time in the next game."""
    language: Language = field(default_factory=lambda: Language(system_code(os.environ)))
    """Language of all public texts: the system's until one is chosen."""
    signs: RankSigns = RankSigns.EUROPEAN
    """Marks of the ranks, as on the players' own pieces."""
    sound: bool = True
    voice: bool = True
    """Whether announcements are said aloud, as long as there is sound."""
    volume: int = LOUDEST
    """How loud sounds and voice are, in per cent of the loudest."""
    pace: Pace = Pace.NORMAL
    earphone: str = ""
    """The sound output into which ranks are read to whoever declares by ear; empty for none."""
    calm: bool = False
    """No flash and no shaking when a bomb goes off."""
    shows_ways: bool = True
    """Whether dots show where a lifted piece may go."""
    high_contrast: bool = False
    """White on plain black, without the map."""
    large_letters: bool = False
    """Whether all that is read is half as large again."""
    players: Players = NOBODY
    """The players of the next game."""
    red_seat: Seat = Seat.FRONT
    blue_seat: Seat = Seat.FRONT
    red_language: Language | None = None
    """What only Red may see is in this language; None for the table's."""
    blue_language: Language | None = None
    code: str = ""
    """What has to be entered before an arbiter decides something; empty if that is held."""
    names: tuple[str, ...] = ()
    """The names of everybody who has played here, the latest first."""
    spoken: Mapping[str, Language] = field(default_factory=dict)
    """The languages of those who have played here, by name; the table's for all others."""
    begun: tuple[Edition, TimeControl] | None = None
    """The rules and clock of the latest game, as they were chosen; None if there was none."""
    problem: str = field(default="", compare=False)
    """Why the settings cannot be saved: one plain sentence, not translated yet."""

    def play_by(self, edition: Edition) -> None:
        """Take another rulebook with its clock; options that no rulebook decides stay as they are.

        A clock that the players have chosen stays, unless the rulebook prescribes another.
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
        """Take another army of the rulebook, with its clock unless another one was chosen."""
        edition = self.edition.with_army(army)
        if self._has_prescribed_clock:
            self.control = prescribed_clock(edition) or self.control
        self.edition = edition

    @property
    def _has_prescribed_clock(self) -> bool:
        return self.control == prescribed_clock(self.edition)

    @property
    def is_again(self) -> bool:
        """Whether the next game is the same as the last one."""
        return self.begun == (self.edition, self.control)

    def seat(self, side: Side) -> Seat:
        """Where the player of a side sits."""
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
        """The language of what the player of a side alone is told, or with None everybody."""
        language = (self.own_language(side) if side else None) or self.language
        language.signs = self.signs
        return language

    def speak_to(self, side: Side, language: Language | None) -> None:
        """Let the player of a side be told things in a language; it is kept with the name."""
        if side is Side.RED:
            self.red_language = language
        else:
            self.blue_language = language
        self._keep_language(side)

    def _keep_language(self, side: Side) -> None:
        name, language = self.players.of(side), self.own_language(side)
        if name:
            others = {each: self.spoken[each] for each in self.spoken if each != name}
            self.spoken = {**others, name: language} if language else others

    def call(self, side: Side, name: str) -> None:
        """Give the player of a side a name, or with an empty one none; the name is kept.

        Whoever has played here before is told things in the same language again.
        """
        is_known = name in self.names
        red, blue = (name if each is side else self.players.of(each) for each in Side)
        self.players = Players(red, blue)
        if name:
            others = (each for each in self.names if each != name)
            self.names = (name, *others)[:MOST_NAMES]
        if is_known:
            self.speak_to(side, self.spoken.get(name))
        else:
            self._keep_language(side)

    def exchange_colours(self) -> None:
        """Swap the colours; the players keep their seats and their languages."""
        self.players = Players(self.players.blue, self.players.red)
        self.red_seat, self.blue_seat = self.blue_seat, self.red_seat
        self.red_language, self.blue_language = self.blue_language, self.red_language
