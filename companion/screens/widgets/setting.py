"""One setting: its name, and a sentence about its effect."""

from kivy.properties import BooleanProperty, StringProperty

from companion.screens.widgets.common import Card, load_kv


class Setting(Card):
    """Clickable settings row; grows with the text size."""

    text = StringProperty()
    about = StringProperty()
    chosen = BooleanProperty(False)
    is_choice = BooleanProperty(True)
    """Whether it is on or off, with a mark for that."""


load_kv(__file__)
