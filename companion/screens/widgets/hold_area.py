"""A button that has to be held."""

from kivy.properties import BooleanProperty, StringProperty

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.holding import Holding
from companion.screens.widgets.sharp import SharpLabel
from companion.screens.widgets.shown import Shown


class HoldArea(Shown, Holding, SharpLabel):
    """A wide button with a label; an irreversible action is outlined."""

    text = StringProperty()
    main = BooleanProperty(False)
    """Whether it is the primary action of the screen."""


load_kv(__file__)
