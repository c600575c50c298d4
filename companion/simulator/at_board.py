"""What simulated people need to know of where they sit: a game, a board with hands, and time."""

from collections.abc import Callable
from typing import Protocol

from companion.table import Table
from companion.table.events import Event
from companion.table.inputs import Input
from firmware_bridge.virtual.board import VirtualBoard
from firmware_bridge.virtual.hands import Hands


class AtTable(Protocol):
    """The game as it goes on: a `Session`, or what stands for several of them."""

    @property
    def table(self) -> Table:
        """The table of the game."""

    def handle(self, given: Input) -> object:
        """Put an input to it."""

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Tell every event from now on."""


class AtBoard(Protocol):
    """A board at which people can sit; time goes by only as they let it."""

    @property
    def session(self) -> AtTable:
        """The game at it."""

    @property
    def board(self) -> VirtualBoard:
        """What stands on it."""

    @property
    def hands(self) -> Hands:
        """The hands of both players."""

    @property
    def now(self) -> float:
        """The moment, in seconds of the clock by which the table is told the time."""

    @property
    def is_plugged_in(self) -> bool:
        """Whether the board is."""

    def pass_time(self, milliseconds: int) -> None:
        """Let time go by."""

    def wait_for(self, wanted: Callable[[], bool], limit_ms: int) -> bool:
        """Let time go by until something holds; False if it never does."""
