"""The table: the deterministic core between the board, the players and the referee.

Inputs with their time go in, accepted actions and events come out. There is no clock, no thread, no
file and no screen in here, so the same inputs always give the same events.

From outside use `Table` and `Step`, what goes in and comes out (`inputs`, `sayings`, `events`),
the `lots` that are drawn before a game, and `saved_state`, to keep it. All else is its own.

The table itself is imported when somebody asks for it: who only looks at kept games needs what goes
in and comes out, and would wait for all the rest.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.table.table import Step, Table

__all__ = ["Step", "Table"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from companion.table import table  # noqa: PLC0415 (see above)

    return getattr(table, name)
