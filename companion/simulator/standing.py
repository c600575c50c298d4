"""A setup on the simulated board: read off it, or stood up on it."""

from companion.setups.setup import Setup
from companion.simulator.tabletop import Tabletop
from engine.ranks import SYMBOLS
from engine.sides import Side
from engine.squares import SQUARES, squares_in
from firmware_bridge.virtual.board import VirtualBoard


def standing_setup(board: VirtualBoard, side: Side) -> Setup:
    """The setup in which a side's pieces stand in its rows; pieces elsewhere do not count."""
    pieces = {square: board.at(square) for square in squares_in(side.home)}
    ranks = {
        square: SYMBOLS[piece.label]
        for square, piece in pieces.items()
        if piece and piece.side is side and piece.label in SYMBOLS
    }
    return Setup.of(side, ranks)


def stand(tabletop: Tabletop, side: Side, setup: Setup) -> None:
    """Stand a side's army up in a setup. Every other piece of it, and in its rows, goes."""
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
