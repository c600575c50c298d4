"""A scroll view that fades out at an edge beyond which its content continues.

A line that is cut by the edge looks like a fault; one that fades shows that there is more.
"""

from kivy.uix.scrollview import ScrollView

from companion.screens.widgets.common import load_kv


class Scrolled(ScrollView):
    """A vertically scrolling list, with a scroll bar while it is longer than its place."""


load_kv(__file__)
