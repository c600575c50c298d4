"""De-duplicates the change times that a board repeats in several frames.

A board repeats each change in several frames, in case one is lost. Only the first frame that shows
it is new, and a time reported for a square without a new state belongs to an earlier change.

No board reports a change that is older than `TOLD_MS` as new. A frame that does was damaged in
transit and has a valid checksum by chance: its change times are ignored, because otherwise one
frame could contain a whole turn.
"""

from engine.board.geometry import Square
from firmware_bridge.image import Image
from firmware_bridge.wire import TOLD_MS, State


class Moments:
    """Tracks the frames of one board. Time is passed in."""

    def __init__(self) -> None:
        """Begin without any frame."""
        self._shown: Image | None = None

    def begin_anew(self) -> None:
        """Reset: the next frame is the first of the board."""
        self._shown = None

    def of(self, at: float, state: State) -> tuple[tuple[Square, float], ...]:
        """Return the changes that are new in a frame sent at `at`: each square with its time."""
        news = state.image.differing(self._shown) if self._shown is not None else 0
        self._shown = state.image
        return tuple(
            (square, at - ago_ms / 1000)
            for square, ago_ms in state.changed
            if news >> square & 1 and ago_ms <= TOLD_MS
        )
