"""Whether a player's phone is there."""

from enum import Enum
from typing import Final

PATIENCE: Final = 10.0
"""Seconds after which a phone that says nothing counts as away."""


class Presence(Enum):
    """Whether a player's phone is there, as the touchscreen shows it."""

    NOBODY = "nobody"
    """No phone has taken this seat."""
    HERE = "here"
    AWAY = "away"
    """The phone of this seat has said nothing for ten seconds: the touchscreen takes over."""
