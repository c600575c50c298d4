"""The files of a trace: lines of JSON, compressed with gzip, in a folder that does not grow.

What is written at a time is a gzip member by itself, with its own checksum, and any program that
reads gzip reads all members as one. So a pulled plug costs the last member at most, and a damaged
one is told from one that was cut off. A file that is full is followed by another; when there are
too many files, the oldest goes.
"""

import gzip
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.recorder.trace_lines import Line, TraceLines

MEBIBYTE: Final = 2**20
SUFFIX: Final = ".jsonl.gz"
MUCH: Final = 1000
"""So many lines are written at once, however soon they have come."""
_NAME: Final = re.compile(rf"trace-(\d{{6}}){re.escape(SUFFIX)}")
_OWNER_ONLY: Final = 0o600
"""Declared ranks are in it."""
_FASTEST: Final = 5
"""How hard gzip tries: little is gained beyond."""


@dataclass(frozen=True)
class Bounds:
    """How much is kept."""

    bytes_a_file: int = 8 * MEBIBYTE
    """When a file has grown to so many, the next one begins."""
    files: int = 16


class TraceFiles:
    """Writes the lines of one game into a folder. OSError where the disk does not take them."""

    def __init__(self, folder: Path, bounds: Bounds, lines: TraceLines) -> None:
        """Make the first file. The oldest file goes if there are too many."""
        self._folder, self._bounds, self._lines = folder, bounds, lines
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = folder
        """The file that is being written."""
        self._waiting: list[Line] = []
        self._bytes = 0
        self._open(None)

    @property
    def is_much(self) -> bool:
        """Whether so many lines wait that they are to be written at once."""
        return len(self._waiting) >= MUCH

    def add(self, lines: Iterable[Line]) -> None:
        """Take lines, to be written with the next `flush`."""
        self._waiting.extend(lines)

    def flush(self) -> None:
        """Put on disk what was taken; a pulled plug cannot take it away any more."""
        self.add(self._lines.rest())
        if not self._waiting:
            return
        self._write(_compress(self._waiting))
        self._waiting = []
        if self._bytes >= self._bounds.bytes_a_file:
            before = self.path
            self._end("full")
            self._open(before.name)  # nothing waits: its board is the one that is shown now

    def close(self) -> None:
        """Write the rest, and that there is no more."""
        self.add(self._lines.broken())
        self.flush()
        self._end("closed")

    def _end(self, why: str) -> None:
        self._write(_compress([{"end": why}]))
        self._file.close()

    def _open(self, after: str | None) -> None:
        names = sorted(path.name for path in self._folder.iterdir() if _NAME.fullmatch(path.name))
        for name in names[: max(0, len(names) + 1 - self._bounds.files)]:
            (self._folder / name).unlink(missing_ok=True)
        number = int(names[-1][len("trace-") : -len(SUFFIX)]) if names else 0
        while True:
            number += 1
            self.path = self._folder / f"trace-{number:06}{SUFFIX}"
            try:
                file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
                break
            except FileExistsError:  # somebody else records into this folder, too
                continue
        self._file = os.fdopen(file, "wb", buffering=0)
        self._bytes = 0
        self._write(_compress(self._lines.header(after)))

    def _write(self, member: bytes) -> None:
        try:
            self._file.write(member)
            os.fsync(self._file.fileno())
        except OSError:
            self._file.close()  # nothing more will come
            raise
        self._bytes += len(member)


def _compress(lines: Sequence[Line]) -> bytes:
    text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)
    return gzip.compress(text.encode(), _FASTEST, mtime=0)
