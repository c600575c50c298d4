"""Which piece stands where, by identity: a piece is the same piece wherever it goes."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from engine import picture
from engine.ranks import SYMBOLS
from engine.sides import Side
from engine.squares import SQUARES, Square, SquareSet, name, set_of, squares_in

Piece: TypeAlias = int
"""The identity of a piece: the square on which it was set up."""
PieceSet: TypeAlias = int
"""A set of pieces as one int, like a set of squares."""
Pieces: TypeAlias = bytes | bytearray
"""The piece on every square, `NOBODY` on an empty one. Never changed once it is handed on."""

_RED, _BLUE = Side
NOBODY: Final = 255
"""What stands for no piece among `Pieces`."""
_EMPTY: Final = bytes([NOBODY]) * len(SQUARES)


class Board:
    """The pieces on the board. Knows sides and identities, not ranks and not rules.

    A board is a value. ``print(board)`` is a picture; ``eval(repr(board)) == board``.
    """

    __slots__ = ("blue", "pieces", "red")

    pieces: Pieces
    red: SquareSet
    """The squares where red pieces stand."""
    blue: SquareSet
    """The squares where blue pieces stand."""

    def __init__(self, red: Mapping[Piece, Square], blue: Mapping[Piece, Square]) -> None:
        """Set pieces on their squares; ValueError if two share one."""
        self.red, self.blue = set_of(red.values()), set_of(blue.values())
        if self.occupied.bit_count() != len(red) + len(blue):
            raise ValueError("two pieces stand on one square")
        pieces = bytearray(_EMPTY)
        for army in (red, blue):
            for piece, square in army.items():
                pieces[square] = piece
        self.pieces = pieces

    @classmethod
    def of_parts(cls, pieces: Pieces, red: SquareSet, blue: SquareSet) -> "Board":
        """Return the board of these parts. Trusts the caller that they fit together."""
        board = cls.__new__(cls)
        board.pieces, board.red, board.blue = pieces, red, blue
        return board

    @classmethod
    def parse(cls, drawn: str) -> "Board":
        """Read a picture; a token is ``r`` or ``b`` and a rank's symbol or ``?``.

        Every piece gets its square as identity. The ranks are for the reader of the picture.
        """
        sides: dict[str, dict[Piece, Square]] = {"r": {}, "b": {}}
        for square, token in picture.read(drawn).items():
            if token[0] not in sides or token[1:] not in {*SYMBOLS, "?"}:
                raise ValueError(f"{name(square)}: {token!r} is not a piece such as r10, bB or r?")
            sides[token[0]][square] = square
        return cls(red=sides["r"], blue=sides["b"])

    @property
    def occupied(self) -> SquareSet:
        """The squares where any piece stands."""
        return self.red | self.blue

    def of(self, side: Side) -> SquareSet:
        """The squares where pieces of one side stand."""
        return self.red if side is _RED else self.blue

    def side_at(self, square: Square) -> Side | None:
        """Whose piece stands on a square, None for nobody's."""
        if self.red >> square & 1:
            return _RED
        return _BLUE if self.blue >> square & 1 else None

    def piece_at(self, square: Square) -> Piece:
        """The piece on an occupied square; KeyError if there is none."""
        piece = self.pieces[square]
        if piece == NOBODY:
            raise KeyError(name(square))
        return piece

    def standing(self, side: Side) -> dict[Piece, Square]:
        """Where the pieces of a side stand."""
        return {self.pieces[square]: square for square in squares_in(self.of(side))}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.red == other.red and self.pieces == other.pieces

    def __hash__(self) -> int:
        return hash((self.red, bytes(self.pieces)))

    def __str__(self) -> str:
        tokens = {Side.RED: "r?", Side.BLUE: "b?", None: None}
        return picture.draw(lambda square: tokens[self.side_at(square)])

    def __repr__(self) -> str:
        red, blue = (dict(sorted(self.standing(side).items())) for side in Side)
        return f"Board(red={red}, blue={blue})"
