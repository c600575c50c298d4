"""Image of every square over time, and the table's decisions at those times."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.recorder.decision_kinds import OF_EVENTS, DecisionKind
from companion.recorder.decision_text import action_text, event_text
from companion.recorder.trace_reader import Note, Trace
from companion.table.inputs import BoardFound, BoardLost, BoardSeen
from engine.board.geometry import ALL, Square, squares_in
from firmware_bridge.image import Image, Sensed


@dataclass(frozen=True)
class Bar:
    """A time span in which a square's image did not change, in seconds of the trace."""

    begin: float
    end: float
    shows: Sensed


@dataclass(frozen=True)
class Mark:
    """A decision of the table."""

    at: float
    kind: DecisionKind
    text: str


@dataclass(frozen=True)
class Timeline:
    """A section of a trace; times count from the start of the trace."""

    begin: float
    end: float
    squares: Mapping[Square, tuple[Bar, ...]]
    """Squares that have changed, or that were requested, from k10 down to a1."""
    marks: tuple[Mark, ...]
    dark: tuple[tuple[float, float], ...]
    """Time spans without a board."""


def timeline(
    trace: Trace, begin: float | None, end: float | None, squares: Iterable[Square] | None
) -> Timeline:
    """Return the events of a section; by default of the whole trace, with the squares that changed.

    TraceError if an event in it is malformed.
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
        if at > begin and not is_first:  # the first image is no change
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


def _marks(trace: Trace, begin: float, end: float) -> Iterator[Mark]:
    for note in trace.notes:
        at = note.given.at - trace.start
        if begin <= at <= end:
            try:
                told = tuple(_told(note))
            except (ValueError, TypeError, LookupError) as error:
                raise trace.damage_at(note) from error
            yield from (Mark(at, *each) for each in told)


def _told(note: Note) -> Iterator[tuple[DecisionKind, str]]:
    for action in note.actions:
        yield DecisionKind.ACCEPTED, action_text(action)
    for event in note.events:
        kind = OF_EVENTS.get(event["event"])
        if kind:
            yield kind, event_text(event)
