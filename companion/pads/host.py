"""Interface that pads need from a game host; `companion.screens.base.board_host` implements it."""

from collections.abc import Callable
from typing import Protocol

from companion.store.archive import Archive
from companion.store.players import Players
from companion.store.storage_trouble import StorageError
from companion.table import Table
from companion.table.events import Event
from companion.table.inputs import Input


class Host(Protocol):
    """The current game, and access to its table."""

    archive: Archive

    changes: int
    """Counter that grows whenever the views may have changed."""

    @property
    def table(self) -> Table | None:
        """The table of the current game, None without a game."""

    @property
    def number(self) -> int | None:
        """Number of the current game in the journal, None if the game is not stored."""

    @property
    def players(self) -> Players:
        """The players; names are empty if not given."""

    @property
    def unsaved(self) -> StorageError | None:
        """Error by which the latest events could not be saved; until they are, they stay hidden."""

    @property
    def is_in_hall(self) -> bool:
        """Whether there are arbiters elsewhere who can be called."""

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Call `listener` with every event of every game."""

    def give(self, given: Input) -> None:
        """Pass an input to the table."""
