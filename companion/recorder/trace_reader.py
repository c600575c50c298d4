"""Decodes trace files, and combines continuation files into one trace that starts with the game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from companion.codec import Named, checked, fields_of, from_plain
from companion.core.game_options import GameOptions
from companion.core.inputs import BoardSeen
from companion.recorder import trace_files
from companion.recorder.input_codec import OUTCOME, Given, Moment, Sealed, read_given
from engine.board.geometry import SquareSet
from firmware_bridge.image import Image

MOST_NOTES: Final = 800_000
"""Maximum number of inputs read from one file. There can be more inputs than lines, because equal
frames share a line. A board takes four hours to send this many frames."""


@dataclass(frozen=True, slots=True)
class Note:
    """An input and the recorded part of its outcome."""

    given: Given
    actions: Sequence[Mapping[str, Any]] = ()
    events: Sequence[Mapping[str, Any]] = ()
    private: Sequence[Mapping[str, Any]] = ()
    """The private events. Empty in a redacted trace."""
    sum: str | None = None
    """Hash of all inputs and outcomes so far. If several frames share a line, only the last frame
    has a hash."""
    is_answered: bool = True
    """False if the table raised an exception for the input."""


@dataclass(frozen=True)
class Trace:
    """A table's inputs, from the start of the game or of a continuation file."""

    path: Path
    program: str
    begun: str
    after: str | None
    """Name of the file that this file continues, or None for the first file."""
    is_stripped: bool
    shown: Image
    """The board's image before the first input."""
    game: trace_files.RecordedStart
    actions: Sequence[Mapping[str, Any]]
    """Actions replayed to resume the game. In a redacted trace, some actions have no rank."""
    notes: Sequence[Note]
    end: str | None
    """Reason for the end, or None if the trace was truncated."""

    @property
    def start(self) -> float:
        """Time of the first input."""
        return self.notes[0].given.at if self.notes else 0.0

    @property
    def length(self) -> float:
        """Duration in seconds."""
        return max((note.given.at for note in self.notes), default=self.start) - self.start

    def damage_at(self, note: Note) -> trace_files.TraceError:
        """Return the error for an input with a malformed outcome."""
        after = note.given.at - self.start
        return trace_files.TraceError(
            f"{self.path} is damaged after second {after:.1f}; use another copy of it."
        )

    @property
    def has_all_ranks(self) -> bool:
        """Whether the trace can be replayed without placeholder ranks."""
        return not self._lacks_ranks_at_beginning and not any(
            isinstance(note.given, Sealed) for note in self.notes
        )

    @property
    def _lacks_ranks_at_beginning(self) -> bool:
        return any("sealed" in action for action in self.actions)

    def beginning(self) -> GameOptions:
        """Return the table's initial state. Raise TraceError if the file lacks it."""
        if self._lacks_ranks_at_beginning:
            raise trace_files.TraceError(
                f"{self.path} continues a game whose ranks were redacted, so it cannot be "
                "replayed; “boomboard trace show” can still draw it."
            )
        try:
            beginning = self.game.with_actions(self.actions)
        except ValueError as error:
            raise trace_files.malformed(self.path, 1) from error
        if self.is_stripped and beginning.edition.sealed_armies:
            raise trace_files.TraceError(
                f"{self.path} records a game with sealed armies, and the openings of the seals "
                "were redacted, so it cannot be replayed; “boomboard trace show” can still draw it."
            )
        return beginning


def read_trace(path: Path) -> Trace:
    """Read a trace from its start to the end of the given file.

    The earlier files of the trace must be in the same folder. Raise TraceError if the trace is
    malformed or incomplete, and OSError if a file cannot be opened.
    """
    trace = read_part(path)
    parts = [trace]
    while trace.after is not None:
        before = path.with_name(Path(trace.after).name)
        if before in {part.path for part in parts}:
            raise trace_files.malformed(trace.path, 1)
        try:
            trace = read_part(before)
        except FileNotFoundError as error:
            raise trace_files.TraceError(
                f"{trace.path} continues {before.name}, which is no longer in the same folder, so "
                "it cannot be replayed; “boomboard trace show” can still draw it."
            ) from error
        parts.append(trace)
    first, last = parts[-1], parts[0]
    notes = [note for part in reversed(parts) for note in part.notes]
    return Trace(
        path,
        first.program,
        first.begun,
        None,
        any(part.is_stripped for part in parts),
        first.shown,
        first.game,
        first.actions,
        notes,
        last.end,
    )


def read_part(path: Path) -> Trace:
    """Read a single file.

    Raise TraceError if the file is not a trace, and OSError if it cannot be opened.
    """
    return as_trace(path, trace_files.read_lines(path))


def as_trace(path: Path, lines: Iterable[Mapping[str, Any]]) -> Trace:
    """Decode the lines of one file."""
    number = 1
    try:
        rest = _with_sealed(lines)
        head: _Head = from_plain(next(rest), _Head)
        notes: list[Note] = []
        end = None
        latest = BoardSeen(0.0, head.board, faint=head.faint)
        for line in rest:
            number += 1
            if "end" in line:
                end = from_plain(line, _END).end
                continue
            for note in _notes(line, latest):
                notes.append(note)
                if len(notes) > MOST_NOTES:
                    raise trace_files.too_long(path)
                if isinstance(note.given, BoardSeen):
                    latest = replace(note.given, moments=())
        return Trace(
            path,
            head.program,
            head.begun,
            head.after,
            head.stripped,
            head.board,
            head.game,
            head.actions if head.sealed is None else head.sealed.actions,
            notes,
            end,
        )
    except ValueError as error:
        raise trace_files.malformed(path, number) from error


def _with_sealed(lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Merge each line of private data into the line before it."""
    whole: dict[str, Any] | None = None
    for line in lines:
        if whole is None:
            whole = dict(line)
        elif "sealed" in line:
            whole["sealed"] = line["sealed"]
        else:
            yield whole
            whole = dict(line)
    if whole is not None:
        yield whole


def _notes(line: Mapping[str, Any], latest: BoardSeen) -> Iterator[Note]:
    if "same" in line:
        same = from_plain(line, _SAME)
        *before, last = same.same
        for at in before:
            yield Note(BoardSeen(at, latest.image, faint=latest.faint))
        yield Note(replace(latest, at=last), sum=same.sum)
        return
    outcome: _Outcome = from_plain({key: line[key] for key in OUTCOME if key in line}, _Outcome)
    secret = dict(outcome.sealed)
    private = from_plain(secret.pop("events", []), _Objects, '"events"')
    yield Note(
        read_given(line, latest.image, secret),
        outcome.actions,
        outcome.events,
        private,
        outcome.sum,
        outcome.sum is not None,
    )


# The types of lines.

_Objects: TypeAlias = tuple[Mapping[str, Any], ...]
_OPTIONAL: Final = Named(omits_default=True)


@dataclass(frozen=True)
class _SealedHead:
    actions: _Objects


@dataclass(frozen=True)
class _Head:
    """The first line of a file, merged with its line of secrets."""

    trace: int
    program: str
    begun: str
    after: str | None
    stripped: bool
    board: Image
    game: trace_files.RecordedStart
    actions: _Objects
    faint: Annotated[SquareSet, _OPTIONAL] = 0
    sealed: Annotated[_SealedHead | None, _OPTIONAL] = None


@dataclass(frozen=True)
class _Outcome:
    actions: Annotated[_Objects, _OPTIONAL] = ()
    events: Annotated[_Objects, _OPTIONAL] = ()
    sum: Annotated[str | None, _OPTIONAL] = None
    sealed: Annotated[Mapping[str, Any], _OPTIONAL] = field(default_factory=dict)


_END: Final = fields_of(end=str)
"""The last line of a file."""
_SAME: Final = fields_of(
    same=Annotated[
        tuple[Moment, ...], checked(tuple[Moment, ...], bool, "a list of times in seconds")
    ],
    sum=str,
)
"""Frames that show no change."""
