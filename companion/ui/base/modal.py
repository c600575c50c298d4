"""Base class of modal layers, and the dialogs that interrupt a game."""

from collections.abc import Callable

from kivy.input.motionevent import MotionEvent
from kivy.properties import AliasProperty, BooleanProperty, NumericProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from companion.core.inputs import CommandInput, Resume
from companion.session.game_host import GameHost
from companion.speech.small_texts import storage_error_text
from companion.ui.base.presenter import GamePresenter
from companion.ui.drawing.translator import _
from companion.ui.widgets.buttons import load_kv
from companion.ui.widgets.transformed import draw_ground
from engine.board.geometry import Side
from engine.game.clocks import clock_text


class Modal(FloatLayout):
    """A layer above the screen. No touch reaches the widgets below it."""

    def __init__(self, **kwargs: object) -> None:
        self.spoken_in = _.language
        """Language in which the layer was built. A refresh uses this language even if the current
        one has changed."""
        super().__init__(**kwargs)
        # The start screen's picture extends beyond the edges of this layer. Cover it there, too.
        draw_ground(self.canvas.before, 1, 1)

    def tick(self, now: float) -> None:
        """Update animations."""

    def hide_ranks(self) -> None:
        """Hide all ranks that only one player may see."""

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
    """Asks for confirmation of an action that is easy to undo."""

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
    """Reports that the board cannot be read.

    The game resumes automatically when the board can be read again.
    """

    error = StringProperty()
    kept = BooleanProperty(True)
    """Whether the game is saved, so that the players can leave it."""

    can_replug = BooleanProperty(False)
    """Whether the board is simulated and the players have unplugged its cable on the screen."""
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


class PauseDialog(Modal):
    """Shows the status of a paused game and the available actions.

    While the dialog is open, the clocks are stopped and the players may touch the pieces.
    """

    times = StringProperty()
    """Remaining time of both sides, or an empty string without a time control."""

    def __init__(
        self, presenter: GamePresenter, leave: Callable[[], None], open_arbiter: Callable[[], None]
    ) -> None:
        super().__init__()
        self._presenter, self._leave, self._open_arbiter = presenter, leave, open_arbiter
        self.refresh()

    def refresh(self) -> None:
        """Update the remaining time, which the arbiter may have changed."""
        clock, now = self._presenter.table.clock, self._presenter.now()
        left = {side: clock.remaining(side, now) for side in Side}
        self.times = "   ".join(
            f"{self._presenter.player_name(side)} {clock_text(seconds)}"
            for side, seconds in left.items()
            if seconds is not None
        )

    def go_on(self) -> None:
        self._presenter.submit(CommandInput(self._presenter.now(), Resume()))

    def leave(self) -> None:
        self._leave()

    def open_arbiter(self) -> None:
        self._open_arbiter()


class SaveErrorDialog(Modal):
    """Reports that a step could not be saved, and offers to retry or to play on without saving.

    The unsaved step is not shown until the players have chosen. The dialog closes when no step is
    waiting to be saved.
    """

    error = StringProperty()
    consequence = StringProperty()
    """Warning about what a power cut would destroy if the players go on without saving."""
    tries = NumericProperty(0)
    """Number of failed attempts since the dialog opened."""

    def __init__(self, host: GameHost) -> None:
        super().__init__()
        self._host = host
        self._show()

    def tick(self, now: float) -> None:
        self.ids.play_on.tick(now)

    def retry_save(self) -> None:
        self._host.retry_save()
        if self._host.unsaved:
            self.tries += 1
            self._show()

    def play_on(self) -> None:
        self._host.continue_unsaved()

    def tries_text(self, tries: int) -> str:
        """Return the number of retries as text. After a retry, often only this text changes."""
        again = _.plural("Tried again {count} time.", "Tried again {count} times.", tries)
        return again if tries else ""

    def _show(self) -> None:
        assert self._host.unsaved
        self.error = storage_error_text(self._host.unsaved, _.language)
        self.consequence = (
            _("Without saving, a power cut loses the game.")
            if self._host.number is None
            else _("Without saving, a power cut takes the game back to the last saved move.")
        )


load_kv(__file__)
