"""Encoder for the lines of a trace, as plain data.

The first line of a file has the initial state of the table. Every other line is an input with its
outcome; frames that show no change, and have no outcome, share a line. Private information, and
nothing else, is in lines of its own, under `sealed`: a trace is redacted by removing those lines.
docs/commands.md lists all the fields.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from companion.recorder.beginning import write_actions, write_beginning
from companion.recorder.given_lines import write_given, write_secret
from companion.recorder.outcome_sum import (
    OutcomeSum,
    write_actions_told,
    write_private,
    write_public,
)
from companion.recorder.public_ranks import tell_publicly
from companion.table import Step
from companion.table.beginning import Beginning
from companion.table.inputs import BoardSeen, Input
from companion.table.process.board_text import write_board
from companion.table.process.finer import write_faint
from firmware_bridge.image import Image

Line: TypeAlias = Mapping[str, Any]
FORMAT: Final = 1
"""Version of the line format."""
MOST_ALIKE: Final = 100
"""Maximum number of frames that share a line."""


@dataclass(frozen=True)
class Noted:
    """Outcome of an input."""

    step: Step
    due: float | None


class TraceLines:
    """Encodes the inputs and outcomes of a table as lines, for one game."""

    def __init__(self, beginning: Beginning, program: str, begun: str) -> None:
        """Start a trace; `program` is the version that writes it, `begun` the start time in UTC."""
        self._beginning = beginning
        self._program, self._begun = program, begun
        self._sum = OutcomeSum()
        self._given: Input | None = None
        """The input whose outcome is pending."""
        self._shown = BoardSeen(0.0, Image())
        """The latest frame."""
        self._alike: list[float] = []
        """Times of the frames that share the line under construction."""

    def header(self, after: str | None) -> list[Line]:
        """Return the first lines of a file; `after` is the name of the file that it continues."""
        actions = self._beginning.actions
        told = tell_publicly(self._beginning.edition, actions)
        head = {
            "trace": FORMAT,
            "program": self._program,
            "begun": self._begun,
            "after": after,
            "stripped": False,
            "board": write_board(self._shown.image),
            **write_faint(self._shown.faint),
            "game": write_beginning(self._beginning),
            "actions": told,
        }
        whole = write_actions(actions)
        return [head] if told == whole else [head, {"sealed": {"actions": whole}}]

    def hear(self, given: Input) -> Iterator[Line]:
        """Take an input; yield the one before if it has no outcome, as the table broke over it."""
        yield from self.broken()
        self._given = given

    def note(self, noted: Noted) -> Iterator[Line]:
        """Take the outcome of the input; yield finished lines."""
        given, self._given = self._given, None
        assert given, "nothing comes of nothing"
        is_alike = isinstance(given, BoardSeen) and given == replace(self._shown, at=given.at)
        if not is_alike or noted.step.actions or noted.step.events:
            yield from self.rest()
            yield from self._write(given, noted)
            return
        self._sum.take(given, noted.step, noted.due)
        self._alike.append(given.at)
        if len(self._alike) == MOST_ALIKE:
            yield from self.rest()

    def rest(self) -> Iterator[Line]:
        """Yield the unfinished line of shared frames, if there is one."""
        if self._alike:
            yield {"same": self._alike, "sum": str(self._sum)}
            self._alike = []

    def broken(self) -> Iterator[Line]:
        """Yield the input for which the table raised an exception, if there is one."""
        if self._given:
            yield from self.rest()
            yield write_given(self._given, self._shown.image)
            yield from _seal(self._given, None)
            self._given = None

    def _write(self, given: Input, noted: Noted) -> Iterator[Line]:
        self._sum.take(given, noted.step, noted.due)
        line = write_given(given, self._shown.image)
        if noted.step.actions:
            line["actions"] = write_actions_told(noted.step)
        if told := write_public(noted.step.events):
            line["events"] = told
        line["sum"] = str(self._sum)
        yield line
        yield from _seal(given, noted.step)
        if isinstance(given, BoardSeen):
            self._shown = replace(given, moments=())


def _seal(given: Input, step: Step | None) -> Iterator[Line]:
    """Yield the line with the private part, if there is any."""
    sealed: dict[str, Any] = {**write_secret(given)}
    if step and (told := write_private(step.events)):
        sealed["events"] = told
    if sealed:
        yield {"sealed": sealed}
