"""Confidence filter for frames: adds change times and delays changes to a faint reading.

A board reports change times, more exactly than its frame interval, and faint squares, whose reading
is close to a threshold. A weak magnet, a piece beside the middle of its square and a passing hand
with a piece in it give the same reading for a moment. A reading that persists is accepted, and then
dated back to its beginning; one that ends before is discarded. A clear reading is accepted at once,
and a faint square that has not changed causes no delay.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.board.geometry import Square, SquareSet, set_of, squares_in
from firmware_bridge.image import Image
from firmware_bridge.sensing.change_detector import NO_SPANS, Interval
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from firmware_bridge.wire import LOOK_MS, TOLD_MS, State

_LOOK: Final = LOOK_MS / 1000
NO_MOMENTS: Final[Mapping[Square, float]] = MappingProxyType({})
"""No change times are known apart from the frames."""


@dataclass(frozen=True, slots=True)
class FilteredFrame:
    """Filtered frame."""

    image: Image
    spans: Mapping[Square, Interval]
    """Intervals in which squares changed, where those are narrower than by the frames."""


class ConfidenceFilter:
    """Filters the frames of one board. Time is passed in, in seconds of the board's clock."""

    def __init__(self) -> None:
        """Begin without any frame."""
        self._shown: Image | None = None
        self._believed = Image()
        self._at = 0.0
        self._waiting: dict[Square, Interval] = {}
        """Changed squares that are not accepted yet, and the intervals in which they changed."""

    @property
    def due(self) -> float | None:
        """Time at which the next square is accepted if it does not change; None if none waits."""
        return min((_due(span) for span in self._waiting.values()), default=None)

    @property
    def waits(self) -> bool:
        """Whether any square is not accepted yet."""
        return bool(self._waiting)

    def forget(self) -> None:
        """Reset: the board is not visible any more."""
        self._shown = None
        self._waiting = {}

    def see(
        self,
        at: float,
        shown: Image,
        moments: Mapping[Square, float] = NO_MOMENTS,
        faint: SquareSet = 0,
    ) -> FilteredFrame:
        """Add a frame, with the times at which squares were first seen in their present state."""
        before, self._shown = self._shown, shown
        since, self._at = self._at, at
        if before is None:
            self._believed = shown
            return FilteredFrame(shown, NO_SPANS)
        if shown == before and not self._waiting:
            return FilteredFrame(shown, NO_SPANS)
        frames, changed = Interval(since, at), before.differing(shown)
        still = {each: span for each, span in self._waiting.items() if not changed >> each & 1}
        spans = {**still, **dict(_known(frames, changed, moments))}
        unlike = self._believed.differing(shown)
        self._waiting = {
            square: span
            for square in squares_in(unlike & faint)
            if at < _due(span := spans.get(square, frames)) - 1e-9
        }
        self._believed = shown.patched(set_of(self._waiting), self._believed)
        return FilteredFrame(
            self._believed,
            {square: span for square, span in spans.items() if square not in self._waiting},
        )


def _due(span: Interval) -> float:
    return span.by + SENSING_LIMITS.faint_confirmed_seconds


def _known(
    frames: Interval, changed: SquareSet, moments: Mapping[Square, float]
) -> Iterator[tuple[Square, Interval]]:
    """Return the intervals of changes between two frames, as far as the board reported them.

    The frame before may have been sent after the first of the samples that a change takes: two, or
    as many as fit into
    `small_change_observed_seconds`. A longer reported age belongs to a change before that one.
    """
    for square in squares_in(changed):
        moment = moments.get(square)
        if (
            moment is not None
            and frames.after - SENSING_LIMITS.small_change_observed_seconds <= moment <= frames.by
        ):
            yield square, Interval(moment - _LOOK, moment)


# De-duplicates the change times that a board repeats in several frames.
#
# A board repeats each change in several frames, in case one is lost. Only the first frame that
# shows it is new, and a time reported for a square without a new state belongs to an earlier
# change.
#
# No board reports a change that is older than `TOLD_MS` as new. A frame that does was damaged in
# transit and has a valid checksum by chance: its change times are ignored, because otherwise one
# frame could contain a whole turn.


class ChangeTimes:
    """Tracks the frames of one board. Time is passed in."""

    def __init__(self) -> None:
        """Begin without any frame."""
        self._shown: Image | None = None

    def begin_anew(self) -> None:
        """Reset: the next frame is the first of the board."""
        self._shown = None

    def of(self, at: float, state: State) -> tuple[tuple[Square, float], ...]:
        """Return the changes that are new in a frame sent at `at`: each square with its time."""
        news = state.image.differing(self._shown) if self._shown is not None else 0
        self._shown = state.image
        return tuple(
            (square, at - ago_ms / 1000)
            for square, ago_ms in state.changed
            if news >> square & 1 and ago_ms <= TOLD_MS
        )
