"""The hands of the players at the simulated board: clean, unhurried, always taking the same time.

Every gesture lets time go by before each thing that a sensor could see, and none after it.
"""

from collections.abc import Callable
from typing import Final

from engine.squares import Square, name
from firmware_bridge.virtual.board import ImpossibleError, Piece, VirtualBoard

# How long hands take, in simulated milliseconds: chosen for a calm player, not measured.
REACH_MS: Final = 500
"""From rest to a piece, until it leaves its square."""
CARRY_MS: Final = 600
"""With a piece in hand to another square, until it stands there or touches what stands there."""
SECOND_MS: Final = 300
"""To the next piece with the hand already over the board."""


class Hands:
    """Hands that move the pieces of a board while time goes by.

    `pass_time` is called with the milliseconds that a movement takes; ``VirtualPort.advance`` does.
    What no hand could do is an ImpossibleError, and what was in hand still is.
    """

    def __init__(self, board: VirtualBoard, pass_time: Callable[[int], object]) -> None:
        self._board = board
        self._pass_time = pass_time
        self._origins: dict[Piece, Square] = {}

    @property
    def held(self) -> tuple[Piece, ...]:
        """The pieces in hand, in the order in which they were lifted."""
        return tuple(self._origins)

    def lift(self, square: Square) -> Piece:
        """Take the piece on a square into the hand, besides what is already in it."""
        self._pass_time(SECOND_MS if self._origins else REACH_MS)
        piece = self._board.lift(square)
        self._origins[piece] = square
        return piece

    def place(self, square: Square, piece: Piece | None = None) -> None:
        """Set a piece in hand on a square; which one need not be said if there is only one."""
        piece = self._in_hand(piece)
        self._pass_time(CARRY_MS)
        self._board.place(piece, square)
        del self._origins[piece]

    def set_aside(self, piece: Piece | None = None) -> None:
        """Lay a piece in hand beside the board: it is out of the game."""
        del self._origins[self._in_hand(piece)]

    def put_back(self) -> None:
        """Set every piece in hand back where it was lifted, the last one first."""
        for piece, origin in reversed(self._origins.copy().items()):
            self.place(origin, piece)

    def tap(self, square: Square, piece: Piece | None = None) -> None:
        """Touch a standing piece with one in hand: time goes by and no sensor sees anything."""
        self._in_hand(piece)
        self._pass_time(CARRY_MS)
        if self._board.at(square) is None:
            raise ImpossibleError(f"there is no piece to tap on {name(square)}")

    def move(self, source: Square, target: Square) -> None:
        """Carry a piece to an empty square."""
        self.place(target, self.lift(source))

    def attack_in_hand(self, source: Square, target: Square) -> None:
        """Lift the attacking piece, then the one that is attacked, and hold both."""
        self.lift(source)
        self.lift(target)

    def attack_set_down(self, source: Square, target: Square) -> None:
        """Lift both pieces, the attacker first, and set it down where the other one stood."""
        self.attack_in_hand(source, target)
        self.place(target, self.held[0])

    def _in_hand(self, piece: Piece | None) -> Piece:
        if piece is None and len(self._origins) == 1:
            return next(iter(self._origins))
        if piece is None or piece not in self._origins:
            pieces = ", ".join(map(str, self._origins)) or "nothing"
            raise ImpossibleError(f"{piece or 'which piece?'}: in hand: {pieces}")
        return piece
