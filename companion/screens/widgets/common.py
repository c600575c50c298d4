"""Words in four sizes, buttons, headings: what all screens have."""

from kivy.factory import Factory
from kivy.lang import Builder
from kivy.properties import AliasProperty, BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.button import Button

from companion.screens.widgets import theme


def load_kv(python_file: str) -> None:
    """Load the kv file that stands beside a Python file."""
    Builder.load_file(python_file.removesuffix(".py") + ".kv")


class Press(Button):
    """A button; the `main` one is what the screen waits for."""

    main = BooleanProperty(False)

    def _fill(self) -> theme.Colour:
        if self.disabled:
            return theme.GROUND
        if self.main:
            return theme.ACT_PRESSED if self.state == "down" else theme.ACT
        return theme.PRESSED if self.state == "down" else theme.RAISED

    fill = AliasProperty(_fill, bind=["disabled", "main", "state"])


class Heading(BoxLayout):
    """The largest words of a screen, with the sign of a side if it is about one."""

    side = ObjectProperty(None, allownone=True)
    text = StringProperty()


Factory.register("Press", cls=Press)
Factory.register("Heading", cls=Heading)
load_kv(__file__)
