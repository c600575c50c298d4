"""A trace as lines of plain data, as they come to be.

The first line of a file says what the table began with. Every other one is an input with what came
of it; frames that show nothing new, and of which nothing came, share a line. What only one player
may see, and nothing else, stands in lines of its own, under `sealed`: whoever leaves those out has
stripped the trace. docs/commands.md lists all the fields.
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
"""The layout of the lines."""
MOST_ALIKE: Final = 100
"""So many frames share a line at most."""


@dataclass(frozen=True)
class Noted:
    """What came of an input."""

    step: Step
    due: float | None


class TraceLines:
    """Turns what a table is given, and what it answers, into lines; one game."""

    def __init__(self, beginning: Beginning, program: str, begun: str) -> None:
        """Begin a trace: `program` has written it, and `begun` says when, in UTC."""
        self._beginning = beginning
        self._program, self._begun = program, begun
        self._sum = OutcomeSum()
        self._given: Input | None = None
        """The input whose outcome is not known yet."""
        self._shown = BoardSeen(0.0, Image())
        """The latest frame."""
        self._alike: list[float] = []
        """The moments of the frames that share the line which is being written."""

    def header(self, after: str | None) -> list[Line]:
        """Return the first lines of a file; `after` names the file that it goes on from."""
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
        """Take an input. Of the one before it nothing was told if the table broke over it."""
        yield from self.broken()
        self._given = given

    def note(self, noted: Noted) -> Iterator[Line]:
        """Take what came of the input."""
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
        """Return the line that is not full yet, if there is one."""
        if self._alike:
            yield {"same": self._alike, "sum": str(self._sum)}
            self._alike = []

    def broken(self) -> Iterator[Line]:
        """Return the input over which the table broke, if it has."""
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
    """Return what only one player may see, if anything."""
    sealed: dict[str, Any] = {**write_secret(given)}
    if step and (told := write_private(step.events)):
        sealed["events"] = told
    if sealed:
        yield {"sealed": sealed}
