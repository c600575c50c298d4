"""Recovery of the board: the pieces to remove and to place, square by square.

The instructions are printed when a piece is misplaced after a violation, a knock or a combat.
Corrected squares are not repeated, and the end of the recovery is announced.
"""

from typing import Final

from companion.speech.announcer import Announcer
from companion.speech.language import N_
from companion.table import Table
from companion.table.state import NO_DIFFERENCE
from companion.terminal.board_picture import draw_board
from companion.terminal.printer import Printer
from firmware_bridge.image import Difference

_STEPS: Final = 6
"""Maximum number of squares that are named; the picture shows them all."""


class Guide:
    """Prints the remaining corrections whenever they change."""

    def __init__(self, table: Table, announcer: Announcer, printer: Printer) -> None:
        """Guide the players of a game."""
        self._table = table
        self._announcer = announcer
        self._printer = printer
        self._told = NO_DIFFERENCE

    def look(self) -> None:
        """Print the remaining corrections, unless they have been printed already."""
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
    """Whether there are corrections that were not needed before."""
    return bool(now.missing & ~told.missing | now.surplus & ~told.surplus)
