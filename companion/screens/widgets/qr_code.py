"""A text as a QR code: dark on light, with the quiet zone it needs."""

from typing import Final

from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import StringProperty
from kivy.uix.widget import Widget

QUIET: Final = 4
"""Width of the quiet zone, in modules: with less, some cameras do not find the code."""


class QrCode(Widget):
    """Shows a text, as large as fits in whole pixels; nothing for an empty text."""

    text = StringProperty()

    def __init__(self, **kwargs: object) -> None:
        self._texture: Texture | None = None
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw)

    def on_text(self, *_args: object) -> None:
        self._texture = _picture(self.text) if self.text else None
        self._draw()

    def _draw(self, *_args: object) -> None:
        self.canvas.clear()
        if self._texture is None:
            return
        modules = self._texture.width
        size = max(1, min(self.size) // modules) * modules
        left, bottom = self.x + (self.width - size) // 2, self.y + (self.height - size) // 2
        self.canvas.add(Color(1, 1, 1, 1))
        self.canvas.add(Rectangle(texture=self._texture, pos=(left, bottom), size=(size, size)))


def modules_of(text: str) -> list[list[bool]]:
    """Return the rows of a code from the top, with its quiet zone; dark modules are True."""
    import segno  # noqa: PLC0415 (few evenings have phones)

    code = segno.make(text, error="m", micro=False)
    return [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET)]


def _picture(text: str) -> Texture:
    """A texture with one pixel per module, to be enlarged without blur."""
    rows = modules_of(text)
    texture = Texture.create(size=(len(rows), len(rows)), colorfmt="luminance")
    texture.mag_filter = texture.min_filter = "nearest"
    # Textures begin at the bottom.
    light = bytes(0 if dark else 255 for row in reversed(rows) for dark in row)
    texture.blit_buffer(light, colorfmt="luminance", bufferfmt="ubyte")
    return texture
