"""Which piece stands where, by identity: a piece is the same piece wherever it goes."""

from collections.abc import Mapping
from typing import TypeAlias

from engine import picture
from engine.ranks import SYMBOLS
from engine.sides import Side
from engine.squares import Square, SquareSet, name, set_of

Piece: TypeAlias = int
"""The identity of a piece: the square on which it was set up."""

_RED, _BLUE = Side


class Board:
    """The pieces on the board. Knows sides and identities, not ranks and not rules.

    ``print(board)`` is a picture; ``eval(repr(board)) == board``.
    """

    __slots__ = ("_pieces", "blue", "red")

    def __init__(self, red: Mapping[Piece, Square], blue: Mapping[Piece, Square]) -> None:
        """Set pieces on their squares; ValueError if two share one."""
        self._pieces: dict[Square, Piece] = {
            square: piece for army in (red, blue) for piece, square in army.items()
        }
        if len(self._pieces) != len(red) + len(blue):
            raise ValueError("two pieces stand on one square")
        self.red: SquareSet = set_of(red.values())
        """The squares where red pieces stand."""
        self.blue: SquareSet = set_of(blue.values())
        """The squares where blue pieces stand."""

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
        return self._pieces[square]

    def shift(self, source: Square, target: Square) -> None:
        """Carry a piece to an empty square. Trusts the caller: no rule is checked."""
        piece = self._pieces.pop(source)
        self._pieces[target] = piece
        both = 1 << source | 1 << target
        if self.red >> source & 1:
            self.red ^= both
        else:
            self.blue ^= both

    def remove(self, square: Square) -> None:
        """Take a piece off the board. Trusts the caller that one stands there."""
        del self._pieces[square]
        self.red &= ~(1 << square)
        self.blue &= ~(1 << square)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._pieces == other._pieces and self.red == other.red

    __hash__ = None  # type: ignore[assignment]  # a board changes

    def __str__(self) -> str:
        tokens = {Side.RED: "r?", Side.BLUE: "b?", None: None}
        return picture.draw(lambda square: tokens[self.side_at(square)])

    def __repr__(self) -> str:
        def army(squares: SquareSet) -> dict[Piece, Square]:
            return {p: s for s, p in sorted(self._pieces.items()) if squares >> s & 1}

        return f"Board(red={army(self.red)}, blue={army(self.blue)})"
