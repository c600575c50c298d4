"""The hands of a maker at the simulated board: they do what the calibration asks for."""

from engine.squares import SQUARES, Square, SquareSet, squares_in
from firmware_bridge.virtual.board import Piece, VirtualBoard
from firmware_bridge.virtual.faults import exchange
from firmware_bridge.wire import LearnStep


class Maker:
    """Clears the board, sets the same pieces up again, and exchanges those with bad magnets."""

    def __init__(self, board: VirtualBoard) -> None:
        """Come to a board on which both armies stand."""
        self._board = board
        self._cleared: dict[Square, Piece] = {}

    def do(self, step: LearnStep, refused: SquareSet) -> None:
        """Do what a step asks for or, if it was refused, exchange the pieces on those squares."""
        if step is LearnStep.EMPTY:
            for square in SQUARES:
                if self._board.at(square):
                    self._cleared[square] = self._board.lift(square)
            return
        while self._cleared:
            square, piece = self._cleared.popitem()
            self._board.place(piece, square)
        for square in squares_in(refused):
            exchange(self._board, square)
