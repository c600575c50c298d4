"""Who stands beside a table and hears all that reaches it, and all that it answers."""

from typing import Protocol

from companion.table import Step
from companion.table.beginning import Beginning
from companion.table.inputs import Input


class Keeper(Protocol):
    """The flight recorder, or whoever else wants to know."""

    def begin(self, beginning: Beginning) -> None:
        """A game begins, or is taken up."""

    def hear(self, given: Input) -> None:
        """The table is given an input."""

    def note(self, step: Step, due: float | None) -> None:
        """That is what came of the latest input; nothing of it is saved or told yet."""
