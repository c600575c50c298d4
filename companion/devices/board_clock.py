"""The board's own clock, on the program's: when something has happened, not when it was heard.

A frame may wait on its way, in the adapter or because the computer is busy; it never comes too
early. So the frame that was quickest lately tells how far apart the two clocks are. The board's
oscillator is a cheap one and may be off by half a per cent: what is long ago tells nothing.
"""

from collections import deque
from typing import Final

LATELY: Final = 2.0
"""Seconds of the board's clock for which a quick frame is remembered."""
LATEST: Final = 1.0
"""No frame takes so many seconds to come: the board's clock has jumped, and is set anew."""
_WRAP_MS: Final = 2**32


class BoardClock:
    """Follows the clock of one board. Time is passed in, in seconds of the program's clock."""

    def __init__(self) -> None:
        """Begin without having heard anything."""
        self._latest = -float("inf")
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget the board's clock, which may have begun anew; moments do not go back."""
        self._board_ms: int | None = None
        self._elapsed = 0.0
        """Seconds of the board's clock since it was first heard."""
        self._quickest: deque[tuple[float, float]] = deque()
        """By the board's clock, how far it was behind the program's when a frame had come; of each
        frame that no later one has come as quickly as."""

    def moment(self, board_ms: int, heard: float) -> float:
        """Return when the board sent a frame that was heard now: not later, and never back."""
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
