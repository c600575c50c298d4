"""How large a unit of the layout is in the window, and text that is sharp at any size.

All screens are laid out in the units of `theme.SCREEN`, and `Fitted` draws them as large as the
window allows. Shapes grow without harm; letters are made anew, in the pixels of the window.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakSet

from kivy.core.text import Label as CoreLabel
from kivy.factory import Factory
from kivy.uix.label import Label

from companion.screens.widgets.line_breaks import broken


class Zoom:
    """How many pixels of the window a unit is long."""

    def __init__(self) -> None:
        self.scale = 1.0
        self._written: WeakSet[Sharp] = WeakSet()

    def keep_sharp(self, written: "Sharp") -> None:
        """Let something with letters on it be drawn anew at every other scale."""
        self._written.add(written)

    def change(self, scale: float) -> None:
        """Draw everything at another scale."""
        if scale != self.scale:
            self.scale = scale
            for each in list(self._written):
                each.sharpen()


ZOOM = Zoom()
"""There is one window."""


class Sharp:
    """A widget with letters on it."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        ZOOM.keep_sharp(self)

    def sharpen(self) -> None:
        """Draw it anew: the scale has changed."""
        raise NotImplementedError


class SharpText(Sharp):
    """What makes a label of Kivy's, or a button, sharp."""

    def sharpen(self) -> None:
        self._trigger_texture()  # type: ignore[attr-defined]

    def texture_update(self, *_args: object) -> None:
        """Make the letters in pixels; `texture_size` stays in units."""
        self._break_lines()
        scale = ZOOM.scale
        if scale == 1 or not self._label.text:  # type: ignore[attr-defined]
            super().texture_update()  # type: ignore[misc]
            return
        with _enlarged(self._label, scale) as label:  # type: ignore[attr-defined]
            label.refresh()
            label.texture.bind()  # else it would be filled when the next frame is drawn
        self.texture = None  # it may be the one that was there, filled anew
        self.texture = label.texture
        self.texture_size = [length / scale for length in label.texture.size]

    def _break_lines(self) -> None:
        """Give Kivy the text with the line breaks that we want; `text` itself stays as it is."""
        text, label = self.text, self._label  # type: ignore[attr-defined]
        width = label.usersize[0]
        if width and " " in text:
            left, _top, right, _bottom = label.options["padding"]
            looks = {"bold": label.options["bold"], "centred": label.options["halign"] == "center"}
            # In the pixels of the window: larger letters are wider by a hair than they should be.
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
    """A text in larger letters, with as much more room for them."""
    options, room = label.options, label.usersize
    padding = [length * scale for length in options["padding"]]
    label.options = {**options, "font_size": options["font_size"] * scale, "padding": padding}
    label.usersize = [length and length * scale for length in room]
    try:
        yield label
    finally:
        label.options, label.usersize = options, room


# `Label` in a layout is one of ours.
Factory.unregister("Label")
Factory.register("Label", cls=SharpLabel)
