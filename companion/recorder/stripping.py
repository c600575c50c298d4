"""Redaction of a trace: removes all private information, so that it can be published."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.recorder.packed_lines import pack, read_lines
from companion.recorder.trace_reader import as_trace


def strip(path: Path) -> bytes:
    """Return a trace file without its secrets; TraceError or OSError if it cannot be read.

    A rank that a combat has revealed is no secret any more: it stays in that combat's event.
    """
    as_trace(path, read_lines(path))  # a malformed line might hide a rank
    return pack(_public(read_lines(path)))


def _public(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    yield {**next(lines), "stripped": True}
    yield from (line for line in lines if "sealed" not in line)
