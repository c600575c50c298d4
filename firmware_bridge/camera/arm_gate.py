"""Light on the board and things that cross the frame, both from the printed frame alone.

The paper between the markers is white, so it shows the brightness and colour of the light at 28
places around the board. An arm that reaches a square hides a part of the frame, in every picture
and from every direction, because the frame surrounds the board.
"""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.board.geometry import WIDTH
from firmware_bridge.camera import marker_frame
from firmware_bridge.camera.ground_view import (
    PIXELS,
    SIZE,
    BlockSize,
    GroundView,
    Mask,
    View,
    filled,
)

_CELLS: Final = 4 * marker_frame.PER_SIDE
_INK: Final = 0.1
"""Reflection of printed black relative to white."""
_DARKEST: Final = 0.07
"""Brightness of white paper below which the picture is too dark, from 0 to 1."""
_DARKEST_SHADOW: Final = 0.4
"""Part of the light that is left in a shadow on the frame."""
_BRIGHTEST: Final = 1.2
_TINT: Final = 0.16
"""Difference of the colour ratios up to which a pixel is still grey, as paper and ink are."""
_INK_ERROR: Final = 0.22
"""Difference from the expected brightness, as a part of white, at the edges of the ink."""
_COVERED: Final = 0.1
"""Minimum share of a cell that something covers. On rendered pictures the most covered cell has at
least 0.16 with an arm across the frame and at most 0.075 without one (measured before the later
changes of this module)."""
_INK_IN_WHITE: Final = 0.7
"""Brightness of the ink of a cell, as a part of its paper, above which something hides the ink. On
rendered pictures it is at most 0.56, where the picture is small and blurred."""
_FEWEST_OF_INK: Final = 15
"""Minimum number of pixels of ink of a cell whose brightness means anything."""
_EDGE: Final = 1.0
"""Distance from the playing field, in squares, from which the frame is always judged."""
_FEWEST: Final = 40
"""Minimum number of visible pixels of a cell that is judged."""
_BESIDE: Final = 3
"""Width in the view's pixels that blocks on the edge may add to their expected outlines."""


def _printed() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
    """Return the printed frame, white as 1 and ink as 0, and the cell of each pixel or -1."""
    finer = 4
    canvas = np.ones((SIZE * finer, SIZE * finer), np.float32)
    scale = PIXELS * finer
    module = marker_frame.MARKER / marker_frame.MODULES
    cells = np.full((SIZE, SIZE), -1, np.int8)
    for marker in range(_CELLS):
        x, y = marker_frame.centre(marker)
        left = x - marker_frame.MARKER / 2 + marker_frame.STRIP
        top = WIDTH + marker_frame.STRIP - y - marker_frame.MARKER / 2
        for column, row in marker_frame.black_cells(marker):
            first, last = (
                [round((left + n * module) * scale) for n in (column, column + 1)],
                [round((top + n * module) * scale) for n in (row, row + 1)],
            )
            canvas[last[0] : last[1], first[0] : first[1]] = 0
        half = marker_frame.PITCH / 2
        rows, columns = (
            slice(max(0, round((place - half) * PIXELS)), round((place + half) * PIXELS))
            for place in (WIDTH + marker_frame.STRIP - y, x + marker_frame.STRIP)
        )
        part = cells[rows, columns]
        part[part < 0] = marker
    inner = slice(round(marker_frame.STRIP * PIXELS), -round(marker_frame.STRIP * PIXELS))
    cells[inner, inner] = -1
    small = cv2.resize(canvas, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32), cells


_PATTERN, _CELL = _printed()
PRINTED_FRAME: Final = np.asarray(_INK + (1 - _INK) * _PATTERN, np.float32)
"""Brightness of the printed frame in a normalized view."""


@dataclass(frozen=True)
class FrameReading:
    """State of the frame in one picture."""

    view: View
    """The view with white paper as 1, whatever the light."""
    is_dark: bool
    covered: frozenset[int]
    """Markers whose surroundings something covers."""
    white: float
    """Brightness of white paper, from 0 to 1."""

    @property
    def is_clear(self) -> bool:
        """Whether nothing crosses the frame."""
        return not self.is_dark and not self.covered


class ArmGate:
    """Compares the frame in views from one pose with the printed frame."""

    def __init__(self, view: GroundView, tallest: float = 0.7) -> None:
        """Ignore the parts of the frame that blocks as tall as `tallest` on the edge may hide."""
        hidden = cv2.dilate(
            self._behind_blocks(view, tallest).astype(np.uint8), np.ones((2 * _BESIDE + 1,) * 2)
        ).astype(np.bool_)
        # Without the outer edge, an arm at the far side of a camera that looks flat would not be
        # noticed. Blocks reach the edge only if they are too tall for such a view.
        outer = round((marker_frame.STRIP - _EDGE) * PIXELS)
        inner = np.zeros_like(hidden)
        inner[outer:-outer, outer:-outer] = True
        hidden &= inner
        visible = (_CELL >= 0) & view.inside & ~hidden
        # The outermost pixels may show the table, and the innermost ones the board.
        trimmed = cv2.erode(
            visible.astype(np.uint8), np.ones((3, 3)), borderType=cv2.BORDER_CONSTANT, borderValue=0
        )
        self._visible: Mask = trimmed.astype(np.bool_)
        self._index = np.where(self._visible, _CELL, _CELLS)
        self._sizes = np.bincount(self._index.ravel(), minlength=_CELLS + 1)[:_CELLS]
        # The edges of the ink are blurred if the picture has fewer pixels than the view.
        reach = 3 if view.smallest_step >= 0.9 else 5
        low, high = (
            operation(_PATTERN, np.ones((reach, reach), np.uint8))
            for operation in (cv2.erode, cv2.dilate)
        )
        self._low, self._high = np.asarray(low), np.asarray(high)
        self._ink = np.where(self._visible & (_PATTERN < 0.1), _CELL, _CELLS).ravel()
        self._white = np.where(self._visible & (_PATTERN > 0.9), _CELL, _CELLS).ravel()
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
        """Normalize a view and find what covers the frame."""
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
        """Return the light in the view: a plane of logarithms for each colour.

        Cells that are covered or in a shadow lack light of some colour and get little weight.
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

    @staticmethod
    def _means(
        index: npt.NDArray[np.int8], mean: npt.NDArray[np.floating[Any]]
    ) -> npt.NDArray[np.float64]:
        """Return the mean brightness of the pixels of each cell; 0 for a cell with few of them."""
        counts = np.bincount(index, minlength=_CELLS + 1)[:_CELLS]
        sums = np.bincount(index, weights=mean.ravel(), minlength=_CELLS + 1)[:_CELLS]
        return np.where(counts >= _FEWEST_OF_INK, sums / np.maximum(counts, 1), 0.0)

    def _covered(self, view: View) -> frozenset[int]:
        blue, green, red = view[..., 0], view[..., 1], view[..., 2]
        mean = (blue + green + red) / 3
        low = (_INK + (1 - _INK) * self._low) * _DARKEST_SHADOW - 0.05
        high = (_INK + (1 - _INK) * self._high) * _BRIGHTEST + 0.02
        is_ink = self._high < 0.5
        high = np.where(is_ink, _INK + _INK_ERROR, high)
        tint = np.maximum(np.abs(red - blue), np.abs(green - (red + blue) / 2))
        wrong = (mean < low) | (mean > high) | (tint > _TINT * (mean + 0.25))
        counts = np.bincount(self._index.ravel(), weights=wrong.ravel(), minlength=_CELLS + 1)
        shares = counts[:_CELLS] / np.maximum(self._sizes, 1)
        covered = (shares > _COVERED) & (self._sizes >= _FEWEST)
        # A grey sleeve looks like a shadow on the paper, but hides the ink.
        ink, white = self._means(self._ink, mean), self._means(self._white, mean)
        covered |= ink > _INK_IN_WHITE * white
        return frozenset(int(each) for each in np.flatnonzero(covered))
