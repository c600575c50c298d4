"""Board: the square of each piece. A piece keeps its identity when it moves."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from engine.board import NotationError, board_text
from engine.board.geometry import SQUARES, Side, Square, SquareSet, name, set_of, squares_in
from engine.board.ranks import SYMBOLS

Piece: TypeAlias = Square
"""Identity of a piece: the square on which it was set up."""
PieceSet: TypeAlias = SquareSet
"""A set of pieces as a bit mask in one int, like a set of squares."""
Pieces: TypeAlias = bytes | bytearray
"""The piece on each square, or `NO_PIECE`. Never modified once shared."""

_RED, _BLUE = Side
NO_PIECE: Final = 255
"""Marker for an empty square in `Pieces`."""
_EMPTY: Final = bytes([NO_PIECE]) * len(SQUARES)


class Board:
    """The squares, sides and identities of the pieces on the board.

    A board is immutable. ``print(board)`` draws it; ``eval(repr(board)) == board``.
    """

    __slots__ = ("blue", "pieces", "red")

    pieces: Pieces
    red: SquareSet
    """Squares of the red pieces."""
    blue: SquareSet
    """Squares of the blue pieces."""

    def __init__(self, red: Mapping[Piece, Square], blue: Mapping[Piece, Square]) -> None:
        """Place pieces on their squares. Raises ValueError if two pieces share a square."""
        self.red, self.blue = set_of(red.values()), set_of(blue.values())
        if self.occupied.bit_count() != len(red) + len(blue):
            raise ValueError("two pieces are on the same square")
        pieces = bytearray(_EMPTY)
        for army in (red, blue):
            for piece, square in army.items():
                pieces[square] = piece
        self.pieces = pieces

    @classmethod
    def of_parts(cls, pieces: Pieces, red: SquareSet, blue: SquareSet) -> "Board":
        """Build a board from its fields without checking that they are consistent."""
        board = cls.__new__(cls)
        board.pieces, board.red, board.blue = pieces, red, blue
        return board

    @classmethod
    def parse(cls, drawn: str) -> "Board":
        """Parse a board diagram. A token is ``r`` or ``b``, followed by a rank symbol or ``?``.

        The identity of each piece is its square. The ranks in the diagram are ignored.
        """
        sides: dict[str, dict[Piece, Square]] = {"r": {}, "b": {}}
        for square, token in board_text.read(drawn).items():
            if token[0] not in sides or token[1:] not in {*SYMBOLS, "?"}:
                raise NotationError("a piece such as r10, bB or r?", token, name(square))
            sides[token[0]][square] = square
        return cls(red=sides["r"], blue=sides["b"])

    @property
    def occupied(self) -> SquareSet:
        """Squares of all pieces."""
        return self.red | self.blue

    def of(self, side: Side) -> SquareSet:
        """Return the squares of a side's pieces."""
        return self.red if side is _RED else self.blue

    def side_at(self, square: Square) -> Side | None:
        """Return the owner of the piece on a square, or None if the square is empty."""
        if self.red >> square & 1:
            return _RED
        return _BLUE if self.blue >> square & 1 else None

    def piece_at(self, square: Square) -> Piece:
        """Return the piece on a square. Raises KeyError if the square is empty."""
        piece = self.pieces[square]
        if piece == NO_PIECE:
            raise KeyError(name(square))
        return piece

    def standing(self, side: Side) -> dict[Piece, Square]:
        """Return the square of every piece of a side."""
        return {self.pieces[square]: square for square in squares_in(self.of(side))}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.red == other.red and self.pieces == other.pieces

    def __hash__(self) -> int:
        return hash((self.red, bytes(self.pieces)))

    def __str__(self) -> str:
        tokens = {Side.RED: "r?", Side.BLUE: "b?", None: None}
        return board_text.draw(lambda square: tokens[self.side_at(square)])

    def __repr__(self) -> str:
        red, blue = (dict(sorted(self.standing(side).items())) for side in Side)
        return f"Board(red={red}, blue={blue})"
