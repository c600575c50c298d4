"""Change detector: changes of the board, square by square, each with an earliest and latest time.

A frame shows all squares at one moment. A change between two frames happened after the first and
not later than the second. If frames are lost, the interval is as wide as the gap. If the board
reports a change time, the interval is narrower, and changes are sorted in the order in which they
happened, as far as their intervals determine it. Missing frames are not evidence: silence does not
mean that nothing has moved.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.board.geometry import ALL, Square, SquareSet, squares_in
from firmware_bridge.image import Image, Sensed
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS


@dataclass(frozen=True, slots=True)
class Interval:
    """Time interval in seconds: after the first bound, up to and including the second."""

    after: float
    by: float

    def is_before(self, other: "Interval") -> bool:
        """Whether this interval ends before the other one begins, so that the order is certain."""
        return self.by <= other.after and self.by < other.by


NO_SPANS: Final[Mapping[Square, Interval]] = MappingProxyType({})
"""No change times are known apart from the frames."""


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one square."""

    square: Square
    was: Sensed
    now: Sensed
    at: Interval


class ChangeDetector:
    """Detects changes in the frames of one board. Time is passed in, in its clock's seconds."""

    def __init__(self) -> None:
        """Begin without any frame, as before a board is found."""
        self.image: Image | None = None
        """The latest image."""
        self.seen_at = 0.0
        """Time of the latest frame: until then the image is known to be unchanged."""
        self.changed_at = 0.0
        """Time at which the current image was first seen."""
        self._since: dict[Square, Interval] = {}
        self.first_at = 0.0
        """Time of the first frame. The changes that led to its image have no known order."""
        self._repeated = 0
        self.streams = False
        """Whether this source sends every frame, and not only changes."""

    def see(
        self, at: float, image: Image, spans: Mapping[Square, Interval] = NO_SPANS
    ) -> tuple[Change, ...]:
        """Add a frame and return the changes that it shows.

        `spans` contains narrower intervals for squares whose change times are known. Among changes
        that may have happened at the same time, disappearances precede appearances.
        """
        before, since = self.image, self.seen_at
        self.image, self.seen_at = image, at
        if image == before:
            # A gap restarts the count, because a source of changes may occasionally repeat an
            # image.
            self._repeated += (
                1 if at - since <= SENSING_LIMITS.steady_frame_gap_seconds else -self._repeated
            )
            self.streams = self.streams or self._repeated >= SENSING_LIMITS.stream_frames
            return ()
        self._repeated, self.changed_at = 0, at
        # The changes that led to the first image were not seen, so it contains no change.
        if before is None:
            self.first_at = at
            return ()
        found = tuple(_in_order(changes(before, image, Interval(since, at), spans)))
        # Never discarded: a piece that fell on the board before another piece was lifted is not
        # that other piece, even if a declaration or a bump came in between.
        self._since.update((change.square, change.at) for change in found)
        return found

    def since(self, square: Square) -> Interval:
        """Time of the last change of a square; the first frame if it never changed.

        The time is kept independently of the table, so that a declaration or a bump does not lose
        the order of events.
        """
        return self._since.get(square, Interval(self.first_at, self.first_at))

    def advance(self, at: float) -> None:
        """Advance the time.

        A board sends every frame, so its silence proves nothing. Only for a source that sends
        changes alone, and never a stream of frames, does silence mean that nothing has changed.
        """
        if self.image is not None and not self.streams:
            self.seen_at = max(at, self.seen_at)


def changes(
    before: Image, after: Image, at: Interval, spans: Mapping[Square, Interval] = NO_SPANS
) -> list[Change]:
    """Yield the differences between two images: squares left first, then squares occupied."""
    # Squares that were left come first, because a piece has to be lifted before it can be set down
    # elsewhere. With the other order, every move whose frames were lost would need a stray piece.
    differing = before.differing(after) & ALL
    left: SquareSet = differing & before.occupied
    return [
        Change(square, before.at(square), after.at(square), spans.get(square, at))
        for square in (*squares_in(left), *squares_in(differing & ~left))
    ]


def _in_order(found: Iterable[Change]) -> Iterator[Change]:
    """Sort changes by time; where the order is unknown, keep the given order."""
    rest = list(found)
    while rest:
        # A plain sort would be wrong: overlapping intervals have no order, so “before” is not a
        # total order.
        first = next(c for c in rest if not any(other.at.is_before(c.at) for other in rest))
        rest.remove(first)
        yield first
