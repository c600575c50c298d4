"""The hands of a maker at the simulated board: they do what the calibration asks for."""

from collections.abc import Mapping

from engine.squares import SQUARES, Square, SquareSet, squares_in
from firmware_bridge.virtual.board import Piece, VirtualBoard
from firmware_bridge.virtual.faults import exchange
from firmware_bridge.wire import LearnResult, LearnStep


class Maker:
    """Clears the board, sets the same pieces up again, and exchanges those with bad magnets."""

    def __init__(self, board: VirtualBoard) -> None:
        """Come to a board on which both armies stand."""
        self._board = board
        self._cleared: dict[Square, Piece] = {}

    def do(self, step: LearnStep, refused: Mapping[LearnResult, SquareSet]) -> None:
        """Do what a step asks for or, if it was refused, what that asks for."""
        if step is LearnStep.EMPTY:
            for square in SQUARES:
                if self._board.at(square):
                    self._cleared[square] = self._board.lift(square)
            return
        while self._cleared:
            square, piece = self._cleared.popitem()
            self._board.place(piece, square)
        for squares in refused.values():
            for square in squares_in(squares):
                exchange(self._board, square)
