"""The mouse, and the finger of which SDL makes one: a touch begins where it was put down.

Kivy tells everything since the last frame at once, and where the touch is by then counts as its
beginning. A fast hand has come to another square in that time.
"""

from kivy.base import EventLoop
from kivy.input import MotionEventFactory
from kivy.input.providers.mouse import MouseMotionEventProvider


class PromptMouse(MouseMotionEventProvider):
    """Tells that it was pressed before it moves on."""

    def on_mouse_press(self, *pressed: object) -> None:
        super().on_mouse_press(*pressed)
        EventLoop.dispatch_input()


def install() -> None:
    """Let Kivy read the mouse so, from the start of its loop on."""
    MotionEventFactory.register("mouse", PromptMouse)
