"""Camera conditions reported to players, and the preview. This module does not need OpenCV."""

from dataclasses import dataclass
from enum import Enum

from engine.board.geometry import Square


class LearningPhase(Enum):
    """Phases of the observer's learning."""

    LOCATING = "locating"
    EMPTY = "empty"
    ARMIES = "armies"
    PLAYING = "playing"


class NoticeKind(Enum):
    """Conditions that the players can correct."""

    NO_FRAME = "no-frame"
    """No markers, or too few, are visible."""
    WRONG_FRAME = "wrong-frame"
    """Markers are visible, but not where they are in the printed frame."""
    TOO_DARK = "too-dark"
    MOVED = "moved"
    """The camera or the board was moved. The new pose is being determined."""
    COVERED = "covered"
    """Something remains on the frame."""
    HIDDEN = "hidden"
    """The far side of the frame remains hidden, perhaps by pieces, because the camera is low."""
    SHOW_EMPTY = "show-empty"
    """The empty board cannot be derived from the picture, so it has to be cleared first."""
    SET_UP = "set-up"
    """The empty board has been learned. The players should set up both armies."""
    ALIKE = "alike"
    """The colours of the board and the blocks are too similar on some squares."""
    UNCLEAR = "unclear"
    """Some squares have not been readable for a while."""


@dataclass(frozen=True)
class Notice:
    """A condition with the squares concerned."""

    kind: NoticeKind
    squares: tuple[Square, ...] = ()


@dataclass(frozen=True)
class Preview:
    """A picture for a screen, overlaid with everything that was detected."""

    width: int
    height: int
    pixels: bytes
    """Red, green and blue of each pixel, row by row from the top."""
    sees_players: bool
    """Whether the camera may see players' faces, or ranks on the sides of pieces."""
