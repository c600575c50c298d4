"""Mouse input, and the touch that SDL derives from it: a touch begins where it was pressed.

Kivy delivers all events since the last frame at once and takes the latest position as the start of
the touch. A fast hand has reached another square by then.
"""

from kivy.base import EventLoop
from kivy.input import MotionEventFactory
from kivy.input.providers.mouse import MouseMotionEventProvider


class PromptMouse(MouseMotionEventProvider):
    """Reports a press before the movement that follows it."""

    def on_mouse_press(self, *pressed: object) -> None:
        super().on_mouse_press(*pressed)
        EventLoop.dispatch_input()


def install() -> None:
    """Make Kivy use this mouse provider from the start of its event loop."""
    MotionEventFactory.register("mouse", PromptMouse)
