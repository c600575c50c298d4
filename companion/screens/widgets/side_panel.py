"""The panel beside the board on a game's screens: one thing at a time, from the top down."""

from collections.abc import Sequence
from typing import Final

from kivy.properties import (
    AliasProperty,
    BooleanProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.screens.widgets import theme
from companion.screens.widgets.common import Press, load_kv
from companion.screens.widgets.shown import Shown

_AROUND: Final = 12
"""Total padding of a button above and below its text."""


class Yielding(Shown, BoxLayout):
    """A part that is hidden if more important parts need its room."""

    order = NumericProperty(0)
    """Priority: the part with the lowest number is hidden first."""
    needed = NumericProperty(0)
    """Height of the part when it is shown."""
    has_room = BooleanProperty(True)


class Heading(BoxLayout):
    """The banner of a side: emblem and name."""

    side = ObjectProperty(None, allownone=True)
    text = StringProperty()

    def _rim(self) -> list[float]:
        """Outline: straight at the staff, forked at the free end."""
        x, y, right, top = self.x, self.y, self.right, self.top
        return [x, y, right, y, right - 14, self.center_y, right, top, x, top]

    def _outline(self) -> list[float]:
        """The same as vertices of a fan, around a point from which the whole outline is visible."""
        rim = self._rim()
        points = [self.center_x, self.center_y, *rim, *rim[:2]]
        pairs = zip(points[::2], points[1::2], strict=True)
        return [part for x, y in pairs for part in (x, y, 0, 0)]

    rim = AliasProperty(_rim, bind=["pos", "size"])
    outline = AliasProperty(_outline, bind=["pos", "size"])


class Fallen(Yielding):
    """The fallen pieces of both armies."""

    captured = ObjectProperty(None, allownone=True)
    note = StringProperty()


class SidePanel(BoxLayout):
    """A column. Hidden parts leave no gap, and yielding parts are shown if there is room."""

    def do_layout(self, *_args: object) -> None:
        left, top, right, bottom = self.padding
        for child in self.children:  # the height of a text depends on its width
            child.width = self.width - left - right
        there = [child for child in reversed(self.children) if least(child) or child.size_hint_y]
        there = make_room(there, self.height - top - bottom, self.spacing)
        stretched = [child for child in there if child.size_hint_y is not None]
        fixed = sum(height_of(child) for child in there if child not in stretched)
        free = self.height - top - bottom - fixed - self.spacing * (len(there) - 1)
        y = self.top - top
        for child in there:
            if child in stretched:
                child.height = max(least(child), free / len(stretched))
            y -= height_of(child)
            child.pos = self.x + left, y
            y -= self.spacing


class FootRow(Shown, BoxLayout):
    """The row at the bottom; with large letters it is as high as its texts need."""

    lone = ObjectProperty(None, allownone=True)
    """Widget that gets a line of its own above the others then, as the row is narrow."""

    def add_widget(self, widget: Widget, *args: object, **kwargs: object) -> None:
        """Add a widget; a button may be higher than others."""
        super().add_widget(widget, *args, **kwargs)
        if theme.LARGE and isinstance(widget, Press):
            widget.fbind("texture_size", self._rise)
            widget.fbind("opacity", self._rise)
            self._rise()

    def do_layout(self, *args: object) -> None:
        """Lay out as usual, or with one button above the others."""
        if not (theme.LARGE and self.lone):
            super().do_layout(*args)
            return
        lone = self.lone.__self__
        lone.width, lone.pos = self.width, (self.x, self.top - lone.height)
        others = [each for each in reversed(self.children) if each is not lone]
        wide = [each for each in others if each.size_hint_x is not None]
        free = self.width - self.spacing * (len(others) - 1)
        free -= sum(each.width for each in others if each not in wide)
        x = self.x
        for each in others:
            if each in wide:
                each.width = free / len(wide)
            each.pos = x, self.y
            x = each.right + self.spacing
        if len(others) > 1:
            others[-1].right = self.right

    def on_lone(self, *_args: object) -> None:
        """Adjust the height."""
        if theme.LARGE:
            self._rise()

    def _rise(self, *_args: object) -> None:
        words = [each for each in self.children if isinstance(each, Press) and each.opacity]
        lone = [each for each in words if self.lone and each is self.lone.__self__]
        lines = [line for line in (lone, [each for each in words if each not in lone]) if line]
        heights = [
            max(theme.TOUCH, *(each.texture_size[1] + _AROUND for each in line)) for line in lines
        ]
        for line, height in zip(lines, heights, strict=True):
            for each in line:
                each.height = height
        if heights:
            self.height = sum(heights) + self.spacing * (len(heights) - 1)


def make_room(there: Sequence[Widget], height: float, spacing: float) -> list[Widget]:
    """Hide as many of the yielding parts as necessary, and return those that are shown."""
    staying = list(there)
    yielding = [child for child in staying if isinstance(child, Yielding)]
    for child in sorted(yielding, key=lambda child: float(child.order)):
        needed = sum(map(least, staying)) + spacing * (len(staying) - 1)
        child.has_room = needed <= height
        if not child.has_room:
            staying.remove(child)
    return staying


def least(child: Widget) -> float:
    """Minimum height of a part of a column."""
    if child.size_hint_y is not None:
        return float(child.size_hint_min_y or 0)
    return height_of(child)


def height_of(child: Widget) -> float:
    """Height of a part; of a yielding part, its height when shown."""
    return float(child.needed if isinstance(child, Yielding) else child.height)


load_kv(__file__)
