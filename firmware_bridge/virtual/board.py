"""What stands on the simulated board, and what its sensors make of it."""

from dataclasses import dataclass
from threading import Lock

from engine.sides import Side
from engine.squares import Square, SquareSet, name, set_of
from firmware_bridge.image import Image
from firmware_bridge.wire import BoardKind


class ImpossibleError(ValueError):
    """Something that no hand could do with the pieces as they stand; nothing has changed."""


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A piece to be held and set down: the same one wherever it goes, whatever it looks like."""

    side: Side
    label: str = ""
    """What is printed on it. No sensor sees it."""

    def __str__(self) -> str:
        return f"{self.side.value} {self.label or 'piece'}"


class VirtualBoard:
    """The pieces on the squares, lakes included, as in the world: by hand, without any rules.

    Several threads may use one board.
    """

    def __init__(self, kind: BoardKind = BoardKind.COLOURS) -> None:
        self.kind = kind
        """What its sensors can tell."""
        self._standing: dict[Square, Piece] = {}
        self._lock = Lock()

    def at(self, square: Square) -> Piece | None:
        """The piece that stands on a square, None if it is empty."""
        return self._standing.get(square)

    def stand(self, side: Side, square: Square, label: str = "") -> Piece:
        """Set a new piece on a square and return it; ImpossibleError if the square is occupied."""
        piece = Piece(side, label)
        self.place(piece, square)
        return piece

    def lift(self, square: Square) -> Piece:
        """Take the piece off a square into the hand; ImpossibleError if there is none."""
        with self._lock:
            if square not in self._standing:
                raise ImpossibleError(f"there is no piece to lift on {name(square)}")
            return self._standing.pop(square)

    def place(self, piece: Piece, square: Square) -> None:
        """Set a piece from the hand on a square.

        ImpossibleError if the square is occupied or the piece stands on the board already.
        """
        with self._lock:
            standing = self._standing.get(square)
            if standing is not None:
                raise ImpossibleError(f"{name(square)} is occupied by a {standing}")
            for elsewhere, other in self._standing.items():
                if other is piece:
                    raise ImpossibleError(f"the {piece} already stands on {name(elsewhere)}")
            self._standing[square] = piece

    def take_away(self, square: Square) -> None:
        """Take the piece off a square and out of the game; ImpossibleError if there is none."""
        self.lift(square)

    def image(self) -> Image:
        """What the sensors show: a board of presence sensors shows no colours."""
        with self._lock:
            standing = dict(self._standing)
        if self.kind is BoardKind.PRESENCE:
            return Image(unknown=set_of(standing))

        def of(side: Side) -> SquareSet:
            return set_of(square for square, piece in standing.items() if piece.side is side)

        return Image(red=of(Side.RED), blue=of(Side.BLUE))
