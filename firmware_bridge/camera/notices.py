"""Camera conditions that are reported to players, and the camera preview.

This module needs no OpenCV.
"""

from dataclasses import dataclass
from enum import Enum

from engine.board.geometry import Square


class LearningPhase(Enum):
    """Learning phases of the observer."""

    LOCATING = "locating"
    EMPTY = "empty"
    ARMIES = "armies"
    PLAYING = "playing"


class NoticeKind(Enum):
    """Conditions that the players can correct."""

    NO_FRAME = "no-frame"
    """No markers, or too few, are visible."""
    WRONG_FRAME = "wrong-frame"
    """Markers are visible, but not in the arrangement of the printed frame."""
    TOO_DARK = "too-dark"
    MOVED = "moved"
    """The camera or the board has been moved. The new pose is being determined."""
    COVERED = "covered"
    """Something has covered the frame for a while."""
    HIDDEN = "hidden"
    """The far side of the frame has been hidden for a while. The camera is low, so pieces may be
    hiding it."""
    SHOW_EMPTY = "show-empty"
    """The empty board cannot be derived from the camera image, so the board must be cleared
    first."""
    SET_UP = "set-up"
    """The empty board has been learned. The players should set up both armies."""
    ALIKE = "alike"
    """The colours of the board and the blocks are too similar on some squares."""
    UNCLEAR = "unclear"
    """Some squares have been unreadable for a while."""


@dataclass(frozen=True)
class Notice:
    """A condition and the squares that it affects."""

    kind: NoticeKind
    squares: tuple[Square, ...] = ()


@dataclass(frozen=True)
class Preview:
    """A camera image for a screen, overlaid with everything that was detected."""

    width: int
    height: int
    pixels: bytes
    """Red, green and blue of each pixel, row by row from the top."""
    sees_players: bool
    """Whether the camera may see players' faces, or ranks on the sides of pieces."""
