"""Somebody who keeps what reaches a table and what comes of it, and changes nothing."""

from typing import Protocol

from companion.table.inputs import Input
from companion.table.table import Step


class Witness(Protocol):
    """Is told of every input twice: before the table takes it, and what has come of it."""

    def hear(self, given: Input) -> None:
        """Take note of an input. If the table breaks over it, nothing more is told of it."""

    def note(self, step: Step, due: float | None) -> None:
        """Take note of what came of the latest input, and of when the table wants to be woken."""
