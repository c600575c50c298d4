"""What is higher than its place and scrolls there: where more of it follows, it fades away.

A line that the edge cuts in two looks like a fault; one that fades says that there is more.
"""

from kivy.uix.scrollview import ScrollView

from companion.screens.widgets.common import load_kv


class Scrolled(ScrollView):
    """A list that scrolls up and down, with a bar beside it while there is more than is seen."""


load_kv(__file__)
