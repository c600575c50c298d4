"""What the players can choose about the companion, besides the game itself."""

from dataclasses import dataclass

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
