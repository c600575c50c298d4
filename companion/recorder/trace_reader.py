"""Trace files, read back; with those that they go on from, one game from its beginning.

A file that was cut off is read up to the last whole member. What is damaged is refused, with the
place: half a trace would tell of things that have not happened.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.recorder.beginning import read_beginning
from companion.recorder.given_lines import Given, Sealed, read_faint, read_given, read_moment
from companion.recorder.trace_lines import FORMAT
from companion.table.beginning import Beginning
from companion.table.inputs import BoardSeen
from companion.table.process.board_text import read_board
from firmware_bridge.image import Image

LARGEST: Final = 256 * 2**20
"""So many bytes of text are read of one file at most: the longest trace has a quarter of that."""
_GZIP: Final = b"\x1f\x8b"
_WITH_HEADER: Final = 16 + zlib.MAX_WBITS


class TraceError(Exception):
    """A file is no trace that can be used: one plain sentence that names it and the place."""


@dataclass(frozen=True)
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
            return read_beginning(self.game, self.actions)
        except (ValueError, TypeError, KeyError) as error:
            raise _malformed(self.path, 1) from error


def read_trace(path: Path) -> Trace:
    """Read a trace from its beginning on, over all files up to this one; TraceError if it cannot.

    What a file goes on from has to lie beside it.
    """
    trace = read_part(path)
    parts = [trace]
    while trace.after is not None:
        before = path.with_name(Path(trace.after).name)
        if before in {part.path for part in parts}:
            raise _malformed(trace.path, 1)
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


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read the lines of one file, what is sealed in lines of its own."""
    lines: list[dict[str, Any]] = []
    for text in b"".join(_members(path, path.read_bytes())).splitlines():
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _malformed(path, len(lines) + 1) from error
        if not isinstance(line, dict):
            raise _malformed(path, len(lines) + 1)
        lines.append(line)
    if not lines or "trace" not in lines[0]:
        raise _foreign(path)
    if lines[0]["trace"] != FORMAT:
        raise TraceError(
            f"{path} is a trace of another layout ({lines[0]['trace']}); read it with the "
            "Boomboard that has written it."
        )
    return lines


def as_trace(path: Path, lines: Sequence[Mapping[str, Any]]) -> Trace:
    """Understand the lines of one file."""
    number = 1
    try:
        head, *rest = _with_sealed(lines)
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
        raise _malformed(path, number) from error


def _with_sealed(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Put what is sealed to the line that it belongs to, the one before."""
    whole: list[dict[str, Any]] = []
    for line in lines:
        if "sealed" in line:
            whole[-1]["sealed"] = line["sealed"]
        else:
            whole.append(dict(line))
    return whole


def _notes(line: Mapping[str, Any], latest: BoardSeen) -> Iterator[Note]:
    if "same" in line:
        *before, last = map(read_moment, line["same"])
        for at in before:
            yield Note(replace(latest, at=at))
        yield Note(replace(latest, at=last), sum=str(line["sum"]))
        return
    sealed = line.get("sealed", {})
    yield Note(
        read_given(line, latest.image, sealed.get("rank")),
        line.get("actions", ()),
        line.get("events", ()),
        sealed.get("events", ()),
        line.get("sum"),
        "sum" in line,
    )


def _members(path: Path, data: bytes) -> Iterator[bytes]:
    """Unpack the members of a file, up to one that is cut off."""
    if not data.startswith(_GZIP):
        raise _foreign(path)
    read, size = 0, 0
    while data:
        unpacker = zlib.decompressobj(_WITH_HEADER)
        try:
            text = unpacker.decompress(data, LARGEST - size)
        except zlib.error as error:
            raise TraceError(
                f"{path} is damaged after byte {read}; use another copy of it."
            ) from error
        if unpacker.unconsumed_tail:
            raise TraceError(f"{path} unpacks to more than any trace; it is none.")
        if not unpacker.eof:
            return
        yield text
        size += len(text)
        read += len(data) - len(unpacker.unused_data)
        data = unpacker.unused_data


def pack(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """Return lines as a file in one piece."""
    text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)
    return gzip.compress(text.encode(), mtime=0)


def _foreign(path: Path) -> TraceError:
    return TraceError(f"{path} is no trace of Boomboard; record one with --trace.")


def _malformed(path: Path, number: int) -> TraceError:
    return TraceError(f"{path} is damaged in line {number}; use another copy of it.")
