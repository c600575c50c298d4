"""Trace files, read back; with those that they go on from, one game from its beginning."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.recorder.beginning import read_beginning
from companion.recorder.given_lines import Given, Sealed, read_faint, read_given, read_moment
from companion.recorder.packed_lines import TraceError, malformed, read_lines, too_long
from companion.table.beginning import Beginning
from companion.table.inputs import BoardSeen
from companion.table.process.board_text import read_board
from firmware_bridge.image import Image

MOST_NOTES: Final = 800_000
"""So many inputs are read of one file at most: frames that show the same share a line, and these
are four hours of them."""


@dataclass(frozen=True, slots=True)
class Note:
    """One input, and what came of it as far as that was kept."""

    given: Given
    actions: Sequence[Mapping[str, Any]] = ()
    events: Sequence[Mapping[str, Any]] = ()
    private: Sequence[Mapping[str, Any]] = ()
    """What was told to one player alone; nothing is left of it in a stripped trace."""
    sum: str | None = None
    """That of the table's outcomes up to here; of frames that share a line, the last has it."""
    is_answered: bool = True
    """False if the table broke over the input."""


@dataclass(frozen=True)
class Trace:
    """What a table was given, from its beginning or from the beginning of a later file."""

    path: Path
    program: str
    begun: str
    after: str | None
    """The file that this one goes on from, None if it has the beginning."""
    is_stripped: bool
    shown: Image
    """What the board showed before it."""
    game: Mapping[str, Any]
    actions: Sequence[Mapping[str, Any]]
    """Those with which the game was taken up; some without their rank if the trace is stripped."""
    notes: Sequence[Note]
    end: str | None
    """Why it ends, None if it was cut off."""

    @property
    def start(self) -> float:
        """The moment of the first input."""
        return self.notes[0].given.at if self.notes else 0.0

    @property
    def length(self) -> float:
        """For how many seconds it goes on."""
        return max((note.given.at for note in self.notes), default=self.start) - self.start

    def damage_at(self, note: Note) -> TraceError:
        """Say that what was told of an input cannot be understood."""
        after = note.given.at - self.start
        return TraceError(
            f"{self.path} is damaged after second {after:.1f}; use another copy of it."
        )

    @property
    def has_all_ranks(self) -> bool:
        """Whether nothing has to be put in the place of what was stripped."""
        return not self._lacks_ranks_at_beginning and not any(
            isinstance(note.given, Sealed) for note in self.notes
        )

    @property
    def _lacks_ranks_at_beginning(self) -> bool:
        return any("sealed" in action for action in self.actions)

    def beginning(self) -> Beginning:
        """Return what the table began with; TraceError if that is not in the file."""
        if self._lacks_ranks_at_beginning:
            raise TraceError(
                f"{self.path} takes up a game with ranks that were stripped from it, so it cannot "
                "be replayed; “boomboard trace show” draws it all the same."
            )
        try:
            beginning = read_beginning(self.game, self.actions)
        except (ValueError, TypeError, KeyError) as error:
            raise malformed(self.path, 1) from error
        if self.is_stripped and beginning.edition.sealed_armies:
            raise TraceError(
                f"{self.path} is of a game with sealed armies, and what opens the seals was "
                "stripped from it, so it cannot be replayed; “boomboard trace show” draws it all "
                "the same."
            )
        return beginning


def read_trace(path: Path) -> Trace:
    """Read a trace from its beginning on, over all files up to this one; TraceError if it cannot.

    What a file goes on from has to lie beside it.
    """
    trace = read_part(path)
    parts = [trace]
    while trace.after is not None:
        before = path.with_name(Path(trace.after).name)
        if before in {part.path for part in parts}:
            raise malformed(trace.path, 1)
        try:
            trace = read_part(before)
        except FileNotFoundError as error:
            raise TraceError(
                f"{trace.path} goes on from {before.name}, which is not beside it any more, so it "
                "cannot be replayed; “boomboard trace show” draws it all the same."
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
    """Read one file by itself; TraceError if it is no trace, OSError if it cannot be opened."""
    return as_trace(path, read_lines(path))


def as_trace(path: Path, lines: Iterable[Mapping[str, Any]]) -> Trace:
    """Understand the lines of one file."""
    number = 1
    try:
        rest = _with_sealed(lines)
        head = next(rest)
        sealed = head.get("sealed", {})
        shown = read_board(head["board"])
        notes: list[Note] = []
        end = None
        latest = BoardSeen(0.0, shown, faint=read_faint(head))
        for line in rest:
            number += 1
            if "end" in line:
                end = str(line["end"])
                continue
            for note in _notes(line, latest):
                notes.append(note)
                if len(notes) > MOST_NOTES:
                    raise too_long(path)
                if isinstance(note.given, BoardSeen):
                    latest = replace(note.given, moments=())
        return Trace(
            path,
            str(head["program"]),
            str(head["begun"]),
            head["after"],
            bool(head["stripped"]),
            shown,
            head["game"],
            sealed.get("actions", head["actions"]),
            notes,
            end,
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise malformed(path, number) from error


def _with_sealed(lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Put what is sealed to the line that it belongs to, the one before."""
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
        *before, last = map(read_moment, line["same"])
        for at in before:
            yield Note(BoardSeen(at, latest.image, faint=latest.faint))
        yield Note(replace(latest, at=last), sum=str(line["sum"]))
        return
    sealed = line.get("sealed", {})
    yield Note(
        read_given(line, latest.image, {key: sealed[key] for key in sealed if key != "events"}),
        _told(line.get("actions", [])),
        _told(line.get("events", [])),
        _told(sealed.get("events", [])),
        line.get("sum"),
        "sum" in line,
    )


def _told(written: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(written, list) or not all(isinstance(each, dict) for each in written):
        raise TypeError("what was told is a list of objects")
    return written
