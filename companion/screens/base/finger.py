"""Synthetic touches, made by a key or by a test."""

from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent


class Finger(MotionEvent):
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
