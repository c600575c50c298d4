"""Uses the printed frame to measure the light on the board and to detect arms that cross the frame.

The paper between the markers is white, so it shows the brightness and colour of the light at 28
points around the board. The frame surrounds the board, so an arm over the board hides part of the
frame in every image, whichever side it comes from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.board.geometry import WIDTH
from firmware_bridge.camera import marker_frame
from firmware_bridge.camera.colour_model import FARTHEST, BlockColours, traits_of
from firmware_bridge.camera.ground_view import (
    PIXELS,
    SIZE,
    BlockSize,
    GroundView,
    Mask,
    View,
    filled,
)
from firmware_bridge.camera.pose import Points

_CELLS: Final = 4 * marker_frame.PER_SIDE
_INK: Final = 0.1
"""Reflectance of printed black relative to white."""
_DARKEST: Final = 0.07
"""Brightness of white paper, from 0 to 1, below which the image is too dark."""
_DARKEST_SHADOW: Final = 0.4
"""Minimum fraction of the light that remains in a shadow on the frame."""
_BRIGHTEST: Final = 1.2
_TINT: Final = 0.16
"""Maximum tint of a pixel that counts as grey, relative to its brightness. Paper and ink are grey.
"""
_INK_ERROR: Final = 0.22
"""An ink pixel may be brighter than printed black by at most this fraction of white."""
_COVERED: Final = 0.1
"""A cell counts as covered if more than this fraction of it is covered. In rendered images, the
fraction of the most covered cell was at least 0.16 with an arm across the frame, and at most 0.075
without one. These values were measured with an earlier version of this module."""
_SPOT: Final = 30
"""A cell also counts as covered if it has at least this number of covered pixels, not counting thin
lines such as the edges of the ink. The value is a twentieth of a square. In rendered images, the
number was at most 12 without an arm, and 75 with a fingertip at the far side of the frame."""
_LIGHT_INK: Final = 0.25
"""A cell also counts as covered if more than this fraction of its ink pixels is too light to be
ink. A grey sleeve looks like a shadow on the paper, but hides the ink. In rendered images, the
fraction was 0 without an arm, and at least 0.17 for grey sleeves that no other check detected."""
_FEWEST_OF_INK: Final = 60
"""The brightness of a cell's ink pixels is checked only if there are at least this many."""
_EDGE: Final = 1.0
"""Beyond this distance from the playing field, in squares, the frame is checked even where blocks
may hide it."""
_FEWEST: Final = 40
"""The covered fraction of a cell is checked only if the cell has at least this many visible pixels.
"""
_BESIDE: Final = 3
"""Blocks on the edge may extend beyond their expected outlines by this many pixels of the view."""
_MOST_OFF: Final = 0.12
"""Maximum distance of a marker from its nominal position, in squares (5 mm on a 40 cm board)."""
_STRANGE: Final = 0.3
"""Blocks on the edge hide part of a cell. This part counts as covered if more than this fraction of
its pixels shows neither the frame nor a block. In pictures of 20 rendered sets without an arm, the
fraction was up to 0.12, because of the edges of blocks and the pictures on them. A hand covers more
than half of the part."""
_FEWEST_BEHIND: Final = 150
"""The hidden part of a cell is checked only if it has at least this many pixels. With a minimum of
80, up to half of these pixels showed neither the frame nor a block, although no arm was in the
picture."""


def _printed(offsets: Mapping[int, Points]) -> npt.NDArray[np.float32]:
    """Return the printed frame (white is 1, ink is 0) with its markers displaced by `offsets`."""
    finer = 4
    canvas = np.ones((SIZE * finer, SIZE * finer), np.float32)
    scale = PIXELS * finer
    module = marker_frame.MARKER / marker_frame.MODULES
    for marker in range(_CELLS):
        x, y = np.array(marker_frame.centre(marker)) + np.clip(
            offsets.get(marker, 0.0), -_MOST_OFF, _MOST_OFF
        )
        left = x - marker_frame.MARKER / 2 + marker_frame.STRIP
        top = WIDTH + marker_frame.STRIP - y - marker_frame.MARKER / 2
        for column, row in marker_frame.black_cells(marker):
            first, last = (
                [round((left + n * module) * scale) for n in (column, column + 1)],
                [round((top + n * module) * scale) for n in (row, row + 1)],
            )
            canvas[last[0] : last[1], first[0] : first[1]] = 0
    small = cv2.resize(canvas, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _cells() -> npt.NDArray[np.int8]:
    """Return the cell of each pixel of the view, or -1 for the pixels inside the frame."""
    cells = np.full((SIZE, SIZE), -1, np.int8)
    for marker in range(_CELLS):
        x, y = marker_frame.centre(marker)
        half = marker_frame.PITCH / 2
        rows, columns = (
            slice(max(0, round((place - half) * PIXELS)), round((place + half) * PIXELS))
            for place in (WIDTH + marker_frame.STRIP - y, x + marker_frame.STRIP)
        )
        part = cells[rows, columns]
        part[part < 0] = marker
    inner = slice(round(marker_frame.STRIP * PIXELS), -round(marker_frame.STRIP * PIXELS))
    cells[inner, inner] = -1
    return cells


_CELL: Final = _cells()
PRINTED_FRAME: Final = np.asarray(_INK + (1 - _INK) * _printed({}), np.float32)
"""Brightness of the printed frame in a normalized view."""


def _trimmed(mask: Mask) -> Mask:
    """Return a mask without the pixels at its edges."""
    eroded = cv2.erode(
        mask.astype(np.uint8), np.ones((3, 3)), borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    return np.asarray(eroded, np.bool_)


@dataclass(frozen=True)
class FrameReading:
    """State of the frame in one image."""

    view: View
    """The view, scaled so that white paper is 1 in any light."""
    is_dark: bool
    covered: frozenset[int]
    """Markers whose surroundings are covered."""
    white: float
    """Brightness of white paper, from 0 to 1."""

    @property
    def is_clear(self) -> bool:
        """Whether the image is bright enough and nothing crosses the frame."""
        return not self.is_dark and not self.covered


class ArmGate:
    """Compares the view of the printed frame from one camera pose with the frame as printed."""

    def __init__(
        self,
        view: GroundView,
        offsets: Mapping[int, Points],
        tallest: float = 0.7,
        blocks: Sequence[BlockColours] = (),
    ) -> None:
        """Allow for markers displaced by `offsets`, and for blocks up to the height `tallest`.

        Blocks on the edge hide parts of the frame. These parts are checked less strictly, and only
        if the colours of the blocks are known.
        """
        self._blocks = blocks
        hidden = cv2.dilate(
            self._behind_blocks(view, tallest).astype(np.uint8), np.ones((2 * _BESIDE + 1,) * 2)
        ).astype(np.bool_)
        # If the camera is low, the outer edge is needed to detect an arm at the far side. Blocks
        # hide that edge only if they are too tall for a low camera.
        outer = round((marker_frame.STRIP - _EDGE) * PIXELS)
        inner = np.zeros_like(hidden)
        inner[outer:-outer, outer:-outer] = True
        hidden &= inner
        on_frame = (_CELL >= 0) & view.inside
        # The outermost pixels may show the table, and the innermost ones the board.
        self._visible = _trimmed(on_frame & ~hidden)
        self._behind = np.flatnonzero(_trimmed(on_frame) & hidden)
        self._sizes_behind = np.bincount(_CELL.ravel()[self._behind], minlength=_CELLS)
        self._index = np.where(self._visible, _CELL, _CELLS)
        self._sizes = np.bincount(self._index.ravel(), minlength=_CELLS + 1)[:_CELLS]
        # The edges of the ink are blurred if the image has fewer pixels than the view.
        pattern = _printed(offsets)
        reach = 3 if view.smallest_step >= 0.9 else 5
        low, high = (
            operation(pattern, np.ones((reach, reach), np.uint8))
            for operation in (cv2.erode, cv2.dilate)
        )
        self._low, self._high = np.asarray(low), np.asarray(high)
        self._is_ink = self._high < 0.5
        self._ink = np.where(self._visible & self._is_ink, _CELL, _CELLS).ravel()
        self._ink_sizes = np.bincount(self._ink, minlength=_CELLS + 1)[:_CELLS]
        paper = self._visible & (self._low > 0.98)
        self._paper = [np.flatnonzero(paper & (n == _CELL)) for n in range(_CELLS)]
        steps = (np.arange(SIZE) + 0.5) / SIZE - 0.5
        self._across, self._down = steps, steps

    @staticmethod
    def _behind_blocks(view: GroundView, tallest: float) -> Mask:
        edge = [
            (column + 0.5, row + 0.5)
            for column in range(WIDTH)
            for row in range(WIDTH)
            if {column, row} & {0, WIDTH - 1}
        ]
        block = BlockSize(0.9, 0.9, tallest)
        return filled([block.outline(view, each) for each in edge])

    def read(self, seen: View) -> FrameReading:
        """Normalize a view, and find the parts of the frame that are covered."""
        flat = seen.reshape(-1, 3)
        places, lights = [], []
        for pixels in self._paper:
            if pixels.size >= 12:
                places.append((pixels % SIZE / SIZE - 0.5, pixels // SIZE / SIZE - 0.5))
                lights.append(np.median(flat[pixels], axis=0))
        if len(lights) < 4:
            return FrameReading(seen, True, frozenset(), 0.0)
        measured = np.array(lights, np.float64)
        white = float(np.percentile(measured.mean(axis=1), 75))
        if white < _DARKEST:
            return FrameReading(seen, True, frozenset(), white)
        field = self._light(np.array([(x.mean(), y.mean()) for x, y in places]), measured)
        view = (seen / field).astype(np.float32)
        return FrameReading(view, False, self._covered(view), white)

    def _light(
        self, places: npt.NDArray[np.float64], measured: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float32]:
        """Return the light in the view. Its logarithm is fitted as one plane per colour channel.

        A cell that is darker than the plane in any channel is given little weight, because it is
        probably covered or in shadow.
        """
        logs = np.log(np.maximum(measured, 1 / 255))
        terms = np.column_stack([np.ones(len(places)), places])
        weights = np.ones(len(places))
        for _ in range(6):
            plane, *_ = np.linalg.lstsq(
                terms * weights[:, None], logs * weights[:, None], rcond=None
            )
            errors = np.maximum(terms @ plane - logs, 0).max(axis=1)
            spread = max(0.02, float(np.median(errors)))
            weights = 1 / (1 + (errors / spread) ** 2)
        columns = np.exp(plane[0][None] + self._across[:, None] * plane[1][None])
        rows = np.exp(self._down[:, None] * plane[2][None])
        light: npt.NDArray[np.float32] = (rows[:, None] * columns[None]).astype(np.float32)
        return light

    def _covered(self, view: View) -> frozenset[int]:
        blue, green, red = view[..., 0], view[..., 1], view[..., 2]
        mean = (blue + green + red) / 3
        low = (_INK + (1 - _INK) * self._low) * _DARKEST_SHADOW - 0.05
        high = (_INK + (1 - _INK) * self._high) * _BRIGHTEST + 0.02
        high = np.where(self._is_ink, _INK + _INK_ERROR, high)
        tint = np.maximum(np.abs(red - blue), np.abs(green - (red + blue) / 2))
        wrong = (mean < low) | (mean > high) | (tint > _TINT * (mean + 0.25))
        counts = np.bincount(self._index.ravel(), weights=wrong.ravel(), minlength=_CELLS + 1)
        spots = cv2.morphologyEx(
            (wrong & self._visible).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )
        in_spots = np.bincount(self._index.ravel(), weights=spots.ravel(), minlength=_CELLS + 1)
        shares = counts[:_CELLS] / np.maximum(self._sizes, 1)
        covered = (shares > _COVERED) & (self._sizes >= _FEWEST)
        covered |= in_spots[:_CELLS] >= _SPOT
        light = np.bincount(
            self._ink, weights=(mean > _INK + _INK_ERROR).ravel(), minlength=_CELLS + 1
        )[:_CELLS]
        covered |= (light > _LIGHT_INK * self._ink_sizes) & (self._ink_sizes >= _FEWEST_OF_INK)
        if self._blocks:
            covered |= self._strange(view, wrong)
        return frozenset(int(each) for each in np.flatnonzero(covered))

    def _strange(self, view: View, wrong: Mask) -> Mask:
        """Return the cells in which something other than a block hides the frame."""
        behind = self._behind[wrong.ravel()[self._behind]]
        traits = traits_of(view.reshape(1, -1, 3)[:, behind])
        distances = np.min([each.distance(traits) for each in self._blocks], axis=0).ravel()
        strange = np.bincount(_CELL.ravel()[behind][distances > FARTHEST], minlength=_CELLS)
        is_judged = self._sizes_behind >= _FEWEST_BEHIND
        cells: Mask = is_judged & (strange > _STRANGE * self._sizes_behind)
        return cells
