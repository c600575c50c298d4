"""The cable between board and computer, with random damage, loss and duplication of frames."""

from enum import Enum, auto
from random import Random
from typing import Final

_OFTEN: Final = 0.4
"""Probability that a faulty cable affects a frame."""
_LONGEST_NOISE: Final = 60


class CableFault(Enum):
    """The faults of a cable."""

    DAMAGES = auto()
    """Bits are flipped."""
    LOSES = auto()
    """Frames are lost."""
    DOUBLES = auto()
    """Frames arrive twice."""
    ADDS_NOISE = auto()
    """Random bytes are inserted."""
    CUTS = auto()
    """Only the beginning of a frame arrives."""


class Cable:
    """Transmits the frames of one board."""

    def __init__(self, dice: Random) -> None:
        """Start without a fault; the effects of faults are drawn from `dice`."""
        self.fault: CableFault | None = None
        """The current fault, if any."""
        self._dice = dice

    def carry(self, frame: bytes) -> bytes:
        """Return the received bytes of a frame."""
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
