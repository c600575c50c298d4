"""Running hash over a table's inputs and outcomes, to compare two runs.

Private information is left out: a hash over a public text and one of twelve ranks would reveal the
rank to an attacker who tries all twelve ranks.
"""

import hashlib
import json
from typing import Any, Final

from companion.codec import to_plain
from companion.core.events import Event, write_event
from companion.core.game_context import Step
from companion.core.inputs import BoardSeen, Input
from companion.jsonl.requests import write_details
from companion.jsonl.responses import write_accepted
from companion.recorder.input_codec import encode_input
from engine.board.visibility import Private
from engine.records.serialization import write_clock
from firmware_bridge.image import Image

_DIGITS: Final = 16


class StepHash:
    """Running hash of all inputs and outcomes, including every bit of every time."""

    def __init__(self) -> None:
        """Start with the empty hash."""
        self._hash = hashlib.sha256()

    def take(self, given: Input, step: Step, due: float | None) -> None:
        """Add an input and the public part of its outcome."""
        told = [
            _write_given(given),
            due,
            write_clock(step.clock),
            to_plain(step.saved),
            write_actions(step),
            write_public(step.events),
        ]
        self._hash.update(json.dumps(told, sort_keys=True).encode())

    def __str__(self) -> str:
        return self._hash.hexdigest()[:_DIGITS]


def _write_given(given: Input) -> Any:
    """Encode the public part of an input; frames are encoded as numbers because there are many."""
    if isinstance(given, BoardSeen):
        squares = given.at, given.image.red, given.image.blue, given.image.unknown
        finer = write_details(given.moments, given.faint)
        return (*squares, finer) if finer else squares
    return encode_input(given, Image())


def write_actions(step: Step) -> list[dict[str, Any]]:
    """Encode the public part of the accepted actions."""
    return [write_accepted(action) for action in step.actions]


def write_public(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    """Encode the public events."""
    return [write_event(event) for event in events if not isinstance(event, Private)]


def write_private(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    """Encode the private events."""
    return [write_event(event) for event in events if isinstance(event, Private)]
