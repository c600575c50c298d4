"""Mapping of the board's clock to the program's: when a frame was sent, not when it arrived.

A frame may be delayed, by the adapter or a busy computer; it never arrives early. So the fastest
frame of late gives the offset of the two clocks. The board's oscillator is a cheap one and may be
off by half a per cent, so old frames are ignored.
"""

from collections import deque
from typing import Final

LATELY: Final = 2.0
"""Window of the fastest frame, in seconds of the board's clock."""
LATEST: Final = 1.0
"""Maximum delay of a frame, in seconds; beyond it the board's clock has jumped, and the offset is
reset."""
_WRAP_MS: Final = 2**32


class BoardClock:
    """Follows the clock of one board. Time is passed in, in seconds of the program's clock."""

    def __init__(self) -> None:
        """Start without any frame."""
        self._latest = -float("inf")
        self.begin_anew()

    def begin_anew(self) -> None:
        """Reset the offset, as the board may have restarted; returned times do not go back."""
        self._board_ms: int | None = None
        self._elapsed = 0.0
        """Seconds of the board's clock since its first frame."""
        self._quickest: deque[tuple[float, float]] = deque()
        """Minimum queue of the window: the board's time and the offset of each frame that no later
        one has undercut."""

    def moment(self, board_ms: int, heard: float) -> float:
        """Return the time at which a frame was sent: at most `heard`, and never decreasing."""
        if self._board_ms is not None:
            self._elapsed += (board_ms - self._board_ms) % _WRAP_MS / 1000
        self._board_ms = board_ms
        sent = self._least_apart(heard - self._elapsed) + self._elapsed
        if sent < heard - LATEST:
            self.begin_anew()
            return self.moment(board_ms, heard)
        self._latest = max(self._latest, min(sent, heard))
        return self._latest

    def _least_apart(self, apart: float) -> float:
        while self._quickest and self._quickest[-1][1] >= apart:
            self._quickest.pop()
        self._quickest.append((self._elapsed, apart))
        while self._quickest[0][0] < self._elapsed - LATELY:
            self._quickest.popleft()
        return self._quickest[0][1]
