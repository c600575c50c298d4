"""The parameters of a table: the same parameters and inputs give the same outputs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.table.saved_state import BLANK, SavedState
from engine.game.actions import Action
from engine.game.clocks import NO_CLOCK, ClockState, TimeControl
from engine.rules.editions import Edition

if TYPE_CHECKING:
    from companion.table.table import Table


@dataclass(frozen=True)
class Beginning:
    """A new game, or a game to be resumed."""

    edition: Edition
    seed: int
    control: TimeControl = NO_CLOCK
    actions: tuple[Action, ...] = ()
    clock: ClockState | None = None
    saved: SavedState = BLANK

    def table(self) -> "Table":
        """Return a table for this game; OutOfPhaseError if the actions are not a valid game."""
        from companion.table.table import Table  # noqa: PLC0415 (viewing games does not need it)

        return Table(
            self.edition,
            self.seed,
            self.actions,
            control=self.control,
            clock=self.clock,
            saved=self.saved,
        )
