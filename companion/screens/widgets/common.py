"""Labels in four sizes and buttons, for all screens."""

from kivy.factory import Factory
from kivy.input.motionevent import MotionEvent
from kivy.lang import Builder
from kivy.properties import AliasProperty, BooleanProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
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
        return theme.fill(pressed=self.state == "down", main=self.main)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        # In Kivy a disabled widget swallows touches: below the board, where pieces are.
        return not self.disabled and bool(super().on_touch_down(touch))

    fill = AliasProperty(_fill, bind=["disabled", "main", "state"])


class Card(Shown, ButtonBehavior, BoxLayout):
    """A clickable box with a fill."""

    main = BooleanProperty(False)

    def _fill(self) -> theme.Colour:
        return theme.fill(pressed=self.state == "down", main=self.main)

    fill = AliasProperty(_fill, bind=["main", "state"])


class OptionCard(Card):
    """A clickable box with an outline that shows whether it is chosen."""

    chosen = BooleanProperty(False)

    rim = AliasProperty(lambda self: theme.TEXT if self.chosen else theme.EDGE, bind=["chosen"])
    rim_width = AliasProperty(lambda self: 2 if self.chosen else 1, bind=["chosen"])


Factory.register("Card", cls=Card)
Factory.register("Press", cls=Press)
load_kv(__file__)
