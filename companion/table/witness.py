"""Protocol of an observer that records the inputs and steps of a table, and changes nothing."""

from typing import Protocol

from companion.table.inputs import Input
from companion.table.table import Step


class Witness(Protocol):
    """Called twice for every input: before the table processes it, and with its result."""

    def hear(self, given: Input) -> None:
        """Record an input. If the table fails on it, no step follows."""

    def note(self, step: Step, due: float | None) -> None:
        """Record the result of the latest input, and the next deadline of the table."""
