"""Confirmation of an irreversible action, by holding the button or by the arbiter's code."""

from collections.abc import Callable

from kivy.properties import AliasProperty, BooleanProperty, StringProperty

from companion.screens.base.cover import Cover
from companion.screens.widgets.code_pad import CodePad  # noqa: F401 (the layout has one)
from companion.screens.widgets.common import load_kv
from companion.screens.widgets.texts import _


class HeldQuestion(Cover):
    """The question and its confirmation; an accidental touch does not confirm it."""

    text = StringProperty()
    detail = StringProperty()
    has_code = BooleanProperty(False)
    wrong = StringProperty()
    """Message that the code is wrong."""
    answer_height = AliasProperty(lambda self: 64 if self.has_code else 96, bind=["has_code"])

    def __init__(
        self,
        text: str,
        detail: str,
        on_yes: Callable[[], None],
        on_done: Callable[[], None],
        *,
        code: str = "",
    ) -> None:
        """Ask; with an empty code the button is held."""
        super().__init__(text=text, detail=detail, has_code=bool(code))
        self._code, self._on_yes, self._on_done = code, on_yes, on_done

    def tick(self, now: float) -> None:
        self.ids.yes.tick(now)

    def enter(self, code: str) -> None:
        """Take the four digits that were entered."""
        if code == self._code:
            self.answer(yes=True)
        else:
            self.wrong = _("That is not the arbiter's code.")

    def answer(self, *, yes: bool) -> None:
        self._on_done()
        if yes:
            self._on_yes()


load_kv(__file__)
