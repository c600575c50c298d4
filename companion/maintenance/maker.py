"""Simulated builder of a board: carries out the steps of a calibration at the simulated board."""

from engine.board.geometry import SQUARES, Square, SquareSet, squares_in
from firmware_bridge.simulated_board.board import Piece, VirtualBoard
from firmware_bridge.simulated_board.fault_injection import exchange
from firmware_bridge.wire import LearnStep


class Maker:
    """Clears the board, sets the same pieces up again, and exchanges those with bad magnets."""

    def __init__(self, board: VirtualBoard) -> None:
        """Start with a board on which both armies are set up."""
        self._board = board
        self._cleared: dict[Square, Piece] = {}

    def do(self, step: LearnStep, refused: SquareSet) -> None:
        """Carry out a step or, if it was refused, exchange the pieces on the refused squares."""
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
