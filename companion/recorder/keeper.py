"""Observer of a table's inputs and outcomes."""

from typing import Protocol

from companion.table import Step
from companion.table.beginning import Beginning
from companion.table.inputs import Input


class Keeper(Protocol):
    """Observer of a table's inputs and outcomes, such as the flight recorder."""

    def begin(self, beginning: Beginning) -> None:
        """A game is started or resumed."""

    def hear(self, given: Input) -> None:
        """The table gets an input."""

    def note(self, step: Step, due: float | None) -> None:
        """The outcome of the latest input; it is neither saved nor published yet."""
