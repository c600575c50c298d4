"""Touches made by a key or by a test, and mouse input that is reported without delay."""

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.input import MotionEventFactory
from kivy.input.motionevent import MotionEvent
from kivy.input.providers.mouse import MouseMotionEventProvider


class SyntheticTouch(MotionEvent):
    """One touch, in pixels of the window; `device` names its origin."""

    def __init__(self, device: str, number: int, x: float, y: float) -> None:
        super().__init__(device, number, self._share(x, y), is_touch=True, type_id="touch")

    def depack(self, args: tuple[float, float]) -> None:
        self.profile = ["pos"]
        self.sx, self.sy = args
        super().depack(args)

    def slide(self, x: float, y: float) -> None:
        """Move to another point."""
        self.move(self._share(x, y))

    @staticmethod
    def _share(x: float, y: float) -> tuple[float, float]:
        return x / (Window.width - 1), y / (Window.height - 1)


class PromptMouse(MouseMotionEventProvider):
    """Reports a press before the movement that follows it.

    Kivy delivers all events since the last frame at once and takes the latest position as the start
    of the touch. With a fast hand, that position is already on another square.
    """

    def on_mouse_press(self, *pressed: object) -> None:
        super().on_mouse_press(*pressed)
        EventLoop.dispatch_input()


def install() -> None:
    """Make Kivy use this mouse provider from the start of its event loop."""
    MotionEventFactory.register("mouse", PromptMouse)
