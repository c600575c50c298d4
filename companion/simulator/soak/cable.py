"""The cable between board and computer: now and then it damages, loses or doubles frames."""

from enum import Enum, auto
from random import Random
from typing import Final

_OFTEN: Final = 0.4
"""How often a bad cable does to a frame what it does."""
_LONGEST_NOISE: Final = 60


class CableFault(Enum):
    """What can be wrong with a cable."""

    DAMAGES = auto()
    """Bits turn."""
    LOSES = auto()
    """Frames do not arrive."""
    DOUBLES = auto()
    """Frames arrive twice."""
    ADDS_NOISE = auto()
    """Other bytes arrive as well."""
    CUTS = auto()
    """Only the beginning of a frame arrives."""


class Cable:
    """Carries the frames of one board."""

    def __init__(self, dice: Random) -> None:
        """Be as good as new; what goes wrong is drawn from these dice."""
        self.fault: CableFault | None = None
        """What is wrong with it just now."""
        self._dice = dice

    def carry(self, frame: bytes) -> bytes:
        """Return what arrives of a frame."""
        if self.fault is None or self._dice.random() >= _OFTEN:
            return frame
        match self.fault:
            case CableFault.DAMAGES:
                damaged = bytearray(frame)
                for _ in range(self._dice.randint(1, 8)):
                    damaged[self._dice.randrange(len(frame))] ^= 1 << self._dice.randrange(8)
                return bytes(damaged)
            case CableFault.LOSES:
                return b""
            case CableFault.DOUBLES:
                return frame + frame
            case CableFault.CUTS:
                return frame[: self._dice.randrange(len(frame))]
        return self._dice.randbytes(self._dice.randint(1, _LONGEST_NOISE)) + frame
