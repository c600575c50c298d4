"""Draws the sensed state of every square over time, with the table's decisions."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from companion.core.inputs import BoardFound, BoardLost, BoardSeen
from companion.palette import PRINT
from companion.recorder.replay import OF_EVENTS, DecisionKind, action_text, event_text
from companion.recorder.trace_reader import Note, Trace
from engine.board.geometry import ALL, Square, name, squares_in
from firmware_bridge.image import Image, Sensed


@dataclass(frozen=True)
class Bar:
    """A time span without changes in a square's sensed state, in seconds since the trace began."""

    begin: float
    end: float
    shows: Sensed


@dataclass(frozen=True)
class DecisionMark:
    """A table's decision, with its time in the trace."""

    at: float
    kind: DecisionKind
    text: str


@dataclass(frozen=True)
class Timeline:
    """A section of a trace, with times relative to the start of the trace."""

    begin: float
    end: float
    squares: Mapping[Square, tuple[Bar, ...]]
    """The squares that changed or that were requested, from k10 down to a1."""
    marks: tuple[DecisionMark, ...]
    dark: tuple[tuple[float, float], ...]
    """Time spans in which the board could not be read."""


def timeline(
    trace: Trace, begin: float | None, end: float | None, squares: Iterable[Square] | None
) -> Timeline:
    """Return the timeline of a section. The default is the whole trace with all changed squares.

    Raise TraceError if an event in the section is malformed.
    """
    first = 0.0 if begin is None else begin
    last = trace.length if end is None else end
    shown = {square: tuple(bars) for square, bars in _bars(trace, first, last).items()}
    wanted = [s for s, bars in shown.items() if len(bars) > 1] if squares is None else squares
    rows = {square: shown[square] for square in sorted(wanted, reverse=True)}
    marks = tuple(_marks(trace, first, last))
    return Timeline(first, last, rows, marks, tuple(_dark(trace, first, last)))


def _bars(trace: Trace, begin: float, end: float) -> dict[Square, list[Bar]]:
    bars: dict[Square, list[Bar]] = {square: [] for square in squares_in(ALL)}
    shown, since = trace.shown, dict.fromkeys(bars, begin)

    def close(square: Square, at: float) -> None:
        bars[square].append(Bar(since[square], at, shown.at(square)))
        since[square] = at

    is_first = shown == Image()
    for note in trace.notes:
        if not isinstance(note.given, BoardSeen) or note.given.image == shown:
            continue
        at = note.given.at - trace.start
        if at > end:
            break
        if at > begin and not is_first:  # the first image does not count as a change
            for square in squares_in(shown.differing(note.given.image)):
                close(square, at)
        shown, is_first = note.given.image, False
    for square in bars:
        close(square, end)
    return bars


def _dark(trace: Trace, begin: float, end: float) -> Iterator[tuple[float, float]]:
    lost: float | None = None
    for note in trace.notes:
        at = note.given.at - trace.start
        if isinstance(note.given, BoardLost) and lost is None:
            lost = at
        elif isinstance(note.given, BoardFound) and lost is not None:
            if lost < end and at > begin:
                yield max(lost, begin), min(at, end)
            lost = None
    if lost is not None and lost < end:
        yield max(lost, begin), end


def _marks(trace: Trace, begin: float, end: float) -> Iterator[DecisionMark]:
    for note in trace.notes:
        at = note.given.at - trace.start
        if begin <= at <= end:
            try:
                decisions = tuple(_decisions(note))
            except (ValueError, TypeError, LookupError) as error:
                raise trace.damage_at(note) from error
            yield from (DecisionMark(at, *each) for each in decisions)


def _decisions(note: Note) -> Iterator[tuple[DecisionKind, str]]:
    for action in note.actions:
        yield DecisionKind.ACCEPTED, action_text(action)
    for event in note.events:
        kind = OF_EVENTS.get(event["event"])
        if kind:
            yield kind, event_text(event)


# The SVG has one row per square and one bar per sensed state. Red's bars are taller than Blue's, so
# that the sides do not differ in colour alone.

WIDTH: Final = 1200
_LEFT: Final = 56
_RIGHT: Final = 30
_ROW: Final = 22
_HEAD: Final = 44
_LANE: Final = 18
_LANES: Final = 8
"""Maximum number of rows for decision labels."""
_SIZE: Final = 12
_LETTER: Final = 6.8
"""Approximate width of a character, in drawing units."""
_FOOT: Final = 108
_TICKS: Final = 12
_STEPS: Final = (
    *(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0),
    *(60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 7200.0, 14400.0, 43200.0),
)
_LONG: Final = 300.0
"""Duration in seconds above which times are shown in minutes."""

_PAPER: Final = PRINT["paper"]
_INK: Final = PRINT["ink"]
_QUIET: Final = PRINT["text-secondary"]
_RULE: Final = PRINT["rule"]
_DARK: Final = PRINT["dark-span"]
_FILLS: Final = {
    Sensed.RED: PRINT["red"],
    Sensed.BLUE: PRINT["blue"],
    Sensed.UNKNOWN: PRINT["unknown"],
}
_EDGES: Final = {
    Sensed.RED: PRINT["red-edge"],
    Sensed.BLUE: PRINT["blue-edge"],
    Sensed.UNKNOWN: PRINT["text-secondary"],
}
_INSETS: Final = {Sensed.RED: 3, Sensed.BLUE: 6, Sensed.UNKNOWN: 3}
"""Margin above and below a bar within its row."""
_CALLED: Final = {Sensed.RED: "red", Sensed.BLUE: "blue", Sensed.UNKNOWN: "colour unknown"}
_MARKS: Final = {
    DecisionKind.ACCEPTED: (PRINT["accepted"], "M-5 0L0 -5L5 0L0 5z"),
    DecisionKind.REFUSED: (PRINT["refused"], "M-5 -5L5 5M5 -5L-5 5"),
    DecisionKind.COMPLAINT: (PRINT["refused"], "M0 -5L5 4H-5z"),
    DecisionKind.QUESTION: (PRINT["question"], "M-4 -4H4V4H-4z"),
    DecisionKind.OFFER: (PRINT["offer"], "M-5 0A5 5 0 0 0 5 0A5 5 0 0 0 -5 0z"),
}
"""Colour and symbol of a decision, by type."""


@dataclass(frozen=True)
class _Label:
    mark: DecisionMark
    x: float
    lane: int | None
    """Lane of the label, or None if no lane has room and only the symbol is drawn."""
    is_left: bool
    """Whether the label is to the left of the symbol."""


class _Scale:
    """Mapping from times to x coordinates."""

    def __init__(self, drawn: Timeline) -> None:
        self.begin = drawn.begin
        self.span = max(drawn.end - drawn.begin, 1e-3)
        days = _STEPS[-1] * math.ceil(self.span / _STEPS[-1] / _TICKS)
        self.step = next((s for s in _STEPS if self.span / s <= _TICKS), days)

    def x(self, at: float) -> float:
        part = min(max((at - self.begin) / self.span, 0.0), 1.0)
        return _LEFT + part * (WIDTH - _LEFT - _RIGHT)

    def ticks(self) -> Iterator[tuple[float, str]]:
        number = -int(-self.begin / self.step // 1)
        while (at := number * self.step) <= self.begin + self.span + 1e-9:
            yield at, self._text(at)
            number += 1

    @property
    def unit(self) -> str:
        return "minutes:seconds" if self.span > _LONG else "seconds"

    def _text(self, at: float) -> str:
        if self.span > _LONG:
            return f"{int(at // 60)}:{int(at % 60):02}"
        return f"{at:.2f}".rstrip("0").rstrip(".")


def draw_timeline(drawn: Timeline, title: str) -> str:
    """Draw a section of a trace as an SVG document."""
    scale = _Scale(drawn)
    labels = _place(drawn.marks, scale)
    lanes = max((label.lane + 1 for label in labels if label.lane is not None), default=0)
    unnamed = sum(1 for label in labels if label.lane is None)
    top = _HEAD + (lanes + bool(unnamed)) * _LANE + 6
    bottom = top + max(len(drawn.squares), 1) * _ROW
    height = bottom + _FOOT
    document = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {height}")
    document.set("font-family", "sans-serif")
    document.set("font-size", str(_SIZE))
    SubElement(document, "rect", width="100%", height="100%", fill=_PAPER)
    _write(document, title, _LEFT, 24, _INK, size=15)
    _draw_axis(document, scale, top, bottom)
    for number, (square, bars) in enumerate(drawn.squares.items()):
        y = top + number * _ROW
        _write(document, name(square), _LEFT - 8, y + 15, _INK, anchor="end")
        _draw_bars(document, bars, scale, y)
    if not drawn.squares:
        _write(document, "No square changes in this span.", _LEFT + 8, top + 15, _QUIET)
    for begin, end in drawn.dark:
        _box(document, (scale.x(begin), top), (scale.x(end), bottom), _DARK).set("opacity", "0.6")
    for label in labels:
        lane = lanes if label.lane is None else label.lane
        _draw_mark(document, label, _HEAD + lane * _LANE + 8, bottom)
    _draw_legend(document, bottom + 62, unnamed)
    indent(document)
    return tostring(document, encoding="unicode") + "\n"


def _place(marks: Sequence[DecisionMark], scale: _Scale) -> list[_Label]:
    """Assign each decision's label to the lowest lane that has room for it."""
    free = [0.0] * _LANES
    labels = []
    for mark in marks:
        x, width = scale.x(mark.at), 12 + _LETTER * len(mark.text)
        is_left = x + width > WIDTH - 4
        begin, end = (x - width, x + 8) if is_left else (x - 8, x + width)
        fits = [number for number in range(_LANES) if free[number] <= begin]
        lane = fits[0] if fits and begin >= 0 else None
        if lane is not None:
            free[lane] = end + 4
        labels.append(_Label(mark, x, lane, is_left))
    return labels


def _draw_axis(document: Element, scale: _Scale, top: int, bottom: int) -> None:
    for at, text in scale.ticks():
        x = scale.x(at)
        _line(document, (x, top), (x, bottom + 5), _RULE)
        _write(document, text, x, bottom + 20, _QUIET, anchor="middle")
    _line(document, (_LEFT, bottom), (WIDTH - _RIGHT, bottom), _INK)
    words = f"time since the trace began, in {scale.unit}"
    _write(document, words, (_LEFT + WIDTH - _RIGHT) / 2, bottom + 38, _INK, anchor="middle")


def _draw_bars(document: Element, bars: Sequence[Bar], scale: _Scale, y: int) -> None:
    _line(document, (_LEFT, y + _ROW / 2), (WIDTH - _RIGHT, y + _ROW / 2), _RULE)
    for bar in bars:
        if bar.shows is Sensed.EMPTY:
            continue
        inset = _INSETS[bar.shows]
        begin, end = scale.x(bar.begin), scale.x(bar.end)
        box = _box(
            document,
            (begin, y + inset),
            (
                max(end, begin + 1),
                y + _ROW - inset,
            ),  # the bar is at least one pixel wide, so that it stays visible
            _FILLS[bar.shows],
        )
        box.set("stroke", _EDGES[bar.shows])
        box.set("stroke-width", "0.8")
        tooltip = f"{_CALLED[bar.shows]}, {bar.begin:.2f} s to {bar.end:.2f} s"
        SubElement(box, "title").text = tooltip


def _draw_mark(document: Element, label: _Label, y: int, bottom: int) -> None:
    colour, _ = _MARKS[label.mark.kind]
    line = _line(document, (label.x, y), (label.x, bottom), colour)
    line.set("stroke-dasharray", "2 3")
    line.set("opacity", "0.7")
    sign = _sign(document, label.mark.kind, label.x, y)
    SubElement(sign, "title").text = f"{label.mark.at:.2f} s: {label.mark.text}"
    if label.lane is not None:
        x, anchor = (label.x - 8, "end") if label.is_left else (label.x + 8, "start")
        _write(document, label.mark.text, x, y + 4, colour, anchor=anchor)


def _draw_legend(document: Element, y: int, unnamed: int) -> None:
    x: float = _LEFT
    for shows, called in _CALLED.items():
        inset = _INSETS[shows] - 3
        box = _box(document, (x, y - 12 + inset), (x + 22, y + 4 - inset), _FILLS[shows])
        box.set("stroke", _EDGES[shows])
        x = _name(document, called, x + 28, y)
    _box(document, (x, y - 12), (x + 22, y + 4), _DARK).set("opacity", "0.6")
    x = _name(document, "no board", x + 28, y)
    for kind in _MARKS:
        _sign(document, kind, x + 6, y - 4)
        x = _name(document, kind.value, x + 18, y)
    if unnamed:
        words = f"{unnamed} more decisions have no room for their words; draw a shorter span."
        _write(document, words, _LEFT, y + 24, _QUIET)


def _name(document: Element, words: str, x: float, y: float) -> float:
    """Draw a legend entry, and return the x position of the next one."""
    _write(document, words, x, y, _INK)
    return x + _LETTER * len(words) + 26


def _sign(document: Element, kind: DecisionKind, x: float, y: float) -> Element:
    colour, path = _MARKS[kind]
    sign = SubElement(document, "path", d=path, transform=f"translate({x:.2f} {y:g})")
    is_cross = kind is DecisionKind.REFUSED
    sign.set("fill", "none" if is_cross else colour)
    if is_cross:
        sign.set("stroke", colour)
        sign.set("stroke-width", "2.5")
    return sign


def _box(
    document: Element, begin: tuple[float, float], end: tuple[float, float], fill: str
) -> Element:
    width, height = f"{end[0] - begin[0]:.2f}", f"{end[1] - begin[1]:g}"
    place = {"x": f"{begin[0]:.2f}", "y": f"{begin[1]:g}", "width": width, "height": height}
    return SubElement(document, "rect", place, fill=fill)


def _line(
    document: Element, begin: tuple[float, float], end: tuple[float, float], colour: str
) -> Element:
    path = f"M{begin[0]:.2f} {begin[1]:g}L{end[0]:.2f} {end[1]:g}"
    return SubElement(document, "path", d=path, stroke=colour, fill="none")


def _write(
    document: Element,
    words: str,
    x: float,
    y: float,
    colour: str,
    *,
    anchor: str = "start",
    size: int = _SIZE,
) -> None:
    place = {"x": f"{x:.2f}", "y": f"{y:g}", "text-anchor": anchor, "font-size": str(size)}
    SubElement(document, "text", place, fill=colour).text = words
