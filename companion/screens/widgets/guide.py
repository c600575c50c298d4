"""Instructions for the board, one line a piece; continuation lines are indented like the text."""

from kivy.properties import ListProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv
from companion.screens.widgets.shown import Shown


class GuideLine(BoxLayout):
    """One instruction, with its sign."""

    text = StringProperty()


class Guide(Shown, BoxLayout):
    """All instructions; as high as it needs."""

    lines = ListProperty()

    def on_lines(self, *_args: object) -> None:
        """Show these lines. Existing rows are kept, so that nothing moves."""
        for row in self.children[: max(0, len(self.children) - len(self.lines))]:
            self.remove_widget(row)
        while len(self.children) < len(self.lines):
            self.add_widget(GuideLine())
        for row, line in zip(reversed(self.children), self.lines, strict=True):
            row.text = line


load_kv(__file__)
