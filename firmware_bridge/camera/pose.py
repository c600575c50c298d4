"""Detects the markers in an image, and determines the pose of the camera from them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from firmware_bridge.camera import marker_frame

Picture: TypeAlias = npt.NDArray[np.uint8]
"""Rows of pixels, each with blue, green and red values."""
Grey: TypeAlias = npt.NDArray[np.uint8]
Points: TypeAlias = npt.NDArray[np.float64]
Corners: TypeAlias = Mapping[int, Points]
"""The four corners of each detected marker, in pixels."""

FEWEST_MARKERS: Final = 5
"""Minimum number of markers needed to determine a pose. Chosen by judgement, not measurement."""
_MARKERS: Final = 4 * marker_frame.PER_SIDE
_WIDE: Final = 0.9
"""Typical focal length of a webcam, in image widths (a horizontal angle of view of 58°). From
directly above, the focal length cannot be determined, so the fit stays near this value."""
_FOCAL_SPREAD: Final = 0.4
"""Spread of webcam focal lengths, as a natural logarithm (angles of view from 41° to 80°)."""
_DISTORTION_SPREAD: Final = 0.25, 0.1
"""Spread of the two coefficients of radial distortion."""
_CORNER_NOISE: Final = 0.5
"""Error of a detected corner, in pixels."""
_WORST_FIT: Final = 0.12
"""Largest acceptable median error of a pose, in squares. A larger error means that the markers are
not arranged as in the printed frame."""
_ROUNDS: Final = 25


def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    parameters.adaptiveThreshWinSizeMin = 5
    parameters.adaptiveThreshWinSizeMax = 45
    parameters.adaptiveThreshWinSizeStep = 10
    parameters.minMarkerPerimeterRate = 0.015
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.ArucoDetector(dictionary, parameters)


_DETECTOR: Final = _detector()


def find_markers(picture: Picture) -> dict[int, Points]:
    """Return the corners of all markers of the frame that are visible in an image."""
    grey: Grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _find(grey, 1.0)
    if len(found) < _MARKERS // 2:  # the markers may be too small for the detector
        larger = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        found = {**_find(np.asarray(larger, np.uint8), 2.0), **found}
    return found


def _find(grey: Grey, scale: float) -> dict[int, Points]:
    quads, numbers, _ = _DETECTOR.detectMarkers(grey)
    if numbers is None:
        return {}
    seen: dict[int, Points] = {}
    for quad, number in zip(quads, np.asarray(numbers).ravel(), strict=True):
        if number < _MARKERS:
            # Enlarging an image shifts its pixel centres by half a pixel.
            seen[int(number)] = (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / scale - 0.5
    return seen


@dataclass(frozen=True)
class Pose:
    """Position, orientation and lens of the camera, relative to the board."""

    size: tuple[int, int]
    """Width and height of the camera's images, in pixels."""
    rotation: Points
    translation: Points
    focal: float
    distortion: Points
    error: float = 0.0
    """Median error, in pixels, of the corners to which the pose was fitted."""

    def project(self, points: npt.ArrayLike) -> Points:
        """Return the pixels of points given as x, y and height in squares."""
        given = np.asarray(points, np.float64).reshape(-1, 3)
        pixels, _ = cv2.projectPoints(
            given, self.rotation, self.translation, self._matrix, self.distortion
        )
        return np.asarray(pixels, np.float64).reshape(-1, 2)

    def depth(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the distance of points in front of the camera, in squares.

        The distance is negative for points behind the camera.
        """
        given = np.asarray(points, np.float64).reshape(-1, 3)
        turned, _ = cv2.Rodrigues(self.rotation)
        distances: npt.NDArray[np.float64] = given @ np.asarray(turned)[2] + self.translation[2]
        return distances

    @property
    def _matrix(self) -> Points:
        return _matrix(self.size, self.focal)

    @property
    def camera(self) -> Points:
        """Position of the camera: x, y and height in squares."""
        turned, _ = cv2.Rodrigues(self.rotation)
        position: Points = -(np.asarray(turned).T @ self.translation).ravel()
        return position

    def errors(self, seen: Corners) -> npt.NDArray[np.float64]:
        """Return the distance, in pixels, of each detected corner from its expected position."""
        expected, detected = _pairs(seen)
        errors: npt.NDArray[np.float64] = np.linalg.norm(self.project(expected) - detected, axis=1)
        return errors

    def offsets(self, seen: Corners) -> dict[int, Points]:
        """Return the offsets of detected markers from their nominal positions, in squares.

        A frame is glued together from several tiles, which are never exactly aligned.
        """
        found = {}
        for marker, quad in seen.items():
            flat = np.array([(*corner, 0.0) for corner in marker_frame.corners(marker)])
            pixels = self.project(flat)
            # One edge of the marker along each axis, in pixels.
            steps = np.stack([pixels[1] - pixels[0], pixels[0] - pixels[3]], axis=1)
            miss = (quad - pixels).mean(axis=0)
            found[marker] = np.asarray(np.linalg.solve(steps / marker_frame.MARKER, miss))
        return found

    def shift(self, seen: Corners) -> float:
        """Return by how many pixels the error of the detected corners exceeds that of the fit.

        Both errors are medians.
        """
        return float(np.median(self.errors(seen))) - self.error


def _matrix(size: tuple[int, int], focal: float) -> Points:
    width, height = size
    return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])


def _pairs(seen: Corners) -> tuple[Points, Points]:
    expected = [(*corner, 0.0) for n in seen for corner in marker_frame.corners(n)]
    return np.array(expected), np.concatenate([seen[n] for n in seen])


def find_pose(seen: Corners, size: tuple[int, int]) -> Pose | None:
    """Return the pose that fits the detected markers, or None if too few of them fit one pose."""
    fitting = dict(seen)
    while len(fitting) >= FEWEST_MARKERS:
        pose = _fit(fitting, size)
        if pose is None:
            return None
        errors = pose.errors(fitting).reshape(-1, 4).max(axis=1)
        limit = max(3.0, 4 * float(np.median(errors)))
        if np.max(errors) <= limit:
            pose = replace(pose, error=pose.shift(fitting))
            return pose if _is_good(pose, fitting) else None
        # Only the worst marker is dropped, because it also increases the errors of all other
        # markers.
        del fitting[list(fitting)[int(np.argmax(errors))]]
    return None


def _is_good(pose: Pose, seen: Corners) -> bool:
    if pose.camera[2] <= 0:
        return False
    sizes = [np.linalg.norm(quad[0] - quad[2]) / 2**0.5 for quad in seen.values()]
    return pose.error <= _WORST_FIT * marker_frame.MARKER * float(np.median(sizes))


def _fit(seen: Corners, size: tuple[int, int]) -> Pose | None:
    """Fit the pose by damped Gauss-Newton steps, treating the spreads as prior observations."""
    expected, detected = _pairs(seen)
    usual = _WIDE * max(size)
    found, rotation, translation = cv2.solvePnP(
        expected, detected, _matrix(size, usual), None, flags=cv2.SOLVEPNP_IPPE
    )
    if not found:
        return None
    state = np.concatenate([rotation.ravel(), translation.ravel(), [0.0, 0.0, 0.0]])
    spreads = np.array([np.inf] * 6 + [_FOCAL_SPREAD, *_DISTORTION_SPREAD])
    damping = 1e-3
    cost, slope, miss = _linearized(state, expected, detected, size, usual, spreads)
    for _ in range(_ROUNDS):
        square = slope.T @ slope
        step = np.linalg.solve(square + damping * np.diag(np.diag(square)), -slope.T @ miss)
        tried = _linearized(state + step, expected, detected, size, usual, spreads)
        if tried[0] < cost:
            is_done = cost - tried[0] < 1e-6 * cost
            state, damping = state + step, damping / 5
            cost, slope, miss = tried
            if is_done:
                break
        else:
            damping *= 10
    return Pose(
        *(size, state[:3], state[3:6].reshape(3, 1), usual * float(np.exp(state[6]))),
        np.array([*state[7:9], 0.0, 0.0]),
    )


def _linearized(
    state: Points,
    expected: Points,
    detected: Points,
    size: tuple[int, int],
    usual: float,
    spreads: Points,
) -> tuple[float, Points, Points]:
    """Return the cost of a state, the derivatives of its errors, and the errors."""
    focal = usual * float(np.exp(np.clip(state[6], -2, 2)))
    distortion = np.array([*state[7:9], 0.0, 0.0])
    pixels, slopes = cv2.projectPoints(
        expected, state[:3], state[3:6], _matrix(size, focal), distortion
    )
    slopes = np.asarray(slopes)
    miss = (np.asarray(pixels).reshape(-1, 2) - detected).ravel() / _CORNER_NOISE
    # As in the Huber loss, large errors count linearly. A wrong corner therefore does not dominate
    # the fit.
    weight = np.sqrt(np.minimum(1.0, 4.0 / np.maximum(np.abs(miss), 1e-9)))
    # Columns returned by OpenCV: rotation, translation, two focal lengths, two centres, distortion.
    slope = np.column_stack([slopes[:, :6], slopes[:, 6:8].sum(axis=1) * focal, slopes[:, 10:12]])
    slope = slope * (weight / _CORNER_NOISE)[:, None]
    miss = miss * weight
    priors = np.diag(1 / spreads)[6:]
    every_miss = np.concatenate([miss, state[6:] / spreads[6:]])
    return float(every_miss @ every_miss), np.vstack([slope, priors]), every_miss
