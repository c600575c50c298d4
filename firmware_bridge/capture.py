"""Captures: decode the raw bytes of a board's serial line into frame descriptions, without any I/O.

A capture contains what the board sent, what the host sent, or both, interleaved frame by frame. It
may have any length and begin and end in the middle of a frame. At most one frame of it is buffered.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final, TypeAlias

from firmware_bridge.frame_text import in_words
from firmware_bridge.wire import (
    FROM_EITHER,
    BadFrame,
    BoardMessage,
    Decoder,
    Flaw,
    Frame,
    HostCommand,
    State,
)

_CLOCK_WRAP: Final = 2**32
_OFFSET_DIGITS: Final = 8
_MAY_BE_CUT: Final = (Flaw.BAD_ENCODING, Flaw.TOO_SHORT, Flaw.BAD_CHECKSUM)
"""Flaws of the second half of a frame, as seen at the start of a capture."""


class Cut(Enum):
    """Reasons for an incomplete frame although the line is not at fault."""

    AT_START = "cut by the start of the capture"
    AT_END = "cut by the end of the capture"


_Line: TypeAlias = Frame[BoardMessage | HostCommand]


@dataclass(frozen=True, slots=True)
class Entry:
    """One frame of a capture, or the part of it that was captured."""

    frame: _Line
    flaw: Flaw | Cut | None
    """Defect of the frame; None if it is good."""
    meaning: str
    """Description of the message; for a STATE after the first one, only the changes."""
    is_still: bool
    """Whether this is a STATE with the same content as the STATE before it."""


def read(chunks: Iterable[bytes]) -> Iterator[Entry]:
    """Yield the frames of a capture as soon as they are complete, however its bytes are split."""
    decoder = Decoder(FROM_EITHER)
    shown: State | None = None
    for chunk in chunks:
        for frame in decoder.frames(chunk):
            yield _describe(frame, shown)
            if isinstance(frame.content, State):
                shown = frame.content
    offset, rest = decoder.unfinished
    if rest:
        bad = BadFrame(Flaw.TOO_SHORT, rest)
        yield _flawed(Frame(offset, rest, None, None, 0, bad), Cut.AT_END)


def _describe(frame: _Line, shown: State | None) -> Entry:
    content = frame.content
    if isinstance(content, BadFrame):
        is_cut = frame.offset == 0 and content.reason in _MAY_BE_CUT
        return _flawed(frame, Cut.AT_START if is_cut else content.reason)
    is_still = isinstance(content, State) and shown is not None and _is_still(shown, content)
    return Entry(frame, None, in_words(content, shown.image if shown else None), is_still)


def _is_still(before: State, after: State) -> bool:
    """Whether two STATEs show the same. Change times, which are repeated, are ignored."""
    return (after.image, after.faint) == (before.image, before.faint)


def _flawed(frame: _Line, flaw: Flaw | Cut) -> Entry:
    words = flaw.value if isinstance(flaw, Cut) else f"bad frame, {flaw.value}"
    more = " …" if flaw is Flaw.TOO_LONG else ""
    return Entry(frame, flaw, f"{words}: {frame.data.hex(' ')}{more}", is_still=False)


def lines(entries: Iterable[Entry], *, fold: bool = True) -> Iterator[str]:
    """Yield one line for each frame, and an additional line before it if frames are missing.

    With `fold`, consecutive STATEs without a change are combined into one line.
    """
    runs = groupby(entries, key=lambda entry: fold and entry.is_still and not entry.frame.lost)
    for is_folded, run in runs:
        if is_folded:
            yield f"{'':{_OFFSET_DIGITS}}  … {sum(1 for _ in run)} more STATE, nothing changed"
        else:
            for entry in run:
                yield from _lines_of(entry)


def _lines_of(entry: Entry) -> Iterator[str]:
    frame = entry.frame
    if frame.lost:
        yield f"{'':{_OFFSET_DIGITS}}  {_loss(frame)}"
    number = "" if frame.sequence is None else f"number {frame.sequence}: "
    yield f"{frame.offset:{_OFFSET_DIGITS}}  {number}{entry.meaning}"


def _loss(frame: _Line) -> str:
    assert frame.sequence is not None, "what is lost is known by the numbers"
    first, last = (frame.sequence - frame.lost) % 256, (frame.sequence - 1) % 256
    if frame.lost == 1:
        return f"1 frame lost, number {first}"
    return f"{frame.lost} frames lost, numbers {first} to {last}"


@dataclass(slots=True)
class Summary:
    """Running totals of a capture."""

    frames: int = 0
    """Number of good frames."""
    bad: int = 0
    """Number of frames with a `Flaw`."""
    lost: int = 0
    """Number of missing sequence numbers. Damaged frames are included: their numbers are
    unknown."""
    cut: int = 0
    """Number of frames truncated by the start or the end of the capture, which is not an error."""
    _elapsed_ms: int = 0
    _steps: int = 0
    _clock_ms: int | None = None

    @property
    def is_clean(self) -> bool:
        """Whether every frame arrived intact."""
        return not self.bad and not self.lost

    @property
    def states_per_second(self) -> float | None:
        """STATE frames per second of the board's clock; None if no time has passed."""
        return 1000 * self._steps / self._elapsed_ms if self._elapsed_ms else None

    def take(self, entry: Entry) -> None:
        """Count one frame."""
        self.lost += entry.frame.lost
        match entry.flaw:
            case None:
                self.frames += 1
            case Flaw():
                self.bad += 1
            case Cut():
                self.cut += 1
        if isinstance(entry.frame.content, State):
            self._tick(entry.frame.content.at_ms)

    def _tick(self, at_ms: int) -> None:
        if self._clock_ms is not None:
            step = (at_ms - self._clock_ms) % _CLOCK_WRAP
            if step < _CLOCK_WRAP // 2:  # otherwise the board has restarted
                self._elapsed_ms += step
                self._steps += 1
        self._clock_ms = at_ms

    def __str__(self) -> str:
        words = f"Frames: {self.frames} good, {self.bad} bad, {self.lost} lost"
        if self.cut:
            words += f", {self.cut} cut by the start or end of the capture"
        rate = self.states_per_second
        return words if rate is None else f"{words}; {rate:.1f} STATE a second by the board's clock"
