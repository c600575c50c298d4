"""A large button with a line about what follows."""

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv


class Way(ButtonBehavior, BoxLayout):
    """What to do, and below it what that leads to; the `main` one has the accent."""

    text = StringProperty()
    detail = StringProperty()
    main = BooleanProperty(False)


load_kv(__file__)
