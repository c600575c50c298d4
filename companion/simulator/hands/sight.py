"""The path of the board's image to the table: frames from any observer of the magnets.

`sensors` is a simple model of the firmware. Any other implementation can replace it, such as the
real firmware under emulation, whose frames travel over a serial line.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from engine.board.geometry import Side, Square, SquareSet

Felt: TypeAlias = Callable[[Square], Side | None]
"""Returns the side of the magnet that is over a square at this moment; None without one."""


class Frame(NamedTuple):
    """A frame as received by the computer."""

    board: str
    """The hundred squares, row 10 first."""
    moments: tuple[tuple[Square, float], ...] = ()
    """Squares that have changed, each with the first detection of the change, in seconds."""
    faint: SquareSet = 0
    """The squares whose reading is uncertain."""


class Sight(Protocol):
    """An observer of the magnets. All times are in milliseconds and never decrease."""

    @property
    def heard(self) -> Sequence[Frame]:
        """The frames received since the previous look, up to the latest."""

    @property
    def is_settling(self) -> bool:
        """Whether something has happened that no frame may have shown yet."""

    def at(self, square: Square) -> str:
        """Return the latest frame's token for one square."""

    def note(self, square: Square, now: int) -> None: ...

    def force(self, square: Square, token: str | None, now: int) -> None:
        """Override the reading of a square's sensor; None ends that."""

    def silence(self, now: int, lasts: int) -> None:
        """Lose all frames that are sent during the next `lasts` milliseconds."""

    def look(self, now: int) -> bool:
        """Advance the time to `now`, and return whether the frames show anything new."""

    def skip(self, now: int) -> None:
        """Advance to `now`, given that nothing has happened and no frame was sent."""


Watching: TypeAlias = Callable[[Felt], Sight]
"""Creates the sight of a board from its function for magnet readings."""
