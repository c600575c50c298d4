"""A word for one player's eyes, behind a curtain, with the one way on."""

from kivy.input.motionevent import MotionEvent
from kivy.properties import StringProperty
from kivy.uix.screenmanager import Screen

from companion.screens.widgets.common import load_kv


class PrivateWord(Screen):
    """Covers the whole screen and takes every touch.

    It says `on_read` when the player goes on, and `on_touched` at every touch.
    """

    title = StringProperty()
    told = StringProperty()
    advice = StringProperty()
    """What the player can do about it."""
    onward = StringProperty()
    """What the one button says."""

    __events__ = ("on_read", "on_touched")

    def on_read(self) -> None:
        pass

    def on_touched(self) -> None:
        pass

    def on_touch_down(self, touch: MotionEvent) -> bool:
        self.dispatch("on_touched")
        super().on_touch_down(touch)
        return True


load_kv(__file__)
