"""Options: one of several, marked by a dot, or on and off, marked by a tick."""

from collections.abc import Callable, Mapping

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.gridlayout import GridLayout

from companion.screens.widgets import theme
from companion.screens.widgets.common import OptionCard, load_kv

LONG = 16
"""Number of letters above which a text needs two lines where three options share the screen."""


class Option(OptionCard):
    """One option with its mark."""

    value = ObjectProperty(None, allownone=True)
    text = StringProperty()
    small = BooleanProperty(False)
    """Whether its text is long."""
    ticked = BooleanProperty(False)
    """Whether it is a check box, not one of several."""


class Options(GridLayout):
    """Several options of which one is selected."""

    columns = NumericProperty(0)
    """Options to a line with large letters, with a height for their texts; 0 for the usual number
    and the height of the place.
    """

    def on_kv_post(self, _base: object) -> None:
        """Set the number of columns once the kv rules are applied."""
        if theme.LARGE and self.columns:
            self.rows, self.cols, self.size_hint_y = None, self.columns, None
            self.bind(minimum_height=self.setter("height"))

    def fill(self, texts: Mapping[object, str], choose: Callable[[object], None]) -> None:
        """Offer these values with their texts; `choose` gets the selected one."""
        self.clear_widgets()
        if self.cols:  # missing options take no space beside the others
            self.cols = min(self.columns, len(texts)) or self.columns
        # One font size for all of them, even if only one text is long.
        small = any(len(text) > LONG for text in texts.values())
        for value, text in texts.items():
            option = Option(value=value, text=text, small=small)
            option.bind(on_release=lambda option: choose(option.value))
            self.add_widget(option)

    def mark(self, chosen: object) -> None:
        """Show which option is selected."""
        for option in self.children:
            option.chosen = option.value == chosen


load_kv(__file__)
