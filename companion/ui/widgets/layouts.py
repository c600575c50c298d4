"""Layouts for large text: a row that wraps, and a column with pages.

The column's last part is a footer, which appears on every page and contains the button that turns
the page. Parts marked `urgent` in a .kv file come first, and are on the first page if they fit.
With text of normal size, there is only one page.
"""

from collections.abc import Iterator, Sequence

from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.shown import Shown
from companion.ui.widgets.buttons import Press, load_kv
from companion.ui.widgets.side_panel import SidePanel, height_of, least, make_room

_AROUND = 12
"""Total padding of a button above and below its text."""


class WrappingRow(Shown, BoxLayout):
    """A row that wraps into several lines with large text.

    Each line is as tall as its text requires. Invisible children take up no space.
    """

    columns = NumericProperty(2)
    """Number of widgets per line with large text."""
    even = BooleanProperty(False)
    """Whether all lines have the same height, to align them with the widgets beside the row.
    """

    def __init__(self, **kwargs: object) -> None:
        self._is_large = theme.LARGE
        super().__init__(**kwargs)
        self.fbind("opacity", self._trigger_layout)

    def add_widget(self, widget: Widget, *args: object, **kwargs: object) -> None:
        super().add_widget(widget, *args, **kwargs)
        for name in ("texture_size", "minimum_height", "opacity"):
            if widget.property(name, quiet=True):
                widget.fbind(name, self._trigger_layout)

    def do_layout(self, *args: object) -> None:
        """Lay out the row as usual or, with large text, in lines from top to bottom."""
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
                if not isinstance(child, WrappingRow):  # nested rows set their own heights
                    child.height = height
                x = self.x + left + number * (child.width + self.spacing)
                child.pos = x, y + height - child.height
            y -= self.spacing


def _needed(child: Widget) -> float:
    """Return the height that a widget requires for its text and as a touch target."""
    if isinstance(child, Label):
        height = float(child.texture_size[1])
        return max(theme.TOUCH, height + _AROUND) if isinstance(child, ButtonBehavior) else height
    if isinstance(child, WrappingRow):
        return float(child.height)
    least = child.size_hint_min_y or 0
    return float(max(theme.TOUCH, least, getattr(child, "minimum_height", 0)))


class TurnPress(Press):
    """Button that shows the page number and goes to the next page."""

    page = NumericProperty(0)
    count = NumericProperty(1)


class PagedColumn(BoxLayout):
    """A column with pages. A part taller than a page gets a page of its own."""

    page = NumericProperty(0)
    """Index of the open page."""
    count = NumericProperty(1)

    def __init__(self, **kwargs: object) -> None:
        self._parts: list[Widget] = []
        """All parts in order, including those on other pages."""
        self._is_large = theme.LARGE
        super().__init__(**kwargs)
        self._turner = TurnPress()
        self._turner.bind(on_release=lambda _press: self.turn())
        self.bind(page=self._trigger_layout)

    def add_widget(self, widget: Widget, *args: object, **kwargs: object) -> None:
        """Append a part. The last one is the footer."""
        self._add_part(widget, len(self._parts))
        super().add_widget(widget, *args, **kwargs)
        if isinstance(widget, Parts):
            widget.pages = self

    def put_before(self, part: Widget, widget: Widget) -> None:
        self._add_part(widget, self._parts.index(part))

    def take_out(self, part: Widget) -> None:
        """Remove a part, even if it is on another page."""
        self._parts.remove(part)
        if part.parent is self:
            super().remove_widget(part)
        self._trigger_layout()

    def on_kv_post(self, _base: Widget) -> None:
        """Lay out the column again whenever the `urgent` property of a part changes."""
        for part in self._parts:
            if part.property("urgent", quiet=True):
                part.fbind("urgent", self._lay_out_again)

    @property
    def put_away(self) -> Iterator[Widget]:
        """The parts on other pages and, if there is only one page, the page button."""
        return (part for part in (*self._parts, self._turner) if part.parent is None)

    def turn(self) -> None:
        """Go to the next page or, after the last one, to the first."""
        self.page = (self.page + 1) % self.count

    def do_layout(self, *args: object) -> None:
        """Lay out the parts on the open page."""
        if not self._is_large:
            super().do_layout(*args)
            return
        left, top, right, bottom = self.padding
        for part in self._parts:  # the height of text depends on its width
            part.width = self.width - left - right
        pages = self._fill_pages(self.height - top - bottom)
        self.count, self.page = len(pages), min(self.page, len(pages) - 1)
        shown = [*pages[self.page], self._parts[-1]]
        self._offer_to_turn()
        self._put_up(shown)
        self._place(shown)

    def _add_part(self, widget: Widget, place: int) -> None:
        self._parts.insert(place, widget)
        for name in ("size", "opacity"):
            widget.fbind(name, self._lay_out_again)
        self._trigger_layout()

    def _lay_out_again(self, *_args: object) -> None:
        """Lay out the column again after a change to any part, even on another page."""
        self._trigger_layout()

    def _fill_pages(self, height: float) -> list[list[Widget]]:
        """Distribute the parts among pages, leaving room for the footer on each."""
        *parts, foot = self._parts
        seen = [part for part in parts if least(part) or part.size_hint_y is not None]
        there = make_room([*seen, foot], height, self.spacing)
        if _needs(there, self.spacing) <= height:
            return [there[:-1]]
        parts = [part for part in there[:-1] if least(part)]
        urgent = [part for part in parts if getattr(part, "urgent", False)]
        pages: list[list[Widget]] = [[]]
        for part in sorted(parts, key=lambda part: part not in urgent):
            if pages[-1] and _needs([*pages[-1], part, foot], self.spacing) > height:
                pages.append([])
            pages[-1].append(part)
        return [sorted(page, key=parts.index) for page in pages]

    def _offer_to_turn(self) -> None:
        self._turner.page, self._turner.count = self.page, self.count
        foot, holder = self._parts[-1], self._turner.parent
        if self.count > 1 and holder is None:
            foot.add_widget(self._turner)
            self.ids["turn"] = self._turner
        elif self.count == 1 and holder is not None:
            holder.remove_widget(self._turner)

    def _put_up(self, shown: Sequence[Widget]) -> None:
        if [*reversed(self.children)] == list(shown):
            return
        for part in list(self.children):
            super().remove_widget(part)
        for part in shown:
            super().add_widget(part)

    def _place(self, shown: Sequence[Widget]) -> None:
        left, top, _right, bottom = self.padding
        *body, foot = shown
        foot.pos = self.x + left, self.y + bottom
        stretched = [part for part in body if part.size_hint_y is not None]
        free = self.height - top - bottom - _needs(shown, self.spacing)
        y = self.top - top
        for part in body:
            if part in stretched:
                height = least(part) + max(0, free) / len(stretched)
                part.height = min(height, part.size_hint_max_y or height)
            y -= height_of(part)
            part.pos = self.x + left, y
            y -= self.spacing


class Parts(GridLayout):
    """A grid in a paged column. With large text, each of its widgets becomes a separate part."""

    pages: PagedColumn | None = None

    def __init__(self, **kwargs: object) -> None:
        self.things: list[Widget] = []
        """All widgets in the grid, in order, across all pages."""
        super().__init__(**kwargs)

    def add_widget(self, widget: Widget, *args: object, **kwargs: object) -> None:
        self.things.append(widget)
        if theme.LARGE:
            assert self.pages
            self.pages.put_before(self, widget)
        else:
            super().add_widget(widget, *args, **kwargs)

    def remove_widget(self, widget: Widget) -> None:
        self.things.remove(widget)
        if theme.LARGE:
            assert self.pages
            self.pages.take_out(widget)
        else:
            super().remove_widget(widget)


class PagedPanel(PagedColumn, SidePanel):
    """The panel beside the board, divided into pages."""


class PagedDialog(PagedColumn):
    """A full-screen dialog, divided into pages."""


def _needs(parts: Sequence[Widget], spacing: float) -> float:
    return sum(map(least, parts)) + spacing * (len(parts) - 1)


class Scrolled(ScrollView):
    """A vertically scrolling list, with a scroll bar if its content is taller than the list.

    The list fades out at an edge beyond which its content continues; a line cut off at the edge
    would look like a mistake.
    """


load_kv(__file__)
