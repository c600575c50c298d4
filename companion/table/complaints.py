"""Faults that the board reports during a game: failing sensors and low supply voltage.

A board repeats a fault as long as it lasts, so a fault that is not repeated is over. A hand that
lowers a piece very slowly looks for a moment like a dying sensor; so a fault counts only when it
has lasted for a while, and a slow change (DYING) only while no piece is lifted. Until then the
board itself keeps the square's last state. A sensor that really dies under a hand ends up stuck at
one end of its range, which always counts.
"""

from dataclasses import dataclass
from typing import Final

from engine.board.geometry import Square, SquareSet, set_of

KEPT_UP: Final = 1.2
"""Time for which a board has to report a fault before the fault counts, in seconds."""
OVER: Final = 2.5
"""Time without a report after which a fault is over, in seconds. With a hundred bad sensors it
takes up to 2 s until each has had its turn."""


@dataclass(frozen=True, slots=True)
class _Complaint:
    since: float
    latest: float
    is_certain: bool
    """Whether any of the reports was not of a slow change."""

    @property
    def counts(self) -> bool:
        return self.latest - self.since >= KEPT_UP


class Complaints:
    """The recent faults of one board. Times are passed in, in seconds."""

    def __init__(self) -> None:
        """Begin with a board without faults."""
        self._complaints: dict[Square | None, _Complaint] = {}
        """Faults by square; None is the supply."""

    @property
    def failing(self) -> SquareSet:
        """The squares with failing sensors."""
        counting = (square for square, each in self._complaints.items() if each.counts)
        return set_of(square for square in counting if square is not None)

    @property
    def is_supply_low(self) -> bool:
        """Whether the supply voltage of the board is low."""
        return None in self._complaints and self._complaints[None].counts

    @property
    def due(self) -> float | None:
        """Deadline at which the first of them is over, unless it is repeated."""
        return min((each.latest + OVER for each in self._complaints.values()), default=None)

    def hear(
        self, at: float, square: Square | None, *, is_dying: bool = False, in_hand: bool = False
    ) -> None:
        """Process a fault report: of the sensor of a square, or, without one, of the supply.

        Args:
            at: The time.
            square: The square, None for the supply.
            is_dying: Whether the sensor only changes slowly, as under a hand.
            in_hand: Whether a piece is lifted.
        """
        before = self._complaints.get(square)
        if is_dying and in_hand and not (before and before.counts):
            if before and not before.is_certain:
                del self._complaints[square]  # its time starts again when no piece is lifted
            return
        is_certain = not is_dying or bool(before and before.is_certain)
        self._complaints[square] = _Complaint(before.since if before else at, at, is_certain)

    def let_pass(self, at: float) -> None:
        """Remove the faults that are over."""
        kept = {k: each for k, each in self._complaints.items() if at < each.latest + OVER}
        self._complaints = kept

    def forget(self) -> None:
        """Remove all faults: the board was exchanged or restarted."""
        self._complaints.clear()
