"""What the players can choose: the next game, and how the companion behaves."""

from dataclasses import dataclass, replace

from companion.language import Language
from engine.clocks import TimeControl
from engine.editions import Edition


@dataclass
class Settings:
    """The choices of one evening."""

    edition: Edition
    """The rulebook of the next game, with what the players chose of it."""
    control: TimeControl
    """The players' time in the next game."""
    language: Language
    sound: bool = True
    calm: bool = False
    """No flash and no shaking when a bomb goes off."""

    def play_by(self, edition: Edition) -> None:
        """Take another rulebook; the options that no rulebook decides stay as they are."""
        self.edition = replace(
            edition,
            silent_defence=self.edition.silent_defence,
            aggressor_advantage=self.edition.aggressor_advantage,
        )
