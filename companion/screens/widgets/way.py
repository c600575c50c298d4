"""A large button with a line about its consequence."""

from kivy.properties import StringProperty

from companion.screens.widgets.common import Card, load_kv


class Way(Card):
    """An action, and its consequence below; the `main` one has the accent colour."""

    text = StringProperty()
    detail = StringProperty()


load_kv(__file__)
