"""A large button with a line about its consequence."""

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.shown import Shown


class Way(Shown, ButtonBehavior, BoxLayout):
    """An action, and its consequence below; the `main` one has the accent colour."""

    text = StringProperty()
    detail = StringProperty()
    main = BooleanProperty(False)


load_kv(__file__)
