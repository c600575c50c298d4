"""Widgets that are hidden and disabled while their property `shown` is False."""

from typing import Final

from kivy.factory import Factory
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

_WIDTH: Final[dict[str, float | None]] = {"size_hint_x": None, "width": 0}
_HEIGHT: Final[dict[str, float | None]] = {"size_hint_y": None, "height": 0}
_ZERO: Final = {"": {}, "width": _WIDTH, "height": _HEIGHT, "size": _WIDTH | _HEIGHT}
"""The size properties of a hidden widget, for each value of `collapse`."""


class Shown:
    """Mixin for a widget that can be hidden; a hidden widget is invisible and disabled.

    Touches pass through a hidden widget to the widgets below. The dimension in `collapse` is 0
    while the widget is hidden; all other sizes stay the same. Rules and layouts may still assign a
    value to the collapsed dimension. The value takes effect when the widget is shown again.
    """

    shown = ObjectProperty(True, allownone=True)
    """Whether the widget is visible. Any object can be assigned; its truth value counts."""
    collapse = StringProperty("")
    """Dimension that is 0 while the widget is hidden: `width`, `height`, `size` (both) or ""
    (none)."""

    def __init__(self, **kwargs: object) -> None:
        self._is_hidden = False
        self._kept: dict[str, float | None] = {}
        """Values of the collapsed dimension, to be restored when the widget is shown."""
        super().__init__(**kwargs)

    def on_shown(self, _widget: object, shown: object) -> None:
        if self._is_hidden == (not shown):
            return
        self._is_hidden = not shown
        self.opacity = 0 if self._is_hidden else 1
        if self._is_hidden:
            self.inc_disabled()  # type: ignore[attr-defined]
            self._fold()
        else:
            self.dec_disabled()  # type: ignore[attr-defined]
            self._unfold()

    def on_collapse(self, _widget: object, _dimension: str) -> None:
        """Collapse the dimension, even if the .kv rule has set `shown` before `collapse`."""
        self._unfold()
        if self._is_hidden:
            self._fold()

    def on_touch_down(self, touch: object) -> bool:
        # In Kivy, a disabled widget swallows touches even if it is invisible.
        return not self._is_hidden and bool(super().on_touch_down(touch))  # type: ignore[misc]

    def _fold(self) -> None:
        for name in _ZERO[self.collapse]:
            self._keep(name, self, getattr(self, name))
            self.fbind(name, self._keep, name)  # type: ignore[attr-defined]

    def _unfold(self) -> None:
        kept, self._kept = self._kept, {}
        for name, value in kept.items():
            self.funbind(name, self._keep, name)  # type: ignore[attr-defined]
            setattr(self, name, value)

    def _keep(self, name: str, _widget: object, value: float | None) -> None:
        """Store a value assigned to a collapsed dimension, and collapse the dimension again."""
        zero = _ZERO[self.collapse][name]
        if value != zero or name not in self._kept:
            self._kept[name] = value
            setattr(self, name, zero)


class ShownBox(Shown, BoxLayout):
    """A box that can be hidden."""


class ShownWidget(Shown, Widget):
    """A drawing that can be hidden."""


for _class in (Shown, ShownBox, ShownWidget):
    Factory.register(_class.__name__, cls=_class)
