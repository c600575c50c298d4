"""Decode a capture of the bytes on a board's serial line.

A capture holds the raw bytes from the board, to the board, or both, interleaved frame by frame.
Exit codes: 0: every frame is good (or cut off at the start or end of the capture); 1: some frames
are bad or lost; 2: a capture cannot be read or contains no frame.
"""

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any, Final

from companion.commands import CommandError
from companion.storage.records import STDIN, called, open_binary
from engine.board.geometry import SquareSet, name, squares_in
from firmware_bridge import wire
from firmware_bridge.capture import CaptureEntry, CaptureSummary, lines, read
from firmware_bridge.image import Image

CHUNK_BYTES: Final = 2**16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        default=[STDIN],
        metavar="FILE",
        help="a capture, or - for standard input (the default)",
    )
    parser.add_argument(
        "--all", action="store_true", help="also print STATE frames without a change"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print JSON lines: one object per frame, then a summary",
    )


def run(options: argparse.Namespace) -> int:
    worst = 0
    for path in options.files:
        if options.files[1:] and not options.json:
            print(f"{path}:")
        summary = _print(path, options)
        if not summary.frames:
            raise CommandError(
                f"{called(path)} contains no frames from a board; record a capture with “boomboard "
                "doctor --capture FILE”."
            )
        worst = max(worst, 0 if summary.is_clean else 1)
    return worst


def _print(path: Path, options: argparse.Namespace) -> CaptureSummary:
    summary = CaptureSummary()
    for line in _lines(path, summary, options):
        print(line)
    if summary.frames:
        print(json.dumps(_summary(path, summary)) if options.json else summary)
    return summary


def _lines(path: Path, summary: CaptureSummary, options: argparse.Namespace) -> Iterator[str]:
    entries = _tallied(read(_chunks(path)), summary)
    if not options.json:
        return lines(entries, fold=not options.all)
    return (json.dumps(_as_json(path, entry)) for entry in entries)


def _tallied(entries: Iterator[CaptureEntry], summary: CaptureSummary) -> Iterator[CaptureEntry]:
    for entry in entries:
        summary.take(entry)
        yield entry


def _chunks(path: Path) -> Iterator[bytes]:
    """Yield bytes as soon as they are available, so that data from a pipe is shown immediately."""
    try:
        with open_binary(path) as file:
            while chunk := file.read1(CHUNK_BYTES):
                yield chunk
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandError(
            f"{called(path)} cannot be read ({reason}); choose another file."
        ) from error


# Output for programs


def _as_json(path: Path, entry: CaptureEntry) -> dict[str, Any]:
    frame = entry.frame
    return {
        "file": str(path),
        "offset": frame.offset,
        "from": None if frame.kind is None else _sender(frame.kind),
        "type": None if frame.kind is None else _type_name(frame.kind),
        "number": frame.sequence,
        "lost": frame.lost,
        "flaw": entry.flaw.name.lower() if entry.flaw else None,
        "meaning": entry.meaning,
        "fields": None if isinstance(frame.content, wire.BadFrame) else _fields(frame.content),
        "bytes": frame.data.hex(" "),
    }


def _sender(kind: int) -> str:
    return "computer" if wire.is_from_host(kind) else "board"


def _type_name(kind: int) -> str:
    return wire.MessageType(kind).name if kind in set(wire.MessageType) else f"0x{kind:02X}"


def _fields(message: wire.BoardMessage | wire.HostCommand | wire.BoardSettings) -> dict[str, Any]:
    values = {field.name: getattr(message, field.name) for field in fields(message)}
    return {key: _plain(key, value) for key, value in values.items()}


def _plain(key: str, value: Any) -> Any:
    """Convert a message field to JSON types."""
    match key, value:
        case "image", Image():
            return {field.name: _names(getattr(value, field.name)) for field in fields(value)}
        case "squares" | "faint", int():
            return _names(value)
        case "changed", tuple():
            return {name(square): ago_ms for square, ago_ms in value}
        case "square", int():
            return name(value)
        case "calibration", int():
            return f"{value:04X}" if value else None
        case "build", int():
            return f"{value:08x}"
        case "settings", wire.BoardSettings():
            return _fields(value)
        case (("kind" | "geometry" | "on_per_cent" | "band_gap_mv"), 0):
            return None  # 0 leaves the setting unchanged
        case _, Mapping():
            return {each.name.lower(): _names(squares) for each, squares in value.items()}
        case _, wire.ResetCause():
            return [str(cause.name).lower() for cause in wire.ResetCause if cause & value]
        case _, Enum():
            return value.name.lower()
        case _, bytes():
            return value.hex(" ")
        case _:
            return value


def _names(squares: SquareSet) -> list[str]:
    return list(map(name, squares_in(squares)))


def _summary(path: Path, summary: CaptureSummary) -> dict[str, Any]:
    rate = summary.states_per_second
    return {
        "file": str(path),
        "frames": summary.frames,
        "bad": summary.bad,
        "lost": summary.lost,
        "cut": summary.cut,
        "states_per_second": None if rate is None else round(rate, 1),
    }
