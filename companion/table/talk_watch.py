"""Watching the board while something has to be said: a rank, an answer, who is right.

The pieces that it is about may be anywhere meanwhile; the others should stay where they are.
"""

from typing import Final

from companion.table.clearing_up import CLEARED
from companion.table.events import BoardDiffers, Restored
from companion.table.proceedings import Proceedings
from companion.table.sight import Sight
from companion.table.state import NO_DIFFERENCE, AttackOpen
from companion.table.steps import STOOD
from companion.table.tidying import may_be_fought, stopover
from companion.table.transitions import Cause
from engine.play.actions import WithdrawAttack
from engine.squares import set_of
from firmware_bridge.difference import Difference, compare
from firmware_bridge.image import Image

CONVERSATION_PATIENCE: Final = 0.8
"""Seconds for which a board has to be disturbed while ranks are declared, before that is told."""
LIFTED_PATIENCE: Final = 3.0
"""The same for pieces that are only taken up."""


class TalkWatch:
    """Watches the board during a declaration, a dispute, a guess or a standstill."""

    def __init__(self, proceedings: Proceedings, sight: Sight) -> None:
        """Watch the board of a game."""
        self._proceedings = proceedings
        self._referee = proceedings.referee
        self._sight = sight

    def watch(self, seen: Image, may_be_none_until: float | None) -> None:
        """Tell what is disturbed.

        An attack that was taken from the hands may turn out to be none until a moment.
        """
        may_be_none = may_be_none_until is not None and self._proceedings.at <= may_be_none_until
        if may_be_none and self._is_taken_elsewhere(seen):
            self._proceedings.attempt(WithdrawAttack())
            return
        difference = self._disturbance(seen)
        patience = CONVERSATION_PATIENCE if difference.surplus else LIFTED_PATIENCE
        if not self._sight.is_news(patience if difference else CLEARED):
            return
        if difference:
            self._proceedings.tell(BoardDiffers(difference, self._proceedings.expected))
        elif self._proceedings.state.difference:
            self._proceedings.tell(Restored())
        self._proceedings.go(Cause.DIFFERS, difference=difference)

    def _is_taken_elsewhere(self, seen: Image) -> bool:
        """Whether the attacker was only in the hand on its way to another square.

        A player who answers early lifts a piece at the same time, which looks like an attack.
        """
        opened = self._referee.open_attack
        if not isinstance(self._proceedings.state, AttackOpen) or not opened or opened.declared:
            return False
        difference = compare(seen, self._proceedings.expected)
        attacker = self._referee.position.board.side_at(opened.source)
        own = seen.of(attacker) if attacker else 0
        elsewhere = difference.surplus & own & ~(1 << opened.target)
        is_gone = bool(difference.missing >> opened.source & 1)
        return is_gone and bool(elsewhere) and self._sight.has_stood(STOOD)

    def _disturbance(self, seen: Image) -> Difference:
        """Tell what stands otherwise than before an attack or infiltration was opened.

        Its pieces may be anywhere. While it is asked whether a side can move, all stay where they
        are.
        """
        difference = compare(seen, self._proceedings.expected)
        if opened := self._referee.open_attack or self._referee.open_guess:
            squares = set_of((opened.source, opened.target)) | stopover(self._referee)
            if may_be_fought(squares, difference, seen):
                return NO_DIFFERENCE
            return Difference(difference.missing & ~squares, difference.surplus & ~squares)
        return difference
