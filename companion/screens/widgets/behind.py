"""Content behind the curtain, shown to one player as long as that player is there."""

from kivy.input.motionevent import MotionEvent
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.widget import Widget

from companion.screens.widgets.common import load_kv


class Behind(Widget):
    """Covers the whole screen and takes every touch.

    Dispatches `on_turned` when it shows other contents.
    """

    left = NumericProperty(1.0)
    """Remaining share of the time until the curtain closes by itself, from 1 to 0."""
    is_to_be_read = BooleanProperty(False)
    """Whether it shows a text that takes longer to read than a glance."""

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
        """Update everything that moves."""

    def on_touch_down(self, touch: MotionEvent) -> bool:
        self._fingers.add(touch.uid)
        super().on_touch_down(touch)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        self._fingers.discard(touch.uid)
        super().on_touch_up(touch)
        return True


load_kv(__file__)
