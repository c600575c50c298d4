"""Reads the squares in a rectified view by examining the space that each block would fill.

A block hides part of the squares behind it. Squares are therefore read from nearest to farthest,
and pixels explained by a nearer block are not counted again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.board.geometry import SQUARES, Side, Square, squares_in
from firmware_bridge.camera import ground_view
from firmware_bridge.camera.colour_model import (
    BLUE,
    BOARD,
    RED,
    BlockColours,
    ColourModel,
    EmptyBoard,
    Labels,
    Traits,
    differs,
    traits_of,
)
from firmware_bridge.image import ARMIES, Image

_CORE: Final = 0.75
"""Only this fraction of a block's width and depth is examined. Even a crooked block fills a space
of that size."""
_ASKEW: Final = 5
"""Maximum distance of a block's pixels from its expected outline, in pixels of the view. This is a
fifth of a square."""
_FEWEST_SEEN: Final = 0.25
"""A square is read only if at least this fraction of the pixels that a block on it would fill is
visible. Nearer blocks may hide the rest."""
_MOSTLY: Final = 0.6
"""A square is read as occupied or empty if at least this fraction of its space looks like a block,
or like the empty board."""
_HARDLY: Final = 0.25
"""Maximum fraction of an empty square's space that may have the colour of a block."""
_BASE: Final = 0.3
"""Height of the base of a block, as a fraction of the block's height."""
_FREE_BASE: Final = 0.7
"""A square may count as empty if at least this fraction of its base looks like the empty board."""
_PARTLY_SEEN: Final = 0.4
"""The base of a square is examined only if at least this fraction of it is visible. Nearer blocks
may hide the rest. With a limit of 0.6, one square was left unread in 92 rendered games, and 156 of
20,000 squares were left unread in still images. With a limit of 0.4, none was left unread in the
games, and 140 were left unread in the still images. The same single square was misread with both
limits."""
_HARDLY_AT_BASE: Final = 0.15
"""Maximum fraction of an empty square's base that may have the colour of a block. The fraction was
0.08 on a square over which a neighbouring block leans, and 0.61 under a crooked block."""
_ONE_COLOUR: Final = 0.8
"""The colour of a block is certain only if at least this fraction of its coloured pixels agree."""
_COVERED: Final = 0.75
"""A crooked or fallen block is recognized if at least this fraction of its outline has the colour
of one side."""
_PARTLY: Final = 0.45
"""If more than this fraction of the outline of a crooked or fallen block has the colour of a block,
the square does not count as empty."""
_SHIFTS: Final = tuple((x, y) for x in (0.0, -0.2, 0.2) for y in (0.0, -0.2, 0.2))
"""Positions within a square to try if a block at the centre gives no result."""
# The fractions were tuned with the renderer in tests/camera until no square was misread.


@dataclass(frozen=True)
class BoardReading:
    """Result of reading one image."""

    image: Image
    """Squares that were read. A square that shows neither the empty board nor a known colour counts
    as occupied by an unknown piece."""
    unclear: int = 0
    """Squares that could not be read. `image` shows them as unknown."""


@dataclass(frozen=True)
class _Space:
    """Pixels of the view in which a block on a square appears, as flat indices."""

    core: npt.NDArray[np.intp]
    base: npt.NDArray[np.intp]
    """The lower part of `core`, which itself is the middle of the block (`_CORE`)."""
    outline: npt.NDArray[np.intp]
    around: npt.NDArray[np.intp]
    """The outline, enlarged by `_ASKEW`."""
    others: tuple[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]], ...]
    """Outlines of a block that is shifted or has fallen over. Each is paired with the base of an
    upright block in the same place. For the fallen block, this base is empty."""


def _flat(mask: ground_view.Mask) -> npt.NDArray[np.intp]:
    return np.flatnonzero(mask)


def _shares(
    labels: npt.NDArray[np.uint8],
    free: npt.NDArray[np.bool_],
    base: npt.NDArray[np.intp],
    least: float = _MOSTLY,
) -> npt.NDArray[np.float64]:
    """Return the fractions of surface types in the space of a block, or zeros if it is hidden.

    The space counts as hidden if less than the fraction `least` of it is visible. Above its base,
    the space may show a crooked block on a neighbouring square.
    """
    seen = base[free[base]]
    if seen.size < max(8, least * base.size):
        return np.zeros(4)
    return np.asarray(np.bincount(labels[seen], minlength=4) / seen.size)


class SquareReader:
    """Reads views from one pose with one colour model."""

    def __init__(
        self, view: ground_view.GroundView, colours: ColourModel, block: ground_view.BlockSize
    ) -> None:
        self.colours = colours
        self.block = block
        self.aim(view)

    def aim(self, view: ground_view.GroundView) -> None:
        """Switch to another pose."""
        self._spaces = {square: self._space(view, square) for square in SQUARES}
        self._order = sorted(SQUARES, key=view.distance)

    def _space(self, view: ground_view.GroundView, square: Square) -> _Space:
        block, at = self.block, ground_view.middle(square)
        core = ground_view.BlockSize(block.wide * _CORE, block.deep * _CORE, block.high * 0.92)
        lying = ground_view.BlockSize(block.wide, block.high, min(block.deep, block.high))
        outline = ground_view.filled([block.outline(view, at)])
        kernel = np.ones((2 * _ASKEW + 1, 2 * _ASKEW + 1), np.uint8)
        around = cv2.dilate(outline.astype(np.uint8), kernel).astype(np.bool_)
        base = replace(core, high=_BASE * block.high)
        others = []
        for x, y in _SHIFTS:
            place = at[0] + x, at[1] + y
            standing = ground_view.filled([core.outline(view, place, low=0.1 * block.high)])
            others.append((_flat(standing), _flat(ground_view.filled([base.outline(view, place)]))))
        others.append((_flat(ground_view.filled([lying.outline(view, at)])), np.empty(0, np.intp)))
        return _Space(
            _flat(ground_view.filled([core.outline(view, at, low=0.08 * block.high)])),
            _flat(ground_view.filled([base.outline(view, at)])),
            *(_flat(outline), _flat(around), tuple(others)),
        )

    def read(self, view: ground_view.View) -> BoardReading:
        """Read a normalized view."""
        return self.read_labels(self.colours.label(traits_of(view)))

    def read_labels(self, labels: Labels) -> BoardReading:
        """Read a view, given the surface types of its pixels."""
        flat = labels.ravel()
        free = np.ones(flat.size, np.bool_)
        red = blue = unclear = 0
        for square in self._order:
            space = self._spaces[square]
            found = self._read_square(flat, free, space)
            if found == RED:
                red |= 1 << square
            elif found == BLUE:
                blue |= 1 << square
            elif found is None:
                unclear |= 1 << square
            if found in (RED, BLUE):
                free[space.outline] = False
                near = flat[space.around]
                free[space.around[(near != BOARD) & (near != RED + BLUE - found)]] = False
        return BoardReading(Image(red, blue, unclear), unclear)

    def _read_square(
        self, labels: npt.NDArray[np.uint8], free: npt.NDArray[np.bool_], space: _Space
    ) -> int | None:
        """Return the surface type on a square, or None if the square cannot be read."""
        seen = space.core[free[space.core]]
        if seen.size < max(8, _FEWEST_SEEN * space.core.size):
            return None
        counts = np.bincount(labels[seen], minlength=4) / seen.size
        coloured = counts[RED] + counts[BLUE]
        kind = RED if counts[RED] >= counts[BLUE] else BLUE
        if coloured >= _MOSTLY and counts[kind] >= _ONE_COLOUR * coloured:
            return kind
        best = 0.0
        for other, its_base in space.others:
            visible = other[free[other]]
            if _shares(labels, free, its_base)[BOARD] > _MOSTLY:
                continue  # there is no block on the square
            if visible.size >= max(8, _MOSTLY * other.size):
                shares = np.bincount(labels[visible], minlength=4) / visible.size
                kind = RED if shares[RED] >= shares[BLUE] else BLUE
                if shares[kind] >= _COVERED:
                    return kind
                best = max(best, shares[kind])
        if best > _PARTLY:
            return None
        is_empty = counts[BOARD] >= _MOSTLY and coloured <= _HARDLY
        base = _shares(labels, free, space.base, _PARTLY_SEEN)
        is_free = coloured <= _PARTLY and (
            base[RED] + base[BLUE] <= _HARDLY_AT_BASE and base[BOARD] >= _FREE_BASE
        )
        return BOARD if is_empty or is_free else None

    def follow(self, view: ground_view.View, reading: BoardReading, share: float) -> None:
        """Adapt the empty board to the lighting, using squares that are certainly empty."""
        mask = np.zeros(view.shape[0] * view.shape[1], np.bool_)
        for square in squares_in(~(reading.image.occupied | reading.unclear) & (1 << 100) - 1):
            mask[self._spaces[square].core] = True
        for square in squares_in(reading.image.occupied | reading.unclear):
            mask[self._spaces[square].around] = False
        self.colours.board.follow(view, mask.reshape(view.shape[:2]), share)


# Learning.

_OCCUPIED: Final = 0.35
"""A space counts as filled if at least this fraction of it differs from the empty board."""
_MOST_MISSING: Final = 6
"""The colours are learned only if at most this many home squares seem to be empty."""
_UNLIKE: Final = 0.8
"""A home area counts as painted if more than this fraction of the board between its blocks differs
from the computed board. With ten rendered sets and five cameras, the fraction was at most 0.66 on
plain boards, even with some crooked blocks. With a painted home area, it was at least 0.92."""
_WIDE: Final = (0.35, 0.5, 0.65, 0.8)
_DEEP: Final = (0.15, 0.3, 0.45, 0.65)
_HIGH: Final = (0.1, 0.3, 0.45, 0.6, 0.75, 0.95)
_USUAL_BLOCK: Final = ground_view.BlockSize(0.65, 0.3, 0.6)
"""Block size of a typical set, at which the size search begins."""


def measure_block(view: ground_view.GroundView, changed: ground_view.Mask) -> ground_view.BlockSize:
    """Return the block size that best explains the changed pixels of both armies."""
    best = _USUAL_BLOCK
    for field, sizes in (("high", _HIGH), ("deep", _DEEP), ("wide", _WIDE), ("high", _HIGH)):
        tried = [replace(best, **{field: size}) for size in sizes]
        best = max(tried, key=lambda size: _agreement(view, changed, size))
    return best


def is_unlike_homes(
    view: ground_view.GroundView,
    board: EmptyBoard,
    seen: ground_view.View,
    block: ground_view.BlockSize,
) -> bool:
    """Whether a home area differs from the empty board computed from the rows between the armies.

    `seen` shows the armies. The board is compared where it is visible between the blocks.
    """
    changed = differs(board, traits_of(seen))
    beside = ~ground_view.filled(
        [block.outline(view, ground_view.middle(each)) for each in squares_in(ARMIES.occupied)]
    )
    for home in ground_view.rows_of_view(0, 4), ground_view.rows_of_view(6, 10):
        seen_beside = changed[home][beside[home]]
        if seen_beside.sum() > _UNLIKE * max(1, seen_beside.size):
            return True
    return False


def _agreement(
    view: ground_view.GroundView, changed: ground_view.Mask, size: ground_view.BlockSize
) -> float:
    expected = ground_view.filled(
        [size.outline(view, ground_view.middle(each)) for each in squares_in(ARMIES.occupied)]
    )
    both, either = int((expected & changed).sum()), int((expected | changed).sum())
    return both / max(1, either)


def learn_blocks(
    view: ground_view.GroundView, board: EmptyBoard, seen: ground_view.View
) -> tuple[ColourModel, ground_view.BlockSize] | None:
    """Learn the colours and size of both armies' blocks from a view of them in their rows.

    Returns None if these rows are not full.
    """
    traits = traits_of(seen)
    changed = differs(board, traits)
    block = measure_block(view, changed)
    core = ground_view.BlockSize(block.wide * _CORE, block.deep * _CORE, block.high * 0.92)
    areas = [
        ground_view.filled([core.outline(view, ground_view.middle(each))])
        for each in squares_in(ARMIES.occupied)
    ]
    if sum(float(np.mean(changed[area])) < _OCCUPIED for area in areas) > _MOST_MISSING:
        return None
    red, blue = (
        BlockColours.learn(_pixels(traits, changed, view, core, squares_in(side.home)))
        for side in (Side.RED, Side.BLUE)
    )
    return ColourModel(board, red, blue), block


def _pixels(
    traits: Traits,
    changed: ground_view.Mask,
    view: ground_view.GroundView,
    core: ground_view.BlockSize,
    squares: Iterable[Square],
) -> Traits:
    mask = ground_view.filled(
        [core.outline(view, ground_view.middle(square)) for square in squares]
    )
    pixels: Traits = traits[mask & changed]
    return pixels


def mistaken(reading: BoardReading, expected: Image) -> Mapping[Square, str]:
    """Return the squares of a known position that were misread, each with its reading."""
    return {
        square: reading.image.at(square).value
        for square in squares_in(reading.image.differing(expected))
    }
