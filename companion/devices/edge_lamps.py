"""Lamps at the board's edges: they mark a square, so that players can keep their eyes on the board.

A screen shows "take the piece from f6", and a child looks for f6 with a finger. A lamp at its
column and one at its row guide that finger. The lamps show the next thing to do on the board, or
else the last thing done:

1. squares that have to be corrected after a wrong move, a combat or a knock;
2. the two squares of an open attack, so that both players know which pieces are meant;
3. the square that the lifted piece comes from: its way back if it was lifted by mistake, and
   the place of a wrongly moved piece that was picked up again;
4. source and target of the last move, for a player who has looked away.

Otherwise they are dark. Two squares that share neither row nor column would mark two wrong
crossings as well. So several squares are lit only if they are in one line: a row with some columns,
or a column with some rows, is unambiguous. A line that is corrected piece by piece stays a line, in
any order. Otherwise only the first square is lit, which is also the first in the guide on the
screen, and then the next; for a crooked move that an arbiter has accepted, it is the target.
"""

from dataclasses import dataclass
from typing import Final

from companion.table import Table
from companion.table.state import Over
from engine.board.geometry import WIDTH, Square, SquareSet, set_of, squares_in
from engine.board.visibility import Public
from firmware_bridge.image import Difference


@dataclass(frozen=True)
class Pointers(Public):
    """Public facts that the lamps can show: pieces on their squares, moving or lifted."""

    to_do: Difference
    """The squares to correct on the board."""
    opened: tuple[Square, Square] | None
    """Source and target of an open attack or infiltration."""
    lifted: Square | None
    """Source square of the lifted piece."""
    last_move: tuple[Square, Square] | None


NOTHING: Final = Pointers(Difference(missing=0, surplus=0), None, None, None)


def look(table: Table) -> Pointers:
    """Return the facts to show; nothing in a pause, without a board, or after the game."""
    view = table.view
    if table.is_paused or not table.is_connected or isinstance(table.state, Over):
        return NOTHING
    return Pointers(table.state.difference, view.opened, table.state.lifted, view.last_move)


def lit(pointers: Pointers) -> SquareSet:
    """The squares to light, each with the lamps of its column and its row."""
    squares = _in_their_order(pointers)
    return set_of(squares if _are_in_one_line(squares) else squares[:1])


def _in_their_order(pointers: Pointers) -> list[Square]:
    """The squares in order of importance; if only one can be lit, it is the first."""
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
