"""The physical board: the pieces on each square, even stacked, and the magnet that is detected.

There are no rules and no hands here: a piece is on a square or it is not. How and when sensors read
it is up to `sensors`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from engine.board.geometry import SQUARES, Side, Square, name


@dataclass(eq=False, slots=True)
class Piece:
    """One piece; its identity does not depend on its square."""

    side: Side
    origin: Square
    """Its setup square, by which the engine identifies it."""
    is_felt: bool = True
    """Whether the sensor under it detects it: not if it lies on its side or off centre."""


@dataclass(slots=True)
class _Place:
    standing: list[Piece] = field(default_factory=list)
    """The pieces, lowest first: a piece may be set down on another."""
    is_covered: bool = False
    """Whether the lower of two stacked pieces is the one that is detected."""
    passing: list[Side] = field(default_factory=list)
    """Magnets that are carried low over the square, or have not quite left it."""


def _ignore(did: str, square: Square, side: Side) -> None:
    """Ignore a motion: the default if no log is kept."""
    del did, square, side


class Board:
    """The pieces on the squares. `on_change` is called with each square that has changed."""

    def __init__(
        self,
        on_change: Callable[[Square], None],
        on_motion: Callable[[str, Square, Side], None] | None = None,
    ) -> None:
        """Start with no pieces; `on_motion` gets each motion, its square and the piece's side."""
        self._places = [_Place() for _ in SQUARES]
        self._on_change = on_change
        self._on_motion = on_motion or _ignore

    def felt(self, square: Square) -> Side | None:
        """Return the side of the magnet over a square; None without one."""
        place = self._places[square]
        if place.passing:
            return place.passing[-1]
        felt = [piece.side for piece in place.standing if piece.is_felt]
        if not felt:
            return None
        return felt[0] if place.is_covered else felt[-1]

    def at(self, square: Square) -> Piece | None:
        """Return the piece on a square, the uppermost if there are two."""
        standing = self._places[square].standing
        return standing[-1] if standing else None

    def all_at(self, square: Square) -> tuple[Piece, ...]:
        """Return all pieces on a square, the lowest first."""
        return tuple(self._places[square].standing)

    def square_of(self, piece: Piece) -> Square | None:
        """Return the square of a piece; None if it is in a hand or beside the board."""
        for square, place in enumerate(self._places):
            if piece in place.standing:
                return square
        return None

    def is_empty(self, square: Square) -> bool:
        return not self._places[square].standing

    def lift(self, square: Square, piece: Piece | None = None) -> Piece:
        """Lift a piece off a square: the given one, or else the uppermost."""
        place = self._places[square]
        if not place.standing:
            raise ValueError(f"there is nothing to lift on {name(square)}")
        taken = piece or place.standing[-1]
        place.standing.remove(taken)
        taken.is_felt = True
        if len(place.standing) < 2:
            place.is_covered = False
        self._on_motion("lift", square, taken.side)
        self._on_change(square)
        return taken

    def put(self, piece: Piece, square: Square) -> None:
        """Put a piece on a square, on top of any other piece there."""
        self._places[square].standing.append(piece)
        self._on_motion("put", square, piece.side)
        self._on_change(square)

    def feel(self, square: Square, piece: Piece, *, is_felt: bool) -> None:
        """Set whether the sensor of a square detects the piece on it."""
        piece.is_felt = is_felt
        self._on_motion("upright" if is_felt else "tilted or off the middle", square, piece.side)
        self._on_change(square)

    def cover(self, square: Square, *, is_covered: bool) -> None:
        """Set whether the lower of two stacked pieces is detected instead of the upper one."""
        self._places[square].is_covered = is_covered
        self._on_change(square)

    def come_over(self, square: Square, side: Side) -> None:
        """Hold a magnet low over a square, until `go_on`."""
        self._places[square].passing.append(side)
        self._on_motion("over", square, side)
        self._on_change(square)

    def go_on(self, square: Square, side: Side) -> None:
        """Remove the magnet that was held low over a square."""
        self._places[square].passing.remove(side)
        self._on_motion("gone from over", square, side)
        self._on_change(square)

    def stand(self, pieces: Iterable[tuple[Square, Piece]]) -> None:
        """Set up pieces on their squares."""
        for square, piece in pieces:
            self.put(piece, square)
