"""Lamps, buzzer and buttons of a Pi's panel, and the board's edge lamps."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic
from typing import Final, Protocol

from companion.core import state
from companion.core.events import BoardDisconnected, Event
from companion.core.inputs import CommandInput, Input, Ready
from companion.core.table import Table
from engine.board.geometry import WIDTH, Side, Square, SquareSet, set_of, squares_in
from engine.board.visibility import Public
from engine.game.rulings import Combat
from engine.rules.rules import Violation
from firmware_bridge.image import ImageDifference
from firmware_bridge.panel import Panel, Tone

_NO_SIDES: Final = frozenset[Side]()
_BOTH: Final = frozenset(Side)


def awaited(table: Table) -> Collection[Side]:
    """Return the sides for which the table is waiting.

    The result is empty during a pause, after the game, and while no board is connected.
    """
    if table.is_paused or not table.is_connected:
        return _NO_SIDES
    match table.state:
        case state.Finished():
            return _NO_SIDES
        case state.SettingUp():
            return _BOTH - table.ready
        case state.AwaitingAnswer() | state.AttackOpen() | state.DisputeOpen() | state.GuessOpen():
            return _BOTH
        case state.StalemateOpen() if table.view.stuck:
            return {table.view.stuck.other}
    return {table.view.to_move}


class ButtonListener(Protocol):
    """Receives button events while a player with an earphone declares a rank."""

    def press(self, side: Side) -> None:
        """Handle a press of a side's button."""

    def hold(self, side: Side) -> None:
        """Handle a long press of a side's button."""


class PanelLamps:
    """Connects the lamps, buzzer and buttons of a Pi's panel to the table.

    A player's lamp is lit while the table is waiting for that player. A button press means "my army
    is set up". Once both armies are set up, a press no longer affects the game: a sleeve that
    brushes the button must not trigger a move, a draw or a resignation. From then on, the buttons
    serve only to declare a rank, and only if an earphone has been selected. `hear` must be called
    with every event.
    """

    def __init__(self, panel: Panel, clock: Callable[[], float] = monotonic) -> None:
        """Connect a panel. `clock` must be the same clock that the table's other inputs use."""
        self._panel = panel
        self._clock = clock

    def tick(
        self,
        table: Table | None,
        give: Callable[[Input], object],
        keys: ButtonListener | None = None,
    ) -> None:
        """Pass on button presses, and set the lamps. Without a game, all lamps are off."""
        for side in self._panel.presses():
            give(CommandInput(self._clock(), Ready(side)))
            if keys:
                keys.press(side)
        for side in self._panel.holds():
            if keys:
                keys.hold(side)
        self._panel.light(awaited(table) if table else _NO_SIDES)

    def hear(self, event: Event) -> None:
        """Buzz for a bomb or an illegal move, and reset the board if it has been disconnected.

        Both players hear the buzzer, so it must not reveal anything private.
        """
        match event:
            case Combat(boom=True):
                self._panel.sound(Tone.BOOM)
            case Violation():
                self._panel.sound(Tone.WRONG)
            case BoardDisconnected():
                self._panel.reset_board()


# The board's edge lamps mark squares, so that players do not have to look at a screen.


@dataclass(frozen=True)
class Highlights(Public):
    """Squares that the edge lamps can mark."""

    to_do: ImageDifference
    """The squares to correct on the board."""
    opened: tuple[Square, Square] | None
    """Source and target of a pending attack or infiltration."""
    lifted: Square | None
    """Source square of the lifted piece."""
    last_move: tuple[Square, Square] | None


NOTHING: Final = Highlights(ImageDifference(missing=0, surplus=0), None, None, None)


def highlights_of(table: Table) -> Highlights:
    """Return the squares that the edge lamps can mark.

    The result is `NOTHING` during a pause, after the game, and while no board is connected.
    """
    view = table.view
    if table.is_paused or not table.is_connected or isinstance(table.state, state.Finished):
        return NOTHING
    return Highlights(table.state.difference, view.opened, table.state.lifted, view.last_move)


def squares_to_light(pointers: Highlights) -> SquareSet:
    """Return the squares to light, each with the lamps of its column and its row.

    A square's two lamps help players to find it, for example after a message such as “take the
    piece from f6”. The lamps mark the next action on the board or, failing that, the last one:

    1. squares that have to be corrected after a wrong move, a combat or a bump;
    2. the two squares of a pending attack, so that both players know which pieces are involved;
    3. the source square of the lifted piece, where it has to be put back if it was lifted by
       mistake or if a wrongly moved piece was picked up again;
    4. the source and target of the last move, for a player who was looking away.

    The lamps of two squares that share neither row nor column would also mark two wrong squares.
    Several squares are therefore lit only if they are all in one row or one column. Such lamps stay
    unambiguous even while the squares are corrected piece by piece. Otherwise, only the first
    square is lit. It is also the first in the on-screen instructions. If an arbiter has allowed a
    move that changes both row and column, only its target is lit.
    """
    squares = _by_priority(pointers)
    return set_of(squares if _are_in_one_line(squares) else squares[:1])


def _by_priority(pointers: Highlights) -> list[Square]:
    """Return the squares, most important first."""
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
