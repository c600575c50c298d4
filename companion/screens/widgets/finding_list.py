"""List of board findings, one below the other, each with its sign."""

from collections.abc import Sequence

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.maintenance.clerk import Finding
from companion.screens.widgets.common import load_kv


class FindingRow(BoxLayout):
    """One finding."""

    about = StringProperty()
    text = StringProperty()


class FindingList(BoxLayout):
    """All findings; as high as it needs, so it belongs into a scroll view."""

    def fill(self, found: Sequence[Finding]) -> None:
        """Show these findings. Existing rows are kept, so that nothing moves under a finger."""
        for row in self.children[: max(0, len(self.children) - len(found))]:
            self.remove_widget(row)
        while len(self.children) < len(found):
            self.add_widget(FindingRow())
        for row, finding in zip(reversed(self.children), found, strict=True):
            row.about, row.text = finding.about, finding.text


load_kv(__file__)
