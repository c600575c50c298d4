"""The lamps at the board's edges: where to look, so that no eye has to leave the board.

A screen says "take the piece from f6", and a child looks for f6 with a finger. A lamp at its column
and one at its row lead that finger. So they light what is to be done next on the board and,
while nothing is, what was done last:

1. where the board has to be put right, after a wrong move, a combat or a knock;
2. the two squares of an open attack, so that both players know which pieces are meant;
3. the square that the piece in the hand comes from: the way back for one lifted by mistake, and
   for who has taken a wrongly moved piece away, where it belongs;
4. from where to where the last move went, for who looked away.

Else they are dark. Two squares that share neither row nor column would light two wrong crossings
as well. So several squares are lit only if they lie in one line: a row and some columns, or a
column and some rows, say nothing wrong. A line that is put right piece by piece stays a line, in
whatever order that is done. Of any others only the first is lit, the one that the guide on the
screen names first, and then the next; of a crooked move that an arbiter has let stand, where the
piece is now.
"""

from dataclasses import dataclass
from typing import Final

from companion.table import Table
from companion.table.state import Over
from engine.secrecy import Public
from engine.squares import WIDTH, Square, SquareSet, set_of, squares_in
from firmware_bridge.difference import Difference


@dataclass(frozen=True)
class Pointers(Public):
    """What there is to point at: pieces that everybody sees standing, moving or in a hand."""

    to_do: Difference
    """What has to be changed on the board."""
    opened: tuple[Square, Square] | None
    """From where to where an attack or infiltration goes that is open."""
    lifted: Square | None
    """Where the piece in the hand comes from."""
    last_move: tuple[Square, Square] | None


NOTHING: Final = Pointers(Difference(missing=0, surplus=0), None, None, None)


def look(table: Table) -> Pointers:
    """See what there is to point at: nothing in a pause, without a board, or after the game."""
    view = table.view
    if table.is_paused or not table.is_connected or isinstance(table.state, Over):
        return NOTHING
    return Pointers(table.state.difference, view.opened, table.state.lifted, view.last_move)


def lit(pointers: Pointers) -> SquareSet:
    """The squares to light, each with the lamp of its column and that of its row."""
    squares = _in_their_order(pointers)
    return set_of(squares if _are_in_one_line(squares) else squares[:1])


def _in_their_order(pointers: Pointers) -> list[Square]:
    """The squares that matter now; the first is the one to look at if there is light for one."""
    if pointers.to_do:
        return [*squares_in(pointers.to_do.surplus), *squares_in(pointers.to_do.missing)]
    if pointers.opened:
        return [*reversed(pointers.opened)]
    if pointers.lifted is not None:
        return [pointers.lifted]
    return [*reversed(pointers.last_move or ())]


def _are_in_one_line(squares: list[Square]) -> bool:
    columns = {square % WIDTH for square in squares}
    rows = {square // WIDTH for square in squares}
    return len(columns) == 1 or len(rows) == 1
