"""The table: the deterministic core between the board, the players and the referee.

Inputs with timestamps go in, accepted actions and events come out. There is no clock, thread, file
or screen in this package, so the same inputs always give the same events.

Public: `Table` and `GameStep`, the inputs and outputs (`inputs`, `events`), and `game_options`,
with
the parameters and persistent state of a table and the draw for the colours. Everything else is
internal.

`Table` is imported lazily: code that only reads saved games needs only the inputs and outputs, and
should not wait for the other modules to load.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.core.game_context import Step
    from companion.core.table import Table

__all__ = ["Step", "Table"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from companion.core import table  # noqa: PLC0415 (see above)

    return getattr(table, name)
