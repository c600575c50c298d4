"""What a table is given and what comes of it, passed on to whoever keeps it."""

from typing import Protocol

from companion.table import Step
from companion.table.beginning import Beginning
from companion.table.inputs import Input


class Keeper(Protocol):
    """Keeps what a table is given and what comes of it, as the flight recorder does."""

    def begin(self, beginning: Beginning) -> None:
        """A game begins, or is taken up."""

    def hear(self, given: Input) -> None:
        """The table is given an input."""

    def note(self, step: Step, due: float | None) -> None:
        """That is what came of the latest input; nothing of it is saved or told yet."""
