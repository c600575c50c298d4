"""Monitoring of the board while a declaration, an answer or a decision is awaited.

The pieces concerned may be anywhere in that time; the others should stay where they are.
"""

from typing import Final

from companion.table.clearing_up import CLEARED
from companion.table.events import BoardDiffers, Restored
from companion.table.proceedings import Proceedings
from companion.table.sight import Sight
from companion.table.state import NO_DIFFERENCE
from companion.table.tidying import may_be_fought, stopover
from companion.table.transitions import Cause
from engine.board.geometry import set_of
from firmware_bridge.image import Difference, Image, compare

CONVERSATION_PATIENCE: Final = 0.8
"""Time for which a board has to be disturbed while ranks are declared, before that is reported, in
seconds."""


class TalkWatch:
    """Watches the board during a declaration, a dispute, a guess or a standstill."""

    def __init__(self, proceedings: Proceedings, sight: Sight) -> None:
        """Create the monitoring of a game's board."""
        self._proceedings = proceedings
        self._referee = proceedings.referee
        self._sight = sight

    def watch(self, seen: Image) -> None:
        """Report a disturbance, once it has lasted for long enough.

        A lifted piece is being looked at and does not count; only a piece on a wrong square does.
        """
        difference = self._disturbance(seen)
        if not difference.surplus:
            difference = NO_DIFFERENCE
        if not self._sight.is_news(CONVERSATION_PATIENCE if difference else CLEARED):
            return
        if difference:
            self._proceedings.tell(BoardDiffers(difference, self._proceedings.expected))
        elif self._proceedings.state.difference:
            self._proceedings.tell(Restored())
        self._proceedings.go(Cause.DIFFERS, difference=difference)

    def _disturbance(self, seen: Image) -> Difference:
        """Return the difference from the board before an attack or infiltration was opened.

        Its pieces may be anywhere. While a side is asked whether it can move, all pieces must stay.
        """
        expected = self._proceedings.expected
        difference = compare(seen, expected)
        if opened := self._referee.open_attack or self._referee.open_guess:
            squares = set_of((opened.source, opened.target)) | stopover(self._referee)
            if may_be_fought(squares, difference, seen, expected):
                return NO_DIFFERENCE
            return Difference(difference.missing & ~squares, difference.surplus & ~squares)
        return difference
