"""Hands of simulated players. They always move precisely and at the same speed.

A sensor can detect the result of a movement only after the full duration of the movement has
passed.
"""

from collections.abc import Callable
from typing import Final

from engine.board.geometry import Square, name
from firmware_bridge.simulated_board.board import ImpossibleError, PhysicalPiece, SimulatedBoard

# Durations of hand movements, in simulated milliseconds. They were chosen to represent a calm
# player, not measured.
REACH_MS: Final = 500
"""Time for a resting hand to reach a piece and lift it off its square."""
CARRY_MS: Final = 600
"""Time to carry a piece to another square. It ends when the piece is set down, or touches the piece
on that square."""
SECOND_MS: Final = 300
"""Time to move from one piece to the next when the hand is already above the board."""


class Hands:
    """Moves the pieces of a board by hand while time passes.

    `pass_time` (for example `SimulatedPort.advance`) is called with the duration of each movement
    in milliseconds. A physically impossible movement raises ImpossibleError; lifted pieces then
    remain lifted.
    """

    def __init__(self, board: SimulatedBoard, pass_time: Callable[[int], object]) -> None:
        self._board = board
        self._pass_time = pass_time
        self._origins: dict[PhysicalPiece, Square] = {}

    @property
    def held(self) -> tuple[PhysicalPiece, ...]:
        """The lifted pieces, in the order in which they were lifted."""
        return tuple(self._origins)

    def lift(self, square: Square) -> PhysicalPiece:
        """Lift the piece on a square, in addition to any that are already lifted."""
        self._pass_time(SECOND_MS if self._origins else REACH_MS)
        piece = self._board.lift(square)
        self._origins[piece] = square
        return piece

    def place(self, square: Square, piece: PhysicalPiece | None = None) -> None:
        """Set a lifted piece on a square. `piece` may be omitted if only one piece is lifted."""
        piece = self._in_hand(piece)
        self._pass_time(CARRY_MS)
        self._board.place(piece, square)
        del self._origins[piece]

    def set_aside(self, piece: PhysicalPiece | None = None) -> None:
        """Put a lifted piece beside the board, removing it from the game."""
        del self._origins[self._in_hand(piece)]

    def put_back(self) -> None:
        """Put every lifted piece back on its source square, most recently lifted first."""
        for piece, origin in reversed(self._origins.copy().items()):
            self.place(origin, piece)

    def tap(self, square: Square, piece: PhysicalPiece | None = None) -> None:
        """Tap a piece with a lifted one. The tap takes time, but no sensor detects it."""
        self._in_hand(piece)
        self._pass_time(CARRY_MS)
        if self._board.at(square) is None:
            raise ImpossibleError(f"there is no piece to tap on {name(square)}")

    def move(self, source: Square, target: Square) -> None:
        """Carry a piece to an empty square."""
        self.place(target, self.lift(source))

    def attack_in_hand(self, source: Square, target: Square) -> None:
        """Lift the attacking piece, then the attacked one, and keep both lifted."""
        self.lift(source)
        self.lift(target)

    def attack_set_down(self, source: Square, target: Square) -> None:
        """Lift both pieces, the attacker first, and set the attacker down on the target."""
        self.attack_in_hand(source, target)
        self.place(target, self.held[0])

    def _in_hand(self, piece: PhysicalPiece | None) -> PhysicalPiece:
        if piece is None and len(self._origins) == 1:
            return next(iter(self._origins))
        if piece is None or piece not in self._origins:
            pieces = ", ".join(map(str, self._origins)) or "nothing"
            raise ImpossibleError(
                f"expected a piece in hand ({pieces}); found {piece or 'no choice'}"
            )
        return piece
