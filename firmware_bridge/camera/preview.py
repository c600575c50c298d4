"""Draws previews: camera images overlaid with the detected frame, squares and pieces."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from engine.board.geometry import SQUARES, WIDTH, Side, squares_in
from firmware_bridge.camera import marker_frame
from firmware_bridge.camera.arm_gate import FrameReading
from firmware_bridge.camera.ground_view import middle
from firmware_bridge.camera.notices import Preview
from firmware_bridge.camera.pose import Corners, Picture, Pose
from firmware_bridge.image import Image

_WIDEST: Final = 640
"""Maximum width of a preview in pixels. The touchscreen shows the preview 480 pixels wide."""
_STEPS: Final = np.linspace(0.0, WIDTH, 21)
"""Positions along a grid line, in squares. The line is drawn through all of them, because lens
distortion may bend it.
"""
_Colour = tuple[int, int, int]
"""Blue, green and red, from 0 to 255."""
_FOUND: Final[_Colour] = (90, 230, 90)
_HIDDEN: Final[_Colour] = (0, 140, 255)
_PIECES: Final = {Side.RED: (40, 40, 230), Side.BLUE: (230, 110, 30)}
_EYES: Final = ((5.0, -8.0, 11.0), (5.0, 18.0, 11.0))
"""Usual positions of the players' eyes, in squares: about 30 cm from the frame and 45 cm above the
table if a square is 40 mm wide."""
_FLATTEST: Final = 0.4
"""Tangent of an angle from the vertical (about 22°). From a greater angle, the picture on the side
of a piece may be recognizable. Chosen by judgement, not measurement."""


@dataclass(frozen=True)
class Glimpse:
    """A camera image with the observer's results."""

    picture: Picture
    pose: Pose | None
    markers: Corners
    """Markers found by the latest search."""
    frame: FrameReading | None
    image: Image | None
    """The board in this camera image, or None if nothing was read."""


def draw_preview(seen: Glimpse) -> Preview:
    """Draw the detected frame, squares and pieces over a camera image."""
    height, width = seen.picture.shape[:2]
    scale = min(1.0, _WIDEST / width)
    size = round(width * scale), round(height * scale)
    small = cv2.resize(seen.picture, size, interpolation=cv2.INTER_AREA)
    drawn = np.asarray(small, np.uint8)
    pose = seen.pose
    if pose is None:
        for quad in seen.markers.values():
            _line(drawn, quad * scale, _FOUND, is_closed=True)
    else:
        covered = seen.frame.covered if seen.frame else frozenset()
        for marker in range(4 * marker_frame.PER_SIDE):
            flat = [(*corner, 0.0) for corner in marker_frame.corners(marker)]
            colour = _HIDDEN if marker in covered else _FOUND
            _line(drawn, pose.project(flat) * scale, colour, is_closed=True)
        for n in range(WIDTH + 1):
            for line in ([(n, y, 0.0) for y in _STEPS], [(x, n, 0.0) for x in _STEPS]):
                _line(drawn, pose.project(line) * scale, _FOUND)
        if seen.image:
            _draw_pieces(drawn, pose, seen.image, scale)
    pixels = cv2.cvtColor(drawn, cv2.COLOR_BGR2RGB).tobytes()
    return Preview(*size, pixels, sees_players=pose is not None and sees_players(pose))


def _line(
    drawn: Picture,
    points: npt.NDArray[np.float64],
    colour: _Colour,
    *,
    is_closed: bool = False,
) -> None:
    # The four least significant bits of a coordinate are fractions of a pixel.
    fine = np.round(np.clip(points, -2000, 2000) * 16).astype(np.int32)
    cv2.polylines(drawn, [fine], is_closed, colour, 1, cv2.LINE_AA, 4)


def _draw_pieces(drawn: Picture, pose: Pose, image: Image, scale: float) -> None:
    places = np.round(pose.project([(*middle(each), 0.0) for each in SQUARES]) * scale).astype(int)
    for side, colour in _PIECES.items():
        for square in squares_in(image.of(side)):
            cv2.circle(drawn, places[square].tolist(), 5, (255, 255, 255), -1, cv2.LINE_AA)
            cv2.circle(drawn, places[square].tolist(), 4, colour, -1, cv2.LINE_AA)
    for square in squares_in(image.unknown):
        cv2.circle(drawn, places[square].tolist(), 5, _HIDDEN, 2, cv2.LINE_AA)


def sees_players(pose: Pose) -> bool:
    """Whether the camera may see players' faces, or ranks on the sides of pieces."""
    _, y, height = pose.camera
    home = len(list(squares_in(Side.RED.home))) // WIDTH
    nearest_home = max(home - 0.5 - y, y - (WIDTH - home + 0.5))
    if nearest_home > _FLATTEST * height:
        return True
    width, picture_height = pose.size
    ahead = pose.depth(_EYES) > 0
    pixels = pose.project(_EYES)
    is_inside = ((pixels >= 0) & (pixels < (width, picture_height))).all(axis=1)
    return bool((ahead & is_inside).any())
