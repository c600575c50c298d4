"""Polling rate of the screens: every frame during motion, less often while nothing moves."""

import math
from typing import Final

REST_SECONDS: Final = 0.05
"""Polling interval at rest, in seconds. A change of the board ends the wait; touches do not suffer.
"""
AFTER_ONE: Final = 0.1
"""Time after a frame within which the next frame of an animation arrives, in seconds."""
AFTER_TWO: Final = 0.5
"""Time within which two frames belong to an animation, in seconds; a running clock is slower."""


class Pace:
    """Records when frames are shown and derives the polling interval."""

    def __init__(self) -> None:
        self._latest = -math.inf
        self._before = -math.inf

    @property
    def has_begun(self) -> bool:
        """Whether there has been a picture."""
        return self._latest > -math.inf

    def note(self, now: float) -> None:
        """Record that a changed frame was shown."""
        self._before, self._latest = self._latest, now

    def rest(self, now: float) -> float:
        """Return the time to wait for the board before the next poll, in seconds."""
        moves = now - self._latest < AFTER_ONE or now - self._before < AFTER_TWO
        return 0 if moves else REST_SECONDS
