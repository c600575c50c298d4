"""One setting: its name, and a sentence about its effect."""

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.shown import Shown


class Setting(Shown, ButtonBehavior, BoxLayout):
    """Clickable settings row; grows with the text size."""

    text = StringProperty()
    about = StringProperty()
    chosen = BooleanProperty(False)
    is_choice = BooleanProperty(True)
    """Whether it is on or off, with a mark for that."""


load_kv(__file__)
