"""Observer of a table's games, with the inputs and outcomes of each."""

from typing import Protocol

from companion.table.beginning import Beginning
from companion.table.witness import Witness


class Keeper(Witness, Protocol):
    """Observer of a table's games, such as the flight recorder.

    The outcome of an input is neither saved nor published yet when it is noted.
    """

    def begin(self, beginning: Beginning) -> None:
        """A game is started or resumed."""
