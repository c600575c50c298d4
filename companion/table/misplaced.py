"""A piece that is missing, and felt where no square sees it.

Nothing is ruled by it: a place is no square, and what is felt is too little to be sure of. People
are told where to look, as long as a piece of that side is missing.
"""

from dataclasses import dataclass
from typing import Final

from companion.table.events import StandsBadly
from companion.table.inputs import BoardFeels
from companion.table.proceedings import Proceedings
from companion.table.sight import Sight
from companion.table.state import Over
from engine.sides import Side
from engine.squares import WIDTH, Square, SquareSet
from firmware_bridge.difference import compare
from firmware_bridge.feeling.place import Place

MOST_MISSING: Final = 4
"""Where more are missing, they are being set up, or somebody has knocked against the board."""
BESIDE: Final = 0.2
"""A piece no further from the middle of its column, in squares, is not between two columns."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A piece that stands badly."""

    side: Side
    place: Place

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares around it, one, two or four, in the order of their numbers."""
        columns, rows = _around(self.place.column), _around(self.place.row)
        return tuple(WIDTH * row + column for row in rows for column in columns)


def _around(at: float) -> list[int]:
    """Return the columns, or rows, that a piece is between; one if it is about on its middle."""
    middle = min(max(round(at), 0), WIDTH - 1)
    if abs(at - middle) <= BESIDE:
        return [middle]
    other = middle + (1 if at > middle else -1)
    return sorted(each for each in (middle, other) if 0 <= each < WIDTH)


class MisplacedPiece:
    """Watches for a missing piece that the board feels."""

    def __init__(self, proceedings: Proceedings, sight: Sight) -> None:
        """Begin without having felt anything."""
        self._proceedings = proceedings
        self._sight = sight
        self._felt = BoardFeels(0.0)
        self._told: tuple[Square, ...] = ()

    def feel(self, felt: BoardFeels) -> None:
        """Take where the board feels a piece."""
        self._felt = felt

    def forget(self) -> None:
        """The board is another one, or has gone."""
        self._felt = BoardFeels(0.0)

    @property
    def missing(self) -> SquareSet:
        """Where a piece is missing that can be looked for."""
        seen = self._sight.image
        if seen is None or not self._sight.sees_colours:
            return 0
        if isinstance(self._proceedings.state, Over):
            return 0
        missing = compare(seen, self._proceedings.must_show).missing
        return missing if missing.bit_count() <= MOST_MISSING else 0

    @property
    def found(self) -> Misplaced | None:
        """The piece that stands badly, if one is missing that may be it."""
        must_show = self._proceedings.must_show
        for side, place, own in (
            (Side.RED, self._felt.red, must_show.red),
            (Side.BLUE, self._felt.blue, must_show.blue),
        ):
            if place and own & self.missing:
                return Misplaced(side, place)
        return None

    def tell(self) -> None:
        """Tell where it stands, once."""
        found = self.found
        squares = found.squares if found else ()
        if squares and squares != self._told:
            self._proceedings.tell(StandsBadly(squares))
        self._told = squares
