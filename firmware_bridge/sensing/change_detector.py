"""Filters frames and detects the changes that they show.

The change detector returns each change of a square with the earliest and latest time at which it
may have happened.

A change between two frames happened after the first and no later than the second. If frames are
lost, the interval is as wide as the gap. If the board reports a change time, the interval is
narrower. Changes are sorted by time as far as their intervals allow. Missing frames do not prove
that nothing has moved.
"""

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.board.geometry import ALL, Square, SquareSet, set_of, squares_in
from firmware_bridge.image import Image, Sensed, compare
from firmware_bridge.sensing.sensing_limits import SENSING_LIMITS
from firmware_bridge.wire import CHANGE_REPORT_MS, SAMPLING_MS, State


@dataclass(frozen=True, slots=True)
class Interval:
    """Time interval in seconds, excluding `after` and including `by`."""

    after: float
    by: float

    def is_before(self, other: "Interval") -> bool:
        """Whether this interval entirely precedes the other one."""
        return self.by <= other.after and self.by < other.by


NO_SPANS: Final[Mapping[Square, Interval]] = MappingProxyType({})
"""Default if only the frame times are known."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change in the state of one square, and the interval in which it happened."""

    square: Square
    was: Sensed
    now: Sensed
    at: Interval


class ChangeDetector:
    """Detects changes in the frames of one board. Times are in seconds of the board's clock."""

    def __init__(self) -> None:
        self.image: Image | None = None
        """Latest image, or None before the first frame."""
        self.seen_at = 0.0
        """Latest time at which the board is known to have shown this image. Usually, this is the
        time of the latest frame."""
        self.changed_at = 0.0
        """Time at which the current image was first seen."""
        self._since: dict[Square, Interval] = {}
        self.first_at = 0.0
        """Time of the first frame. The changes that led to its image happened in an unknown
        order."""
        self._repeated = 0
        self.streams = False
        """Whether this source sends frames continuously, rather than only after changes."""

    def see(
        self, at: float, image: Image, spans: Mapping[Square, Interval] = NO_SPANS
    ) -> tuple[Change, ...]:
        """Add a frame and return the changes that it shows.

        `spans` gives narrower intervals for squares whose change times are known. Among changes
        that may have been simultaneous, disappearances precede appearances.
        """
        before, since = self.image, self.seen_at
        self.image, self.seen_at = image, at
        if image == before:
            # A gap restarts the count, because even a source that sends only changes may repeat an
            # image now and then.
            self._repeated += (
                1 if at - since <= SENSING_LIMITS.steady_frame_gap_seconds else -self._repeated
            )
            self.streams = self.streams or self._repeated >= SENSING_LIMITS.stream_frames
            return ()
        self._repeated, self.changed_at = 0, at
        # The changes that led to the first image were not seen, so that image yields no changes.
        if before is None:
            self.first_at = at
            return ()
        found = tuple(_in_order(changes(before, image, Interval(since, at), spans)))
        # These times are never discarded, not even after a declaration or a bump of the table: a
        # piece that appeared before another was lifted cannot be the lifted one.
        self._since.update((change.square, change.at) for change in found)
        return found

    def since(self, square: Square) -> Interval:
        """Return the time of a square's last change, or of the first frame if it has not changed.

        The time is kept even if the table restarts its tracking, for example after a declaration or
        a bump, so that the order of changes remains known.
        """
        return self._since.get(square, Interval(self.first_at, self.first_at))

    def advance(self, at: float) -> None:
        """Advance the time.

        If the source sends frames continuously, silence only means that frames are missing, and
        proves nothing. If the source sends only changes, silence means that nothing has changed.
        """
        if self.image is not None and not self.streams:
            self.seen_at = max(at, self.seen_at)


def changes(
    before: Image, after: Image, at: Interval, spans: Mapping[Square, Interval] = NO_SPANS
) -> list[Change]:
    """Return the differences between two images: vacated squares first, then occupied ones."""
    # A piece must be lifted before it is set down, so vacated squares come first. In the opposite
    # order, every move during lost frames would seem to involve a stray piece.
    differing = before.differing(after) & ALL
    left: SquareSet = differing & before.occupied
    return [
        Change(square, before.at(square), after.at(square), spans.get(square, at))
        for square in (*squares_in(left), *squares_in(differing & ~left))
    ]


def _in_order(found: Iterable[Change]) -> Iterator[Change]:
    """Sort changes by time. Where the order is unknown, keep the given order."""
    rest = list(found)
    while rest:
        # Overlapping intervals have no order, so a plain sort would be wrong.
        first = next(c for c in rest if not any(other.at.is_before(c.at) for other in rest))
        rest.remove(first)
        yield first


# Filters that process every frame before its changes are detected.
#
# The confidence filter adds change times and delays a change whose new reading is faint;
# `ChangeTimes` removes the times that a board repeats; the flicker filter debounces loose contacts
# for longer.
#
# A board reports exact change times. It also reports which squares are faint: their readings are
# close to a threshold. A weak magnet, a piece away from the centre of its square, and a hand that
# passes with a piece all give similar readings. A faint reading that persists is accepted with the
# time at which it began; otherwise it is discarded. A clear reading is accepted immediately, and a
# faint square that has not changed causes no delay.

_LOOK: Final = SAMPLING_MS / 1000
NO_MOMENTS: Final[Mapping[Square, float]] = MappingProxyType({})
"""Default if only the frame times are known."""


@dataclass(frozen=True, slots=True)
class FilteredFrame:
    """Image that the filter accepted from a frame, and the times of its changes where known."""

    image: Image
    spans: Mapping[Square, Interval]
    """Intervals in which squares changed, if they differ from the interval between the last two
    frames."""


class ConfidenceFilter:
    """Delays faint changes in the frames of one board.

    Times are in seconds of the board's clock.
    """

    def __init__(self) -> None:
        self._shown: Image | None = None
        self._believed = Image()
        self._at = 0.0
        self._waiting: dict[Square, Interval] = {}
        """Changed squares that have not been accepted yet, with the intervals in which they
        changed."""

    @property
    def due(self) -> float | None:
        """Time at which the next pending square is accepted, or None if no square is pending."""
        return min((_due(span) for span in self._waiting.values()), default=None)

    @property
    def waits(self) -> bool:
        """Whether any change is still pending."""
        return bool(self._waiting)

    def forget(self) -> None:
        """Reset, because the board is no longer visible."""
        self._shown = None
        self._waiting = {}

    def see(
        self,
        at: float,
        shown: Image,
        moments: Mapping[Square, float] = NO_MOMENTS,
        faint: SquareSet = 0,
    ) -> FilteredFrame:
        """Add a frame and return the filtered frame.

        `moments` gives the times at which squares were first read in their current state.
        """
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
    """Yield each changed square for which the board reported a time, and when the square changed.

    A board samples a square at least twice before it reports a change. It samples a small change
    for up to `small_change_observed_seconds` before reporting it. The reported time is that of the
    first sample, so it may precede the previous frame by up to that long. An even earlier time
    belongs to an earlier change.
    """
    for square in squares_in(changed):
        moment = moments.get(square)
        if (
            moment is not None
            and frames.after - SENSING_LIMITS.small_change_observed_seconds <= moment <= frames.by
        ):
            yield square, Interval(moment - _LOOK, moment)


# De-duplicates change times.
#
# A board repeats each change in several frames, in case one is lost. Only the first frame that
# shows a change is new. A time reported for a square whose state is not new belongs to an earlier
# change.
#
# A new change is never older than `CHANGE_REPORT_MS` when a board first reports it. A frame with an
# older one was damaged in transit, but happens to have a valid checksum. Its change times are
# ignored, because otherwise a single damaged frame could look like a whole turn.


class ChangeTimes:
    """Tracks which change times in the frames of one board are new."""

    def __init__(self) -> None:
        self._shown: Image | None = None

    def reset(self) -> None:
        """Treat the next frame as the board's first."""
        self._shown = None

    def of(self, at: float, state: State) -> tuple[tuple[Square, float], ...]:
        """Return the new changes in a frame sent at `at`: each square with its change time."""
        news = state.image.differing(self._shown) if self._shown is not None else 0
        self._shown = state.image
        return tuple(
            (square, at - ago_ms / 1000)
            for square, ago_ms in state.changed
            if news >> square & 1 and ago_ms <= CHANGE_REPORT_MS
        )


# Flicker filter: detects flickering sensors during the game and debounces them for longer.
#
# A loose contact toggles one square repeatedly while all other squares show the expected image. (A
# lifted piece, in contrast, may pass over any square, and the hand may still be over a piece that
# it has just set down.) A flickering square is accepted only after it has been stable for longer
# than its recent blinks. The game goes on, but until the square has been stable for a while,
# rulings that depend on it come slightly later.


@dataclass(frozen=True, slots=True)
class _Shown:
    now: Sensed
    since: float
    before: Sensed


class FlickerFilter:
    """Debounces flickering squares in the frames of one board. Times are in seconds."""

    def __init__(self) -> None:
        self.due: float | None = None
        """Time at which a flickering square is accepted unless it changes again."""
        self._patience: dict[Square, float] = {}
        self._blinks: dict[Square, deque[tuple[float, float]]] = defaultdict(deque)
        """Times and durations of each square's recent blinks."""
        self._shown: dict[Square, _Shown] = {}
        """Latest change of each square, if any."""
        self._image: Image | None = None
        self._expected: Image | None = None
        self._played: dict[Square, float] = {}
        """Time at which the expected state of each square last changed."""
        self._looked: dict[Square, float] = {}
        """Time at which the piece on each square was last put back after a player looked at it."""
        self._believed: Image | None = None

    @property
    def squares(self) -> Mapping[Square, float]:
        """The flickering squares, each with the number of seconds for which it must be stable."""
        return self._patience

    def forget(self) -> None:
        """Forget the image, because the board is not visible. Sensor statistics are kept."""
        self._image = self._believed = self.due = None
        self._shown.clear()

    def play(self, at: float, expected: Image) -> None:
        """Record that a turn was played, and the image expected after the turn."""
        if self._expected is not None:
            for square in squares_in(expected.differing(self._expected)):
                self._played[square] = at
        self._expected = expected

    def see(self, at: float, image: Image, expected: Image) -> Image:
        """Add a frame and return the filtered image.

        A blink counts only while all other squares show the `expected` image.
        """
        before, self._image = self._image, image
        if before is None:
            self._believed = image
        elif image != before:
            self._calm_down(at)
            self._note(at, before, image, expected)
        elif self.due is None or at < self.due:
            assert self._believed
            return self._believed
        self._believed = self._believe(at, image)
        return self._believed

    def _calm_down(self, at: float) -> None:
        """Stop treating squares as flickering once they have been stable for a while."""
        for square in [
            each
            for each in self._patience
            if self._blinks[each][-1][0] < at - SENSING_LIMITS.flicker_quiet_seconds
        ]:
            del self._patience[square], self._blinks[square]

    def _note(self, at: float, before: Image, image: Image, expected: Image) -> None:
        """Record changes, and detect squares that have merely blinked."""
        known, difference = len(self._patience), compare(image, expected)
        for square in squares_in(before.differing(image)):
            was, now = before.at(square), image.at(square)
            shown = self._shown.get(square)
            others = (difference.missing | difference.surplus) & ~(1 << square)
            is_back = (
                shown is not None
                and shown.before is now
                and at - shown.since <= SENSING_LIMITS.longest_blink_seconds
            )
            is_played_on = (
                at - self._played.get(square, -math.inf) <= SENSING_LIMITS.played_square_seconds
            )
            # This test must precede the blink test. Otherwise, a sensor would count as flickering
            # after a player had lifted the piece on its square five times to look at it.
            if shown and is_back and self._is_look(square, at, shown):
                pass
            # A blink counts only if no hand can have caused it: no other square differs, and no
            # turn has just begun or ended on this square.
            elif shown and is_back and not others and not is_played_on:
                self._take_blink(square, at, at - shown.since)
                # This blink makes the sensor count as flickering. The last accepted state may stem
                # from the blink itself, so the expected state replaces it until the sensor is
                # stable.
                if square in self._patience and len(self._patience) > known:
                    assert self._believed
                    self._believed = self._believed.patched(1 << square, expected)
            self._shown[square] = _Shown(now, at, was)

    def _is_look(self, square: Square, at: float, shown: _Shown) -> bool:
        """Whether a player looked at the piece, or tilted it shortly before or after looking."""
        if square in self._patience:
            return False
        if shown.now is Sensed.EMPTY and at - shown.since >= SENSING_LIMITS.shortest_look_seconds:
            self._looked[square] = at
            blinks = self._blinks[square]
            # A piece that is tilted before it is lifted causes changes that look like blinks.
            while blinks and blinks[-1][0] >= shown.since - SENSING_LIMITS.tilt_around_look_seconds:
                blinks.pop()
        return (
            shown.since - self._looked.get(square, -math.inf)
            <= SENSING_LIMITS.tilt_around_look_seconds
        )

    def _take_blink(self, square: Square, at: float, lasted: float) -> None:
        blinks = self._blinks[square]
        blinks.append((at, lasted))
        while blinks[0][0] < at - SENSING_LIMITS.blink_remembered_seconds:
            blinks.popleft()
        if len(blinks) >= SENSING_LIMITS.flicker_blinks or square in self._patience:
            # The required time is longer than any recent blink, so another blink of the same length
            # has no effect.
            longest = max(lasted for _, lasted in blinks)
            patience = max(
                SENSING_LIMITS.flicker_stable_seconds,
                SENSING_LIMITS.flicker_stable_factor * longest,
            )
            self._patience[square] = max(patience, self._patience.get(square, 0.0))

    def _believe(self, at: float, image: Image) -> Image:
        """Keep the last accepted state of each flickering square until the square is stable."""
        self.due = None
        believed = image
        for square, patience in self._patience.items():
            shown = self._shown.get(square)
            if shown is None or at - shown.since >= patience - 1e-9:
                continue
            self.due = min(self.due or shown.since + patience, shown.since + patience)
            assert self._believed
            believed = believed.patched(1 << square, self._believed)
        return believed
