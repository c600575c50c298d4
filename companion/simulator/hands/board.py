"""The board in the world: which pieces stand where, also on each other, and what a magnet shows.

There are no rules here, and no hands: a piece is on a square or it is not. What sensors make of it,
and when, is for `sensors`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from engine.sides import Side
from engine.squares import SQUARES, Square, name


@dataclass(eq=False, slots=True)
class Piece:
    """One piece: the same wherever it goes."""

    side: Side
    origin: Square
    """Where it was set up, which is what the engine calls it by."""
    is_felt: bool = True
    """Whether the sensor under it feels it: not if it lies on its side or off the middle."""


@dataclass(slots=True)
class _Place:
    standing: list[Piece] = field(default_factory=list)
    """The lowest first: a piece may be set down on another."""
    is_covered: bool = False
    """Whether of two pieces on each other the lower one shows."""
    passing: list[Side] = field(default_factory=list)
    """Magnets that are carried low over the square, or have not quite left it."""


def _ignore(did: str, square: Square, side: Side) -> None:
    """Keep no log of motions."""
    del did, square, side


class Board:
    """The pieces on the squares. `on_change` is told each square where something has changed."""

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
        """Whose magnet is over a square, None for nobody's."""
        place = self._places[square]
        if place.passing:
            return place.passing[-1]
        felt = [piece.side for piece in place.standing if piece.is_felt]
        if not felt:
            return None
        return felt[0] if place.is_covered else felt[-1]

    def at(self, square: Square) -> Piece | None:
        """The piece that stands on a square, the uppermost if there are two."""
        standing = self._places[square].standing
        return standing[-1] if standing else None

    def all_at(self, square: Square) -> tuple[Piece, ...]:
        """All pieces on a square, the lowest first."""
        return tuple(self._places[square].standing)

    def square_of(self, piece: Piece) -> Square | None:
        """Where a piece stands, None if it is in a hand or laid aside."""
        for square, place in enumerate(self._places):
            if piece in place.standing:
                return square
        return None

    def is_empty(self, square: Square) -> bool:
        """Whether nothing stands on a square."""
        return not self._places[square].standing

    def lift(self, square: Square, piece: Piece | None = None) -> Piece:
        """Take a piece off a square: the uppermost, or the one that is named."""
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
        """Set a piece on a square, upon whatever stands there."""
        self._places[square].standing.append(piece)
        self._on_motion("put", square, piece.side)
        self._on_change(square)

    def feel(self, square: Square, piece: Piece, *, is_felt: bool) -> None:
        """Let the sensor of a square feel a piece that stands there, or not."""
        piece.is_felt = is_felt
        self._on_motion("upright" if is_felt else "tilted or off the middle", square, piece.side)
        self._on_change(square)

    def cover(self, square: Square, *, is_covered: bool) -> None:
        """Let the lower of two pieces show, or the upper one."""
        self._places[square].is_covered = is_covered
        self._on_change(square)

    def come_over(self, square: Square, side: Side) -> None:
        """Hold a magnet low over a square, until it goes on."""
        self._places[square].passing.append(side)
        self._on_motion("over", square, side)
        self._on_change(square)

    def go_on(self, square: Square, side: Side) -> None:
        """Take the magnet away that was held low over a square."""
        self._places[square].passing.remove(side)
        self._on_motion("gone from over", square, side)
        self._on_change(square)

    def stand(self, pieces: Iterable[tuple[Square, Piece]]) -> None:
        """Set up pieces on their squares."""
        for square, piece in pieces:
            self.put(piece, square)
