"""One setting: what it is called, and a sentence about what it does."""

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv


class Setting(ButtonBehavior, BoxLayout):
    """A row to be touched; as high as its words need where letters are large."""

    text = StringProperty()
    about = StringProperty()
    chosen = BooleanProperty(False)
    is_choice = BooleanProperty(True)
    """Whether it is on or off, and has a mark that says so."""


load_kv(__file__)
