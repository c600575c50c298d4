"""A piece that is missing from its square, and felt between squares.

It is never used for a ruling: a place is not a square, and the measurement is too uncertain. The
players are told where to look, as long as a piece of that side is missing.
"""

from dataclasses import dataclass
from typing import Final

from companion.table.events import StandsBadly
from companion.table.inputs import BoardFeels
from companion.table.proceedings import Proceedings
from companion.table.sight import Sight
from companion.table.state import Over
from engine.board.geometry import WIDTH, Side, Square, SquareSet
from firmware_bridge.image import compare
from firmware_bridge.localization.localize import Place

MOST_MISSING: Final = 4
"""Number of missing pieces above which they are being set up, or the board was bumped."""
BESIDE: Final = 0.2
"""Distance from the middle of its column up to which a piece is not between two columns, in
squares."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A piece between squares."""

    side: Side
    place: Place

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares around it, one, two or four, in ascending order."""
        columns, rows = _around(self.place.column), _around(self.place.row)
        return tuple(WIDTH * row + column for row in rows for column in columns)


def _around(at: float) -> list[int]:
    """Return the columns, or rows, that a piece is between; one if it is near its middle."""
    middle = min(max(round(at), 0), WIDTH - 1)
    if abs(at - middle) <= BESIDE:
        return [middle]
    other = middle + (1 if at > middle else -1)
    return sorted(each for each in (middle, other) if 0 <= each < WIDTH)


class MisplacedPiece:
    """Monitors whether a missing piece is felt by the board."""

    def __init__(self, proceedings: Proceedings, sight: Sight) -> None:
        """Begin without a place."""
        self._proceedings = proceedings
        self._sight = sight
        self._felt = BoardFeels(0.0)
        self._told: tuple[Square, ...] = ()

    def feel(self, felt: BoardFeels) -> None:
        """Process the places where the board feels pieces."""
        self._felt = felt

    def forget(self) -> None:
        """Forget the places: the board was exchanged or disconnected."""
        self._felt = BoardFeels(0.0)

    @property
    def missing(self) -> SquareSet:
        """Squares with a missing piece that can be looked for."""
        seen = self._sight.image
        if seen is None or not self._sight.sees_colours:
            return 0
        if isinstance(self._proceedings.state, Over):
            return 0
        missing = compare(seen, self._proceedings.must_show).missing
        return missing if missing.bit_count() <= MOST_MISSING else 0

    @property
    def found(self) -> Misplaced | None:
        """The piece between squares, if one is missing that may be the same."""
        must_show = self._proceedings.must_show
        for side, place, own in (
            (Side.RED, self._felt.red, must_show.red),
            (Side.BLUE, self._felt.blue, must_show.blue),
        ):
            if place and own & self.missing:
                return Misplaced(side, place)
        return None

    def tell(self) -> None:
        """Report its place, once."""
        found = self.found
        squares = found.squares if found else ()
        if squares and squares != self._told:
            self._proceedings.tell(StandsBadly(squares))
        self._told = squares
