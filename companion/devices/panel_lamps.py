"""The panel at the Pi during an evening: whose lamp is lit, what the buzzer and the buttons mean.

A lamp says that the table waits for this player. A button says "my army stands"; once both armies
do, a press means nothing, because a sleeve must not make, end or give up anything: only a rank can
be declared with the buttons then, by whoever has asked for an earphone.
"""

from collections.abc import Callable, Collection
from time import monotonic
from typing import Final, Protocol

from companion.table import Table
from companion.table.events import BoardDisconnected, Event
from companion.table.inputs import Input, Said
from companion.table.sayings import Ready
from companion.table.state import (
    Asked,
    AttackOpen,
    Guessing,
    InDispute,
    Over,
    SettingUp,
    Standstill,
)
from engine.play.rulings import Combat
from engine.rulebook.violation import Violation
from engine.sides import Side
from firmware_bridge.panel import Panel, Signal

_NOBODY: Final = frozenset[Side]()
_BOTH: Final = frozenset(Side)


def awaited(table: Table) -> Collection[Side]:
    """Whom the table waits for; nobody in a pause, without a board, or when the game is over."""
    if table.is_paused or not table.is_connected:
        return _NOBODY
    match table.state:
        case Over():
            return _NOBODY
        case SettingUp():
            return _BOTH - table.ready
        case Asked() | AttackOpen() | InDispute() | Guessing():
            return _BOTH
        case Standstill() if table.view.stuck:
            return {table.view.stuck.other}
    return {table.view.to_move}


class Keys(Protocol):
    """What the buttons mean while a rank is declared by ear."""

    def press(self, side: Side) -> None:
        """The button of a side has been pressed."""

    def hold(self, side: Side) -> None:
        """The button of a side has been held."""


class PanelLamps:
    """The panel between its pins and the table; `hear` listens to every event."""

    def __init__(self, panel: Panel, clock: Callable[[], float] = monotonic) -> None:
        """Sit down at a panel; `clock` is the one of the table's other inputs."""
        self._panel = panel
        self._clock = clock

    def tick(
        self, table: Table | None, give: Callable[[Input], object], keys: Keys | None = None
    ) -> None:
        """Give what the buttons say, and light the lamps; all are dark if no game is played."""
        for side in self._panel.presses():
            give(Said(self._clock(), Ready(side)))
            if keys:
                keys.press(side)
        for side in self._panel.holds():
            if keys:
                keys.hold(side)
        self._panel.light(awaited(table) if table else _NOBODY)

    def hear(self, event: Event) -> None:
        """Sound a bomb and a wrong move; start a board anew that has fallen silent.

        The whole room hears the buzzer, so nothing private may sound.
        """
        match event:
            case Combat(boom=True):
                self._panel.sound(Signal.BOOM)
            case Violation():
                self._panel.sound(Signal.WRONG)
            case BoardDisconnected():
                self._panel.reset_board()
