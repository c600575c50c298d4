"""The question before what cannot be undone: the answer is held, or opened by an arbiter's code."""

from collections.abc import Callable

from kivy.properties import BooleanProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.widgets.code_pad import CodePad  # noqa: F401 (the layout has one)
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _


class HeldQuestion(Cover):
    """What is to be decided, and how it is confirmed: no touch in passing does it."""

    text = StringProperty()
    detail = StringProperty()
    has_code = BooleanProperty(False)
    wrong = StringProperty()
    """That something else was entered than the code."""

    def __init__(
        self,
        text: str,
        detail: str,
        on_yes: Callable[[], None],
        on_done: Callable[[], None],
        *,
        code: str = "",
    ) -> None:
        """Ask; with an empty code the answer is held."""
        super().__init__(text=text, detail=detail, has_code=bool(code))
        self._code, self._on_yes, self._on_done = code, on_yes, on_done

    def tick(self, now: float) -> None:
        self.ids.yes.tick(now)

    def enter(self, code: str) -> None:
        """Somebody has entered four digits."""
        if code == self._code:
            self.answer(yes=True)
        else:
            self.wrong = _("That is not the arbiter's code.")

    def answer(self, *, yes: bool) -> None:
        self._on_done()
        if yes:
            self._on_yes()


load_kv(__file__)
