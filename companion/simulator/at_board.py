"""The interface that simulated people need: a game, a board with hands, and time."""

from collections.abc import Callable
from typing import Protocol

from companion.table import Table
from companion.table.events import Event
from companion.table.inputs import Input
from firmware_bridge.simulated_board.board import VirtualBoard
from firmware_bridge.simulated_board.hands import Hands


class AtTable(Protocol):
    """A game in progress: a `Session`, or a substitute for several of them."""

    @property
    def table(self) -> Table: ...

    def handle(self, given: Input) -> object:
        """Feed an input to the game."""

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` with every event from now on."""


class AtBoard(Protocol):
    """A board that people can play at; time passes only when they make it pass."""

    @property
    def session(self) -> AtTable:
        """The game played at the board."""

    @property
    def board(self) -> VirtualBoard: ...

    @property
    def hands(self) -> Hands: ...

    @property
    def now(self) -> float:
        """The current time in seconds, by the clock that the table uses."""

    @property
    def is_plugged_in(self) -> bool: ...

    def pass_time(self, milliseconds: int) -> None: ...

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Advance the time until a condition holds; False if it never does."""
