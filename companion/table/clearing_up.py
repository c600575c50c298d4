"""Cleanup: waits for the board after a combat, or after a take-back.

When the board shows the result, the next turn begins; losers may remain on the board for a little
longer.
"""

from typing import Final

from companion.table.events import ClearUp
from companion.table.proceedings import Proceedings
from companion.table.reader import Reader
from companion.table.sight import Sight
from companion.table.state import Clearing
from companion.table.tidying import TIDYING, Tidying, fought_over, stopover
from companion.table.transitions import Cause
from engine.board.geometry import Side
from engine.game.actions import AcceptBoard, Action, TakeBack
from engine.game.rulings import Ruling, refuses
from firmware_bridge.image import Difference, Image, compare

CLEARING_PATIENCE: Final = 0.2
"""Delay before the players are reminded of what is left to clear up, in seconds."""
CLEARED: Final = 0.1
"""Time for which the result of a combat has to be on the board, in seconds."""


class ClearingUp:
    """Makes sure that the board shows the referee's position before the game goes on."""

    def __init__(self, proceedings: Proceedings, sight: Sight, reader: Reader) -> None:
        """Create the cleanup of a game's board."""
        self.tidying: Tidying | None = None
        """The combat that has just been cleared up, while its losers may remain on the board."""
        self.due: float | None = None
        """Deadline from which they may not."""
        self._proceedings = proceedings
        self._referee = proceedings.referee
        self._sight = sight
        self._reader = reader
        proceedings.listen(self._take_answer)

    def watch(self, seen: Image) -> None:
        """Report what still has to be done on the board; if nothing has, go on with the game."""
        difference = compare(seen, self._proceedings.expected)
        if self._has_to_wait(difference):
            if self._sight.is_news(CLEARING_PATIENCE):
                state = self._proceedings.state
                reveal = {"reveal": state.reveal} if isinstance(state, Clearing) else {}
                self._proceedings.go(Cause.DIFFERS, difference=difference, **reveal)
                self._proceedings.tell(ClearUp(difference, self._proceedings.expected))
        elif self._sight.has_stood(CLEARED):
            self._begin_tidying()
            self._proceedings.go(Cause.CLEARED, is_off=bool(self._proceedings.state.difference))

    def let_pass(self) -> None:
        """Check whether the time for which losers may remain is over."""
        if self.due is not None and self._proceedings.at >= self.due:
            self._end_tidying()

    def _has_to_wait(self, difference: Difference) -> bool:
        """Whether the squares of the combat, or without one the whole board, differ."""
        if isinstance(self._proceedings.state, Clearing):
            differs = difference.missing | difference.surplus
            return bool(differs & fought_over(self._referee))
        return bool(difference)

    def _begin_tidying(self) -> None:
        state, combat = self._proceedings.state, self._referee.position.last_combat
        if combat is None or not isinstance(state, Clearing):
            return
        sources = 1 << combat.source | stopover(self._referee)
        self.tidying = Tidying(combat.target, sources, combat.side, combat.winner)
        self.due = self._proceedings.at + TIDYING
        sees_colours = self._sight.sees_colours
        self._reader.in_clearing = 0 if sees_colours else fought_over(self._referee)
        self._reader.losers = frozenset(side for side in Side if side is not combat.winner)
        self._reader.cleared_at = self._proceedings.at

    def _end_tidying(self) -> None:
        self.tidying = self.due = None
        self._reader.in_clearing = 0
        self._reader.losers = frozenset()

    def _take_answer(self, action: Action, rulings: tuple[Ruling, ...]) -> None:
        if isinstance(action, TakeBack | AcceptBoard) and not refuses(rulings):
            self._end_tidying()
