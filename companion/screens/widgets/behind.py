"""What is behind a curtain: for one player's eyes, and for as long as that player is there."""

from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.widget import Widget

from companion.screens.widgets.common import load_kv


class Behind(Widget):
    """Covers the whole screen and takes every touch.

    It says `on_turned` when it shows something else than before.
    """

    left = NumericProperty(1.0)
    """How much is left of the time after which the curtain closes by itself, 1 to 0."""
    is_to_be_read = BooleanProperty(False)
    """Whether there is a text on it that takes longer than a look."""

    __events__ = ("on_turned",)

    def __init__(self, **kwargs: object) -> None:
        self._fingers: set[object] = set()
        super().__init__(**kwargs)

    @property
    def is_touched(self) -> bool:
        """Whether a finger rests on it."""
        return bool(self._fingers)

    def on_turned(self) -> None:
        pass

    def tick(self, now: float) -> None:
        """Show what moves with time."""

    def on_touch_down(self, touch: MotionEvent) -> bool:
        self._fingers.add(touch.uid)
        super().on_touch_down(touch)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        self._fingers.discard(touch.uid)
        super().on_touch_up(touch)
        return True


load_kv(__file__)
