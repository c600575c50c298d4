"""The clocks of both sides, to be read from a metre away."""

import math

from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv

SHORT = 60
"""Seconds below which little time is left."""


class ClockFace(BoxLayout):
    """One side's time: an arrow on the one that runs, an exclamation mark if little is left."""

    side = ObjectProperty(None, allownone=True)
    left = NumericProperty(0)
    """In seconds; a part of one counts as a whole, so that 0:00 means that it is over."""
    runs = BooleanProperty(False)

    text = AliasProperty(lambda self: clock_text(self.left), bind=["left"])
    is_short = AliasProperty(lambda self: self.left < SHORT, bind=["left"])


class Clocks(BoxLayout):
    """Both sides' time, nothing at all without a time control."""

    red = NumericProperty(None, allownone=True)
    blue = NumericProperty(None, allownone=True)
    running = ObjectProperty(None, allownone=True)
    """The side whose time runs at the moment."""


def clock_text(left: float) -> str:
    """Minutes and seconds."""
    minutes, seconds = divmod(math.ceil(left), 60)
    return f"{minutes}:{seconds:02}"


load_kv(__file__)
