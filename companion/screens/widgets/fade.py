"""Gradient over an edge beyond which the content continues."""

from functools import cache
from typing import Final

from kivy.graphics.texture import Texture

_STEPS: Final = 32


@cache
def fade() -> Texture:
    """Create the texture once: transparent at its top, opaque at its bottom."""
    texture = Texture.create(size=(1, _STEPS), colorfmt="rgba")
    rows = (bytes((255, 255, 255, 255 * (_STEPS - row) // _STEPS)) for row in range(_STEPS))
    texture.blit_buffer(b"".join(rows), colorfmt="rgba", bufferfmt="ubyte")
    return texture
