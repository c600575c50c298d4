"""Modal layers over a screen, which take every touch."""

from collections.abc import Callable

from kivy.input.motionevent import MotionEvent
from kivy.properties import AliasProperty, BooleanProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv


class Modal(FloatLayout):
    """Modal layer: blocks all touches below it."""

    def __init__(self, **kwargs: object) -> None:
        self.spoken_in = _.language
        """The language in which the layer was built and is always refreshed."""
        super().__init__(**kwargs)

    def tick(self, now: float) -> None:
        """Update animations."""

    def hide_ranks(self) -> None:
        """Close everything that shows ranks to one player."""

    def on_touch_down(self, touch: MotionEvent) -> bool:
        super().on_touch_down(touch)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        super().on_touch_move(touch)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        super().on_touch_up(touch)
        return True


class Confirmation(Modal):
    """Confirmation of an action that is easily undone."""

    text = StringProperty()
    detail = StringProperty()

    def __init__(
        self, text: str, detail: str, on_yes: Callable[[], None], on_done: Callable[[], None]
    ) -> None:
        super().__init__()
        self.text, self.detail = text, detail
        self._on_yes, self._on_done = on_yes, on_done

    def answer(self, *, yes: bool) -> None:
        self._on_done()
        if yes:
            self._on_yes()


class BoardLostDialog(Modal):
    """The board cannot be read: the game waits and resumes automatically."""

    error = StringProperty()
    kept = BooleanProperty(True)
    """Whether the game is saved, so that it can be left."""

    can_replug = BooleanProperty(False)
    """Whether the board is simulated and its cable was unplugged on the screen."""
    promise = AliasProperty(
        lambda self: (
            _("The game is saved. It continues as soon as the board is back.")
            if self.kept
            else _("The game continues as soon as the board is back.")
        ),
        bind=["kept"],
    )

    def __init__(
        self, on_leave: Callable[[], None], replug: Callable[[], None] | None, *, kept: bool
    ) -> None:
        super().__init__(kept=kept, can_replug=replug is not None)
        self._on_leave, self._replug = on_leave, replug

    def replug(self) -> None:
        assert self._replug
        self._replug()

    def leave(self) -> None:
        self._on_leave()


load_kv(__file__)
