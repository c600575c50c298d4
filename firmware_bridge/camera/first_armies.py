"""Recognises both armies in their rows before the colours of the board and blocks are known.

A game is often set up before the camera is started. The empty board is then learned from the rows
between the armies.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.board.geometry import LAKES, SQUARES, Side, SquareSet, squares_in
from firmware_bridge.camera import ground_view
from firmware_bridge.camera.arm_gate import PRINTED_FRAME
from firmware_bridge.camera.colour_model import EmptyBoard, differs, traits_of

_BLOCK: Final = ground_view.BlockSize(0.4, 0.2, 0.5)
"""Space that is filled by a block of any usual size."""
_WEIGHTS: Final = np.array([1 / 0.3, 1 / 0.09, 1 / 0.09])
"""Reciprocal spreads of the traits. Lightness varies most, because it depends on which faces of a
block are visible.
"""
_APART: Final = 3.0
"""Minimum distance between the medians of two groups of squares."""
_OWN: Final = 0.9
"""At least this fraction of a group's squares must be nearer to the median of their own group than
to the median of any other group."""
_UNIFORM: Final = 1.2
"""A home area counts as empty if the colours inside and outside the spaces for blocks differ by at
most this distance. On rendered boards with painted home areas, the distance was at most 1.0 without
pieces. With pieces, it was at least 1.4 in one or both home areas."""
_HOMES: Final = (
    (Side.RED.home, ground_view.rows_of_view(0, 4)),
    (Side.BLUE.home, ground_view.rows_of_view(6, 10)),
)
"""Squares of the home areas of Red and Blue, and the parts of a view that show them."""
_FILLED: Final = 0.5
"""A space counts as filled if more than this fraction of it differs from the rows between the
armies.
"""
_FEWEST_PIECES: Final = 10
"""The filled spaces of a home area count as pieces if there are at least this many. Marks on only
a few squares may be part of the board. Chosen by judgement, not measurement.
"""
_PLAIN: Final = 0.68
"""A board counts as plain if at least this fraction of the pixels between the armies has nearly the
same colour. With ten rendered sets and five cameras, the fraction was at least 0.75 for plain
boards with lines or grain, and at most 0.6 for chequered boards."""
_SAME: Final = 2.5
"""Maximum distance of a pixel from the median colour of a plain board."""
_PLAIN_WEIGHTS: Final = np.array([1 / 0.1, 1 / 0.09, 1 / 0.09])
"""Reciprocal spreads of the traits on a plain board. With a larger spread for lightness, the dark
squares of a chequered board would seem to have the same colour as the light ones."""


def show_armies(ground: ground_view.GroundView, view: ground_view.View) -> bool:
    """Whether a normalized view shows two armies of different colours in their rows."""
    traits = traits_of(view)
    squares = np.array(
        [
            np.median(
                traits[ground_view.filled([_BLOCK.outline(ground, ground_view.middle(each))])],
                axis=0,
            )
            for each in SQUARES
        ]
    )
    between = ~(Side.RED.home | Side.BLUE.home | LAKES) & (1 << len(SQUARES)) - 1
    groups = [squares[list(squares_in(each))] for each in (Side.RED.home, Side.BLUE.home, between)]
    medians = np.array([np.median(group, axis=0) for group in groups])
    apart = [_far(medians[a], medians[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    if min(float(each) for each in apart) < _APART:
        return False
    own = []
    for number, group in enumerate(groups):
        distances = np.array([_far(group, each) for each in medians])
        own.append(float(np.mean(distances.argmin(axis=0) == number)))
    # Painted home areas differ from the rest of the board even when it is empty.
    return min(own) >= _OWN and not all(
        _is_uniform(ground, view, home, rows) for home, rows in _HOMES
    )


def _is_uniform(
    ground: ground_view.GroundView,
    view: ground_view.View,
    home: SquareSet,
    rows: tuple[slice, slice],
) -> bool:
    """Whether a home area is empty: the spaces for blocks have the colour of the area itself."""
    area = view[rows]
    spaces = ground_view.filled(
        [_BLOCK.outline(ground, ground_view.middle(each)) for each in squares_in(home)]
    )[rows]
    inside, outside = (
        np.median(traits_of(area[part][None])[0], axis=0) for part in (spaces, ~spaces)
    )
    return _is_plain(area.reshape(-1, 3)) and bool(_far(inside, outside) <= _UNIFORM)


def _is_plain(pixels: ground_view.View) -> bool:
    """Whether most pixels have nearly the same colour."""
    usual = np.median(pixels, axis=0).astype(np.float32)
    distances = _far(
        traits_of(pixels[None])[0].astype(np.float64),
        traits_of(usual[None, None])[0, 0],
        _PLAIN_WEIGHTS,
    )
    return bool(np.mean(distances <= _SAME) >= _PLAIN)


def show_pieces(ground: ground_view.GroundView, view: ground_view.View) -> bool:
    """Whether a plain board has pieces on it.

    The result is correct even if one army has the colour of the board. Returns False for boards
    that are not plain, because painted squares may look like pieces.
    """
    board = board_between(view)
    if board is None:
        return False
    changed = differs(EmptyBoard(board), traits_of(view))
    for home, rows in _HOMES:
        spaces = (
            ground_view.filled([_BLOCK.outline(ground, ground_view.middle(each))])
            for each in squares_in(home)
        )
        pieces = sum(float(np.mean(changed[space])) > _FILLED for space in spaces)
        if pieces >= _FEWEST_PIECES and not _is_uniform(ground, view, home, rows):
            return True
    return False


def _far(
    some: npt.NDArray[np.float64],
    other: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64] = _WEIGHTS,
) -> npt.NDArray[np.float64]:
    distance: npt.NDArray[np.float64] = np.linalg.norm((some - other) * weights, axis=-1)
    return distance


def board_between(view: ground_view.View) -> ground_view.View | None:
    """Derive a plain empty board from the rows between the armies, or return None."""
    part = ground_view.rows_of_view(4, 6)
    rows = view[part]
    # The lakes may be painted, so their columns are excluded.
    columns = np.arange(rows.shape[1]) * 10 // rows.shape[1]
    plain = rows[:, np.isin(columns, (0, 1, 4, 5, 8, 9))].reshape(-1, 3)
    if not _is_plain(plain):
        return None
    usual = np.median(plain, axis=0).astype(np.float32)
    # The frame is not copied from the view, because blocks on the edge also hide parts of the
    # frame.
    board = np.repeat(PRINTED_FRAME[..., None], 3, axis=2)
    board[ground_view.rows_of_view(0, 10)] = usual
    board[part] = rows
    return board
