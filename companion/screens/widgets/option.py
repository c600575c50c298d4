"""Something to choose: one of several, marked by a dot, or on and off, marked by a tick."""

from collections.abc import Callable, Mapping

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.screens.widgets import theme
from companion.screens.widgets.common import load_kv

LONG = 16
"""Letters; more need two lines where three choices share the screen."""


class Option(ButtonBehavior, BoxLayout):
    """One choice with its mark."""

    value = ObjectProperty(None, allownone=True)
    text = StringProperty()
    chosen = BooleanProperty(False)
    small = BooleanProperty(False)
    """Whether its text is long."""
    ticked = BooleanProperty(False)
    """Whether it is on or off by itself, not one of several."""


class Options(GridLayout):
    """Several choices of which one holds."""

    columns = NumericProperty(0)
    """How many share a line where letters are large, and it is as high as they need; 0 for as
    many as ever, and as high as its place."""

    def on_kv_post(self, _base: object) -> None:
        """Break the line, once it is known where."""
        if theme.LARGE and self.columns:
            self.rows, self.cols, self.size_hint_y = None, self.columns, None
            self.bind(minimum_height=self.setter("height"))

    def fill(self, texts: Mapping[object, str], choose: Callable[[object], None]) -> None:
        """Offer these values, in words; `choose` is told which one was touched."""
        self.clear_widgets()
        if self.cols:  # what is not there takes no place beside the others
            self.cols = min(self.columns, len(texts)) or self.columns
        # One size for all of them, even if only one text is long.
        small = any(len(text) > LONG for text in texts.values())
        for value, text in texts.items():
            option = Option(value=value, text=text, small=small)
            option.bind(on_release=lambda option: choose(option.value))
            self.add_widget(option)

    def mark(self, chosen: object) -> None:
        """Show which one holds."""
        for option in self.children:
            option.chosen = option.value == chosen


load_kv(__file__)
