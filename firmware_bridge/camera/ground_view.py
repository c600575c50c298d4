"""Rectifies images to a view of the board's plane, in which blocks can be located.

A view has `PIXELS` pixels per square and covers the playing field and its frame, with row 10 at the
top. A point above the plane appears where the ray from the camera through that point meets the
plane.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from engine.board.geometry import WIDTH, Square
from firmware_bridge.camera import marker_frame
from firmware_bridge.camera.pose import Picture, Points, Pose

PIXELS: Final = 24
"""Pixels per square in the view. An image from a 1280 × 720 webcam has 30 to 60 pixels per square.
"""
SIZE: Final = round((WIDTH + 2 * marker_frame.STRIP) * PIXELS)
"""Width and height of the view, in pixels."""

View: TypeAlias = npt.NDArray[np.float32]
"""SIZE × SIZE pixels, each with blue, green and red values from 0 to 1."""
Mask: TypeAlias = npt.NDArray[np.bool_]
"""One boolean for each of the SIZE × SIZE pixels."""


class GroundView:
    """Rectifies images from a fixed camera."""

    def __init__(self, pose: Pose) -> None:
        self.pose = pose
        self.camera = pose.camera
        """Position of the camera: x, y and height in squares."""
        steps = (np.arange(SIZE) + 0.5) / PIXELS - marker_frame.STRIP
        x, y = np.meshgrid(steps, WIDTH - steps)
        pixels = pose.project(np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1))
        self._columns = pixels[:, 0].reshape(SIZE, SIZE).astype(np.float32)
        self._rows = pixels[:, 1].reshape(SIZE, SIZE).astype(np.float32)
        width, height = pose.size
        self.inside: Mask = (
            (self._columns >= 0)
            & (self._columns < width)
            & (self._rows >= 0)
            & (self._rows < height)
        )
        """Pixels of the view that lie inside the camera image."""
        self.smallest_step = min(
            float(
                np.hypot(*(np.diff(each, axis=axis) for each in (self._columns, self._rows))).min()
            )
            for axis in (0, 1)
        )
        """Minimum spacing of adjacent view pixels, in pixels of the camera image."""
        # Each view pixel is the average of the image pixels within it. This prevents aliasing and
        # reduces noise.
        middle = SIZE // 2
        scale = np.hypot(
            self._columns[middle, middle + 1] - self._columns[middle, middle],
            self._rows[middle, middle + 1] - self._rows[middle, middle],
        )
        self._blur = max(1, round(float(scale)))

    def rectify(self, picture: Picture) -> View:
        smooth = cv2.blur(picture, (self._blur, self._blur)) if self._blur > 1 else picture
        seen = cv2.remap(smooth, self._columns, self._rows, cv2.INTER_LINEAR)
        return np.asarray(seen, np.float32) / np.float32(255)

    def shadow_of(self, points: npt.ArrayLike) -> Points:
        """Project points, given as x, y and height, onto the plane. The result is in squares."""
        given = np.asarray(points, np.float64).reshape(-1, 3)
        # A point as high as the camera has no projection on the plane.
        stretch = self.camera[2] / np.maximum(self.camera[2] - given[:, 2], 0.1)
        found: Points = self.camera[:2] + (given[:, :2] - self.camera[:2]) * stretch[:, None]
        return found

    def distance(self, square: Square) -> float:
        """Return the horizontal distance from the camera to a square, in squares."""
        return float(np.hypot(*(np.array(middle(square)) - self.camera[:2])))


def middle(square: Square) -> tuple[float, float]:
    """Return the x and y coordinates of a square's centre."""
    row, column = divmod(square, WIDTH)
    return column + 0.5, row + 0.5


def rows_of_view(first: int, end: int) -> tuple[slice, slice]:
    """Return the part of a view that shows rows `first` to `end` of the board, counted from 0."""
    left = round(marker_frame.STRIP * PIXELS)
    low, high = (round((WIDTH + marker_frame.STRIP - row) * PIXELS) for row in (end, first))
    return slice(low, high), slice(left, left + WIDTH * PIXELS)


def pixel_of(points: Points) -> npt.NDArray[np.float64]:
    """Return the view pixel, as column and row, of each point on the plane."""
    x, y = points[:, 0], points[:, 1]
    return np.stack([x + marker_frame.STRIP, WIDTH + marker_frame.STRIP - y], axis=1) * PIXELS - 0.5


@dataclass(frozen=True)
class BlockSize:
    """Size of a standing block in squares: width along its row, depth along its column, height."""

    wide: float
    deep: float
    high: float

    def outline(
        self, view: GroundView, at: Sequence[float], low: float = 0.0
    ) -> npt.NDArray[np.int32]:
        """Return the outline of a block in the view, from height `low` to its top."""
        x, y = at
        points = [
            (x + right * self.wide / 2, y + up * self.deep / 2, height)
            for right in (-1, 1)
            for up in (-1, 1)
            for height in (low, self.high)
        ]
        places = pixel_of(view.shadow_of(points)).astype(np.float32)
        hull = cv2.convexHull(places).reshape(-1, 2)
        return np.round(np.asarray(hull)).astype(np.int32)


def filled(outlines: Sequence[npt.NDArray[np.int32]]) -> Mask:
    """Return the pixels inside at least one of the outlines."""
    canvas = np.zeros((SIZE, SIZE), np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(canvas, outline, 1)
    return canvas.astype(np.bool_)
