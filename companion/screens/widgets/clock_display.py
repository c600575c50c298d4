"""The clocks of both sides, to be read from a metre away."""

from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.side_panel import Yielding
from companion.screens.widgets.texts import _
from engine.play.clocks import clock_text

SHORT = 60
"""Seconds below which little time is left."""


class ClockFace(BoxLayout):
    """One side's time: an arrow on the one that runs, an exclamation mark if little is left."""

    side = ObjectProperty(None, allownone=True)
    flat = BooleanProperty(False)
    left = NumericProperty(0)
    """In seconds; a part of one counts as a whole, so that 0:00 means that it is over."""
    runs = BooleanProperty(False)

    text = AliasProperty(lambda self: clock_text(self.left), bind=["left"])
    is_short = AliasProperty(lambda self: self.left < SHORT, bind=["left"])


class Clocks(Yielding):
    """Both sides' time and that of the whole game, as far as they are limited."""

    flat = BooleanProperty(False)
    """Whether other things on the screen matter more."""

    red = NumericProperty(None, allownone=True)
    blue = NumericProperty(None, allownone=True)
    whole = NumericProperty(None, allownone=True)
    """What is left of the time of the whole game; None if that is not limited."""
    running = ObjectProperty(None, allownone=True)
    """The side whose time runs at the moment."""

    is_ending = AliasProperty(
        lambda self: self.whole is not None and self.whole < SHORT, bind=["whole"]
    )
    whole_text = AliasProperty(lambda self: whole_text(self.whole), bind=["whole"])


def whole_text(left: float | None) -> str:
    """What is left of the time of the whole game, if that is limited."""
    return "" if left is None else _("Whole game: {time} left", time=clock_text(left))


load_kv(__file__)
