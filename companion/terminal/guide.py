"""The way back on the board: what has to be taken and what has to be set, square by square.

It is told when something stands wrongly, after a violation, a knock or a combat. Whatever has been
put right is told no more, and that all is right again is announced.
"""

from typing import Final

from companion.speech.announcer import Announcer
from companion.speech.language import N_
from companion.table import Table
from companion.table.state import NO_DIFFERENCE
from companion.terminal.board_picture import draw_board
from companion.terminal.printer import Printer
from firmware_bridge.difference import Difference

_STEPS: Final = 6
"""How many squares are named at once; the picture shows them all."""


class Guide:
    """Tells what is still to be done on the board whenever that changes."""

    def __init__(self, table: Table, announcer: Announcer, printer: Printer) -> None:
        """Guide the players of a game."""
        self._table = table
        self._announcer = announcer
        self._printer = printer
        self._told = NO_DIFFERENCE

    def look(self) -> None:
        """Tell what is still to be done, if it is not what was told last."""
        told, now = self._told, self._table.state.difference
        if now == told:
            return
        self._told = now
        if not now:
            return
        if _is_more(now, told):
            self._printer.show(draw_board(self._table, self._announcer.language))
            self._printer.say(N_("On the picture: > < has to be taken away, ( ) to be set there."))
        steps = self._announcer.board.guide(now, self._table.expected)
        for step in steps[:_STEPS]:
            self._printer.show(step)
        if len(steps) > _STEPS:
            more = N_("… and {count} more: see the picture.")
            self._printer.say(more, count=len(steps) - _STEPS)


def _is_more(now: Difference, told: Difference) -> bool:
    """Whether something has to be put right that was not wrong before."""
    return bool(now.missing & ~told.missing | now.surplus & ~told.surplus)
