"""A private notice for one player, behind a curtain, with one button."""

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.behind import Behind
from companion.screens.widgets.common import load_kv


class PrivateText(BoxLayout):
    """The notice. It dispatches `on_read` when the player continues."""

    title = StringProperty()
    told = StringProperty()
    advice = StringProperty()
    """Advice on what the player can do about it."""
    onward = StringProperty()
    """Label of the button."""

    __events__ = ("on_read",)

    def on_read(self) -> None:
        pass


class PrivateWord(Behind, PrivateText):
    """The notice alone."""

    is_to_be_read = True


load_kv(__file__)
