"""Noise of the line between board and host."""

import random
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from firmware_bridge.wire import FRAME_END

Line: TypeAlias = Callable[[bytes], bytes]
"""From a frame that the board sends to the bytes that arrive."""


def clean(frame: bytes) -> bytes:
    """Deliver every frame unchanged."""
    return frame


def noisy(frame: bytes) -> bytes:
    """Deliver every frame, sometimes preceded by garbage and a damaged copy.

    The noise depends only on the frame, so a run is reproducible.
    """
    dice = random.Random(frame)
    noise = b""
    if dice.random() < 0.1:
        noise += dice.randbytes(dice.randrange(1, 80)) + FRAME_END
    if dice.random() < 0.1:
        damaged = bytearray(frame)
        damaged[dice.randrange(len(frame) - 1)] ^= 1 << dice.randrange(8)
        noise += bytes(damaged)
    return noise + frame


def lossy(frame: bytes) -> bytes:
    """Drop two of three frames; the choice depends only on the frame."""
    return frame if random.Random(frame).random() < 1 / 3 else b""


LINES: Final[Mapping[str, Line]] = {"clean": clean, "noisy": noisy}
"""Lines on which a simulated game has the same result, by name."""
