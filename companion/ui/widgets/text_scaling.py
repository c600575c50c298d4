"""Enlarges text by up to 50 % where there is room.

All text starts at its largest size. If a label's text does not fit, the label's font shrinks; the
tiles beside it shrink with it. If a widget is pushed off the screen, all fonts on that screen
shrink. At the smallest size, which is the normal size, everything fits, because the screens are
laid out for it. Shelves and other `Yielding` parts are hidden first, and paged content continues on
the next page.
"""

from collections.abc import Iterator
from typing import Final

from kivy.clock import Clock
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.ui.drawing import theme
from companion.ui.drawing.hidpi_text import wide
from companion.ui.widgets.buttons import Card
from companion.ui.widgets.layouts import PagedColumn
from companion.ui.widgets.setup_square import SetupSquare

STEPS: Final = (1.5, 1.35, 1.2, 1.0)
_SIZES: Final = {
    usual: [round(usual * step) for step in STEPS]
    for usual in (theme.BODY, theme.HEAD, theme.TITLE)
}
SIZES: Final = {size: sizes for sizes in _SIZES.values() for size in sizes}
"""For each font size, the sizes that can replace it, largest first."""
_PASSES: Final = 8
"""Maximum number of layout passes per frame. Further passes wait for the next frame. Kivy warns if
a frame needs more than 20 passes, and the large buttons on the start screen may need up to nine
passes of their own after these."""
_STILL: Final = 2
"""Number of consecutive passes without a change after which the layout is considered complete."""


class TextScaler:
    """Keeps all text as large as possible. Call `tick` in every frame."""

    def __init__(self, root: Widget) -> None:
        self._root = root
        self._texts: dict[Widget, int] = {}
        """The text length of each label on any page, and the index of each column's open page."""
        self._count = 0
        """Number of pages in the last frame."""
        self._can_retry = False
        self._set_sizes: dict[Label, int] = {}
        """Font size set for each label."""
        self._places: list[tuple[float, ...]] = []
        """Positions and sizes of all widgets in the last pass."""
        self._passes = self._still = 0
        self._is_settled = False
        self._again = Clock.create_trigger(self._fit, -1)

    def tick(self) -> None:
        """Restart at the largest font sizes if any text has changed."""
        written = list(_written(self._root))
        labels = [each for each in written if _can_grow(each)]
        # Ignore the order of the labels, because a smaller font can move a label to another page.
        texts = {label: len(label.text) for label in labels}
        columns = [each for each in written if isinstance(each, PagedColumn)]
        texts |= {each: each.page for each in columns}
        count = sum(each.count for each in columns)
        has_changed = texts != self._texts or not self._restore_sizes()
        # If the page button disappears, its row has room for a larger font. With that font, there
        # may be a second page again, so retry only once.
        if has_changed or (self._can_retry and count < self._count):
            self._can_retry = has_changed
            self._texts, self._is_settled, self._still = texts, False, 0
            for label in labels:
                label.font_size = SIZES[round(label.font_size)][0]
            self._set_sizes = {label: round(label.font_size) for label in labels}
        self._count = count
        if not self._is_settled:
            self._passes = 0
            self._again()

    def _restore_sizes(self) -> bool:
        """Restore the font sizes that a layout has reset although no text has changed.

        Return False if a label's new size is not one of the alternatives to its previous size.
        """
        for label, size in self._set_sizes.items():
            current = round(label.font_size)
            if SIZES[current] != SIZES[size]:
                return False
            if current != size:
                label.font_size = size
        return True

    def _fit(self, *_args: object) -> None:
        """Wait until the layout is complete, then shrink labels that do not fit."""
        places = [(*each.pos, *each.size) for each in _shown(self._root)]
        self._still = self._still + 1 if places == self._places else 0
        self._places = places
        if self._still >= _STILL:
            self._still = 0
            too_large = {each for label in self._cut_off() for each in _in_step_with(label)}
            smaller = list(filter(_shrink, too_large))
            self._set_sizes |= {label: round(label.font_size) for label in smaller}
            self._is_settled = not smaller
        self._passes += 1
        if not self._is_settled and self._passes < _PASSES:
            self._again()

    def _cut_off(self) -> Iterator[Label]:
        """Yield the labels that need a smaller font."""
        for layer in (part for each in self._root.children for part in each.children):
            shown = list(_shown(layer))
            labels = [each for each in shown if _can_grow(each)]
            if any(not self._is_inside(each) or _is_squeezed(each) for each in shown):
                yield from labels
            for label in labels:
                if box := _overflowing_box(label):
                    yield from filter(_can_grow, _shown(box))
                elif _is_cut(label):
                    # If a label already has the smallest font size, its neighbours have to shrink.
                    place = label.parent.children if _is_small(label) else [label]
                    yield from filter(_can_grow, place)

    def _is_inside(self, widget: Widget) -> bool:
        """Whether a widget is on the screen or can be scrolled into view."""
        if not (widget.width > 0 and widget.height > 0):
            return True
        left, right, low, high = _edges_in_window(widget)
        screen_left, screen_right, screen_low, screen_high = _edges_in_window(self._root)
        if left < screen_left - 1 or right > screen_right + 1:
            return False
        is_inside = low >= screen_low - 1 and high <= screen_high + 1
        return is_inside or self._scrolls(widget)

    def _scrolls(self, widget: Widget) -> bool:
        while widget is not None and widget is not self._root:
            if isinstance(widget, ScrollView):
                return True
            widget = widget.parent
        return False


def _edges_in_window(widget: Widget) -> tuple[float, float, float, float]:
    """Return the left, right, lower and upper edges, in window pixels."""
    corners = widget.to_window(*widget.pos), widget.to_window(widget.right, widget.top)
    (left, right), (low, high) = map(sorted, zip(*corners, strict=True))
    return left, right, low, high


def _shown(widget: Widget) -> Iterator[Widget]:
    if widget.opacity:
        yield widget
        for child in widget.children:
            yield from _shown(child)


def _written(widget: Widget) -> Iterator[Widget]:
    """Yield all visible widgets, and also the widgets on other pages.

    The widgets on other pages affect the number of pages.
    """
    for each in _shown(widget):
        yield each
        if isinstance(each, PagedColumn):
            for part in each.put_away:
                yield from _written(part)


def _can_grow(widget: Widget) -> bool:
    return isinstance(widget, Label) and bool(widget.text) and round(widget.font_size) in SIZES


def _in_step_with(label: Label) -> Iterator[Label]:
    """Yield a label and, if it is on a tile, the labels of its style on the tiles beside it."""
    yield label
    tile = label
    while not isinstance(tile, Card) and not isinstance(tile.parent, GridLayout):
        tile = tile.parent
        if not isinstance(tile, Widget):
            return
    sizes = SIZES[round(label.font_size)]
    beside = (each for each in tile.parent.children if isinstance(each, type(tile)))
    labels = (each for one in beside for each in _shown(one) if _can_grow(each))
    yield from (each for each in labels if SIZES[round(each.font_size)] is sizes)


def _is_small(label: Label) -> bool:
    size: int = round(label.font_size)
    return size == SIZES[size][-1]


def _shrink(label: Label) -> bool:
    """Use the next smaller font size. Return False if the label already has the smallest one."""
    sizes = SIZES[round(label.font_size)]
    place = sizes.index(round(label.font_size)) + 1
    if place == len(sizes):
        return False
    label.font_size = sizes[place]
    return True


def _is_cut(label: Label) -> bool:
    width, height = label.texture_size
    if width > label.width + 1 or height > label.height + 1:
        return True
    line = label.text_size[0]
    # A path may be broken anywhere. Other words may not.
    words = [word for word in label.text.split() if "/" not in word] if line else []
    return any(wide(word, round(label.font_size), bold=label.bold) > float(line) for word in words)


def _overflowing_box(label: Label) -> Widget | None:
    """Return the innermost enclosing box that is too short for its text, or None."""
    box = label.parent
    while isinstance(box, BoxLayout | GridLayout):
        if label.y < box.y - 1 or label.top > box.top + 1:
            return box
        box = box.parent
    return None


def _is_squeezed(widget: Widget) -> bool:
    """Whether a button is too short to be touched. Squares are exempt."""
    if not isinstance(widget, ButtonBehavior) or isinstance(widget, SetupSquare):
        return False
    return bool(0 < widget.height < theme.TOUCH - 1)
