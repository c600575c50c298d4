"""Files of a trace: JSON lines, compressed with gzip, in a folder of limited size.

Each write is a gzip member of its own, with its own checksum; any program that reads gzip reads the
members as one stream. So a power cut costs at most the last member, and a damaged member can be
told from a truncated one. A full file is followed by another; when there are too many files, the
oldest is deleted.
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
"""Number of buffered lines that triggers a write at once, however soon they have come."""
_NAME: Final = re.compile(rf"trace-(\d{{6}}){re.escape(SUFFIX)}")
_OWNER_ONLY: Final = 0o600
"""File mode: only the owner may read, since the file contains declared ranks."""
_FASTEST: Final = 5
"""Compression level of gzip: higher ones gain little."""


@dataclass(frozen=True)
class Bounds:
    """Limits of the stored traces."""

    bytes_a_file: int = 8 * MEBIBYTE
    """File size at which the next file begins, in bytes."""
    files: int = 16


class TraceFiles:
    """Writes the lines of one game into a folder. OSError if the disk fails."""

    def __init__(self, folder: Path, bounds: Bounds, lines: TraceLines) -> None:
        """Create the first file. Deletes the oldest file if there are too many."""
        self._folder, self._bounds, self._lines = folder, bounds, lines
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = folder
        """The file being written."""
        self._waiting: list[Line] = []
        self._bytes = 0
        self._open(None)

    @property
    def is_much(self) -> bool:
        """Whether enough lines are buffered for a write at once."""
        return len(self._waiting) >= MUCH

    def add(self, lines: Iterable[Line]) -> None:
        """Buffer lines for the next `flush`."""
        self._waiting.extend(lines)

    def flush(self) -> None:
        """Write the buffered lines to disk, so that they survive a power cut."""
        self.add(self._lines.rest())
        if not self._waiting:
            return
        self._write(_compress(self._waiting))
        self._waiting = []
        if self._bytes >= self._bounds.bytes_a_file:
            before = self.path
            self._end("full")
            self._open(before.name)  # the buffer is empty, so the header has the present board

    def close(self) -> None:
        """Write the rest and the end mark."""
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
            except FileExistsError:  # another process records into this folder, too
                continue
        self._file = os.fdopen(file, "wb", buffering=0)
        self._bytes = 0
        self._write(_compress(self._lines.header(after)))

    def _write(self, member: bytes) -> None:
        try:
            self._file.write(member)
            os.fsync(self._file.fileno())
        except OSError:
            self._file.close()  # the trace has ended
            raise
        self._bytes += len(member)


def _compress(lines: Sequence[Line]) -> bytes:
    text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)
    return gzip.compress(text.encode(), _FASTEST, mtime=0)
