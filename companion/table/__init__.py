"""The table: the deterministic core between the board, the players and the referee.

Inputs with their time go in, accepted actions and events come out. There is no clock, no thread, no
file and no screen in here, so the same inputs always give the same events.
"""

from companion.table.table import Step, Table

__all__ = ["Step", "Table"]
