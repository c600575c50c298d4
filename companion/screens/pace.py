"""How soon the screens look again: at once while something moves, seldom while nothing does."""

import math
from typing import Final

REST_SECONDS: Final = 0.05
"""How long it rests then. The board ends it with its first change, and no finger notices."""
AFTER_ONE: Final = 0.1
"""So long after a picture the next one of a motion has come."""
AFTER_TWO: Final = 0.5
"""So soon after each other come the pictures of a motion; those of a clock that runs do not."""


class Pace:
    """Is told of every picture that is shown."""

    def __init__(self) -> None:
        self._latest = -math.inf
        self._before = -math.inf

    @property
    def has_begun(self) -> bool:
        """Whether there has been a picture."""
        return self._latest > -math.inf

    def note(self, now: float) -> None:
        """Something has changed, and was shown."""
        self._before, self._latest = self._latest, now

    def rest(self, now: float) -> float:
        """For how many seconds to wait for the board before the next look."""
        moves = now - self._latest < AFTER_ONE or now - self._before < AFTER_TWO
        return 0 if moves else REST_SECONDS
