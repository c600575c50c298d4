"""What the board complains of while a game goes on: sensors that fail, and a supply that is low.

A board repeats what is wrong as long as it is, so what is not repeated is over. The hand that
lowers a piece very slowly looks for a moment like a sensor that dies; so a complaint counts when it
has been kept up for a while, and a slow change (DYING) only while no piece is in a hand. Until then
the board itself lets the square stay as it was. A sensor that really dies under a hand ends up
stuck at one end of its range, which always counts.
"""

from dataclasses import dataclass
from typing import Final

from engine.squares import Square, SquareSet, set_of

KEPT_UP: Final = 1.2
"""For so many seconds a board has to complain of something until that counts."""
OVER: Final = 2.5
"""What it has not complained of for so many seconds is over. With a hundred bad sensors it takes up
to 2 s until each has had its turn."""


@dataclass(frozen=True, slots=True)
class _Complaint:
    since: float
    latest: float
    is_certain: bool
    """Whether any of it was no slow change."""

    @property
    def counts(self) -> bool:
        return self.latest - self.since >= KEPT_UP


class Complaints:
    """What one board has complained of lately. Time is passed in, in seconds."""

    def __init__(self) -> None:
        """Begin with a board that is well."""
        self._complaints: dict[Square | None, _Complaint] = {}
        """By square; None is the supply."""

    @property
    def failing(self) -> SquareSet:
        """The squares of which the sensors fail."""
        counting = (square for square, each in self._complaints.items() if each.counts)
        return set_of(square for square in counting if square is not None)

    @property
    def is_supply_low(self) -> bool:
        """Whether the board has too little power."""
        return None in self._complaints and self._complaints[None].counts

    @property
    def due(self) -> float | None:
        """When the first of them will be over, unless it is repeated."""
        return min((each.latest + OVER for each in self._complaints.values()), default=None)

    def hear(
        self, at: float, square: Square | None, *, is_dying: bool = False, in_hand: bool = False
    ) -> None:
        """Take a complaint: of the sensor of a square, or, without one, of the supply.

        Args:
            at: The time.
            square: The square, None for the supply.
            is_dying: Whether the sensor only changes slowly, as under a hand.
            in_hand: Whether a piece is in a hand.
        """
        before = self._complaints.get(square)
        if is_dying and in_hand and not (before and before.counts):
            if before and not before.is_certain:
                del self._complaints[square]  # its time starts again when the hand is empty
            return
        is_certain = not is_dying or bool(before and before.is_certain)
        self._complaints[square] = _Complaint(before.since if before else at, at, is_certain)

    def let_pass(self, at: float) -> None:
        """Forget what is over."""
        kept = {k: each for k, each in self._complaints.items() if at < each.latest + OVER}
        self._complaints = kept

    def forget(self) -> None:
        """Forget all of it: the board is another one, or starts anew."""
        self._complaints.clear()
