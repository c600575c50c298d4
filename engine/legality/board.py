"""Which piece stands where, by identity: a piece is the same piece wherever it goes."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from engine import picture
from engine.ranks import SYMBOLS
from engine.sides import Side
from engine.squares import ONLY, SQUARES, Square, SquareSet, name, set_of, squares_in

Piece: TypeAlias = int
"""The identity of a piece: the square on which it was set up."""
PieceSet: TypeAlias = int
"""A set of pieces as one int, like a set of squares."""

_RED, _BLUE = Side
_NOBODY: Final = 255
_EMPTY: Final = bytes([_NOBODY]) * len(SQUARES)


class Board:
    """The pieces on the board. Knows sides and identities, not ranks and not rules.

    A board is a value: what moves a piece returns another board. ``print(board)`` is a picture;
    ``eval(repr(board)) == board``.
    """

    __slots__ = ("blue", "pieces", "red")

    pieces: bytes | bytearray
    """The piece on every square, 255 on an empty one. Never changed once the board is made."""
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
        if piece == _NOBODY:
            raise KeyError(name(square))
        return piece

    def standing(self, side: Side) -> dict[Piece, Square]:
        """Where the pieces of a side stand."""
        return {self.pieces[square]: square for square in squares_in(self.of(side))}

    def find(self, piece: Piece) -> Square | None:
        """Where a piece stands, None if it has been captured."""
        square = self.pieces.find(piece)
        return None if square < 0 else square

    # -- other boards

    def shifted(self, source: Square, target: Square) -> "Board":
        """Carry a piece to an empty square. Trusts the caller: no rule is checked."""
        board = _new(Board)
        board.pieces = pieces = bytearray(self.pieces)
        pieces[target] = pieces[source]
        pieces[source] = _NOBODY
        if self.red & ONLY[source]:
            board.red = self.red ^ ONLY[source] ^ ONLY[target]
            board.blue = self.blue
        else:
            board.red = self.red
            board.blue = self.blue ^ ONLY[source] ^ ONLY[target]
        return board

    def captured(self, source: Square, target: Square) -> "Board":
        """Carry a piece onto an opposing one, which is taken off. Trusts the caller, too."""
        board = _new(Board)
        board.pieces = pieces = bytearray(self.pieces)
        pieces[target] = pieces[source]
        pieces[source] = _NOBODY
        both = ONLY[source] | ONLY[target]
        board.red, board.blue = self.red ^ both, self.blue ^ both
        if self.red & ONLY[source]:
            board.blue &= ~ONLY[source]
        else:
            board.red &= ~ONLY[source]
        return board

    def without(self, square: Square) -> "Board":
        """Take a piece off the board. Trusts the caller that one stands there."""
        board = _new(Board)
        board.pieces = bytearray(self.pieces)
        board.pieces[square] = _NOBODY
        board.red = self.red & ~(1 << square)
        board.blue = self.blue & ~(1 << square)
        return board

    def exchanged(self, one: Square, other: Square) -> "Board":
        """Let two pieces of one side stand the other way round."""
        board = _new(Board)
        board.pieces = bytearray(self.pieces)
        board.pieces[one], board.pieces[other] = self.pieces[other], self.pieces[one]
        board.red, board.blue = self.red, self.blue
        return board

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


_new: Final = object.__new__
