"""A trace without what only one player may see, so that it can be given away."""

from pathlib import Path

from companion.recorder.trace_reader import as_trace, pack, read_lines


def strip(path: Path) -> bytes:
    """Return a trace file without its secrets; TraceError or OSError if it cannot be read.

    A rank that a combat has shown is no secret any more: it stays where that is told.
    """
    head, *rest = read_lines(path)
    as_trace(path, [head, *rest])  # what cannot be understood might hide a rank
    lines = [{**head, "stripped": True}, *(line for line in rest if "sealed" not in line)]
    return pack(lines)
