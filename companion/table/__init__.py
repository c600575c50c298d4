"""The table: the deterministic core between the board, the players and the referee.

Inputs with their time go in, accepted actions and events come out. There is no clock, no thread, no
file and no screen in here, so the same inputs always give the same events.

From outside use `Table` and `Step`, what goes in and comes out (`inputs`, `sayings`, `events`),
the `lots` that are drawn before a game, and `saved_state`, to keep it. All else is its own.
"""

from companion.table.table import Step, Table

__all__ = ["Step", "Table"]
