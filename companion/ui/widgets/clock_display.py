"""The clocks of both sides, readable from a distance of one metre."""

from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.drawing import theme
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.side_panel import Yielding
from engine.game.clocks import clock_text

SHORT = 60
"""Remaining time that counts as short, in seconds."""


class ClockFace(BoxLayout):
    """One side's clock: an arrow if it is running, an exclamation mark if little time is left."""

    side = ObjectProperty(None, allownone=True)
    flat = BooleanProperty(False)
    left = NumericProperty(0)
    """Remaining time in seconds, rounded up: 0:00 means that the time has expired."""
    runs = BooleanProperty(False)

    text = AliasProperty(lambda self: clock_text(self.left), bind=["left"])
    is_short = AliasProperty(lambda self: self.left < SHORT, bind=["left"])
    rim = AliasProperty(lambda self: theme.TEXT if self.runs else theme.EDGE, bind=["runs"])
    rim_width = AliasProperty(lambda self: 2 if self.runs else 1, bind=["runs"])


class Clocks(Yielding):
    """The clocks of both sides and of the whole game, if these are limited."""

    flat = BooleanProperty(False)
    """Whether the clocks are drawn flat, because other parts of the screen matter more."""

    red = NumericProperty(None, allownone=True)
    blue = NumericProperty(None, allownone=True)
    whole = NumericProperty(None, allownone=True)
    """Remaining time of the whole game; None if it is unlimited."""
    running = ObjectProperty(None, allownone=True)
    """The side whose clock is running."""

    is_ending = AliasProperty(
        lambda self: self.whole is not None and self.whole < SHORT, bind=["whole"]
    )
    whole_text = AliasProperty(lambda self: whole_text(self.whole), bind=["whole"])


def whole_text(left: float | None) -> str:
    """Remaining time of the whole game as text, empty if it is unlimited."""
    return "" if left is None else _("Whole game: {time} left", time=clock_text(left))


load_kv(__file__)
