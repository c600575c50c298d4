"""Connection state of a player's phone."""

from enum import Enum
from typing import Final

PATIENCE: Final = 10.0
"""Time without a message after which a phone counts as away, in seconds."""


class Presence(Enum):
    """Connection state of a player's phone, as shown by the touchscreen."""

    NOBODY = "nobody"
    """No phone has taken this seat."""
    HERE = "here"
    AWAY = "away"
    """The phone of this seat has been silent for ten seconds: the touchscreen takes over."""
