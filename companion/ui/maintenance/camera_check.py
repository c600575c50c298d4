"""Camera check: the live image from the camera above the board, and any problem with it."""

from collections.abc import Callable
from math import inf
from typing import Final

from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.widget import Widget

from companion.session.game_host import CameraFeed
from companion.speech.small_texts import UNPLUGGED, camera_sentence
from companion.ui.base.modal import Modal
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from firmware_bridge.camera.notices import Preview

DRAW_SECONDS: Final = 0.2
"""Interval between redraws, in seconds. Redrawing more often would slow down camera recognition."""


class LivePicture(Widget):
    """An image, scaled to fit its area and centred."""

    preview = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._texture: Texture | None = None
        with self.canvas:
            self._colour = Color(1, 1, 1, 0)
            self._picture = Rectangle()
        self.bind(preview=self._draw, size=self._place, pos=self._place)

    def _draw(self, _widget: Widget, preview: Preview | None) -> None:
        self._colour.a = 0 if preview is None else 1
        if preview is None:
            return
        size = preview.width, preview.height
        if self._texture is None or tuple(self._texture.size) != size:
            self._texture = Texture.create(size=size, colorfmt="rgb")
            self._texture.flip_vertical()
            self._picture.texture = self._texture
        self._texture.blit_buffer(preview.pixels, colorfmt="rgb", bufferfmt="ubyte")
        self._place()
        self.canvas.ask_update()

    def _place(self, *_args: object) -> None:
        if self.preview is None:
            return
        scale = min(self.width / self.preview.width, self.height / self.preview.height)
        width, height = self.preview.width * scale, self.preview.height * scale
        self._picture.size = width, height
        self._picture.pos = self.center_x - width / 2, self.center_y - height / 2


class CameraCheck(Modal):
    """Shows the image with marks for the board's frame and squares.

    One sentence states the result of the recognition, or the problem.
    """

    preview = ObjectProperty(None, allownone=True)
    error = StringProperty()
    """Problem that the user has to correct, or an empty string."""
    state = StringProperty()
    """The recognition result, if there is no problem."""
    privacy = StringProperty()
    """Warning that the camera may see faces or ranks, or an empty string."""

    def __init__(
        self,
        camera: CameraFeed,
        close: Callable[[], None],
        open_calibration: Callable[[], None],
    ) -> None:
        """Watch a camera.

        `open_calibration` opens the dialog for relearning the colours.
        """
        super().__init__()
        self._camera, self._close, self._open_calibration = camera, close, open_calibration
        self._drawn = -inf
        self._draw()

    def tick(self, now: float) -> None:
        if now - self._drawn >= DRAW_SECONDS:
            self._drawn = now
            self._draw()

    def calibrate(self) -> None:
        self._open_calibration()

    def close(self) -> None:
        self._close()

    def _draw(self) -> None:
        camera, notice = self._camera, self._camera.notice
        self.preview = camera.preview()
        if not camera.is_connected:
            self.error = _(UNPLUGGED)
        else:
            self.error = camera_sentence(notice, _.language) if notice else ""
        self.state = "" if self.error else _("The camera sees the board.")
        is_exposed = self.preview is not None and self.preview.sees_players
        self.privacy = (
            _("The camera may see faces or ranks. Place it beside column a or k, and higher.")
            if is_exposed
            else ""
        )


load_kv(__file__)
