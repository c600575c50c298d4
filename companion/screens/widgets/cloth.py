"""Pleated cloth in the colour of a side, for curtains and flags."""

import math
from functools import cache
from typing import Final

from kivy.graphics.texture import Texture

from companion.screens.widgets import theme
from engine.board.geometry import Side

FOLDS: Final = 7
_WIDTH: Final = 256
_DYE: Final = 0.52
"""Brightness of the cloth relative to the sign of its side."""


@cache
def cloth(side: Side) -> Texture:
    """Create the texture once: light and dark alternate from left to right."""
    pixels = bytearray()
    for x in range(_WIDTH):
        fold = math.sin(x / _WIDTH * math.tau * FOLDS + 0.6 * math.sin(x * 0.05))
        light = _DYE * (0.78 + 0.22 * fold)
        pixels += bytes((*(round(255 * part * light) for part in theme.SIDES[side][:3]), 255))
    texture = Texture.create(size=(_WIDTH, 1), colorfmt="rgba")
    texture.blit_buffer(bytes(pixels), colorfmt="rgba", bufferfmt="ubyte")
    return texture
