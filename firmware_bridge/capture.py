"""Decodes captures of a board's serial line and describes each frame, without I/O.

A capture contains bytes from the board, from the host, or from both, interleaved frame by frame. It
may have any length, and may begin or end in the middle of a frame. At most one frame is buffered.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final, TypeAlias

from engine.board.geometry import ALL, Square, SquareSet, name, squares_in
from firmware_bridge import wire
from firmware_bridge.board_hardware import GROUND_INPUT
from firmware_bridge.image import Image, Sensed

# Descriptions of messages.

KINDS: Final = {
    wire.BoardKind.COLOURS: "colour sensors",
    wire.BoardKind.PRESENCE: "presence sensors",
}
GEOMETRIES: Final = {
    wire.Geometry.BY_HAND: "wired by hand",
    wire.Geometry.TILES: "built from tiles",
}
REFUSALS: Final = {
    wire.ConfigureResult.NO_KIND: "there are no such sensors",
    wire.ConfigureResult.NO_GEOMETRY: "no board with these sensors is built that way",
    wire.ConfigureResult.NO_BAND_GAP: "no chip has such a reference",
    wire.ConfigureResult.NO_SHARE: "no board would work with such a threshold",
    wire.ConfigureResult.NOT_NOW: "a calibration is in progress or its memory has failed",
}
"""Reasons why a board rejects settings."""
_CAUSES: Final = {
    wire.ResetCause.POWER_ON: "power on",
    wire.ResetCause.EXTERNAL: "the reset line",
    wire.ResetCause.BROWN_OUT: "a brown-out",
    wire.ResetCause.WATCHDOG: "the watchdog",
}
_SHOWN: Final = {
    Sensed.EMPTY: "empty",
    Sensed.RED: "red",
    Sensed.BLUE: "blue",
    Sensed.UNKNOWN: "occupied",
}
_SHORTEST_RUN: Final = 3
"""Consecutive squares are written as a range if there are at least this many."""


def describe(message: wire.BoardMessage | wire.HostCommand, before: Image | None = None) -> str:
    """Describe a message in the terms of docs/protocol.md: its type, then its content.

    A STATE is described by its changes since the image `before`, or in full if `before` is None.
    The descriptions are for makers who inspect the serial line, not for players.
    """
    match message:
        case wire.Hello():
            return _hello(message)
        case wire.ForeignHello(protocol, rest):
            return f"HELLO, protocol {protocol}, which is not ours: {rest.hex(' ') or 'no more'}"
        case wire.State(at_ms, image):
            news = _pieces(image) if before is None else _changes(before, image)
            return ", ".join([f"STATE at {at_ms} ms", *news, *_details(message)])
        case wire.Fault():
            return f"FAULT, {_fault(message)}"
        case wire.Raw(multiplexer, readings):
            return f"RAW, multiplexer {multiplexer} reads {' '.join(map(str, readings))}"
        case wire.CalibrationReply(step, results):
            found = [f"{each.name}{_on(squares)}" for each, squares in results.items()]
            return f"LEARNED, {step.name}: {', '.join(found)}"
        case wire.Status(supply_mv):
            return f"STATUS, {_supply(supply_mv)}"
        case wire.Configured(result, settings):
            refused = f", refused: {REFUSALS[result]}" if result in REFUSALS else ""
            return f"CONFIGURED, {settings_in_words(settings)}{refused}"
        case wire.FieldReadings():
            return f"FELT, {_felt(message)}"
        case wire.Configure():
            return f"CONFIGURE, {_requested(message)}"
        case wire.Identify():
            return "IDENTIFY"
        case wire.RequestRaw():
            return "SEND_RAW"
        case wire.RequestField():
            return "SEND_FELT"
        case wire.Calibrate(step):
            return f"LEARN, {step.name}"
        case wire.Lamps(squares):
            return f"LAMPS, lit{_on(squares) or ' nowhere'}"


def _hello(hello: wire.Hello) -> str:
    causes = [words for bit, words in _CAUSES.items() if bit & hello.reset_cause]
    return ", ".join(
        [
            f"HELLO, protocol {wire.PROTOCOL}",
            firmware_in_words(hello),
            KINDS[hello.kind],
            GEOMETRIES[hello.geometry],
            f"reset by {_listed(causes) or 'an unknown cause'}",
            f"calibration {hello.calibration:04X}" if hello.calibration else "not calibrated",
        ]
    )


def firmware_in_words(hello: wire.Hello) -> str:
    """Describe a board's firmware: its version and the hash of its sources."""
    return f"firmware {'.'.join(map(str, hello.firmware))} ({hello.build:08x})"


def settings_in_words(settings: wire.BoardSettings) -> str:
    """Describe a board's settings: its sensors, wiring, threshold and reference voltage."""
    return ", ".join(
        [
            KINDS[settings.kind],
            GEOMETRIES[settings.geometry],
            f"on from {settings.on_per_cent} %",
            f"reference {settings.band_gap_mv} mV",
        ]
    )


def _felt(readings: wire.FieldReadings) -> str:
    first = wire.FELT_SQUARES * readings.band
    shares = (
        "?" if each == wire.NOT_FELT else f"{100 * each / wire.FELT_PIECE:+.1f}"
        for each in readings.shares
    )
    last = first + wire.FELT_SQUARES - 1
    return f"{name(first)} to {name(last)} measure {' '.join(shares)} % of a piece"


def _requested(settings: wire.Configure) -> str:
    parts = [
        KINDS[settings.kind] if settings.kind else "",
        GEOMETRIES[settings.geometry] if settings.geometry else "",
        f"on from {settings.on_per_cent} %" if settings.on_per_cent else "",
        f"reference {settings.band_gap_mv} mV" if settings.band_gap_mv else "",
    ]
    return ", ".join(filter(None, parts)) or "as it is"


def _pieces(image: Image) -> Iterator[str]:
    if not image.occupied:
        yield "the board is empty"
    for seen, squares in _squares_by_state(image).items():
        if squares and seen is not Sensed.EMPTY:
            yield f"{'pieces' if seen is Sensed.UNKNOWN else _SHOWN[seen]}{_on(squares)}"


def _changes(before: Image, after: Image) -> Iterator[str]:
    if after == before:
        yield "nothing changed"
    were = _squares_by_state(before)
    for seen, squares in _squares_by_state(after).items():
        changed = squares & ~were[seen]
        if changed:
            verb = "are" if changed & (changed - 1) else "is"
            yield f"{_places(changed)} {verb} {_SHOWN[seen]}"


def _details(state: wire.State) -> Iterator[str]:
    """Yield descriptions of change times, and of squares with uncertain readings."""
    for square, ago in state.changed:
        yield f"state of {name(square)} first seen {ago} ms before"
    if state.faint:
        yield f"faint{_on(state.faint)}"


def _squares_by_state(image: Image) -> dict[Sensed, SquareSet]:
    return {
        Sensed.EMPTY: ALL & ~image.occupied,
        Sensed.RED: image.red,
        Sensed.BLUE: image.blue,
        Sensed.UNKNOWN: image.unknown,
    }


def _fault(fault: wire.Fault) -> str:
    sensor = "a sensor" if fault.square is None else name(fault.square)
    match fault.code:
        case wire.FaultCode.STUCK_CHANNEL:
            return f"{sensor} is stuck at {fault.value}"
        case wire.FaultCode.DRIFT:
            return f"{sensor} has drifted to {fault.value}"
        case wire.FaultCode.LOW_SUPPLY:
            return _supply(fault.value)
        case wire.FaultCode.OPEN_WIRE:
            return f"{sensor} is not connected"
        case wire.FaultCode.DYING:
            return f"{sensor} changes more slowly than a hand would cause, at {fault.value}"
        case wire.FaultCode.NO_GROUND:
            return f"input C{GROUND_INPUT} of multiplexer {fault.value} is not at ground"


def _supply(millivolts: int) -> str:
    return f"the supply is at {millivolts} mV"


def _on(squares: SquareSet) -> str:
    return f" on {_places(squares)}" if squares else ""


def _places(squares: SquareSet) -> str:
    """Format squares in numerical order: "a1 to k4, e5 and g5"."""
    places: list[str] = []
    # Within a run of consecutive squares, the difference between square number and index is
    # constant.
    for _, run in groupby(enumerate(squares_in(squares)), key=lambda each: each[1] - each[0]):
        places += _run([square for _, square in run])
    return _listed(places)


def _run(squares: list[Square]) -> list[str]:
    if len(squares) < _SHORTEST_RUN:
        return [name(square) for square in squares]
    return [f"{name(squares[0])} to {name(squares[-1])}"]


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


# Entries of a capture.

_CLOCK_WRAP: Final = 2**32
_OFFSET_DIGITS: Final = 8
_MAY_BE_CUT: Final = (
    wire.FrameError.BAD_ENCODING,
    wire.FrameError.TOO_SHORT,
    wire.FrameError.BAD_CHECKSUM,
)
"""Errors that may occur because a capture begins in the middle of a frame."""


class Truncation(Enum):
    """Reasons why a frame is incomplete, other than faults of the serial line."""

    AT_START = "cut by the start of the capture"
    AT_END = "cut by the end of the capture"


_Line: TypeAlias = wire.Frame[wire.BoardMessage | wire.HostCommand]


@dataclass(frozen=True, slots=True)
class CaptureEntry:
    """A frame in a capture, or the captured part of a frame."""

    frame: _Line
    flaw: wire.FrameError | Truncation | None
    """Defect of the frame, or None if the frame is good."""
    meaning: str
    """Description of the message. Every STATE after the first is described by its changes only."""
    is_still: bool
    """Whether this is a STATE with the same content as the previous STATE."""


def read(chunks: Iterable[bytes]) -> Iterator[CaptureEntry]:
    """Yield each frame as soon as it is complete, however the capture is split into chunks."""
    decoder = wire.Decoder(wire.FROM_EITHER)
    shown: wire.State | None = None
    for chunk in chunks:
        for frame in decoder.frames(chunk):
            yield _describe(frame, shown)
            if isinstance(frame.content, wire.State):
                shown = frame.content
    offset, rest = decoder.unfinished
    if rest:
        bad = wire.BadFrame(wire.FrameError.TOO_SHORT, rest)
        yield _flawed(wire.Frame(offset, rest, None, None, 0, bad), Truncation.AT_END)


def _describe(frame: _Line, shown: wire.State | None) -> CaptureEntry:
    content = frame.content
    if isinstance(content, wire.BadFrame):
        is_cut = frame.offset == 0 and content.reason in _MAY_BE_CUT
        return _flawed(frame, Truncation.AT_START if is_cut else content.reason)
    is_still = isinstance(content, wire.State) and shown is not None and _is_still(shown, content)
    return CaptureEntry(frame, None, describe(content, shown.image if shown else None), is_still)


def _is_still(before: wire.State, after: wire.State) -> bool:
    """Whether two STATEs have the same content.

    Change times are ignored, because boards repeat them.
    """
    return (after.image, after.faint) == (before.image, before.faint)


def _flawed(frame: _Line, flaw: wire.FrameError | Truncation) -> CaptureEntry:
    words = flaw.value if isinstance(flaw, Truncation) else f"bad frame, {flaw.value}"
    more = " …" if flaw is wire.FrameError.TOO_LONG else ""
    return CaptureEntry(frame, flaw, f"{words}: {frame.data.hex(' ')}{more}", is_still=False)


def lines(entries: Iterable[CaptureEntry], *, fold: bool = True) -> Iterator[str]:
    """Yield one line per frame. A frame that follows a gap is preceded by an additional line.

    If `fold` is true, consecutive STATEs without a change are combined into one line.
    """
    runs = groupby(entries, key=lambda entry: fold and entry.is_still and not entry.frame.lost)
    for is_folded, run in runs:
        if is_folded:
            yield f"{'':{_OFFSET_DIGITS}}  … {sum(1 for _ in run)} more STATE, nothing changed"
        else:
            for entry in run:
                yield from _lines_of(entry)


def _lines_of(entry: CaptureEntry) -> Iterator[str]:
    frame = entry.frame
    if frame.lost:
        yield f"{'':{_OFFSET_DIGITS}}  {_loss(frame)}"
    number = "" if frame.sequence is None else f"number {frame.sequence}: "
    yield f"{frame.offset:{_OFFSET_DIGITS}}  {number}{entry.meaning}"


def _loss(frame: _Line) -> str:
    assert frame.sequence is not None, "losses are found by sequence numbers"
    first, last = (frame.sequence - frame.lost) % 256, (frame.sequence - 1) % 256
    if frame.lost == 1:
        return f"1 frame lost, number {first}"
    return f"{frame.lost} frames lost, numbers {first} to {last}"


@dataclass(slots=True)
class CaptureSummary:
    """Statistics for a whole capture."""

    frames: int = 0
    """Number of valid frames."""
    bad: int = 0
    """Number of frames with a `FrameError`."""
    lost: int = 0
    """Number of missing sequence numbers, including those of damaged frames."""
    cut: int = 0
    """Number of frames truncated by the start or end of the capture. They are not errors."""
    _elapsed_ms: int = 0
    _steps: int = 0
    _clock_ms: int | None = None

    @property
    def is_clean(self) -> bool:
        """Whether every frame arrived intact."""
        return not self.bad and not self.lost

    @property
    def states_per_second(self) -> float | None:
        """STATE frames per second by the board's clock, or None if no time has elapsed."""
        return 1000 * self._steps / self._elapsed_ms if self._elapsed_ms else None

    def take(self, entry: CaptureEntry) -> None:
        """Count one frame."""
        self.lost += entry.frame.lost
        match entry.flaw:
            case None:
                self.frames += 1
            case wire.FrameError():
                self.bad += 1
            case Truncation():
                self.cut += 1
        if isinstance(entry.frame.content, wire.State):
            self._tick(entry.frame.content.at_ms)

    def _tick(self, at_ms: int) -> None:
        if self._clock_ms is not None:
            step = (at_ms - self._clock_ms) % _CLOCK_WRAP
            if step < _CLOCK_WRAP // 2:  # otherwise, the board has restarted
                self._elapsed_ms += step
                self._steps += 1
        self._clock_ms = at_ms

    def __str__(self) -> str:
        words = f"Frames: {self.frames} good, {self.bad} bad, {self.lost} lost"
        if self.cut:
            words += f", {self.cut} cut by the start or end of the capture"
        rate = self.states_per_second
        return words if rate is None else f"{words}; {rate:.1f} STATE a second by the board's clock"
