"""What becomes of the board on its way to the table: the frames of whoever watches the magnets.

`sensors` is the sight of a firmware that is only thought of. Any other one takes its place, such as
the real firmware under emulation, whose frames travel over a line.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from engine.sides import Side
from engine.squares import Square, SquareSet

Felt: TypeAlias = Callable[[Square], Side | None]
"""Whose magnet is over a square at this moment, None for nobody's."""


class Frame(NamedTuple):
    """A frame as it has reached the computer."""

    board: str
    """The hundred squares, row 10 first."""
    moments: tuple[tuple[Square, float], ...] = ()
    """Of squares that have changed, when they were first seen as they are, in seconds."""
    faint: SquareSet = 0
    """The squares that may as well show something else."""


class Sight(Protocol):
    """Watches the magnets. All moments are in milliseconds, and never decrease."""

    @property
    def heard(self) -> Sequence[Frame]:
        """The frames that reached the computer from one look to the latest."""

    @property
    def is_settling(self) -> bool:
        """Whether something has happened that no frame may have shown."""

    def at(self, square: Square) -> str:
        """What the latest frame shows on one square."""

    def note(self, square: Square, now: int) -> None:
        """Something has changed on a square."""

    def force(self, square: Square, token: str | None, now: int) -> None:
        """Let the sensor of a square show something else than there is; None ends that."""

    def silence(self, now: int, lasts: int) -> None:
        """Let nothing of what is sent from now on reach the computer, for so long."""

    def look(self, now: int) -> bool:
        """Let time go by until now, and say whether the frames show anything new."""

    def skip(self, now: int) -> None:
        """Take it that nothing has happened since the latest look, and nobody has sent a frame."""


Watching: TypeAlias = Callable[[Felt], Sight]
"""Makes the sight of a board of which one can ask what is felt."""
