"""When squares have changed, as the frames of a board tell it: each change once.

A board tells a change in several frames, lest one be lost. Only the first of them that shows it is
news, and what is told of a square that shows nothing new belongs to a change before.

No board tells as news what is longer ago than `TOLD_MS`. A frame that does was damaged on its way,
by chance so that its checksum fits: such a moment counts for nothing, or a whole turn could be told
in one frame.
"""

from engine.squares import Square
from firmware_bridge.image import Image
from firmware_bridge.wire import TOLD_MS, State


class Moments:
    """Listens to the frames of one board. Time is passed in."""

    def __init__(self) -> None:
        """Begin without having heard a frame."""
        self._shown: Image | None = None

    def begin_anew(self) -> None:
        """Forget what the board has shown: the next frame is its first."""
        self._shown = None

    def of(self, at: float, state: State) -> tuple[tuple[Square, float], ...]:
        """Return when the squares that are news in a frame have changed, which was sent at `at`."""
        news = state.image.differing(self._shown) if self._shown is not None else 0
        self._shown = state.image
        return tuple(
            (square, at - ago_ms / 1000)
            for square, ago_ms in state.changed
            if news >> square & 1 and ago_ms <= TOLD_MS
        )
