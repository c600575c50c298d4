"""Warnings about the board that a screen shows while the game goes on."""

from companion.screens.widgets.texts import _
from companion.table.events import SensorFails, SupplyIsLow
from companion.table.table import Table
from engine.board.geometry import names, squares_in


def ailing_text(table: Table) -> str:
    """Describe failing sensors and a low supply, with what to do, one line each.

    Empty for a board without faults.
    """
    lines = []
    failing = list(squares_in(table.failing))
    if len(failing) == 1:
        lines.append(_.announcer.sentence(SensorFails(failing[0])))
    elif failing:
        lines.append(_("Several sensors fail. Play on, and make moves there on the screen."))
    if table.unbelieved and (table.doubted or len(failing) > 1):
        squares = names(table.unbelieved).replace(" ", ", ")
        lines.append(_("Not believed: {squares}", squares=squares))
    if table.is_supply_low:
        lines.append(_.announcer.sentence(SupplyIsLow()))
    return "\n".join(lines)
