"""One of several things to choose, with its picture, its name and a sentence about it."""

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.part_picture import PartPicture  # noqa: F401 (the layout has one)


class Pictured(ButtonBehavior, BoxLayout):
    """A card to be touched; as high as its words need where letters are large."""

    value = ObjectProperty(None, allownone=True)
    """What is chosen by it."""
    part = StringProperty()
    """Which picture it has."""
    text = StringProperty()
    about = StringProperty()
    chosen = BooleanProperty(False)


load_kv(__file__)
