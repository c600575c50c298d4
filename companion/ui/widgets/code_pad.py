"""Entry of four digits, on ten keys."""

from typing import Final

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.drawing import theme
from companion.ui.drawing.shown import Shown
from companion.ui.widgets.buttons import Press, load_kv

DIGITS: Final = 4


class CodePad(Shown, BoxLayout):
    """Dispatches `on_code` after every four digits; the digits are not shown."""

    dots = StringProperty()
    """A dot for every digit."""

    __events__ = ("on_code",)

    def __init__(self, **kwargs: object) -> None:
        self._digits = ""
        super().__init__(**kwargs)
        self._show()

    def on_kv_post(self, _base: object) -> None:
        """Create the keys once their container exists."""
        for digit in "1234567890":
            key = Press(text=digit, size_hint_y=1, font_size=theme.HEAD)
            key.bind(on_release=lambda key: self._take(key.text))
            self.ids.digits.add_widget(key)

    def on_code(self, _code: str) -> None:
        pass

    def _take(self, digit: str) -> None:
        self._digits += digit
        code = self._digits
        if len(code) == DIGITS:
            self._digits = ""
        self._show()
        if len(code) == DIGITS:
            self.dispatch("on_code", code)

    def _show(self) -> None:
        self.dots = " ".join("•" * len(self._digits) + "–" * (DIGITS - len(self._digits)))


load_kv(__file__)
