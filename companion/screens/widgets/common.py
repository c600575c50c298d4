"""Labels in four sizes and buttons, for all screens."""

from kivy.factory import Factory
from kivy.input.motionevent import MotionEvent
from kivy.lang import Builder
from kivy.properties import AliasProperty, BooleanProperty
from kivy.uix.button import Button

from companion.screens.widgets import theme
from companion.screens.widgets.sharp import SharpText
from companion.screens.widgets.shown import Shown


def load_kv(python_file: str) -> None:
    """Load the kv file next to a Python file."""
    Builder.load_file(python_file.removesuffix(".py") + ".kv")


class Press(Shown, SharpText, Button):
    """A button; the `main` one is the primary action of the screen."""

    main = BooleanProperty(False)

    def __init__(self, **kwargs: object) -> None:
        super().__init__(min_state_time=0, **kwargs)  # otherwise Kivy looks it up in its settings

    def _fill(self) -> theme.Colour:
        if self.disabled:
            return theme.GROUND
        if self.main:
            return theme.ACT_PRESSED if self.state == "down" else theme.ACT
        return theme.PRESSED if self.state == "down" else theme.RAISED

    def on_touch_down(self, touch: MotionEvent) -> bool:
        # In Kivy a disabled widget swallows touches: below the board, where pieces are.
        return not self.disabled and bool(super().on_touch_down(touch))

    fill = AliasProperty(_fill, bind=["disabled", "main", "state"])


Factory.register("Press", cls=Press)
load_kv(__file__)
