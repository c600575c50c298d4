"""Boomboard's own files: whole games as they were refereed, in JSON.

The layout is described in docs/records.md. What was ruled on every action stands in the file for
those who read it without us. When we read it, the rulings are derived anew and must be the same.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from reprlib import repr as short  # a hostile file may write millions of characters anywhere
from typing import Any, Final

from engine.actions import Action
from engine.notation import (
    read_action,
    read_control,
    read_edition,
    read_rank,
    write_action,
    write_control,
    write_edition,
    write_rank,
)
from engine.ranks import Rank
from engine.record import RecordError
from engine.rules import Fault
from engine.rulings import Ruling
from engine.squares import Square, name, names, square
from engine.transcript import Transcript, TranscriptError, transcribe

FORMAT: Final = "boomboard-game"
VERSION: Final = 1
_KEYS: Final = ("format", "version", "begun", "edition", "time_control", "ranks", "actions")


def write_transcript(transcript: Transcript) -> str:
    """Return a transcript as JSON text. Declared ranks are in it: it is for after the game."""
    outcome = transcript.outcome
    plain = {
        "format": FORMAT,
        "version": VERSION,
        "begun": transcript.begun,
        "edition": write_edition(transcript.edition),
        "time_control": write_control(transcript.control),
        "ranks": {name(p): write_rank(rank) for p, rank in sorted(transcript.ranks.items())},
        "actions": [
            {
                "at": entry.at,
                **write_action(entry.action),
                "rulings": [*map(_write_ruling, entry.rulings)],
            }
            for entry in transcript.entries
        ],
        "outcome": _write_ruling(outcome) if outcome else None,
    }
    return json.dumps(plain, indent=1) + "\n"


def read_transcript(data: bytes) -> Transcript:
    """Read a transcript; RecordError if it is damaged, of a newer version or something else."""
    plain = _load(data)
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise RecordError(f"this JSON is no game: its “format” is not {FORMAT!r}")
    if plain.get("version") != VERSION:
        version = short(plain.get("version"))
        raise RecordError(f"the file has version {version}; this program reads {VERSION}")
    for key in _KEYS:
        if key not in plain:
            raise RecordError(f"{key!r} is missing")
    written = plain["actions"]
    if not isinstance(written, list):
        raise RecordError("“actions” is no list")
    try:
        transcript = transcribe(
            read_edition(_mapping(plain, "edition")),
            list(_read_actions(written)),
            read_control(_mapping(plain, "time_control")),
            str(plain["begun"]),
            _read_ranks(_mapping(plain, "ranks")),
        )
    except (TranscriptError, TypeError) as error:
        raise RecordError(str(error)) from error
    _check_rulings(transcript, written)
    return transcript


def _load(data: bytes) -> Any:
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        raise RecordError(f"this is not well-formed JSON ({error.msg})", error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this JSON cannot be read ({short(str(error))})") from error


def _mapping(plain: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    if not isinstance(plain[key], dict):
        raise RecordError(f"{key!r} is no object")
    return plain[key]  # type: ignore[no-any-return]


def _read_actions(written: list[Any]) -> Iterator[tuple[float, Action]]:
    for number, entry in enumerate(written, start=1):
        if not isinstance(entry, dict) or not isinstance(entry.get("rulings"), list):
            raise RecordError(f"action {number} is no object with “rulings”")
        at = entry.get("at")
        if isinstance(at, bool) or not isinstance(at, int | float) or not math.isfinite(at):
            raise RecordError(f"action {number} has no time “at” in seconds")
        try:
            yield at, read_action({k: v for k, v in entry.items() if k not in ("at", "rulings")})
        except ValueError as error:
            raise RecordError(f"action {number}: {error}") from error


def _read_ranks(written: Mapping[str, Any]) -> dict[Square, Rank]:
    ranks = {}
    for place, rank in written.items():
        try:
            ranks[square(place)] = read_rank(rank)
        except (ValueError, KeyError, AttributeError):
            raise RecordError(f"{short(rank)} on {short(place)} is no rank on a square") from None
    return ranks


def _check_rulings(transcript: Transcript, written: list[Any]) -> None:
    for number, (entry, told) in enumerate(zip(transcript.entries, written, strict=True), start=1):
        if [*map(_write_ruling, entry.rulings)] != told["rulings"]:
            raise RecordError(f"the rulings on action {number} are not what the rules say")


def _write_ruling(ruling: Ruling) -> dict[str, Any]:
    return {"ruling": _kebab(type(ruling).__name__), **_write_fields(ruling)}


def _write_fields(thing: Any) -> dict[str, Any]:
    return {
        field.name: _write_value(field.name, getattr(thing, field.name)) for field in fields(thing)
    }


def _write_value(key: str, value: Any) -> Any:
    """Write one value of a ruling: squares, ranks and all that has a name by its name."""
    match value:
        case Rank():
            return write_rank(value)
        case Fault():
            return value.name.lower().replace("_", "-")
        case Enum():
            return value.value
        case bool() | None | str():
            return value
        case int():
            return _write_number(key, value)
        case tuple():
            return [_write_value("", each) for each in value]
    assert is_dataclass(value)
    return _write_fields(value)


def _write_number(key: str, number: int) -> Any:
    if key in ("source", "target", "square"):
        return name(number)
    return names(number) if key == "squares" else number


def _kebab(title: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in title).lstrip("-")
