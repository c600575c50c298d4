"""Observes a board through a camera: derives board images from timestamped camera images.

The phases, in order:

- ``LOCATING``: the frame has not been found, or its markers do not fit one pose.
- ``EMPTY``: the frame has been found. The first clear camera image shows the empty board, which is
  learned. If it shows both armies in their rows instead, the board is learned from the rows between
  them.
- ``ARMIES``: the board has been learned. The colours are learned from a camera image in which both
home areas are full.
- ``PLAYING``: every clear camera image is read.

A camera image is clear if nothing crosses the frame. All other camera images are ignored. The
observer does not use the rules of the game to interpret them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.board.geometry import ALL, LAKES, WIDTH, Square, SquareSet, squares_in
from firmware_bridge.camera import marker_frame, square_reader
from firmware_bridge.camera.arm_gate import ArmGate, FrameReading
from firmware_bridge.camera.colour_model import EmptyBoard, differs, traits_of
from firmware_bridge.camera.first_armies import board_between, show_armies, show_pieces
from firmware_bridge.camera.ground_view import GroundView, View, rows_of_view
from firmware_bridge.camera.notices import LearningPhase, Notice, NoticeKind
from firmware_bridge.camera.pose import (
    FEWEST_MARKERS,
    Corners,
    Picture,
    Points,
    Pose,
    find_markers,
    find_pose,
)
from firmware_bridge.image import ARMIES, Image


@dataclass(frozen=True)
class Observation:
    """Result of evaluating one camera image."""

    at: float
    """Time of the camera image in seconds."""
    phase: LearningPhase
    image: Image | None
    """The board as read from this camera image, or None if the image was ignored."""
    notice: Notice | None
    """The most important condition to report, or None."""


# Times are in seconds. All of them were chosen by judgement, not measurement.

_HELD_SECONDS: Final = 0.6
"""Time for which an unreadable square keeps its last state."""
_CONFIRMED: Final = 0.15
"""A change must be confirmed by the next camera image, unless the interval between the images is
longer than this. With fewer than seven images per second, waiting for confirmation would delay
rulings too much."""
_CHANGING: Final = 0.6
"""Time after which a change is reported even if no two camera images agree on it."""
_COVERED_REPORT: Final = 6.0
"""The printed frame is reported as covered once it has been covered for this long."""
_LOW: Final = 0.8
"""Tangent of the angle from the vertical (39°) beyond which pieces may hide the frame. In rendered
images, pieces 0.95 squares high hid it at 40°, and pieces 0.66 squares high did not hide it at 50°.
"""
_DARK_REPORT: Final = 1.0
_UNCLEAR_REPORT: Final = 2.0
_ONE_ARMY_REPORT: Final = 60.0
"""Time after which an undetected army is assumed to have the colour of the board."""
_ALIKE_REPORT: Final = 5.0
"""Unrecognized colours are reported once the armies have been unchanged for this long. Before that,
the players may still be setting up."""
_SEARCH_SECONDS: Final = 0.3
"""Interval between marker searches while the frame is not clear."""
_LIGHT_SECONDS: Final = 2.0
"""Interval between adaptations to the lighting."""
_LIGHT_SHARE: Final = 0.15
_SHIFT: Final = 0.05
"""Shift of the markers, in squares, beyond which the camera or the board counts as moved."""
_SETTLED: Final = 0.02
"""The camera counts as stationary again if it shifts by at most this much between two searches, in
squares."""
_HOMES: Final = (rows_of_view(0, 4), rows_of_view(6, 10))
_FIELD: Final = rows_of_view(0, 10)
_LEAST_FILLED: Final = 0.04
"""A home area is assumed to hold an army if at least this fraction of the area looks different from
the empty board. With small blocks seen from above, the fraction is 0.06."""
_MORE_BLOCKS: Final = 0.003
"""Pieces count as added or removed if the covered fraction of a home area changes by more than this
value. A small block covers a fraction of 0.0015. Chosen by judgement, not measurement."""
_MOST_CHANGED: Final = 0.004
"""The board counts as empty if less than this fraction of the playing field has changed."""
_MOST_UNCLEAR: Final = 8
"""Maximum number of home squares that may be unreadable when the colours are learned."""


class Observer:
    """Reads one board through one camera."""

    def __init__(self) -> None:
        self.phase = LearningPhase.LOCATING
        self.view: GroundView | None = None
        """The rectified view, or None until the frame has been found."""
        self.frame: FrameReading | None = None
        """State of the frame in the latest camera image."""
        self.markers: Corners = {}
        """Markers found by the latest search."""
        self._gate: ArmGate | None = None
        self._offsets: Mapping[int, Points] = {}
        """Distances of the markers from their nominal positions when the pose was found."""
        self._board: EmptyBoard | None = None
        self._is_derived = False
        """Whether the empty board was derived from the rows between the armies."""
        self._empty_view: View | None = None
        self._reader: square_reader.SquareReader | None = None
        self._image = Image()
        self._before: Image | None = None
        """Reading of the previous camera image, or None if the image was not clear."""
        self._cleared_at = np.inf
        """Time of the first clear camera image after the latest unclear one."""
        self._previous_at = -np.inf
        self._changing_since = np.inf
        """Time at which the pending unconfirmed changes were first seen."""
        self._unclear_since: dict[Square, float] = {}
        self._one_since = np.inf
        """Time at which the colours of the empty board were learned or, if later, at which both
        home areas were last empty."""
        self._filled = np.zeros(len(_HOMES))
        """For each home area, the fraction that differed from the empty board at the last change.
        """
        self._filled_at = -np.inf
        self._clear_at: float | None = None
        self._dark_since: float | None = None
        self._searched_at = -np.inf
        self._light_at = -np.inf
        self._moved_to: Pose | None = None
        self._notice: Notice | None = Notice(NoticeKind.NO_FRAME)

    @property
    def block_height(self) -> float | None:
        """Measured height of the blocks in squares, or None before the armies have been learned."""
        return self._reader.block.high if self._reader else None

    def learn_again(self) -> None:
        """Forget the board and the colours, and learn the board from the next clear image."""
        self._board = self._reader = self._empty_view = None
        self.phase = LearningPhase.EMPTY if self.view else LearningPhase.LOCATING
        self._notice = None
        if self.view:
            self._guard()  # the old gate knows the old blocks

    def take(self, at: float, picture: Picture) -> Observation:
        """Evaluate one camera image. `at` must not decrease."""
        image = self._evaluate(at, picture)
        self._previous_at = at
        return Observation(at, self.phase, image, self._notice)

    def _evaluate(self, at: float, picture: Picture) -> Image | None:
        height, width = picture.shape[:2]
        if self.view is None or self.view.pose.size != (width, height):
            self._locate(at, picture)
            if self.view is None or self.view.pose.size != (width, height):
                return None
        assert self.view is not None
        assert self._gate is not None
        frame = self.frame = self._gate.read(self.view.rectify(picture))
        if not frame.is_clear:
            self._unclear_since.clear()
            self._before, self._cleared_at = None, np.inf
            self._wait(at, picture, frame)
            return None
        self._clear_at, self._dark_since, self._moved_to = at, None, None
        self._cleared_at = min(self._cleared_at, at)
        if self._notice and self._notice.kind in _PASSING:
            is_set_up = self.phase is not LearningPhase.ARMIES
            self._notice = None if is_set_up else Notice(NoticeKind.SET_UP)
        if self.phase is LearningPhase.EMPTY:
            self._learn_board(at, frame.view)
        elif self.phase is LearningPhase.ARMIES:
            self._learn_armies(at, frame.view)
        if self._reader is None:
            is_empty = self._board is not None and self._shows_empty(frame.view)
            return Image() if is_empty and not self._is_derived else None
        return self._read(at, frame.view)

    # The frame.

    def _locate(self, at: float, picture: Picture) -> None:
        self.markers = find_markers(picture)
        pose = find_pose(self.markers, picture.shape[1::-1]) if self.markers else None
        if pose is None:
            dark = float(np.mean(picture)) < 12
            many = len(self.markers) >= 2 * FEWEST_MARKERS
            kind = NoticeKind.WRONG_FRAME if many else NoticeKind.NO_FRAME
            self._notice = Notice(NoticeKind.TOO_DARK if dark else kind)
            return
        self._aim(pose)
        self._notice, self._clear_at = None, at
        if self.phase is LearningPhase.LOCATING:
            self.phase = LearningPhase.EMPTY

    def _aim(self, pose: Pose) -> None:
        self.view = GroundView(pose)
        if self._reader:
            self._reader.aim(self.view)
        self._offsets = pose.offsets(self.markers)
        self._guard()

    def _guard(self) -> None:
        """Create the arm gate for the pose and the known blocks."""
        assert self.view is not None
        colours = self._reader.colours if self._reader else None
        blocks = (colours.red, colours.blue) if colours else ()
        tallest = _tallest(self.block_height)
        self._gate = ArmGate(self.view, self._offsets, tallest, blocks)

    def _wait(self, at: float, picture: Picture, frame: FrameReading) -> None:
        """Handle an unclear image, which is caused by an arm, poor light or a moved camera."""
        if frame.is_dark:
            self._dark_since = at if self._dark_since is None else self._dark_since
            if at - self._dark_since >= _DARK_REPORT:
                self._notice = Notice(NoticeKind.TOO_DARK)
            return
        self._dark_since = None
        if at - self._searched_at >= _SEARCH_SECONDS:
            self._searched_at = at
            self._search(at, picture)
        since = self._clear_at if self._clear_at is not None else at
        if at - since >= _COVERED_REPORT and not self._moved_to:
            places = sorted({_beside(marker) for marker in frame.covered})
            kind = NoticeKind.HIDDEN if self._may_be_pieces(frame) else NoticeKind.COVERED
            self._notice = Notice(kind, tuple(places))

    def _may_be_pieces(self, frame: FrameReading) -> bool:
        """Whether the frame may be hidden by pieces on the edge of the board."""
        assert self.view is not None
        middle = np.full(2, WIDTH / 2)
        away = middle - self.view.camera[:2]
        is_low = np.linalg.norm(away) > _LOW * self.view.camera[2]
        centres = (np.array(marker_frame.centre(marker)) for marker in frame.covered)
        return bool(is_low) and all((each - middle) @ away > 0 for each in centres)

    def _search(self, at: float, picture: Picture) -> None:
        """Detect whether the camera has been moved, and find its new pose once it is at rest."""
        assert self.view is not None
        self.markers = find_markers(picture)
        if len(self.markers) < FEWEST_MARKERS:
            return
        size = float(np.median([np.linalg.norm(q[0] - q[1]) for q in self.markers.values()]))
        if self.view.pose.shift(self.markers) <= _SHIFT * size:
            self._moved_to = None
            return
        pose = find_pose(self.markers, self.view.pose.size)
        if pose is None:
            return
        before, self._moved_to = self._moved_to, pose
        self._notice = Notice(NoticeKind.MOVED)
        if before is not None and before.shift(self.markers) <= _SETTLED * size + 0.5:
            self._aim(pose)
            self._moved_to, self._clear_at = None, at

    # Learning.

    def _learn_board(self, at: float, view: View) -> None:
        assert self.view is not None
        if show_armies(self.view, view):
            board = board_between(view)
            if board is None:
                self._notice = Notice(NoticeKind.SHOW_EMPTY)
                return
            self._board, self._is_derived = EmptyBoard(board), True
            self._empty_view = None
        elif show_pieces(self.view, view):
            self._notice = Notice(NoticeKind.SHOW_EMPTY)
            return
        else:
            self._board, self._is_derived = EmptyBoard(view), False
            self._empty_view = view
        self.phase, self._one_since = LearningPhase.ARMIES, at
        self._notice = Notice(NoticeKind.SET_UP)
        self._learn_armies(at, view)

    def _learn_armies(self, at: float, view: View) -> None:
        assert self.view is not None
        assert self._board is not None
        changed = differs(self._board, traits_of(view))
        filled = [float(np.mean(changed[home])) for home in _HOMES]
        if min(filled) < _LEAST_FILLED:
            if max(filled) < _LEAST_FILLED:
                self._one_since = at
            elif at - self._one_since >= _ONE_ARMY_REPORT:
                self._notice = Notice(NoticeKind.ALIKE)
            return
        learned = square_reader.learn_blocks(self.view, self._board, view)
        if learned is None:
            if min(filled) > 2 * _LEAST_FILLED:
                self._report_alike(at, filled)
            return
        colours, block = learned
        if self._is_derived and square_reader.is_unlike_homes(self.view, self._board, view, block):
            self._board, self.phase = None, LearningPhase.EMPTY
            self._notice = Notice(NoticeKind.SHOW_EMPTY)
            return
        for model in (colours, *colours.without_board_shades()):
            reader = square_reader.SquareReader(self.view, model, block)
            confused = self._confused(reader, view)
            if not confused:
                break
        else:
            self._report_alike(at, filled, tuple(sorted(confused)))
            return
        self._reader = reader
        self._guard()
        self.phase = LearningPhase.PLAYING
        self._notice = None
        self._image = ARMIES

    def _confused(self, reader: square_reader.SquareReader, view: View) -> set[Square]:
        """Return the squares that `reader` misreads in a view of the armies or the empty board."""
        wrong = square_reader.mistaken(reader.read(view), ARMIES)
        empty = self._empty_view
        alike = square_reader.mistaken(reader.read(empty), Image()) if empty is not None else {}
        alike = {square: seen for square, seen in alike.items() if not LAKES >> square & 1}
        is_readable = len(wrong) <= _MOST_UNCLEAR and set(wrong.values()) <= {"?"}
        return set() if is_readable and not alike else {*alike, *wrong}

    def _report_alike(
        self, at: float, filled: list[float], squares: tuple[Square, ...] = ()
    ) -> None:
        """Report that the colours are too similar, unless the armies are still being set up."""
        if np.abs(self._filled - filled).max() > _MORE_BLOCKS:
            self._filled, self._filled_at = np.array(filled), at
            self._notice = Notice(NoticeKind.SET_UP)
        elif at - self._filled_at >= _ALIKE_REPORT:
            self._notice = Notice(NoticeKind.ALIKE, squares)

    def _shows_empty(self, view: View) -> bool:
        assert self._board is not None
        changed = differs(self._board, traits_of(view))
        return float(np.mean(changed[_FIELD])) < _MOST_CHANGED

    # Reading.

    def _read(self, at: float, view: View) -> Image | None:
        assert self._reader is not None
        reading = self._reader.read(view)
        if self._is_unconfirmed(at, reading):
            return None
        waiting = self._waiting(at, reading)
        known = squares_in(waiting & ~self._image.unknown)
        if any(self._unclear_since[each] <= self._cleared_at for each in known):
            return None  # the last known states of these squares are too old
        image = reading.image.patched(waiting, self._image) if waiting else reading.image
        self._image = image
        stale = [q for q, since in self._unclear_since.items() if at - since >= _UNCLEAR_REPORT]
        if stale:
            self._notice = Notice(NoticeKind.UNCLEAR, tuple(sorted(stale)))
        elif self._notice and self._notice.kind is NoticeKind.UNCLEAR:
            self._notice = None
        if at - self._light_at >= _LIGHT_SECONDS:
            self._light_at = at
            self._reader.follow(view, reading, _LIGHT_SHARE)
        return image

    def _is_unconfirmed(self, at: float, reading: square_reader.BoardReading) -> bool:
        """Whether a camera image shows a change that the previous one did not show.

        Fingertips may be over the board in the image before the one in which the arm is detected.
        """
        before, self._before = self._before, reading.image
        changed = reading.image.differing(self._image) & ~reading.unclear
        is_new = before is None or bool(changed & reading.image.differing(before))
        if not changed or not is_new or at - self._previous_at > _CONFIRMED:
            self._changing_since = np.inf
            return False
        self._changing_since = min(self._changing_since, at)
        return at - self._changing_since < _CHANGING

    def _waiting(self, at: float, reading: square_reader.BoardReading) -> SquareSet:
        """Return the squares that became unreadable so recently that they keep their last state."""
        self._unclear_since = {
            square: self._unclear_since.get(square, at) for square in squares_in(reading.unclear)
        }
        waiting = 0
        for square, since in self._unclear_since.items():
            if at - since < _HELD_SECONDS:
                waiting |= 1 << square
        return waiting & ALL


_PASSING: Final = frozenset(
    {
        NoticeKind.TOO_DARK,
        NoticeKind.MOVED,
        NoticeKind.COVERED,
        NoticeKind.HIDDEN,
        NoticeKind.NO_FRAME,
    }
)
"""Conditions that end with the next clear camera image."""


def _tallest(measured: float | None) -> float:
    """Return the block height that the gate allows for. It is greater than the measured height."""
    return max(0.65, 1.1 * (measured or 0))


def _beside(marker: int) -> Square:
    """Return the square nearest to a marker."""
    x, y = marker_frame.centre(marker)
    column, row = (min(max(int(place), 0), 9) for place in (x, y))
    return 10 * row + column
