"""What to do on the board, a line a piece; a second line begins below the words of the first."""

from kivy.properties import ListProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.widgets.common import load_kv


class GuideLine(BoxLayout):
    """One thing to do, with its sign."""

    text = StringProperty()


class Guide(BoxLayout):
    """All of them; as high as it needs."""

    lines = ListProperty()

    def on_lines(self, *_args: object) -> None:
        """Show these. Rows stay where they are, so that nothing jumps."""
        for row in self.children[: max(0, len(self.children) - len(self.lines))]:
            self.remove_widget(row)
        while len(self.children) < len(self.lines):
            self.add_widget(GuideLine())
        for row, line in zip(reversed(self.children), self.lines, strict=True):
            row.text = line


load_kv(__file__)
