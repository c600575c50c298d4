"""Something to choose: one of several, marked by a dot, or on and off, marked by a tick."""

from collections.abc import Callable, Mapping

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.screens.widgets.common import load_kv


class Option(ButtonBehavior, BoxLayout):
    """One choice with its mark."""

    value = ObjectProperty(None, allownone=True)
    text = StringProperty()
    chosen = BooleanProperty(False)
    ticked = BooleanProperty(False)
    """Whether it is on or off by itself, not one of several."""


class Options(GridLayout):
    """Several choices of which one holds."""

    def fill(self, texts: Mapping[object, str], choose: Callable[[object], None]) -> None:
        """Offer these values, in words; `choose` is told which one was touched."""
        self.clear_widgets()
        for value, text in texts.items():
            option = Option(value=value, text=text)
            option.bind(on_release=lambda option: choose(option.value))
            self.add_widget(option)

    def mark(self, chosen: object) -> None:
        """Show which one holds."""
        for option in self.children:
            option.chosen = option.value == chosen


load_kv(__file__)
