"""What changed on the board, square by square, and when at the earliest and at the latest.

A frame shows every square at one moment. So a change between two frames happened after the first
and not later than the second, and where frames are lost the span is as wide as the silence was. If
the board knows better, the span is narrower, and changes come in the order in which they happened,
as far as their spans tell. No frame, no news: that nobody has said anything does not mean that
nothing has moved.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.squares import ALL, Square, SquareSet, squares_in
from firmware_bridge.image import Image, Sensed

STEADY: Final = 0.06
"""Seconds from one frame to the next, at most, of a board that is heard well."""
STREAM: Final = 10
"""So many frames that show the same are a stream of frames."""


@dataclass(frozen=True, slots=True)
class Span:
    """A moment that is known to lie after one time and not after another, in seconds."""

    after: float
    by: float

    def is_before(self, other: "Span") -> bool:
        """Whether it is over when the other one begins, so that there is no doubt of the order."""
        return self.by <= other.after and self.by < other.by


NO_SPANS: Final[Mapping[Square, Span]] = MappingProxyType({})
"""Nothing is known but the frames."""


@dataclass(frozen=True, slots=True)
class Change:
    """One square shows something else than before."""

    square: Square
    was: Sensed
    now: Sensed
    at: Span


class Watch:
    """Looks at the frames of one board. Time is passed in, in seconds of the board's clock."""

    def __init__(self) -> None:
        """Start without having seen anything, as before a board is found."""
        self.image: Image | None = None
        """The latest image."""
        self.seen_at = 0.0
        """When a frame has last shown the board: until then stood what stands."""
        self.changed_at = 0.0
        """When the image was first seen that is seen now."""
        self._since: dict[Square, Span] = {}
        self.first_at = 0.0
        """When the first frame came: what stood then may have come about in any order."""
        self._repeated = 0
        self.streams = False
        """Whether this source sends every frame, and not only what has changed."""

    def see(
        self, at: float, image: Image, spans: Mapping[Square, Span] = NO_SPANS
    ) -> tuple[Change, ...]:
        """Take a frame; return what it shows to have changed.

        `spans` are those of squares of which it is known better when they have changed. Of what may
        have happened at the same time, what went away comes before what came.
        """
        before, since = self.image, self.seen_at
        self.image, self.seen_at = image, at
        if image == before:
            self._repeated += 1 if at - since <= STEADY else -self._repeated
            self.streams = self.streams or self._repeated >= STREAM
            return ()
        self._repeated, self.changed_at = 0, at
        if before is None:
            self.first_at = at
            return ()
        found = tuple(_in_order(changes(before, image, Span(since, at), spans)))
        self._since.update((change.square, change.at) for change in found)
        return found

    def since(self, square: Square) -> Span:
        """Time of the last change of a square; the first frame if it never changed.

        It is kept whatever the table does, so a declaration or a bump loses no order of events.
        """
        return self._since.get(square, Span(self.first_at, self.first_at))

    def let_pass(self, at: float) -> None:
        """Take note of the time.

        A board sends every frame, so its silence says nothing. Only a source that has never sent
        frame after frame, but changes alone, says by silence that nothing has changed.
        """
        if self.image is not None and not self.streams:
            self.seen_at = max(at, self.seen_at)


def changes(
    before: Image, after: Image, at: Span, spans: Mapping[Square, Span] = NO_SPANS
) -> list[Change]:
    """Tell two images apart: first the squares that were left, then those that were taken."""
    differing = before.differing(after) & ALL
    left: SquareSet = differing & before.occupied
    return [
        Change(square, before.at(square), after.at(square), spans.get(square, at))
        for square in (*squares_in(left), *squares_in(differing & ~left))
    ]


def _in_order(found: Iterable[Change]) -> Iterator[Change]:
    """Let changes follow each other as they happened; where that is not known, as they are."""
    rest = list(found)
    while rest:
        first = next(c for c in rest if not any(other.at.is_before(c.at) for other in rest))
        rest.remove(first)
        yield first
