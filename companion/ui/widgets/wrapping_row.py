"""A row that wraps into several lines when large letters are used."""

from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.shown import Shown
from companion.ui.widgets.buttons import load_kv

_AROUND = 12
"""Total padding of a button above and below its text."""


class WrappingRow(Shown, BoxLayout):
    """A normal row. With large letters it wraps into lines, each as high as its texts need.

    Invisible children take no space in these lines.
    """

    columns = NumericProperty(2)
    """Number of widgets per line with large letters."""
    even = BooleanProperty(False)
    """Whether all lines have the same height, to align with the widgets beside them."""

    def __init__(self, **kwargs: object) -> None:
        self._is_large = theme.LARGE
        super().__init__(**kwargs)
        self.fbind("opacity", self._trigger_layout)

    def add_widget(self, widget: Widget, *args: object, **kwargs: object) -> None:
        """Add a widget whose height may depend on its text."""
        super().add_widget(widget, *args, **kwargs)
        for name in ("texture_size", "minimum_height", "opacity"):
            if widget.property(name, quiet=True):
                widget.fbind(name, self._trigger_layout)

    def do_layout(self, *args: object) -> None:
        """Lay out as usual, or in lines from the top down."""
        if not self._is_large:
            super().do_layout(*args)
            return
        there = [child for child in reversed(self.children) if child.opacity and self.opacity]
        left, top, right, bottom = (max(0, side) for side in self.padding)
        lines = [there[n : n + self.columns] for n in range(0, len(there), self.columns)]
        heights = [max(map(_needed, line)) for line in lines]
        if self.even and heights:
            heights = [max(heights)] * len(lines)
        between = self.spacing * (len(lines) - 1)
        self.height = top + sum(heights) + between + bottom if lines else 0
        y = self.top - top
        for line, height in zip(lines, heights, strict=True):
            y -= height
            free = self.width - left - right - self.spacing * (len(line) - 1)
            for number, child in enumerate(line):
                child.width = free / len(line)
                if not isinstance(child, WrappingRow):  # nested ones set their own heights
                    child.height = height
                x = self.x + left + number * (child.width + self.spacing)
                child.pos = x, y + height - child.height
            y -= self.spacing


def _needed(child: Widget) -> float:
    """Height that a widget needs, for touch and for its text."""
    if isinstance(child, Label):
        height = float(child.texture_size[1])
        return max(theme.TOUCH, height + _AROUND) if isinstance(child, ButtonBehavior) else height
    if isinstance(child, WrappingRow):
        return float(child.height)
    least = child.size_hint_min_y or 0
    return float(max(theme.TOUCH, least, getattr(child, "minimum_height", 0)))


load_kv(__file__)
