"""Frames as they are believed: when squares have changed, and changes to a faint reading later.

A board tells when squares have changed, more exactly than its frames come, and which squares are
faint. A weak magnet, a piece beside the middle of its square and a hand that passes with one read
alike for a moment: just enough. What goes on is believed, and then as of the moment in which it
began; what is gone before that was never there. What is read clearly is believed at once, and
nobody waits for a faint square that has not changed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.squares import Square, SquareSet, set_of, squares_in
from firmware_bridge.image import Image
from firmware_bridge.sensing.watch import NO_SPANS, Span
from firmware_bridge.wire import LOOK_MS

CONFIRMED: Final = 0.1
"""Seconds for which further frames have to show what a square shows faintly, to be believed. No
longer than a piece has to stand, so that nobody waits for a turn with a weak magnet."""
_LOOK: Final = LOOK_MS / 1000
_PATIENCE: Final = 0.025
"""Seconds at most for which the board looks at a small change, before it shows it."""
NO_MOMENTS: Final[Mapping[Square, float]] = MappingProxyType({})
"""Nothing is known but the frames."""


@dataclass(frozen=True, slots=True)
class Believed:
    """What is believed of a frame."""

    image: Image
    spans: Mapping[Square, Span]
    """When squares have changed, where that is known better than by the frame."""


class Faint:
    """Watches the frames of one board. Time is passed in, in seconds of the board's clock."""

    def __init__(self) -> None:
        """Begin without having seen anything."""
        self._shown: Image | None = None
        self._believed = Image()
        self._at = 0.0
        self._waiting: dict[Square, Span] = {}
        """The squares that are not believed yet, and when they have changed."""

    @property
    def due(self) -> float | None:
        """When the next square will be believed, if it goes on; None if none waits."""
        return min((_due(span) for span in self._waiting.values()), default=None)

    @property
    def waits(self) -> bool:
        """Whether any square is not believed yet."""
        return bool(self._waiting)

    def forget(self) -> None:
        """Forget the board, as it is seen no more."""
        self._shown = None
        self._waiting = {}

    def see(
        self,
        at: float,
        shown: Image,
        moments: Mapping[Square, float] = NO_MOMENTS,
        faint: SquareSet = 0,
    ) -> Believed:
        """Take a frame, with the moments in which squares were first seen as they are."""
        before, self._shown = self._shown, shown
        since, self._at = self._at, at
        if before is None:
            self._believed = shown
            return Believed(shown, NO_SPANS)
        if shown == before and not self._waiting:
            return Believed(shown, NO_SPANS)
        frames, changed = Span(since, at), before.differing(shown)
        still = {each: span for each, span in self._waiting.items() if not changed >> each & 1}
        spans = {**still, **dict(_known(frames, changed, moments))}
        unlike = self._believed.differing(shown)
        self._waiting = {
            square: span
            for square in squares_in(unlike & faint)
            if at < _due(span := spans.get(square, frames)) - 1e-9
        }
        self._believed = shown.patched(set_of(self._waiting), self._believed)
        return Believed(
            self._believed,
            {square: span for square, span in spans.items() if square not in self._waiting},
        )


def _due(span: Span) -> float:
    return span.by + CONFIRMED


def _known(
    frames: Span, changed: SquareSet, moments: Mapping[Square, float]
) -> Iterator[tuple[Square, Span]]:
    """Tell when squares have changed between two frames, where the board has told that.

    The frame before may have gone out after the first of the looks that a change takes: two, or as
    many as fit into `_PATIENCE`. What is said to be longer ago is of a change before that one.
    """
    for square in squares_in(changed):
        moment = moments.get(square)
        if moment is not None and frames.after - _PATIENCE <= moment <= frames.by:
            yield square, Span(moment - _LOOK, moment)
