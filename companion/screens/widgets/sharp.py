"""Scale of the layout in the window, and text that is sharp at any scale.

All screens are laid out in the units of `theme.SCREEN`, and `Fitted` draws them as large as the
window allows. Shapes scale without loss; letters are rendered again in the pixels of the window.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakSet

from kivy.core.text import Label as CoreLabel
from kivy.factory import Factory
from kivy.uix.label import Label

from companion.screens.widgets.line_breaks import broken


class Zoom:
    """Length of a unit, in pixels of the window."""

    def __init__(self) -> None:
        self.scale = 1.0
        self._written: WeakSet[Sharp] = WeakSet()

    def keep_sharp(self, written: "Sharp") -> None:
        """Redraw a widget with letters at every change of the scale."""
        self._written.add(written)

    def change(self, scale: float) -> None:
        """Set the scale and redraw everything."""
        if scale != self.scale:
            self.scale = scale
            for each in list(self._written):
                each.sharpen()


ZOOM = Zoom()
"""There is only one window."""


class Sharp:
    """A widget with letters."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        ZOOM.keep_sharp(self)

    def sharpen(self) -> None:
        """Redraw it, as the scale has changed."""
        raise NotImplementedError


class SharpText(Sharp):
    """Mixin that makes a Kivy label or button sharp."""

    def sharpen(self) -> None:
        self._trigger_texture()  # type: ignore[attr-defined]

    def texture_update(self, *_args: object) -> None:
        """Render the letters in pixels; `texture_size` stays in units."""
        self._break_lines()
        scale = ZOOM.scale
        if scale == 1 or not self._label.text:  # type: ignore[attr-defined]
            super().texture_update()  # type: ignore[misc]
            return
        with _enlarged(self._label, scale) as label:  # type: ignore[attr-defined]
            label.refresh()
            label.texture.bind()  # otherwise it would be filled when the next frame is drawn
        self.texture = None  # it may be the same object with new contents
        self.texture = label.texture
        self.texture_size = [length / scale for length in label.texture.size]

    def _break_lines(self) -> None:
        """Pass the text to Kivy with our line breaks; `text` itself is not changed."""
        text, label = self.text, self._label  # type: ignore[attr-defined]
        width = label.usersize[0]
        if width and " " in text:
            left, _top, right, _bottom = label.options["padding"]
            looks = {"bold": label.options["bold"], "centred": label.options["halign"] == "center"}
            # In pixels of the window: enlarged letters are slightly wider than in proportion.
            room, size = (
                ZOOM.scale * (width - left - right),
                ZOOM.scale * label.options["font_size"],
            )
            text = broken(text, int(room), int(size), **looks)
        label.text = text


class SharpLabel(SharpText, Label):
    """A text."""


@contextmanager
def _enlarged(label: CoreLabel, scale: float) -> Iterator[CoreLabel]:
    """Scale a label's font size, padding and space for the duration of the context."""
    options, room = label.options, label.usersize
    padding = [length * scale for length in options["padding"]]
    label.options = {**options, "font_size": options["font_size"] * scale, "padding": padding}
    label.usersize = [length and length * scale for length in room]
    try:
        yield label
    finally:
        label.options, label.usersize = options, room


# `Label` in a kv file is `SharpLabel`.
Factory.unregister("Label")
Factory.register("Label", cls=SharpLabel)
