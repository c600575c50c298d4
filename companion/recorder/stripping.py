"""A trace without what only one player may see, so that it can be given away."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.recorder.packed_lines import pack, read_lines
from companion.recorder.trace_reader import as_trace


def strip(path: Path) -> bytes:
    """Return a trace file without its secrets; TraceError or OSError if it cannot be read.

    A rank that a combat has shown is no secret any more: it stays where that is told.
    """
    as_trace(path, read_lines(path))  # what cannot be understood might hide a rank
    return pack(_public(read_lines(path)))


def _public(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    yield {**next(lines), "stripped": True}
    yield from (line for line in lines if "sealed" not in line)
