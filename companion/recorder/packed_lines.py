"""The lines of a trace file: packed by gzip, member after member, a JSON object each.

A file that was cut off is read up to the last whole member. What is damaged is refused, with the
place: half a trace would tell of things that have not happened.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from companion.recorder.trace_lines import FORMAT

LARGEST: Final = 96 * 2**20
"""So many bytes of text are read of one file at most: the longest trace has two thirds of that."""
MOST_LINES: Final = 200_000
"""So many lines are read of one file at most; a file of 8 MB has half as many."""
LONGEST: Final = 2**20
"""Bytes of a line at most."""
CHUNK: Final = 2**16
"""So many bytes are unpacked at a time: what is no trace is known by its first lines."""
_GZIP: Final = b"\x1f\x8b"
_WITH_HEADER: Final = 16 + zlib.MAX_WBITS


class TraceError(Exception):
    """A file is no trace that can be used: one plain sentence that names it and the place."""


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Read the lines of one file, what is sealed in lines of its own. They are read as they go."""
    number = 0
    for number, text in enumerate(_split(path, _whole(path, path.read_bytes())), start=1):
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise malformed(path, number) from error
        if not isinstance(line, dict):
            raise malformed(path, number)
        if number == 1:
            _check_head(path, line)
        if number > MOST_LINES:
            raise too_long(path)
        yield line
    if not number:
        raise _foreign(path)


def _check_head(path: Path, head: Mapping[str, Any]) -> None:
    if "trace" not in head:
        raise _foreign(path)
    if head["trace"] != FORMAT:
        raise TraceError(
            f"{path} is a trace of another layout ({head['trace']}); read it with the "
            "Boomboard that has written it."
        )


def pack(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """Return lines as a file in one piece."""
    packed = BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        for line in lines:
            file.write(f"{json.dumps(line, separators=(',', ':'))}\n".encode())
    return packed.getvalue()


def _split(path: Path, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut a text into its lines."""
    number, rest = 0, b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        number += len(lines)
        if len(rest) > LONGEST:
            raise malformed(path, number + 1)
    if rest:
        yield rest


def _whole(path: Path, data: bytes) -> Iterator[bytes]:
    """Unpack a file up to a member that is cut off; nothing is given before all is checked."""
    size = whole = 0
    for text, ends in _unpack(path, data):
        size += len(text)
        whole = size if ends else whole
    for text, _ in _unpack(path, data):
        yield text[:whole]
        whole -= min(whole, len(text))


def _unpack(path: Path, data: bytes) -> Iterator[tuple[bytes, bool]]:
    """Unpack the members of a file a chunk at a time, and say which chunks end one."""
    if not data.startswith(_GZIP):
        raise _foreign(path)
    read, size = 0, 0
    while data:
        unpacker = zlib.decompressobj(_WITH_HEADER)
        packed = data
        while not unpacker.eof:
            try:
                text = unpacker.decompress(packed, CHUNK)
            except zlib.error as error:
                raise TraceError(
                    f"{path} is damaged after byte {read}; use another copy of it."
                ) from error
            if not text and not unpacker.eof:
                return
            packed = unpacker.unconsumed_tail
            size += len(text)
            if size > LARGEST:
                raise too_long(path)
            yield text, unpacker.eof
        read += len(data) - len(unpacker.unused_data)
        data = unpacker.unused_data


def _foreign(path: Path) -> TraceError:
    return TraceError(f"{path} is no trace of Boomboard; record one with --trace.")


def too_long(path: Path) -> TraceError:
    """Say that no trace is so long."""
    return TraceError(f"{path} unpacks to more than any trace; it is none.")


def malformed(path: Path, number: int) -> TraceError:
    """Say that a line, counted from 1, cannot be understood."""
    return TraceError(f"{path} is damaged in line {number}; use another copy of it.")
