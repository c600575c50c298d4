"""What pads need of an evening at a board; `companion.screens.base.board_host` has it."""

from collections.abc import Callable
from typing import Protocol

from companion.store.archive import Archive
from companion.store.players import Players
from companion.store.storage_trouble import StorageError
from companion.table import Table
from companion.table.events import Event
from companion.table.inputs import Input


class Host(Protocol):
    """The current game, and the way to its table."""

    archive: Archive

    changes: int
    """Grows whenever there is something new to show."""

    @property
    def table(self) -> Table | None:
        """The table of the current game, None if there is none."""

    @property
    def number(self) -> int | None:
        """The number of the current game in the journal, None if nothing of it is kept."""

    @property
    def players(self) -> Players:
        """Who plays; names are empty where none was given."""

    @property
    def unsaved(self) -> StorageError | None:
        """Why the latest events could not be saved; until they are, nobody sees them."""

    @property
    def is_in_hall(self) -> bool:
        """Whether there are arbiters elsewhere, who can be called."""

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Tell the events of every game to `listener`."""

    def give(self, given: Input) -> None:
        """Put an input to the table."""
