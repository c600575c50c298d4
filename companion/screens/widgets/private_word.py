"""A word for one player's eyes, behind a curtain, with the one way on."""

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.behind import Behind
from companion.screens.widgets.common import load_kv


class PrivateText(BoxLayout):
    """The word. It says `on_read` when the player goes on."""

    title = StringProperty()
    told = StringProperty()
    advice = StringProperty()
    """What the player can do about it."""
    onward = StringProperty()
    """What the one button says."""

    __events__ = ("on_read",)

    def on_read(self) -> None:
        pass


class PrivateWord(Behind, PrivateText):
    """A word, and nothing else."""

    is_to_be_read = True


load_kv(__file__)
