"""Watching the board while something has to be said: a rank, an answer, who is right.

The pieces that it is about may be anywhere meanwhile; the others should stay where they are.
"""

from typing import Final

from companion.table.clearing_up import CLEARED
from companion.table.events import BoardDiffers, Restored
from companion.table.proceedings import Proceedings
from companion.table.sight import Sight
from companion.table.state import NO_DIFFERENCE
from companion.table.tidying import may_be_fought, stopover
from companion.table.transitions import Cause
from engine.squares import set_of
from firmware_bridge.difference import Difference, compare
from firmware_bridge.image import Image

CONVERSATION_PATIENCE: Final = 0.8
"""Seconds for which a board has to be disturbed while ranks are declared, before that is told."""


class TalkWatch:
    """Watches the board during a declaration, a dispute, a guess or a standstill."""

    def __init__(self, proceedings: Proceedings, sight: Sight) -> None:
        """Watch the board of a game."""
        self._proceedings = proceedings
        self._referee = proceedings.referee
        self._sight = sight

    def watch(self, seen: Image) -> None:
        """Report what is disturbed, once it has stood for long enough.

        A lifted piece is looked at and disturbs nobody; only one that stands elsewhere does.
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
        """Tell what stands otherwise than before an attack or infiltration was opened.

        Its pieces may be anywhere. While it is asked whether a side can move, all stay where they
        are.
        """
        expected = self._proceedings.expected
        difference = compare(seen, expected)
        if opened := self._referee.open_attack or self._referee.open_guess:
            squares = set_of((opened.source, opened.target)) | stopover(self._referee)
            if may_be_fought(squares, difference, seen, expected):
                return NO_DIFFERENCE
            return Difference(difference.missing & ~squares, difference.surplus & ~squares)
        return difference
