"""What every square has shown over time, and what the table decided meanwhile."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.recorder.decision_kinds import OF_EVENTS, DecisionKind
from companion.recorder.trace_reader import Note, Trace
from companion.table.inputs import BoardFound, BoardLost, BoardSeen
from engine.squares import ALL, Square, squares_in
from firmware_bridge.image import Image, Sensed


@dataclass(frozen=True)
class Bar:
    """A square has shown one thing from one moment to another, in seconds of the trace."""

    begin: float
    end: float
    shows: Sensed


@dataclass(frozen=True)
class Mark:
    """The table has decided something."""

    at: float
    kind: DecisionKind
    text: str


@dataclass(frozen=True)
class Timeline:
    """A span of a trace; moments count from the beginning of the trace."""

    begin: float
    end: float
    squares: Mapping[Square, tuple[Bar, ...]]
    """Those that have changed, or that were asked for, from k10 down to a1."""
    marks: tuple[Mark, ...]
    dark: tuple[tuple[float, float], ...]
    """When there was no board to read."""


def timeline(
    trace: Trace, begin: float | None, end: float | None, squares: Iterable[Square] | None
) -> Timeline:
    """Return what happened in a span; by default, all of it, on the squares that changed."""
    first = 0.0 if begin is None else begin
    last = trace.length if end is None else end
    shown = {square: tuple(bars) for square, bars in _bars(trace, first, last).items()}
    wanted = [s for s, bars in shown.items() if len(bars) > 1] if squares is None else squares
    rows = {square: shown[square] for square in sorted(wanted, reverse=True)}
    marks = (
        Mark(note.given.at - trace.start, *mark)
        for note in trace.notes
        if first <= note.given.at - trace.start <= last
        for mark in _marks(note)
    )
    return Timeline(first, last, rows, tuple(marks), tuple(_dark(trace, first, last)))


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
        if at > begin and not is_first:  # what stood before anybody looked has not changed
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


def _marks(note: Note) -> Iterator[tuple[DecisionKind, str]]:
    for action in note.actions:
        yield DecisionKind.ACCEPTED, action_text(action)
    for event in note.events:
        kind = OF_EVENTS.get(event["event"])
        if kind:
            yield kind, event_text(event)


def action_text(plain: Mapping[str, Any]) -> str:
    """Return an action that was accepted in a word or two: ``e4-e5``, ``declare red``."""
    if "source" in plain:
        joint = "x" if plain["do"] == "attack" else "-"
        way = f"{plain['source']}{joint}{plain['target']}"
        return way if plain["do"] in ("move", "attack") else f"{plain['do']} {way}"
    rest = [plain[key] for key in ("side", "square", "mistake") if key in plain]
    if plain["do"] == "place-armies":
        rest = []
    return " ".join([plain["do"], *rest])


def event_text(plain: Mapping[str, Any]) -> str:
    """Return a decision that was told in a word or two: ``course-asked e4-e5 or e4-e6``."""
    told = plain["event"]
    if told == "violation":
        return f"{plain['fault']} {' '.join(plain['squares'])}"
    if "source" in plain:
        return f"{told} {plain['source']}x{plain['target']}"
    ways = plain.get("courses") or plain.get("attacks")
    if ways:
        return f"{told} {' or '.join(ways)}"
    if "difference" in plain:
        off = dict.fromkeys(plain["difference"]["missing"] + plain["difference"]["surplus"])
        return f"{told} {' '.join(off)}"
    return " ".join([told, *(plain[key] for key in ("side", "awaited", "square") if key in plain)])
