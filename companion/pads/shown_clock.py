"""The clocks as pages show them: the remaining time at a given time, and the running clock.

A page counts down by itself, so nothing has to be sent while a clock runs. The data changes only
with the publicly visible state of the clocks: if they were calculated for every message, they would
reveal when an unrelated message was written.
"""

from dataclasses import dataclass
from typing import Any, Final

from companion.table import Table
from engine.board.geometry import Side
from engine.game.clocks import Limit

_NEARLY: Final = 0.3
"""Maximum deviation of a clock from the data sent, in seconds."""


@dataclass(frozen=True)
class _Anchor:
    at: float
    runs: Limit | None
    left: tuple[float | None, ...]
    """Remaining time of each side, Red first, and of the setup."""

    def at_moment(self, now: float) -> tuple[float | None, ...]:
        limits = (Limit.RED, Limit.BLUE, Limit.SETUP)
        gone = now - self.at
        return tuple(
            left if left is None or limit is not self.runs else left - gone
            for limit, left in zip(limits, self.left, strict=True)
        )


class ShownClock:
    """The clocks of a game, as of their last change that the pages cannot predict."""

    def __init__(self) -> None:
        self._anchor: _Anchor | None = None

    def view(self, table: Table, now: float) -> dict[str, Any] | None:
        """Return the data that a page needs to count down; None if there is no clock."""
        clock = table.clock
        sides = (clock.left(side, now) for side in Side)
        setting_up = clock.running is Limit.SETUP
        left = (*sides, clock.setup_left(now) if setting_up else None)
        if not any(each is not None for each in left):
            return None
        runs = clock.running if clock.due is not None else None
        if self._anchor is None or not _foreseen(self._anchor, runs, left, now):
            self._anchor = _Anchor(now, runs, left)
        red, blue, setup = (each if each is None else round(each, 1) for each in self._anchor.left)
        at, name = round(self._anchor.at, 1), runs.value if runs else None
        return {"at": at, "runs": name, "red": red, "blue": blue, "setup": setup}


def _foreseen(
    anchor: _Anchor, runs: Limit | None, left: tuple[float | None, ...], now: float
) -> bool:
    if anchor.runs is not runs:
        return False
    pairs = zip(anchor.at_moment(now), left, strict=True)
    return all(
        one is other if one is None or other is None else abs(one - other) < _NEARLY
        for one, other in pairs
    )
