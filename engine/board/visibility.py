"""Types that mark data as public, or as private to one player.

Logs, announcements, lamps and shared screens accept only `Public` data. One player's data is
`Private` or wrapped in a `Secret`. The type checker can therefore detect code that leaks a rank.
"""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from engine.board.geometry import Side

T = TypeVar("T")


class Public:
    """Data that everyone at the table may see and hear."""

    __slots__ = ()


@dataclass(frozen=True)
class Private:
    """Data that only its owner may see."""

    owner: Side


@dataclass(frozen=True)
class Secret(Generic[T]):
    """A secret value that stays hidden when it is printed or logged.

    Only `unseal` reads the value, so a search for that word finds every use.
    """

    owner: Side
    _value: T = field(repr=False)

    def unseal(self) -> T:
        """Return the value, for the owner's screen, the referee or the journal."""
        return self._value
