"""What everybody may see and what only one player may see, as types.

A log, an announcement, a lamp or a shared screen takes a `Public`; what belongs to one player is a
`Private` or lies in a `Secret`. So the type checker, not our attention, keeps a rank from getting
where it must not be.
"""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from engine.sides import Side

T = TypeVar("T")


class Public:
    """Something that everybody at the table may see and hear."""

    __slots__ = ()


@dataclass(frozen=True)
class Private:
    """Something that only its owner may see."""

    owner: Side


@dataclass(frozen=True)
class Secret(Generic[T]):
    """A sealed value: it prints and logs without what is in it.

    Every place that opens one calls `unseal`, so that a search for that word finds them all.
    """

    owner: Side
    _value: T = field(repr=False)

    def unseal(self) -> T:
        """Return what is sealed. For the owner's own screen, the referee and the journal."""
        return self._value
