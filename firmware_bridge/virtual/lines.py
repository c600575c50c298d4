"""What the line between board and host makes of a frame."""

import random
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from firmware_bridge.wire import FRAME_END

Line: TypeAlias = Callable[[bytes], bytes]
"""From a frame that the board sends to the bytes that arrive."""


def clean(frame: bytes) -> bytes:
    """Let every frame arrive as it was sent."""
    return frame


def noisy(frame: bytes) -> bytes:
    """Let every frame arrive, but now and then garbage and a damaged copy before it.

    The same frame always meets the same noise, so a run can be repeated.
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
    """Let two frames of three get lost, the same ones whenever they are sent."""
    return frame if random.Random(frame).random() < 1 / 3 else b""


LINES: Final[Mapping[str, Line]] = {"clean": clean, "noisy": noisy}
"""The lines on which a simulated game comes out the same, by name."""
