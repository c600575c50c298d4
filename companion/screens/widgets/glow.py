"""Fire and smoke: soft round clouds that fade towards their rim at any size."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from kivy.graphics import Canvas, Color, Rectangle
from kivy.graphics.texture import Texture

from companion.screens.widgets.pen import Point

_SIDE: Final = 64
Tints = tuple[tuple[int, int, int], ...]
FIRE: Final[Tints] = ((255, 226, 130), (255, 158, 44), (236, 84, 20), (188, 36, 14), (70, 12, 8))
"""From the centre to the rim."""
SPARK: Final[Tints] = ((255, 240, 190), (255, 160, 40))
SMOKE: Final[Tints] = ((104, 108, 112),)


class Puff:
    """A cloud of fire or of smoke."""

    def __init__(self, canvas: Canvas, tints: Tints) -> None:
        self._colour = Color(1, 1, 1, 0)
        self._cloud = Rectangle(texture=cloud(tints), size=(0, 0))
        canvas.add(self._colour)
        canvas.add(self._cloud)

    def show(self, middle: Point, radius: float, alpha: float) -> None:
        """Show the cloud at this place, size and opacity; an invisible one has no cost."""
        radius = radius if alpha > 0 else 0.0
        self._colour.a = max(0.0, alpha)
        self._cloud.size = 2 * radius, 2 * radius
        self._cloud.pos = middle[0] - radius, middle[1] - radius


@cache
def cloud(tints: Tints) -> Texture:
    """Create the texture of a cloud once."""
    middle = (_SIDE - 1) / 2
    pixels = bytearray()
    for y in range(_SIDE):
        for x in range(_SIDE):
            away = min(1.0, ((x - middle) ** 2 + (y - middle) ** 2) ** 0.5 / middle)
            alpha = (1 - away**2) ** 1.5
            pixels += bytes((*_tint(tints, away), round(255 * alpha)))
    texture = Texture.create(size=(_SIDE, _SIDE), colorfmt="rgba")
    texture.blit_buffer(bytes(pixels), colorfmt="rgba", bufferfmt="ubyte")
    return texture


def _tint(tints: Sequence[tuple[int, int, int]], away: float) -> tuple[int, ...]:
    """The colour at a relative distance from the centre."""
    way = away * (len(tints) - 1)
    n = min(int(way), len(tints) - 1)
    near, far = tints[n], tints[min(n + 1, len(tints) - 1)]
    return tuple(round(a + (way - n) * (b - a)) for a, b in zip(near, far, strict=True))
