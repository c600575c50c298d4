"""The arbiter's code: set before a game; only a person who knows it can remove it."""

from collections.abc import Callable

from kivy.properties import StringProperty

from companion.screens.base.cover import Cover
from companion.screens.base.settings import Settings
from companion.screens.widgets.code_pad import CodePad  # noqa: F401 (the layout has one)
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _


class CodeCover(Cover):
    """Four digits: a new code if none is set, otherwise the present one to remove it."""

    text = StringProperty()
    detail = StringProperty()

    def __init__(self, settings: Settings, close: Callable[[], None]) -> None:
        super().__init__()
        self._settings, self._close = settings, close
        if settings.code:
            self.text = _("Do without the arbiter's code?")
            self.detail = _("Enter it once more.")
        else:
            self.text = _("A code for the arbiter")
            self.detail = _("Four digits. Remember them: without them nobody decides anything.")

    def enter(self, code: str) -> None:
        """Take the four digits that were entered."""
        if not self._settings.code:
            self._settings.code = code
            self._close()
        elif code == self._settings.code:
            self._settings.code = ""
            self._close()
        else:
            self.detail = _("That is not the arbiter's code.")

    def close(self) -> None:
        self._close()


load_kv(__file__)
