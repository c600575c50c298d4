"""The panel at the Pi during a game: lamps, buzzer and buttons.

A player's lamp is lit while the table waits for that player. A button means "my army is set up";
once both armies are, a press means nothing, because a sleeve must not move, end or resign anything.
From then on the buttons only declare a rank, for a player who has asked for an earphone.
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
from engine.board.geometry import Side
from engine.game.rulings import Combat
from engine.rules.violations import Violation
from firmware_bridge.panel import Panel, Signal

_NOBODY: Final = frozenset[Side]()
_BOTH: Final = frozenset(Side)


def awaited(table: Table) -> Collection[Side]:
    """The sides that the table waits for; none in a pause, without a board, or after the game."""
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
    """Meaning of the buttons while a rank is declared by ear."""

    def press(self, side: Side) -> None:
        """A side's button was pressed."""

    def hold(self, side: Side) -> None:
        """A side's button was held."""


class PanelLamps:
    """Connects the panel's pins with the table; `hear` gets every event."""

    def __init__(self, panel: Panel, clock: Callable[[], float] = monotonic) -> None:
        """Use a panel; `clock` must be the clock of the table's other inputs."""
        self._panel = panel
        self._clock = clock

    def tick(
        self, table: Table | None, give: Callable[[Input], object], keys: Keys | None = None
    ) -> None:
        """Pass on the buttons' inputs and set the lamps; all are dark if no game is in progress."""
        for side in self._panel.presses():
            give(Said(self._clock(), Ready(side)))
            if keys:
                keys.press(side)
        for side in self._panel.holds():
            if keys:
                keys.hold(side)
        self._panel.light(awaited(table) if table else _NOBODY)

    def hear(self, event: Event) -> None:
        """Buzz for a bomb and an illegal move; reset a board that was disconnected.

        Both players hear the buzzer, so it must not signal anything private.
        """
        match event:
            case Combat(boom=True):
                self._panel.sound(Signal.BOOM)
            case Violation():
                self._panel.sound(Signal.WRONG)
            case BoardDisconnected():
                self._panel.reset_board()
