"""A button that must be held for a moment."""

from kivy.properties import BooleanProperty, StringProperty

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.holding import Holding
from companion.screens.widgets.sharp import SharpLabel


class HoldArea(Holding, SharpLabel):
    """A wide button that says what it does; one that cannot be undone is outlined."""

    text = StringProperty()
    main = BooleanProperty(False)
    """Whether it is what the screen waits for."""


load_kv(__file__)
