"""What is seen in passing in a turn, before anything has settled.

The settled image decides. But who is quick may have touched what was moved before anybody could
tell that it was: so a glimpse rules out what cannot have happened any more, and it may explain a
settled image, if it explains all of it.
"""

from typing import Final

from engine.sides import Side
from engine.squares import Square
from firmware_bridge.gestures import Carried, compare, read
from firmware_bridge.image import Image

STOOD: Final = 0.1
"""For how long a piece has to stand to be seen in passing, in seconds. One that is carried low
over a square is there for less."""
QUICK: Final = 1.0
"""Within how many seconds a quick answer has begun to take up what was moved."""


class Glimpses:
    """What was seen in passing since the latest ply. Time is passed in."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.forget()

    def forget(self) -> None:
        """Forget everything: another turn has begun."""
        self.touched = False
        """Whether the side to move has had a piece in the hand while all others stood."""
        self._image: Image | None = None
        self._since = 0.0
        self._moved: Carried | None = None
        self._stood: Carried | None = None
        self._stood_until = 0.0

    @property
    def move(self) -> Carried | None:
        """A move of the side to move that stood for a moment, just before what is seen now."""
        return self._stood if self._since <= self._stood_until + QUICK else None

    def see(
        self, at: float, image: Image, expected: Image, mover: Side, latest: Square | None
    ) -> None:
        """Take note of an image; `latest` is where the latest move has ended."""
        if image == self._image:
            return
        if self._moved and at - self._since >= STOOD:
            self._stood, self._stood_until = self._moved, at
        self._image, self._since = image, at
        gesture = read(image, expected, mover)
        self._moved = gesture if isinstance(gesture, Carried) else None
        missing = compare(image, expected).missing
        still_there = latest is None or not missing >> latest & 1
        if missing & expected.of(mover) and still_there:
            self.touched = True
