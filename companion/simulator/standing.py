"""Setups on the simulated board: reading one and placing one."""

from companion.setups.setup import Setup
from companion.simulator.tabletop import Tabletop
from engine.board.geometry import SQUARES, Side, squares_in
from engine.board.ranks import SYMBOLS
from firmware_bridge.simulated_board.board import VirtualBoard


def standing_setup(board: VirtualBoard, side: Side) -> Setup:
    """Return the setup that a side's pieces form in its rows; pieces elsewhere are ignored."""
    pieces = {square: board.at(square) for square in squares_in(side.home)}
    ranks = {
        square: SYMBOLS[piece.label]
        for square, piece in pieces.items()
        if piece and piece.side is side and piece.label in SYMBOLS
    }
    return Setup.of(side, ranks)


def stand(tabletop: Tabletop, side: Side, setup: Setup) -> None:
    """Place a side's army in a setup.

    Removes every other piece of the side, and every other piece in its rows.
    """
    board = tabletop.board
    wanted = setup.on_squares_of(side)
    for square in SQUARES:
        piece = board.at(square)
        if piece is None:
            continue
        rank = wanted.get(square)
        if piece.side is side and rank is not None and piece.label == rank.symbol:
            del wanted[square]
        elif piece.side is side or side.home >> square & 1:
            board.take_away(square)
    tabletop.beside[side].clear()
    tabletop.stand(side, wanted)
